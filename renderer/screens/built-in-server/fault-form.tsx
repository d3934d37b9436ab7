import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FaultKind } from '../../../preload/contract/built-in-server.ts';
import classes from './built-in-server.module.css';
import { type FaultFormProps, useFaultForm } from './use-fault-form.ts';

/** Adds one fault. What was typed stays, so that another fault like it is one press away. */
export function FaultForm(props: FaultFormProps) {
  const { t } = useTranslation();
  const { choices, sending } = props;
  const { formRef, operation, kinds, chosen, often, field, chooseOperation, chooseKind, setOften, submit } =
    useFaultForm(props);
  if (!chosen) return null;
  const { parameter } = chosen;
  const label = chosen.kind in parameterLabels ? t(parameterLabels[chosen.kind]!) : '';

  return (
    <form ref={formRef} onSubmit={submit} noValidate>
      <Stack gap="xs">
        <div className={classes.fields}>
          <NativeSelect
            label={t('builtIn.operation')}
            value={operation}
            data={choices.operations.map((name) => ({ value: name, label: t(`builtIn.operations.${name}`) }))}
            onChange={({ currentTarget: { value } }) => chooseOperation(value)}
          />
          <NativeSelect
            label={t('builtIn.kind')}
            value={chosen.kind}
            data={kinds.map((each) => ({ value: each.kind, label: t(`builtIn.kinds.${each.kind}.name`) }))}
            onChange={({ currentTarget: { value } }) => chooseKind(value)}
          />
          {parameter && <TextInput label={label} {...field('least')} />}
          {parameter?.isRange && <TextInput label={t('builtIn.parameterTo', { label })} {...field('most')} />}
          <NativeSelect
            label={t('builtIn.often')}
            value={often}
            data={(['times', 'chance'] as const).map((value) => ({ value, label: t(`builtIn.${value}`) }))}
            onChange={({ currentTarget: { value } }) => setOften(value === 'chance' ? 'chance' : 'times')}
          />
          <TextInput label={t(often === 'times' ? 'builtIn.count' : 'builtIn.percent')} {...field('amount')} />
        </div>
        <Text size="xs" c="dimmed">
          {t(`builtIn.kinds.${chosen.kind}.help`)}
        </Text>
        <div>
          <Button type="submit" variant="default" size="xs" aria-busy={sending}>
            {t('builtIn.add')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

const parameterLabels: Partial<Record<FaultKind, `builtIn.parameters.${'429' | 'latency' | 'html' | 'drip'}`>> = {
  '429': 'builtIn.parameters.429',
  latency: 'builtIn.parameters.latency',
  html: 'builtIn.parameters.html',
  drip: 'builtIn.parameters.drip',
};
