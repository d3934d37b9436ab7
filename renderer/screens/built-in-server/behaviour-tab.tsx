import { Text } from '@mantine/core';
import type { BehaviourChange, BehaviourChoices, DialectName } from '../../../preload/contract/local-servers.ts';
import { api, useApp } from '../../api.ts';
import { AllowedOrigins } from '../../components/allowed-origins.tsx';
import { Card } from '../../components/card.tsx';
import { nothingMisbehaves } from '../../behaviour-text.ts';
import { useAction } from '../../use-action.ts';
import classes from './built-in-server.module.css';
import { ChoiceCards } from './choice-cards.tsx';
import { Faults } from './faults.tsx';
import { LoginExample } from './login-example.tsx';
import { MisbehavesStrip } from './misbehaves-strip.tsx';
import { TabPage } from './tab-page.tsx';
import { useQuery } from '../../use-query.ts';
import { Wrongs } from './wrongs.tsx';
import { t } from '../../i18n.ts';

/** Chooses how the built-in server answers from the next request on. Each choice counts at once. */
export function BehaviourTab() {
  const { behaviour, servers } = useApp();
  const { data: choices, error } = useQuery(api.builtIn.choices);
  const attempt = useAction();
  const server = servers.find(({ builtIn }) => builtIn);
  async function behave(change: BehaviourChange, text?: () => string): Promise<boolean> {
    const result = await attempt.run(
      () => api.builtIn.behave(change),
      () => text,
    );
    return result?.ok === true;
  }

  return (
    <TabPage error={attempt.failure?.error ?? error}>
      <MisbehavesStrip
        behaviour={behaviour}
        choices={choices}
        sending={attempt.pending}
        onTurnOff={() => void behave(nothingMisbehaves)}
      />
      {!choices && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {choices && (
        <div className={classes.columns}>
          <div className="grid slim gap16">
            <Dialects
              all={choices.dialects}
              chosen={behaviour.dialect}
              onChoose={(dialect) => void behave({ dialect })}
            />
            <Wrongs all={choices.wrongs} chosen={behaviour.wrong} onChange={(wrong) => void behave({ wrong })} />
            <Faults behaviour={behaviour} choices={choices} sending={attempt.pending} onChange={behave} />
          </div>
          <div className="grid slim gap16">
            <LoginExample behaviour={behaviour} logins={choices.logins} />
            {server && <AllowedOrigins server={server} />}
          </div>
        </div>
      )}
    </TabPage>
  );
}

interface DialectsProps {
  all: BehaviourChoices['dialects'];
  chosen: DialectName | null;
  onChoose: (dialect: DialectName | null) => void;
}

/** It stands for the service's own way of answering, which has no name. */
const own = 'own';

function Dialects({ all, chosen, onChoose }: DialectsProps) {
  const choices = [
    { name: own, title: t('builtIn.ownDialect'), hint: t('builtIn.ownDialectHelp') } as const,
    ...all.map((name) => ({
      name,
      title: t(`builtIn.dialects.${name}.name`),
      hint: t(`builtIn.dialects.${name}.help`),
    })),
  ];
  return (
    <Card title={t('builtIn.dialect')}>
      <ChoiceCards
        label={t('builtIn.dialect')}
        choices={choices}
        chosen={chosen ?? own}
        onChoose={(name) => onChoose(name === own ? null : name)}
      />
    </Card>
  );
}
