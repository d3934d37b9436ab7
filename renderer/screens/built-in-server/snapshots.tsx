import { Button } from '@mantine/core';
import { type Ref } from 'react';
import type { BuiltInData } from '../../../preload/contract/local-servers.ts';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { formatters, type Formatters } from '../../format.ts';
import parts from './form-and-list.module.css';
import { t } from '../../i18n.ts';

interface SnapshotsProps {
  makeRef: Ref<HTMLButtonElement>;
  /** It is undefined until main has answered. */
  snapshots: BuiltInData['snapshots'] | undefined;
  sending: boolean;
  onMake: () => void;
  onChoose: (kind: 'restore' | 'remove', id: string, atMs: number) => void;
}

/** Makes snapshots of all accounts, and shows below the button those that a person has made. */
export function Snapshots({ makeRef, snapshots, sending, onMake, onChoose }: SnapshotsProps) {
  const moments = formatters();
  return (
    <Card title={t('builtIn.data.snapshots')} padding="none">
      <div className="grid gap12 padded">
        <p className="flush hint">{t('builtIn.data.snapshotsHelp')}</p>
        <div>
          <Button ref={makeRef} variant="default" size="xs" aria-busy={sending} onClick={onMake}>
            {t('builtIn.data.make')}
          </Button>
        </div>
      </div>
      <div className="line-above">
        {snapshots && snapshots.length > 0 ? (
          <DataTable
            label={t('builtIn.data.snapshots')}
            hidesHead
            columns={columnsOf(moments, onChoose)}
            rows={snapshots}
            idOf={({ id }) => id}
          />
        ) : (
          <p className={parts.none}>{snapshots && t('builtIn.data.noSnapshots')}</p>
        )}
      </div>
    </Card>
  );
}

const columnsOf = (
  moments: Formatters,
  onChoose: SnapshotsProps['onChoose'],
): Column<BuiltInData['snapshots'][number]>[] => [
  { head: t('builtIn.request.time'), kind: 'fixed', cell: ({ atMs }) => moments.moment(atMs) },
  {
    head: t('builtIn.tabs.people'),
    kind: 'fixed',
    cell: ({ accounts }) => t('builtIn.data.holds', { number: accounts }),
  },
  {
    head: t('builtIn.actions'),
    kind: 'actions',
    cell: ({ id, atMs }, tabIndex) =>
      (['restore', 'remove'] as const).map((kind) => (
        <Button
          key={kind}
          variant="default"
          size="compact-sm"
          tabIndex={tabIndex}
          aria-label={t(`builtIn.data.${kind}This`, { time: moments.moment(atMs) })}
          onClick={() => onChoose(kind, id, atMs)}
        >
          {t(`builtIn.data.${kind}`)}
        </Button>
      )),
  },
];
