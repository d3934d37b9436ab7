import { useApp } from '../../api.ts';
import { Button, NativeSelect, Radio, Switch, TextInput } from '@mantine/core';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import type { RunOptions, RunPlan } from '../../../preload/contract/report.ts';
import { accountLimits, reservedDomains } from '../../../preload/contract/names.ts';
import { Card } from '../../components/card.tsx';
import { Fold } from '../../components/fold.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { formatDuration } from '../../format.ts';
import { ConnectionTestResult } from '../servers/connection-test.tsx';
import classes from './page.module.css';
import { useLostFocus } from './use-lost-focus.ts';
import { type SetupProps, useSetup } from './use-setup.ts';
import { t } from '../../i18n.ts';

const variants = ['both', 'registro', 'register'] as const satisfies readonly RunOptions['variant'][];

/** Asks what is to be run, and says what that will do, before anything is sent. */
export function Setup({ tested, ...props }: SetupProps & { tested: ConnectionReport | undefined }) {
  const setup = useSetup(props);
  const { id, builtIn, plan, start, submit } = setup;
  return (
    <form className={classes.scroll} onSubmit={submit} noValidate>
      <div className={classes.page} data-width="form">
        {tested ? <ConnectionTestResult report={tested} /> : <p className={classes.intro}>{t('run.intro')}</p>}
        <div className={classes.twoCards}>
          <div className={classes.choices}>
            <Servers {...setup} />
            <Manner {...setup} />
            <More {...setup} />
          </div>
          <Card title={t('contract.plan')}>
            <Plan plan={plan} domain={setup.choices.emailDomain} />
            <div className={classes.starts}>
              <Button type="submit" fullWidth h={40}>
                {t('run.start')}
              </Button>
              {builtIn && id !== builtIn.id && (
                <Button variant="subtle" color="gray" fullWidth onClick={() => start(builtIn.id)}>
                  {t('run.tryBuiltIn')}
                </Button>
              )}
            </div>
          </Card>
        </div>
      </div>
    </form>
  );
}

type SetupOf = ReturnType<typeof useSetup>;

type ServersProps = Pick<SetupOf, 'id' | 'setId' | 'chosen' | 'others' | 'compareWith' | 'setOtherId' | 'nameOf'>;

/** Asks which server is run, and with which other it is compared. */
function Servers({ id, setId, chosen, others, compareWith, setOtherId, nameOf }: ServersProps) {
  const { servers } = useApp();
  const firstRef = useLostFocus<HTMLSelectElement>();
  const other = others.find((each) => each.id === compareWith);
  return (
    <div className={classes.pair}>
      <NativeSelect
        ref={firstRef}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        label={t('run.server')}
        leftSection={chosen && <ServerDot colour={chosen.colour} size={10} />}
        value={id}
        description={chosen && !chosen.builtIn && chosen.baseUrl}
        error={chosen?.production && t('error.run-refused.production.says')}
        data={servers.map((each) => ({ value: each.id, label: nameOf(each) }))}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('run.compareWith')}
        leftSection={other && <ServerDot colour={other.colour} size={10} />}
        value={compareWith ?? ''}
        data={[
          { value: '', label: t('run.compareWithNone') },
          ...others.map((each) => ({ value: each.id, label: nameOf(each) })),
        ]}
        onChange={(event) => setOtherId(event.currentTarget.value)}
      />
    </div>
  );
}

type MannerProps = Pick<
  SetupOf,
  | 'variant'
  | 'isVariantAsked'
  | 'setVariant'
  | 'rate'
  | 'setRate'
  | 'callsPerSecond'
  | 'throttling'
  | 'setThrottling'
  | 'races'
  | 'setRaces'
>;

/** Asks how the run goes about it. */
function Manner(props: MannerProps) {
  const { variant, setVariant, rate, setRate, callsPerSecond, throttling, setThrottling, races, setRaces } = props;
  return (
    <>
      {props.isVariantAsked && (
        <Radio.Group
          label={t('run.variant')}
          value={variant}
          onChange={(value) => setVariant(variants.find((each) => each === value) ?? 'both')}
        >
          <div className={classes.radios}>
            {variants.map((each) => (
              <Radio key={each} value={each} label={t(`run.variants.${each}`)} />
            ))}
          </div>
        </Radio.Group>
      )}
      <TextInput
        className={classes.rate}
        type="number"
        min={0.1}
        max={100}
        step="any"
        label={t('run.rate')}
        value={rate}
        onChange={(event) => setRate(event.currentTarget.value)}
        onBlur={() => setRate(String(callsPerSecond))}
      />
      <Switch
        label={t('run.throttling')}
        description={t('run.throttlingHelp')}
        checked={throttling}
        onChange={(event) => setThrottling(event.currentTarget.checked)}
      />
      <Switch
        label={t('run.races')}
        description={t('run.racesHelp')}
        checked={races}
        onChange={(event) => setRaces(event.currentTarget.checked)}
      />
    </>
  );
}

/** Asks about the accounts that a run makes, which few people need to choose. */
function More({ choices }: Pick<SetupOf, 'choices'>) {
  const { accounts, emailDomain = reservedDomains[0], isWrong } = choices;
  return (
    <div className={classes.more}>
      <Fold title={t('run.more')} value={t('run.moreSummary', { accounts, domain: emailDomain })} isOpen={isWrong}>
        <TextInput
          className={classes.rate}
          type="number"
          min={accountLimits.least}
          max={accountLimits.most}
          label={t('run.mostAccounts')}
          description={t('run.mostAccountsHelp')}
          value={choices.typedAccounts}
          onChange={(event) => choices.setTypedAccounts(event.currentTarget.value)}
          onBlur={() => choices.setTypedAccounts(String(accounts))}
        />
        <TextInput
          label={t('run.emailDomain')}
          description={t('run.emailDomainHelp')}
          placeholder={reservedDomains[0]}
          value={choices.typedDomain}
          error={isWrong && t('run.emailDomainWrong')}
          onChange={(event) => choices.setTypedDomain(event.currentTarget.value)}
        />
      </Fold>
    </div>
  );
}

/** A plan as most are. Unseen, it holds the place of the one that main has not answered yet. */
const usual = { calls: 166, accounts: accountLimits.usual, seconds: 34 };

/** How much a run would send, and how long that takes. */
function Plan({ plan, domain = reservedDomains[0] }: { plan: RunPlan | undefined; domain: string | undefined }) {
  const { calls, seconds, accounts } = plan ?? usual;
  return (
    <div className={classes.plan} data-known={plan !== undefined}>
      <p>{t('run.plan', { count: calls, time: formatDuration(seconds) })}</p>
      <p className={classes.hint}>{t('run.planRepeat')}</p>
      {accounts > 0 && <p className={classes.accounts}>{t('run.planAccounts', { count: accounts, domain })}</p>}
    </div>
  );
}
