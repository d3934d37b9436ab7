import { Button, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { ServerBehaviour, BehaviourChoices } from '../../../preload/contract/local-servers.ts';
import type { DialectName } from '../../../preload/contract/names.ts';
import { JsonCode } from '../../answers/code.tsx';
import { api, useApp } from '../../api.ts';
import { nothingMisbehaves } from '../../behaviour-text.ts';
import { AllowedOrigins } from '../../components/allowed-origins.tsx';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { DoneIcon, WarningIcon } from '../../components/icons.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import classes from './built-in-server.module.css';
import { AccountManagement } from './account-management.tsx';
import { ChoiceCards } from './choice-cards.tsx';
import { Faults } from './faults.tsx';
import { Strip } from './strip.tsx';
import { Vulnerabilities } from './vulnerabilities.tsx';

/** Chooses how the built-in server responds from the next request on. Each change applies at once. */
export function BehaviourTab() {
  const { behaviour, servers } = useApp();
  const server = servers.find(({ builtIn }) => builtIn);
  const { data: choices, error } = useQuery(api.builtIn.choices);
  const ofAccounts = server?.interface.account ? (choices?.accountDefects ?? []) : [];
  const names = [...(choices?.defects ?? []), ...ofAccounts];
  return (
    <>
      <BehaviourStrip choices={choices} />
      {!choices && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {error && <ErrorMessage error={error} during="server" takesFocus={false} />}
      {choices && (
        <div className={classes.columns}>
          <div className="grid slim gap16">
            <ResponseFormat formats={choices.dialects} />
            <Vulnerabilities names={names} chosen={behaviour.defects} behave={api.builtIn.setBehaviour} />
            <Faults choices={choices} behaviour={behaviour} behave={api.builtIn.setBehaviour} />
          </div>
          <div className="grid slim gap16">
            <LoginExample examples={choices.logins} />
            {server && <AccountManagement server={server} />}
            {server && <AllowedOrigins server={server} />}
          </div>
        </div>
      )}
    </>
  );
}

/** Shows whether faults are simulated, with a button that turns all of them off. */
function BehaviourStrip({ choices }: { choices: BehaviourChoices | undefined }) {
  const { behaviour } = useApp();
  const { run, pending, failure } = useAction();
  const { isOn } = behaviour;
  const off = [t('builtIn.strip.off'), t('builtIn.strip.offHelp')] as const;
  const [title, text] = isOn ? [t('builtIn.strip.on'), countsText(behaviour)] : off;
  return (
    <>
      <Strip
        tone={isOn ? 'bad' : 'good'}
        icon={isOn ? <WarningIcon size={20} /> : <DoneIcon size={20} />}
        title={title}
        text={text}
        holds={[off, [t('builtIn.strip.on'), longestCountsText(choices)]]}
      >
        <Button
          variant={isOn ? 'filled' : 'default'}
          color="red"
          flex="none"
          aria-disabled={!isOn}
          aria-busy={pending}
          onClick={() => isOn && void run(() => api.builtIn.setBehaviour(nothingMisbehaves))}
        >
          {t('builtIn.allOff')}
        </Button>
      </Strip>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </>
  );
}

/** Without the remaining counts of faults: they change with each request, and would be announced. */
const countsText = ({ dialect, defects, faults }: ServerBehaviour): string =>
  [
    ...(dialect === null ? [] : [t('builtIn.strip.dialect', { name: t(`builtIn.dialects.${dialect}.name`) })]),
    ...(defects.length === 0 ? [] : [t('builtIn.strip.vulnerabilities', { number: defects.length })]),
    ...(faults.length === 0 ? [] : [t('builtIn.strip.faults', { number: faults.length })]),
  ].join(' ');

function longestCountsText(choices: BehaviourChoices | undefined): string {
  const names = (choices?.dialects ?? (['django'] as const)).map((dialect) => t(`builtIn.dialects.${dialect}.name`));
  const name = names.toSorted((one, other) => other.length - one.length)[0] ?? '';
  const [dialect, wrong] = [t('builtIn.strip.dialect', { name }), t('builtIn.strip.vulnerabilities', { number: 23 })];
  return [dialect, wrong, t('builtIn.strip.faults', { number: 100 })].join(' ');
}

function ResponseFormat({ formats }: { formats: readonly DialectName[] }) {
  const { dialect } = useApp().behaviour;
  const { run, failure } = useAction();
  const choices = [
    { name: 'own' as const, title: t('builtIn.ownDialect'), hint: t('builtIn.ownDialectHelp') },
    ...formats.map((name) => ({
      name,
      title: t(`builtIn.dialects.${name}.name`),
      hint: t(`builtIn.dialects.${name}.help`),
    })),
  ];
  return (
    <Card title={t('builtIn.dialect')}>
      <div className="grid gap12">
        <ChoiceCards
          label={t('builtIn.dialect')}
          choices={choices}
          chosen={dialect ?? 'own'}
          onChoose={(name) => void run(() => api.builtIn.setBehaviour({ dialect: name === 'own' ? null : name }))}
        />
        {failure && <ErrorMessage error={failure.error} during="server" />}
      </div>
    </Card>
  );
}

/** The response to a login with the current choices. */
function LoginExample({ examples }: { examples: BehaviourChoices['logins'] }) {
  const { behaviour } = useApp();
  // Not every vulnerability changes the response to a login.
  const visible = new Set(examples.flatMap(({ defects }) => defects));
  const example = examples.find(
    ({ dialect, defects }) =>
      dialect === behaviour.dialect &&
      [...visible].every((name) => defects.includes(name) === behaviour.defects.includes(name)),
  );
  const text = useMemo(() => (example ? [JSON.stringify(JSON.parse(example.body), null, 2)] : []), [example]);
  if (!example) return null;
  const meetsFault = behaviour.faults.some(({ operation }) => operation === 'login');
  return (
    <Card title={t('builtIn.example.title')}>
      <div className="grid gap8">
        <p className="flush row gap8 hint">
          <Chip tone={example.status < 300 ? 'good' : 'bad'}>{example.status}</Chip>
          <span>{example.type}</span>
        </p>
        <p className="flush hint">{t(meetsFault ? 'builtIn.example.unlessFault' : 'builtIn.example.help')}</p>
        <JsonCode key={example.body} text={text} />
      </div>
    </Card>
  );
}
