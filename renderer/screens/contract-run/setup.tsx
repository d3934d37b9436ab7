import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RunOptions, RunPlan } from '../../../preload/contract/report-run.ts';
import { sayDuration } from '../../say-error.ts';
import classes from './contract-run.module.css';
import { useLostFocus } from './use-lost-focus.ts';
import { type SetupProps, useSetup } from './use-setup.ts';

const variants = ['both', 'registro', 'register'] as const satisfies readonly RunOptions['variant'][];

/** Asks what is to be run, and says what that will do, before anything is sent. */
export function Setup(props: SetupProps) {
  const { t } = useTranslation();
  const { servers } = props.state;
  const { onLastReport } = props;
  const firstRef = useLostFocus<HTMLSelectElement>();
  const { id, setId, chosen, builtIn, others, compareWith, setOtherId, nameOf, start, submit, ...setup } =
    useSetup(props);
  const { variant, setVariant, rate, setRate, callsPerSecond, throttling, setThrottling, plan } = setup;
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
            description={chosen && !chosen.builtIn && chosen.baseUrl}
            error={chosen?.production && t('error.run-refused.production.says')}
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
        <Plan plan={plan} />
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

/** A plan as most are. Unseen, it holds the place of the one that main has not answered yet. */
const usual = { calls: 166, accounts: 6, seconds: 34 };

/** How much a run would send, and how long that takes. */
function Plan({ plan }: { plan: RunPlan | undefined }) {
  const { t, i18n } = useTranslation();
  const { calls, seconds, accounts } = plan ?? usual;
  return (
    <div className={classes.plan} data-known={plan !== undefined}>
      <Text size="sm" fw={600}>
        {t('run.plan', { calls, time: sayDuration(seconds, i18n.language) })}
      </Text>
      <Text size="sm">{t('run.planAccounts', { accounts })}</Text>
      <Text size="sm">{t('run.planRepeat')}</Text>
    </div>
  );
}
