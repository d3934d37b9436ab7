import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useMemo, useRef } from 'react';
import type { AppState } from '../../../preload/contract/models.ts';
import type { BehaviourChange, BehaviourChoices, Fault } from '../../../preload/contract/built-in-server.ts';
import { Card } from '../../components/card.tsx';
import { sayFault } from '../../say-behaviour.ts';
import { useTexts } from '../../texts.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { FaultForm } from './fault-form.tsx';
import classes from './form-and-list.module.css';
import { parameterLabels } from './parameter-labels.ts';
import { SeedForm } from './seed-form.tsx';
import { createMoments, type Moments } from './say-moment.ts';

interface FaultsProps {
  behaviour: AppState['behaviour'];
  choices: BehaviourChoices;
  sending: boolean;
  /** Answers whether the change was made, and says `say` if it was. */
  onChange: (change: BehaviourChange, say: string) => Promise<boolean>;
}

/** Offers one more fault, and shows below it those that wait for requests, so that the form never moves. */
export function Faults({ behaviour, choices, sending, onChange }: FaultsProps) {
  const { t } = useTexts();
  const formRef = useRef<HTMLDivElement>(null);
  const { faults, left } = behaviour;

  async function remove(fault: Fault, index: number) {
    const others = faults.filter((_, each) => each !== index);
    const done = await onChange({ faults: others }, t('builtIn.removed', { fault: sayFault(fault, t) }));
    // The table goes away with its last row, and the focus must not go with it.
    if (done && others.length === 0) formRef.current?.querySelector('select')?.focus();
  }

  return (
    <Card title={t('builtIn.faults')} padding="none">
      <div ref={formRef} className={classes.form}>
        <p className={classes.hint}>{t('builtIn.faultsHelp')}</p>
        <FaultForm
          choices={choices}
          sending={sending}
          onAdd={(fault) =>
            void onChange({ faults: [...faults, fault] }, t('builtIn.added', { fault: sayFault(fault, t) }))
          }
        />
      </div>
      <div className={classes.list}>
        {faults.length === 0 ? (
          <p className={classes.none}>{t('builtIn.noFaults')}</p>
        ) : (
          <FaultTable faults={faults} left={left} onRemove={(fault, index) => void remove(fault, index)} />
        )}
      </div>
      <div className={classes.foot}>
        <SeedForm seed={behaviour.seed} onApply={(seed) => void onChange({ seed }, t('builtIn.applied'))} />
      </div>
    </Card>
  );
}

interface FaultTableProps extends Pick<AppState['behaviour'], 'faults' | 'left'> {
  onRemove: (fault: Fault, index: number) => void;
}

function FaultTable({ faults, left, onRemove }: FaultTableProps) {
  const { t, i18n } = useTexts();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  return (
    <DataTable
      label={t('builtIn.faults')}
      hidesHead
      rows={faults.map((fault, index) => ({ fault, index, left: left[index] ?? 0 }))}
      // Two of a kind are told apart by their place alone.
      idOf={({ index }) => index}
      columns={columnsOf(t, moments, onRemove)}
    />
  );
}

const columnsOf = (
  t: TFunction,
  moments: Moments,
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
        aria-label={t('builtIn.remove', { fault: sayFault(fault, t) })}
        onClick={() => onRemove(fault, index)}
      >
        {t('builtIn.removeShort')}
      </Button>
    ),
  },
];

/** Says which requests get what. */
function FaultSentence({ fault: { operation, kind, parameter } }: { fault: Fault }) {
  const { t } = useTexts();
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
