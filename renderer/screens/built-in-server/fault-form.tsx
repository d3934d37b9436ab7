import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BehaviourChoices, Fault, FaultKind, Operation } from '../../../preload/contract/built-in-server.ts';
import { type Limits, readNumber } from './numbers.ts';
import classes from './built-in-server.module.css';

interface FaultFormProps {
  choices: BehaviourChoices;
  sending: boolean;
  onAdd: (fault: Fault) => void;
}

const percent: Limits = { least: 0.01, most: 100, decimals: true };

/** One fault to be added; what was typed stays, so that another like it is one press away. */
export function FaultForm({ choices, sending, onAdd }: FaultFormProps) {
  const { t } = useTranslation();
  const [operation, setOperation] = useState<Operation>('login');
  const [kind, setKind] = useState<FaultKind>('500');
  const [often, setOften] = useState<'times' | 'chance'>('times');
  const [typed, setTyped] = useState({ least: '', most: '', amount: '1' });
  const [problems, setProblems] = useState<Partial<Record<keyof typeof typed, string>>>({});
  const formRef = useRef<HTMLFormElement>(null);

  const kinds = choices.faults.filter(({ operations }) => operations.includes(operation));
  const chosen = kinds.find((each) => each.kind === kind);
  if (!chosen) return null;
  const { parameter } = chosen;
  const amountLimits: Limits = often === 'times' ? { least: 1, most: choices.mostCount } : percent;

  function chooseKind(name: string) {
    const next = choices.faults.find((each) => each.kind === name);
    if (!next) return;
    setKind(next.kind);
    const byDefault = String(next.parameter?.byDefault ?? '');
    setTyped({ ...typed, least: byDefault, most: '' });
    setProblems({});
  }

  function sayLimits({ least, most, decimals }: Limits): string {
    return t(decimals ? 'builtIn.decimal' : 'builtIn.number', { least, most });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (sending || !chosen) return;
    const least = parameter ? readNumber(typed.least, parameter) : undefined;
    const isRandom = parameter?.isRange && typed.most.trim() !== '';
    const most = isRandom ? readNumber(typed.most, parameter) : least;
    const amount = readNumber(typed.amount, amountLimits);
    const found = {
      ...(parameter && least === undefined && { least: sayLimits(parameter) }),
      ...(isRandom && most === undefined && { most: sayLimits(parameter) }),
      ...(least !== undefined && most !== undefined && most < least && { most: t('builtIn.order') }),
      ...(amount === undefined && { amount: sayLimits(amountLimits) }),
    };
    setProblems(found);
    const [first] = Object.keys(found);
    if (first !== undefined || amount === undefined) {
      formRef.current?.querySelector<HTMLInputElement>(`input[name=${first}]`)?.focus();
      return;
    }
    onAdd({
      operation,
      kind: chosen.kind,
      // To the fourth digit, as it was typed: a hundredth of it would have a tail of others.
      amount: often === 'times' ? { count: amount } : { probability: Number((amount / 100).toFixed(6)) },
      ...(least !== undefined && most !== undefined && { parameter: { least, most } }),
    });
  }

  const field = (name: keyof typeof typed) => ({
    name,
    inputMode: 'decimal' as const,
    value: typed[name],
    error: problems[name],
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement>) =>
      setTyped((before) => ({ ...before, [name]: value })),
  });
  const label = chosen.kind in parameterLabels ? t(parameterLabels[chosen.kind]!) : '';

  return (
    <form ref={formRef} onSubmit={submit} noValidate>
      <Stack gap="xs">
        <div className={classes.fields}>
          <NativeSelect
            label={t('builtIn.operation')}
            value={operation}
            data={choices.operations.map((name) => ({ value: name, label: t(`builtIn.operations.${name}`) }))}
            onChange={({ currentTarget: { value } }) => {
              const next = choices.operations.find((name) => name === value);
              if (!next) return;
              setOperation(next);
              // What this operation cannot have gives way to the first that it can.
              const possible = choices.faults.filter(({ operations }) => operations.includes(next));
              if (possible.every((each) => each.kind !== kind) && possible[0]) chooseKind(possible[0].kind);
            }}
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
