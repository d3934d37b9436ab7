import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunOptions, RunPlan } from '../../../preload/contract/report-run.ts';
import type { WantedRun } from '../../../preload/contract/contract-runs.ts';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { serverName } from '../../server-name.ts';
import { sayDuration } from '../../say-error.ts';
import classes from './contract-run.module.css';
import { useLostFocus } from './use-lost-focus.ts';

const variants = ['both', 'registro', 'register'] as const satisfies readonly RunOptions['variant'][];

interface SetupProps {
  state: AppState;
  /** Chosen at first. */
  serverId: string;
  /** Of the last run. */
  options: RunOptions | undefined;
  onStart: (wanted: WantedRun) => void;
  /** Absent without a report to go back to. */
  onLastReport?: (() => void) | undefined;
}

/** What is to be run, and what that will do, before anything is sent. */
export function Setup({ state, serverId, options, onStart, onLastReport }: SetupProps) {
  const { t, i18n } = useTranslation();
  const { servers } = state;
  const firstRef = useLostFocus<HTMLSelectElement>();
  const [id, setId] = useState(serverId);
  const [otherId, setOtherId] = useState('');
  const [variant, setVariant] = useState<RunOptions['variant']>(options?.variant ?? 'both');
  const [rate, setRate] = useState(String(state.settings.callsPerSecond));
  const [throttling, setThrottling] = useState(options?.throttling ?? false);
  const [plan, setPlan] = useState<RunPlan>();

  const typedRate = Number(rate.replace(',', '.'));
  const callsPerSecond = typedRate >= 0.1 && typedRate <= 100 ? typedRate : state.settings.callsPerSecond;
  useEffect(() => {
    let left = false;
    void api.contractRun.plan({ variant, callsPerSecond, throttling, bail: false }).then((result) => {
      if (!left && result.ok) setPlan(result.value);
    });
    return () => {
      left = true;
    };
  }, [variant, callsPerSecond, throttling]);

  const chosen = servers.find((each) => each.id === id);
  const builtIn = servers.find((each) => each.builtIn);
  const nameOf = (each: Server) => {
    const name = serverName(each, t);
    return each.production ? t('run.isProduction', { name }) : name;
  };
  const others = servers.filter((each) => each.id !== id && !each.production);
  const compareWith = others.find((each) => each.id === otherId)?.id;

  function start(wanted: string, compared?: string) {
    if (callsPerSecond !== state.settings.callsPerSecond) void api.settings.change({ callsPerSecond });
    onStart({
      serverId: wanted,
      ...(compared !== undefined && { compareWith: compared }),
      options: { variant, callsPerSecond, throttling, bail: false },
    });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    start(id, compareWith);
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">{t('run.intro')}</Text>
        <div className={classes.pair}>
          <NativeSelect
            data-autofocus
            ref={firstRef}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            label={t('run.server')}
            value={id}
            {...(chosen && !chosen.builtIn && { description: chosen.baseUrl })}
            {...(chosen?.production && { error: t('error.run-refused.production.says') })}
            data={servers.map((each) => ({ value: each.id, label: nameOf(each) }))}
            onChange={(event) => setId(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('run.compareWith')}
            value={compareWith ?? ''}
            data={[
              { value: '', label: t('run.compareWithNone') },
              ...others.map((each) => ({ value: each.id, label: nameOf(each) })),
            ]}
            onChange={(event) => setOtherId(event.currentTarget.value)}
          />
        </div>
        <Radio.Group
          label={t('run.variant')}
          value={variant}
          onChange={(value) => setVariant(variants.find((each) => each === value) ?? 'both')}
        >
          <Group mt="xs">
            {variants.map((each) => (
              <Radio key={each} value={each} label={t(`run.variants.${each}`)} />
            ))}
          </Group>
        </Radio.Group>
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
        <Checkbox
          label={t('run.throttling')}
          description={t('run.throttlingHelp')}
          checked={throttling}
          onChange={(event) => setThrottling(event.currentTarget.checked)}
        />
        {plan && (
          <div className={classes.plan}>
            <Text size="sm" fw={600}>
              {t('run.plan', { calls: plan.calls, time: sayDuration(plan.seconds, i18n.language) })}
            </Text>
            <Text size="sm">{t('run.planAccounts', { accounts: plan.accounts })}</Text>
            <Text size="sm">{t('run.planRepeat')}</Text>
          </div>
        )}
        <Group>
          <Button type="submit">{t('run.start')}</Button>
          {builtIn && id !== builtIn.id && (
            <Button variant="default" onClick={() => start(builtIn.id)}>
              {t('run.tryBuiltIn')}
            </Button>
          )}
          {onLastReport && (
            <Button variant="default" onClick={onLastReport}>
              {t('run.lastReport')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
