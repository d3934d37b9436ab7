import { Button, Menu, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { reportForms } from '../../../preload/contract/names.ts';
import { useApp, useServer } from '../../api.ts';
import { Chip } from '../../components/chip.tsx';
import {
  ActivityIcon,
  ChevronIcon,
  CompareIcon,
  DownloadIcon,
  MoreIcon,
  PlayIcon,
  RefreshIcon,
  StopIcon,
} from '../../components/icons.tsx';
import { ConfirmDialog, QuestionDialog } from '../../components/question-dialog.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { capitalize, formatDateTime } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useServerName } from '../../server-name.ts';
import {
  cancelCheck,
  closePane,
  compareFile,
  compareRuns,
  compareServers,
  deleteReport,
  exportComparison,
  exportReport,
  openPane,
  pinRun,
  show,
  startBothAgain,
  useChecks,
  useReport,
} from './checks.ts';
import classes from './page-head.module.css';

const QuietButton = Button.withProps({ h: 32, variant: 'subtle', color: 'gray' });

/** The shown server and run. Over a report, it opens the list of all runs. */
export function ShownRun() {
  const { content, serverId, running, report, pane } = useChecks();
  const nameOf = useServerName();
  const server = useServer(serverId);
  if (serverId === undefined) return null;
  const name = nameOf(serverId);
  const moment = report && formatDateTime(report.report.startedAt);
  const isOpen = pane === 'runs';
  const dot = <ServerDot colour={server?.colour ?? 'gray'} />;
  const label = (
    <bdi className={classes.name} title={name}>
      {name}
    </bdi>
  );
  return (
    <>
      {content === 'report' && moment !== undefined ? (
        <button
          type="button"
          className={classes.runs}
          aria-expanded={isOpen}
          aria-label={t('checks.runOf', { name, moment })}
          onClick={() => (isOpen ? closePane() : openPane('runs'))}
        >
          {dot}
          <span className={classes.label}>
            {label}
            <span className="hint nowrap">{capitalize(moment)}</span>
          </span>
          <ChevronIcon size={14} />
        </button>
      ) : (
        <Chip>
          {dot}
          {label}
        </Chip>
      )}
      {running && (
        <Chip tone="info" icon={<ActivityIcon />}>
          {t('checks.running')}
        </Chip>
      )}
    </>
  );
}

/** Cancels the running check. The button keeps its place and the focus while the check ends. */
export function CancelButton() {
  const { running } = useChecks();
  if (!running) return null;
  const { cancelled } = running;
  return (
    <Button
      h={32}
      color="red"
      variant="outline"
      leftSection={<StopIcon />}
      aria-disabled={cancelled}
      onClick={() => !cancelled && void cancelCheck()}
    >
      {t('checks.end')}
    </Button>
  );
}

/** The actions of a report. In a narrow window, one menu has all but the primary one. */
export function ReportActions() {
  const { servers } = useApp();
  const { runs, lastReportOf } = useChecks();
  const { run, keptRun } = useReport();
  const nameOf = useServerName();
  const [asked, setAsked] = useState<'delete' | 'compare'>();
  const comparisons = (
    <>
      <Menu.Item onClick={() => void compareFile(run)}>{t('run.compareFile')}</Menu.Item>
      {(runs?.stored?.length ?? 0) > 1 && (
        <Menu.Item onClick={() => setAsked('compare')}>{t('checks.reportActions.compareRun')}</Menu.Item>
      )}
      {servers
        .filter(({ id }) => id !== run.serverId && lastReportOf(id) !== undefined)
        .map(({ id }) => (
          <Menu.Item key={id} onClick={() => void compareServers(run.serverId, id)}>
            {t('run.compareReport', { name: nameOf(id) })}
          </Menu.Item>
        ))}
    </>
  );
  const exports = reportForms.map((form) => (
    <Menu.Item key={form} onClick={() => void exportReport(run, form)}>
      {t(`run.forms.${form}`)}
    </Menu.Item>
  ));
  const ofThisRun = (
    <>
      <Menu.Label>{t('checks.reportActions.thisRun')}</Menu.Label>
      {keptRun && (
        <Menu.Item onClick={() => void pinRun(keptRun, !keptRun.pinned)}>
          {t(keptRun.pinned ? 'checks.reportActions.unpin' : 'checks.reportActions.pin')}
        </Menu.Item>
      )}
      <Menu.Item onClick={() => setAsked('delete')}>{t('checks.reportActions.delete')}</Menu.Item>
    </>
  );
  const showHistory = () => show({ kind: 'history', serverId: run.serverId, from: run });
  return (
    <>
      <CancelButton />
      <span className={classes.wide}>
        <ActionMenu label={t('checks.compareTitle')} icon={<CompareIcon />}>
          {comparisons}
        </ActionMenu>
        <ActionMenu label={t('run.export')} icon={<DownloadIcon />}>
          {exports}
        </ActionMenu>
        <QuietButton px={8} onClick={showHistory}>
          {t('checks.history.title')}
        </QuietButton>
        <ActionMenu label={t('checks.reportActions.thisRun')} icon={<MoreIcon />} isIconOnly>
          {ofThisRun}
        </ActionMenu>
      </span>
      <span className={classes.narrow}>
        <ActionMenu label={t('checks.more')} icon={<MoreIcon />} isIconOnly>
          <Menu.Item onClick={showHistory}>{t('checks.history.title')}</Menu.Item>
          <Menu.Label>{t('checks.compareTitle')}</Menu.Label>
          {comparisons}
          <Menu.Label>{t('run.export')}</Menu.Label>
          {exports}
          {ofThisRun}
        </ActionMenu>
      </span>
      {asked === 'delete' && <DeleteDialog onClose={() => setAsked(undefined)} />}
      {asked === 'compare' && <CompareDialog onClose={() => setAsked(undefined)} />}
      <Button h={32} className={classes.new} leftSection={<PlayIcon />} onClick={() => show({ kind: 'form' })}>
        {t('run.newRun')}
      </Button>
    </>
  );
}

interface ActionMenuProps {
  label: string;
  icon: ReactNode;
  /** The label is still the accessible name. */
  isIconOnly?: boolean;
  children: ReactNode;
}

function ActionMenu({ label, icon, isIconOnly = false, children }: ActionMenuProps) {
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        {isIconOnly ? (
          <QuietButton px={8} aria-label={label}>
            {icon}
          </QuietButton>
        ) : (
          <QuietButton px={12} leftSection={icon} rightSection={<ChevronIcon size={14} />}>
            {label}
          </QuietButton>
        )}
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { run, report } = useReport();
  return (
    <ConfirmDialog
      title={t('checks.reportActions.deleteTitle', { moment: formatDateTime(report.startedAt) })}
      help={t('checks.reportActions.deleteHelp')}
      onCancel={onClose}
      cancel={t('checks.reportActions.keep')}
      confirm={t('checks.reportActions.deleteNow')}
      onConfirm={() => {
        onClose();
        void deleteReport(run);
      }}
    />
  );
}

/** Chooses another stored run to compare with the shown one. */
function CompareDialog({ onClose }: { onClose: () => void }) {
  const { servers } = useApp();
  const { runs } = useChecks();
  const { run, keptNumber } = useReport();
  const nameOf = useServerName();
  const others = (runs?.stored ?? []).filter((each) => each.serverId !== run.serverId || each.number !== keptNumber);
  const ids = [run.serverId, ...servers.map(({ id }) => id).filter((id) => id !== run.serverId)];
  const [chosen, setChosen] = useState(() =>
    String((others.find(({ serverId }) => serverId === run.serverId) ?? others[0])?.number),
  );

  function compare(): void {
    onClose();
    const other = others.find(({ number }) => String(number) === chosen);
    if (!other) return;
    // A run that is not stored was made just now.
    const isEarlier = other.number < (keptNumber ?? Infinity);
    void (isEarlier ? compareRuns(other, run, run) : compareRuns(run, other, run));
  }
  return (
    <QuestionDialog
      title={t('checks.reportActions.compareTitle')}
      help={t('checks.reportActions.compareHelp')}
      onCancel={onClose}
      answers={
        <>
          <Button variant="default" onClick={onClose}>
            {t('checks.reportActions.cancel')}
          </Button>
          <Button onClick={compare}>{t('checks.reportActions.compareNow')}</Button>
        </>
      }
    >
      <NativeSelect
        data-autofocus
        label={t('checks.reportActions.compareLabel')}
        value={chosen}
        data={ids.flatMap((id) => {
          const items = others
            .filter(({ serverId }) => serverId === id)
            .map(({ number, startedAt, broken, findings }) => ({
              value: String(number),
              label: `${formatDateTime(startedAt)} · ${t('checks.runSummary', { broken, findings })}`,
            }));
          return items.length > 0 ? [{ group: nameOf(id), items }] : [];
        })}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
    </QuestionDialog>
  );
}

/** The actions of a comparison. Two servers in the list can be checked again. */
export function ComparisonActions() {
  const { view, lastReportOf } = useChecks();
  const compared = view.kind === 'comparison' ? view.servers : undefined;
  const before = compared?.before;
  const options = lastReportOf(compared?.after)?.report.options;
  return (
    <>
      <QuietButton leftSection={<DownloadIcon />} onClick={() => void exportComparison()}>
        {t('run.exportComparison')}
      </QuietButton>
      {compared && before !== undefined && options && (
        <Button
          h={32}
          variant="default"
          leftSection={<RefreshIcon />}
          onClick={() => void startBothAgain({ serverId: before, compareWith: compared.after, options })}
        >
          {t('checks.bothAgain')}
        </Button>
      )}
    </>
  );
}
