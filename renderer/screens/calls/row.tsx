import { VisuallyHidden } from '@mantine/core';
import type { CallSummary, ReplayOf } from '../../../preload/contract/calls.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { Outcome, outcomeText } from '../../answers/outcome.tsx';
import { Chip } from '../../components/chip.tsx';
import { ChecklistIcon, ChevronIcon, PinIcon, ReplayIcon } from '../../components/icons.tsx';
import { ServerBar } from '../../components/server-dot.tsx';
import { serverName } from '../../server-name.ts';
import classes from './rows.module.css';
import type { RunReport } from './run-reports.ts';
import { t } from '../../i18n.ts';
import { callFormatters } from '../../format.ts';

interface RowProps {
  call: CallSummary;
  server: Server | undefined;
}

export function Row({ call, server }: RowProps) {
  const words = callFormatters();
  const { method, path, host, pinned, totalMs, replayOf } = call;
  return (
    <>
      <span className={classes.method}>{method}</span>
      <span className={classes.what}>
        <bdi className={classes.path} title={path}>
          {path}
        </bdi>
        {replayOf && (
          <span className={classes.chip} title={t(replayOf.change ? 'replay.edited' : 'replay.resent')}>
            <ReplayIcon size={13} />
            <span>{t(replayOf.change ? 'replay.edited' : 'replay.resent')}</span>
          </span>
        )}
        {pinned && (
          <span className="flex muted">
            <PinIcon size={14} />
            <VisuallyHidden>{t('calls.pinned')}</VisuallyHidden>
          </span>
        )}
      </span>
      <span className={classes.status} title={outcomeText(call)}>
        <Outcome call={call} isShort />
      </span>
      <span className={classes.time}>{words.duration(totalMs)}</span>
      <Where server={server} host={host} />
    </>
  );
}

function Where({ server, host }: { server: Server | undefined; host: string }) {
  return (
    <span className={classes.where}>
      <ServerBar colour={server?.colour ?? 'gray'} />
      <bdi className="name" title={host}>
        {server ? serverName(server) : host}
      </bdi>
    </span>
  );
}

interface RunProps {
  /** Start of the check, in milliseconds since 1970. */
  run: number;
  /** Number of its calls. */
  count: number;
  isOpen: boolean;
  report: RunReport | undefined;
}

/** A check, with its calls below while it is expanded. */
export function RunRow({ call: { host }, server, run, count, isOpen, report }: RowProps & RunProps) {
  const words = callFormatters();
  return (
    <>
      <span className={classes.fold} data-open={isOpen}>
        <ChevronIcon size={14} />
      </span>
      <span className={classes.what}>
        <ChecklistIcon />
        <span className="medium">{t('calls.check')}</span>
        <span className="muted size12">{words.clock(new Date(run).toISOString())}</span>
        {report && <Chip tone={isClean(report) ? 'good' : 'bad'}>{reportText(report)}</Chip>}
        <span className="far muted size12">{t('calls.runCalls', { count })}</span>
      </span>
      <span className={classes.time}>{report?.durationMs !== undefined && words.duration(report.durationMs)}</span>
      <Where server={server} host={host} />
    </>
  );
}

const isClean = ({ broken, findings }: RunReport): boolean => broken + findings === 0;

const reportText = (report: RunReport): string =>
  isClean(report) ? t('calls.allPassed') : t('checks.runSummary', { ...report });

/** Accessible name of a check: all that its row shows. */
export function nameOfRun({ call: { host }, server, run, count, isOpen, report }: RowProps & RunProps): string {
  return [
    t('calls.check'),
    t('calls.runCalls', { count }),
    ...(report ? [reportText(report)] : []),
    server ? serverName(server) : host,
    callFormatters().moment(new Date(run).toISOString(), new Date()),
    t(isOpen ? 'calls.runOpen' : 'calls.runFolded'),
  ].join(', ');
}

/** Accessible name of a call: all that its row shows. */
export function nameOfRow({ call, server }: RowProps): string {
  const words = callFormatters();
  const { method, path, host, startedAt, totalMs, responseBytes, pinned, replayOf, contractRun } = call;
  return [
    `${method} ${path}`,
    outcomeText(call),
    server ? serverName(server) : host,
    words.moment(startedAt, new Date()),
    words.duration(totalMs),
    words.size(responseBytes),
    ...(replayOf ? [replayText(replayOf)] : []),
    ...(contractRun ? [t('calls.check')] : []),
    ...(pinned ? [t('calls.pinned')] : []),
  ].join(', ');
}

/** Title of a replay. */
export const replayText = ({ change }: ReplayOf): string => t(change ? 'replay.ofEdited' : 'replay.resent');
