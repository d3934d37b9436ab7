import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { AppState } from '../../../preload/contract/models.ts';
import type { BehaviourChange, BehaviourChoices, Fault } from '../../../preload/contract/local-servers.ts';
import { Card } from '../../components/card.tsx';
import { faultText } from '../../behaviour-text.ts';
import { type Column, DataTable } from './data-table.tsx';
import { FaultForm } from './fault-form.tsx';
import classes from './form-and-list.module.css';
import { parameterLabels } from './use-fault-form.ts';
import { formatters, type Formatters } from '../../format.ts';
import { mostSeed, readNumber } from './numbers.ts';
import { t } from '../../i18n.ts';

interface FaultsProps {
  behaviour: AppState['behaviour'];
  choices: BehaviourChoices;
  sending: boolean;
  /** Answers whether the change was made, and says `say` if it was. */
  onChange: (change: BehaviourChange, say: () => string) => Promise<boolean>;
}

/** Offers one more fault, and shows below it those that wait for requests, so that the form never moves. */
export function Faults({ behaviour, choices, sending, onChange }: FaultsProps) {
  const formRef = useRef<HTMLDivElement>(null);
  const { faults, left } = behaviour;

  async function remove(fault: Fault, index: number) {
    const others = faults.filter((_, each) => each !== index);
    const done = await onChange({ faults: others }, () => t('builtIn.removed', { fault: faultText(fault) }));
    // The table goes away with its last row, and the focus must not go with it.
    if (done && others.length === 0) formRef.current?.querySelector('select')?.focus();
  }

  return (
    <Card title={t('builtIn.faults')} padding="none">
      <div ref={formRef} className="grid gap12 padded">
        <p className="flush hint">{t('builtIn.faultsHelp')}</p>
        <FaultForm
          choices={choices}
          sending={sending}
          onAdd={(fault) =>
            void onChange({ faults: [...faults, fault] }, () => t('builtIn.added', { fault: faultText(fault) }))
          }
        />
      </div>
      <div className="line-above">
        {faults.length === 0 ? (
          <p className={classes.none}>{t('builtIn.noFaults')}</p>
        ) : (
          <FaultTable faults={faults} left={left} onRemove={(fault, index) => void remove(fault, index)} />
        )}
      </div>
      <div className={classes.foot}>
        <SeedForm seed={behaviour.seed} onApply={(seed) => void onChange({ seed }, () => t('builtIn.applied'))} />
      </div>
    </Card>
  );
}

interface FaultTableProps extends Pick<AppState['behaviour'], 'faults' | 'left'> {
  onRemove: (fault: Fault, index: number) => void;
}

function FaultTable({ faults, left, onRemove }: FaultTableProps) {
  const moments = formatters();
  return (
    <DataTable
      label={t('builtIn.faults')}
      hidesHead
      rows={faults.map((fault, index) => ({ fault, index, left: left[index] ?? 0 }))}
      // Two of a kind are told apart by their place alone.
      idOf={({ index }) => index}
      columns={columnsOf(moments, onRemove)}
    />
  );
}

const columnsOf = (
  moments: Formatters,
  onRemove: FaultTableProps['onRemove'],
): Column<{ fault: Fault; index: number; left: number }>[] => [
  { head: t('builtIn.kind'), cell: ({ fault }) => <FaultSentence fault={fault} /> },
  {
    head: t('builtIn.often'),
    kind: 'fixed',
    cell: ({ fault: { amount }, left }) =>
      'count' in amount
        ? t('builtIn.left', { count: left, all: amount.count })
        : t('builtIn.probability', { percent: moments.percent(amount.probability) }),
  },
  {
    head: t('builtIn.actions'),
    kind: 'actions',
    cell: ({ fault, index }, tabIndex) => (
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        tabIndex={tabIndex}
        aria-label={t('builtIn.remove', { fault: faultText(fault) })}
        onClick={() => onRemove(fault, index)}
      >
        {t('builtIn.removeShort')}
      </Button>
    ),
  },
];

function FaultSentence({ fault: { operation, kind, parameter } }: { fault: Fault }) {
  const label = parameterLabels[kind];
  return (
    <span>
      <strong>{t(`builtIn.operations.${operation}`)}</strong> {t('builtIn.gets')}{' '}
      <strong>{t(`builtIn.kinds.${kind}.name`)}</strong>
      {parameter && label && ` ${t('builtIn.parameterIs', { label: t(label), value: range(parameter) })}`}
    </span>
  );
}

const range = ({ least, most }: { least: number; most: number }): string =>
  least === most ? String(least) : `${least}–${most}`;

/** A seed is typed in several steps, so it is applied only when it is whole. */
function SeedForm({ seed, onApply }: { seed: number; onApply: (seed: number) => void }) {
  const [typed, setTyped] = useState(String(seed));
  const [wrong, setWrong] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const number = readNumber(typed, { least: 0, most: mostSeed });
    setWrong(number === undefined);
    if (number === undefined) inputRef.current?.focus();
    else onApply(number);
  }

  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.seed}>
        <TextInput
          ref={inputRef}
          size="xs"
          label={t('builtIn.seed')}
          description={t('builtIn.seedHelp')}
          descriptionProps={{ size: 'md' }}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          classNames={{ root: classes.seedField }}
          inputMode="numeric"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={wrong && t('builtIn.number', { least: 0, most: mostSeed })}
        />
        <Button type="submit" variant="default" size="xs">
          {t('builtIn.apply')}
        </Button>
      </div>
    </form>
  );
}
