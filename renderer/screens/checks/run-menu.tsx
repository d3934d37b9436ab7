import type { RunView } from './use-run-view.ts';
import type { Panes } from './use-panes.ts';
import { Button, Menu, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { KeptRun } from '../../../preload/contract/contract-runs.ts';
import { ConfirmDialog, QuestionDialog } from '../../components/question-dialog.tsx';
import { formatDateTime } from '../../format.ts';
import type { RunOf } from './use-run-view.ts';
import { t } from '../../i18n.ts';
import { useApp } from '../../api.ts';
import { useServerName } from '../../server-name.ts';

export interface HeadProps {
  run: RunView;
  panes: Panes;
}

/** What a press on a menu of a report may ask first. */
export type Asked = 'delete' | 'compare';

/** Offers what can be done with the run that is shown, and with what is accepted of its server. */
export function RunItems({ run, onAsk }: HeadProps & { onAsk: (asked: Asked) => void }) {
  const { shownId, keptRun, pin } = run;
  if (shownId === undefined) return null;
  return (
    <>
      <Menu.Label>{t('contract.kept.thisRun')}</Menu.Label>
      {keptRun && (
        <Menu.Item onClick={() => void pin(keptRun, !keptRun.pinned)}>
          {t(keptRun.pinned ? 'contract.kept.unpin' : 'contract.kept.pin')}
        </Menu.Item>
      )}
      <Menu.Item onClick={() => onAsk('delete')}>{t('contract.kept.delete')}</Menu.Item>
    </>
  );
}

export function RunQuestion({
  asked,
  onClose,
  ...head
}: HeadProps & { asked: Asked | undefined; onClose: () => void }) {
  if (asked === 'delete') return <DeleteQuestion {...head} onClose={onClose} />;
  if (asked === 'compare') return <CompareQuestion {...head} onClose={onClose} />;
  return null;
}

function DeleteQuestion({ run, onClose }: HeadProps & { onClose: () => void }) {
  const { shownId, number, report, deleteReport } = run;
  if (shownId === undefined || !report) return null;

  function remove(serverId: string): void {
    onClose();
    void deleteReport({ serverId, number });
  }
  return (
    <ConfirmDialog
      title={t('contract.kept.deleteTitle', { moment: formatDateTime(report.startedAt) })}
      help={t('contract.kept.deleteHelp')}
      onKeep={onClose}
      keep={t('contract.kept.keep')}
      goOn={t('contract.kept.deleteNow')}
      onGoOn={() => remove(shownId)}
    />
  );
}

/** Returns the kept runs that another one can be compared with. */
const othersOf = (kept: readonly KeptRun[], { serverId, number }: RunOf): KeptRun[] =>
  kept.filter((each) => each.serverId !== serverId || each.number !== number);

function CompareQuestion({ run, onClose }: HeadProps & { onClose: () => void }) {
  const nameOf = useServerName();
  const state = useApp();
  const { runs, shownId, keptNumber, compareRuns } = run;
  const others = othersOf(runs?.kept ?? [], { serverId: shownId ?? '', number: keptNumber });
  const ids = [shownId, ...state.servers.map(({ id }) => id).filter((id) => id !== shownId)];
  const [chosen, setChosen] = useState(() =>
    String(others.find(({ serverId }) => serverId === shownId)?.number ?? others[0]?.number),
  );
  const other = others.find(({ number }) => String(number) === chosen);
  if (shownId === undefined) return null;

  async function compare(serverId: string): Promise<void> {
    onClose();
    if (!other) return;
    const shown: RunOf = { serverId, number: run.number };
    // A run that is not kept has just been made.
    const isEarlier = other.number < (keptNumber ?? Infinity);
    await (isEarlier ? compareRuns(other, shown) : compareRuns(shown, other));
  }
  return (
    <QuestionDialog
      title={t('contract.kept.compareTitle')}
      help={t('contract.kept.compareHelp')}
      onKeep={onClose}
      answers={
        <>
          <Button variant="default" onClick={onClose}>
            {t('contract.kept.cancel')}
          </Button>
          <Button onClick={() => void compare(shownId)}>{t('contract.kept.compareNow')}</Button>
        </>
      }
    >
      <NativeSelect
        data-autofocus
        label={t('contract.kept.compareLabel')}
        value={chosen}
        data={ids.flatMap((id) => {
          const items = others
            .filter(({ serverId }) => serverId === id)
            .map(({ number, startedAt, broken, findings }) => ({
              value: String(number),
              label: `${formatDateTime(startedAt)} · ${t('contract.runSummary', { broken, findings })}`,
            }));
          return id !== undefined && items.length > 0 ? [{ group: nameOf(id), items }] : [];
        })}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
    </QuestionDialog>
  );
}
