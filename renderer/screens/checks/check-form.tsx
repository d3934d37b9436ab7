import { Button, NativeSelect, Radio, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import {
  accountLimits,
  emailDomainPattern,
  longestEmailDomain,
  reservedDomains,
} from '../../../preload/contract/names.ts';
import type { RunOptions } from '../../../preload/contract/report.ts';
import { api, useApp } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { Fold } from '../../components/fold.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { formatDuration } from '../../format.ts';
import { t } from '../../i18n.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { ConnectionTestResult } from '../servers/connection-test.tsx';
import classes from './check-form.module.css';
import { startCheck } from './checks.ts';
import reportClasses from './report.module.css';

const variants = ['both', 'registro', 'register'] as const satisfies readonly RunOptions['variant'][];

/** A typical plan. Invisible, it reserves the space of the plan that main has not returned yet. */
const usualPlan = { calls: 166, accounts: accountLimits.usual, seconds: 34 };

const isDomain = (name: string): boolean =>
  name === '' || (name.length <= longestEmailDomain && emailDomainPattern.test(name));

interface CheckFormProps {
  /** The result of the connection test that led here. */
  tested: ConnectionReport | undefined;
  /** Options of the last check. */
  options: RunOptions | undefined;
}

/** The options of a check, and the plan of what it will send. */
export function CheckForm({ tested, options }: CheckFormProps) {
  const { servers, settings, activeServerId } = useApp();
  const { run, failure } = useAction();
  const form = useForm({
    initialValues: {
      /** Empty until a server other than the active one is chosen. */
      serverId: '',
      otherId: '',
      variant: options?.variant ?? 'both',
      rate: String(settings.callsPerSecond),
      throttling: options?.throttling ?? false,
      races: options?.races ?? false,
      accounts: String(options?.accounts ?? accountLimits.usual),
      emailDomain: options?.emailDomain ?? '',
    },
    validate: { emailDomain: (name) => !isDomain(name.trim()) },
  });
  const { values, errors } = form;

  // The chosen server may have been deleted.
  const server = servers.find(({ id }) => id === values.serverId) ?? servers.find(({ id }) => id === activeServerId);
  const serverId = server?.id ?? activeServerId;
  const others = servers.filter(({ id, production }) => id !== serverId && !production);
  const other = others.find(({ id }) => id === values.otherId);
  const builtIn = servers.find((each) => each.builtIn);

  const typedRate = Number(values.rate.replace(',', '.'));
  const callsPerSecond = typedRate >= 0.1 && typedRate <= 100 ? typedRate : settings.callsPerSecond;
  const typedAccounts = Number(values.accounts);
  const areAccounts =
    Number.isInteger(typedAccounts) && typedAccounts >= accountLimits.least && typedAccounts <= accountLimits.most;
  const accounts = areAccounts ? typedAccounts : accountLimits.usual;
  const typedDomain = values.emailDomain.trim();
  const emailDomain = typedDomain !== '' && isDomain(typedDomain) ? typedDomain : undefined;
  const domain = emailDomain ?? reservedDomains[0];
  // With one path to register, or none, there is no choice.
  const isVariantAsked = (server?.interface.registrations.length ?? 2) > 1;
  const { throttling, races } = values;
  const chosen = {
    variant: isVariantAsked ? values.variant : 'both',
    callsPerSecond,
    throttling,
    races,
    accounts,
    bail: false,
    keepAccounts: false,
  } as const;

  const wanted = { serverId, compareWith: other?.id, options: chosen };
  const { data: plan } = useQuery(() => api.checks.plan(wanted), JSON.stringify(wanted));
  const { calls, seconds, accounts: planned } = plan ?? usualPlan;

  function start(id: string, compareWith?: string) {
    if (form.validate().hasErrors) return;
    if (callsPerSecond !== settings.callsPerSecond) void api.settings.change({ callsPerSecond });
    void run(() => startCheck({ serverId: id, compareWith, options: { ...chosen, emailDomain } }));
  }
  const choiceOf = (each: Server) => ({
    value: each.id,
    label: each.production ? t('run.isProduction', { name: serverName(each) }) : serverName(each),
  });
  return (
    <form
      className="grow slim scroll stable unpinned ring-around"
      onSubmit={(event) => {
        event.preventDefault();
        start(serverId, other?.id);
      }}
      noValidate
    >
      <div className={reportClasses.column} data-width="form">
        {tested ? <ConnectionTestResult report={tested} /> : <p className={classes.intro}>{t('run.intro')}</p>}
        <div className={classes.cards}>
          <div className={classes.choices}>
            <div className={classes.pair}>
              <NativeSelect
                {...form.getInputProps('serverId')}
                data-home
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                label={t('run.server')}
                leftSection={server && <ServerDot colour={server.colour} size={10} />}
                value={serverId}
                description={server && !server.builtIn && server.baseUrl}
                error={server?.production && t('error.run-refused.production.message')}
                data={servers.map(choiceOf)}
              />
              <NativeSelect
                {...form.getInputProps('otherId')}
                label={t('run.compareWith')}
                leftSection={other && <ServerDot colour={other.colour} size={10} />}
                value={other?.id ?? ''}
                data={[{ value: '', label: t('run.compareWithNone') }, ...others.map(choiceOf)]}
              />
            </div>
            {isVariantAsked && (
              <Radio.Group {...form.getInputProps('variant')} label={t('run.variant')}>
                <div className={classes.radios}>
                  {variants.map((each) => (
                    <Radio key={each} value={each} label={t(`run.variants.${each}`)} />
                  ))}
                </div>
              </Radio.Group>
            )}
            <TextInput
              {...form.getInputProps('rate')}
              className={classes.number}
              type="number"
              min={0.1}
              max={100}
              step="any"
              label={t('run.rate')}
              onBlur={() => form.setFieldValue('rate', String(callsPerSecond))}
            />
            <Switch
              {...form.getInputProps('throttling', { type: 'checkbox' })}
              label={t('run.throttling')}
              description={t('run.throttlingHelp')}
            />
            <Switch
              {...form.getInputProps('races', { type: 'checkbox' })}
              label={t('run.races')}
              description={t('run.racesHelp')}
            />
            <div className={classes.more}>
              <Fold
                title={t('run.more')}
                value={t('run.moreSummary', { accounts, domain })}
                isOpen={errors['emailDomain'] !== undefined}
              >
                <TextInput
                  {...form.getInputProps('accounts')}
                  className={classes.number}
                  type="number"
                  min={accountLimits.least}
                  max={accountLimits.most}
                  label={t('run.mostAccounts')}
                  description={t('run.mostAccountsHelp')}
                  onBlur={() => form.setFieldValue('accounts', String(accounts))}
                />
                <TextInput
                  {...form.getInputProps('emailDomain')}
                  label={t('run.emailDomain')}
                  description={t('run.emailDomainHelp')}
                  placeholder={reservedDomains[0]}
                  error={errors['emailDomain'] && t('run.emailDomainWrong')}
                />
              </Fold>
            </div>
          </div>
          <Card title={t('checks.plan')}>
            <div className={classes.plan} data-known={plan !== undefined}>
              <p className={classes.size}>{t('run.plan', { count: calls, time: formatDuration(seconds) })}</p>
              <p className="flush hint">{t('run.planRepeat')}</p>
              {planned > 0 && (
                <p className={classes.accounts}>
                  {t(plan?.deletes ? 'run.planAccountsDeleted' : 'run.planAccounts', { count: planned, domain })}
                </p>
              )}
            </div>
            <div className={classes.starts}>
              <Button type="submit" fullWidth h={40}>
                {t('run.start')}
              </Button>
              {failure && <ErrorMessage error={failure.error} during="server" />}
              {builtIn && serverId !== builtIn.id && (
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
