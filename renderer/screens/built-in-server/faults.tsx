import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { BehaviourChange, BehaviourChoices, FaultRule } from '../../../preload/contract/local-servers.ts';
import type { FaultKind, Operation } from '../../../preload/contract/names.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { injectedFaultText } from '../../behaviour-text.ts';
import { Card } from '../../components/card.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { PlusIcon } from '../../components/icons.tsx';
import { formatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import classes from './built-in-server.module.css';
import { DataTable } from './data-table.tsx';
import { type Limits, limitsText, parseNumber, SeedField, useSeedForm } from './number-fields.tsx';

type FaultChange = Pick<BehaviourChange, 'faults' | 'seed'>;

interface FaultsProps {
  choices: BehaviourChoices;
  behaviour: AppState['behaviour'];
  behave: (change: FaultChange) => Promise<Result<unknown>>;
}

/** A form for a new fault. Those that are active are listed below it, so that the form never moves. */
export function Faults({ choices, behaviour: { faults, left, seed }, behave }: FaultsProps) {
  const { run, pending, failure } = useAction();
  /** The id of the control that was clicked last, which shows the error. */
  const [pressed, setPressed] = useState<number | 'add' | 'seed'>();
  function change(by: typeof pressed, changes: FaultChange, done: () => string) {
    setPressed(by);
    void run(
      () => behave(changes),
      () => done,
    );
  }
  const failureOf = (by: typeof pressed) =>
    failure && pressed === by && <ErrorMessage error={failure.error} during="server" />;
  return (
    <Card title={t('builtIn.faults')} padding="none">
      <div className="grid gap12 padded">
        <p className="flush hint">{t('builtIn.faultsHelp')}</p>
        <FaultForm
          choices={choices}
          pending={pending}
          onAdd={(fault) =>
            change('add', { faults: [...faults, fault] }, () => t('builtIn.added', { fault: injectedFaultText(fault) }))
          }
        />
        {failureOf('add')}
      </div>
      <div className="line-above">
        <DataTable
          label={t('builtIn.faults')}
          empty={t('builtIn.noFaults')}
          hidesHead
          rows={faults.map((fault, index) => ({ fault, index, left: left[index] ?? 0 }))}
          // Two equal faults differ by their index only.
          idOf={({ index }) => index}
          renderBelow={({ index }) => failureOf(index)}
          columns={[
            { head: t('builtIn.kind'), render: ({ fault }) => <FaultSentence fault={fault} /> },
            {
              head: t('builtIn.often'),
              kind: 'fixed',
              render: ({ fault: { amount }, left: still }) =>
                'count' in amount
                  ? t('builtIn.left', { count: still, all: amount.count })
                  : t('builtIn.probability', { percent: formatters().percent(amount.probability) }),
            },
            {
              head: t('builtIn.actions'),
              kind: 'actions',
              render: ({ fault, index }, tabIndex) => (
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  tabIndex={tabIndex}
                  aria-label={t('builtIn.remove', { fault: injectedFaultText(fault) })}
                  onClick={() =>
                    change(index, { faults: faults.filter((_, each) => each !== index) }, () =>
                      t('builtIn.removed', { fault: injectedFaultText(fault) }),
                    )
                  }
                >
                  {t('builtIn.removeShort')}
                </Button>
              ),
            },
          ]}
        />
      </div>
      <div className={classes.foot}>
        <SeedForm seed={seed} onApply={(number) => change('seed', { seed: number }, () => t('builtIn.applied'))} />
        {failureOf('seed')}
      </div>
    </Card>
  );
}

/** The kinds of fault that have a number, and so a label for it. */
const parameterKinds = ['429', 'latency', 'html', 'drip'] as const satisfies FaultKind[];

function parameterText(kind: FaultKind): string {
  const known = parameterKinds.find((each) => each === kind);
  return known ? t(`builtIn.parameters.${known}`) : '';
}

function FaultSentence({ fault: { operation, kind, parameter } }: { fault: FaultRule }) {
  const value = parameter && (parameter.least === parameter.most ? [parameter.least] : Object.values(parameter));
  return (
    <span>
      <strong>{t(`builtIn.operations.${operation}`)}</strong> {t('builtIn.gets')}{' '}
      <strong>{t(`builtIn.kinds.${kind}.name`)}</strong>
      {value && ` ${t('builtIn.parameterIs', { label: parameterText(kind), value: value.join('–') })}`}
    </span>
  );
}

interface FaultValues {
  operation: Operation;
  kind: FaultKind;
  often: 'times' | 'chance';
  least: string;
  most: string;
  amount: string;
}

const percent: Limits = { least: 0.01, most: 100, decimals: true };

/** Parses a fault as it was entered, and validates its numbers. */
function parseFault({ operation, kind, often, ...typed }: FaultValues, choices: BehaviourChoices) {
  const parameter = choices.faults.find((each) => each.kind === kind)?.parameter;
  const amountLimits: Limits = often === 'times' ? { least: 1, most: choices.mostCount } : percent;
  const isRange = parameter?.isRange === true && typed.most.trim() !== '';
  const least = parameter && parseNumber(typed.least, parameter);
  const most = parameter && isRange ? parseNumber(typed.most, parameter) : least;
  const amount = parseNumber(typed.amount, amountLimits);
  const isBackwards = least !== undefined && most !== undefined && most < least;
  const number = amount ?? 0;
  const fault: FaultRule = {
    operation,
    kind,
    // Six decimals, since the percentage has up to four. The division would leave a tail of digits.
    amount: often === 'times' ? { count: number } : { probability: Number((number / 100).toFixed(6)) },
    parameter: least !== undefined && most !== undefined ? { least, most } : undefined,
  };
  return {
    fault,
    parameter,
    amountLimits,
    problems: {
      least: parameter !== undefined && least === undefined && 'limits',
      most: isRange && most === undefined ? 'limits' : isBackwards && 'order',
      amount: amount === undefined && 'limits',
    },
  };
}

interface FaultFormProps {
  choices: BehaviourChoices;
  pending: boolean;
  onAdd: (fault: FaultRule) => void;
}

/** Adds a fault, as a sentence with gaps. The input stays, so that a similar fault is one click away. */
function FaultForm({ choices, pending, onAdd }: FaultFormProps) {
  const form = useForm<FaultValues>({
    initialValues: { operation: 'login', kind: '500', often: 'times', least: '', most: '', amount: '1' },
    validate: (values) => parseFault(values, choices).problems,
  });
  const { operation, kind, often } = form.values;
  const { parameter, amountLimits } = parseFault(form.values, choices);
  const kindsAt = (name: Operation) => choices.faults.filter(({ operations }) => operations.includes(name));

  /** A kind that the operation does not support is replaced by the first that it does. */
  function choose(name: Operation | undefined, wanted: string) {
    const kinds = name ? kindsAt(name) : [];
    const next = kinds.find((each) => each.kind === wanted) ?? kinds[0];
    if (!name || !next) return;
    const number = { least: String(next.parameter?.byDefault ?? ''), most: '' };
    form.setValues({ operation: name, kind: next.kind, ...(next.kind !== kind && number) });
  }

  const submit = form.onSubmit(
    (values) => {
      if (!pending) onAdd(parseFault(values, choices).fault);
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  );
  const field = (name: 'least' | 'most' | 'amount', label: string, limits: Limits) => (
    <TextInput
      {...form.getInputProps(name)}
      name={name}
      size="xs"
      className={classes.number}
      aria-label={label}
      inputMode="decimal"
      error={form.errors[name] && (form.errors[name] === 'order' ? t('builtIn.order') : limitsText(limits))}
    />
  );
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.sentence}>
        <NativeSelect
          data-home
          size="xs"
          aria-label={t('builtIn.operation')}
          value={operation}
          data={choices.operations.map((name) => ({ value: name, label: t(`builtIn.operations.${name}`) }))}
          onChange={({ currentTarget: { value } }) =>
            choose(
              choices.operations.find((name) => name === value),
              kind,
            )
          }
        />
        <span className={classes.word}>{t('builtIn.gets')}</span>
        <NativeSelect
          size="xs"
          aria-label={t('builtIn.kind')}
          value={kind}
          data={kindsAt(operation).map((each) => ({ value: each.kind, label: t(`builtIn.kinds.${each.kind}.name`) }))}
          onChange={({ currentTarget: { value } }) => choose(operation, value)}
        />
        {parameter && (
          <>
            <Word>{parameterText(kind)}</Word>
            {field('least', parameterText(kind), parameter)}
          </>
        )}
        {parameter?.isRange && (
          <>
            <Word>{t('builtIn.to')}</Word>
            {field('most', t('builtIn.parameterTo', { label: parameterText(kind) }), parameter)}
          </>
        )}
        <NativeSelect
          {...form.getInputProps('often')}
          size="xs"
          aria-label={t('builtIn.often')}
          data={(['times', 'chance'] as const).map((value) => ({ value, label: t(`builtIn.${value}`) }))}
        />
        {field('amount', t(often === 'times' ? 'builtIn.count' : 'builtIn.percent'), amountLimits)}
        <Word>{t(often === 'times' ? 'builtIn.requests' : 'builtIn.percentOf')}</Word>
        <Button
          type="submit"
          variant="default"
          size="xs"
          className="far"
          leftSection={<PlusIcon />}
          aria-busy={pending}
        >
          {t('builtIn.add')}
        </Button>
      </div>
      <p className="flush hint">{t(`builtIn.kinds.${kind}.help`)}</p>
    </form>
  );
}

/** A word between two fields, which have names of their own. */
const Word = ({ children }: { children: ReactNode }) => (
  <span className={classes.word} aria-hidden>
    {children}
  </span>
);

/** A seed is typed in several steps, so it is applied on submit only. */
function SeedForm({ seed, onApply }: { seed: number; onApply: (seed: number) => void }) {
  const { form, submit } = useSeedForm(seed, onApply);
  return (
    <form onSubmit={submit} noValidate className={classes.seed}>
      <SeedField
        form={form}
        label={t('builtIn.seed')}
        description={t('builtIn.seedHelp')}
        className={classes.seedField}
      />
      <Button type="submit" variant="default" size="xs">
        {t('builtIn.apply')}
      </Button>
    </form>
  );
}
