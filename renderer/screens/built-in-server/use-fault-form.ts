import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import type { BehaviourChoices, Fault, FaultKind, Operation } from '../../../preload/contract/local-servers.ts';
import { type Limits, readNumber } from './numbers.ts';
import { t } from '../../i18n.ts';

export interface FaultFormProps {
  choices: BehaviourChoices;
  sending: boolean;
  onAdd: (fault: Fault) => void;
}

const percent: Limits = { least: 0.01, most: 100, decimals: true };
const nothingTyped = { least: '', most: '', amount: '1' };
type Typed = typeof nothingTyped;

/** Keeps what is chosen and typed of a fault, and what is wrong with it. It stays after a fault was added. */
export function useFaultForm({ choices, sending, onAdd }: FaultFormProps) {
  const [operation, setOperation] = useState<Operation>('login');
  const [kind, setKind] = useState<FaultKind>('500');
  const [often, setOften] = useState<'times' | 'chance'>('times');
  const [typed, setTyped] = useState(nothingTyped);
  const [problems, setProblems] = useState<Partial<Record<keyof Typed, () => string>>>({});
  const formRef = useRef<HTMLFormElement>(null);

  const kinds = choices.faults.filter(({ operations }) => operations.includes(operation));
  const chosen = kinds.find((each) => each.kind === kind);
  const parameter = chosen?.parameter;
  const amountLimits: Limits = often === 'times' ? { least: 1, most: choices.mostCount } : percent;

  function chooseKind(name: string) {
    const next = choices.faults.find((each) => each.kind === name);
    if (!next) return;
    setKind(next.kind);
    const byDefault = String(next.parameter?.byDefault ?? '');
    setTyped({ ...typed, least: byDefault, most: '' });
    setProblems({});
  }

  const sayLimits =
    ({ least, most, decimals }: Limits) =>
    (): string =>
      t(decimals ? 'builtIn.decimal' : 'builtIn.number', { least, most });

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
      ...(least !== undefined && most !== undefined && most < least && { most: () => t('builtIn.order') }),
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
      // It is rounded to the fourth digit, since a hundredth of what was typed would have a tail of digits.
      amount: often === 'times' ? { count: amount } : { probability: Number((amount / 100).toFixed(6)) },
      parameter: least !== undefined && most !== undefined ? { least, most } : undefined,
    });
  }

  const field = (name: keyof Typed) => ({
    name,
    inputMode: 'decimal' as const,
    value: typed[name],
    error: problems[name]?.(),
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
      setTyped((before) => ({ ...before, [name]: value })),
  });

  function chooseOperation(name: string) {
    const next = choices.operations.find((each) => each === name);
    if (!next) return;
    setOperation(next);
    // A kind that this operation cannot have gives way to the first that it can have.
    const possible = choices.faults.filter(({ operations }) => operations.includes(next));
    if (possible.every((each) => each.kind !== kind) && possible[0]) chooseKind(possible[0].kind);
  }

  return { formRef, operation, kinds, chosen, often, field, chooseOperation, chooseKind, setOften, submit };
}

/** What the number of a kind of fault means, for the kinds that have one. */
export const parameterLabels: Partial<Record<FaultKind, `builtIn.parameters.${'429' | 'latency' | 'html' | 'drip'}`>> =
  {
    '429': 'builtIn.parameters.429',
    latency: 'builtIn.parameters.latency',
    html: 'builtIn.parameters.html',
    drip: 'builtIn.parameters.drip',
  };
