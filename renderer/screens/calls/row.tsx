import { VisuallyHidden } from '@mantine/core';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import { Outcome, outcomeText } from '../../answers/outcome.tsx';
import { Chip } from '../../components/chip.tsx';
import { ChecklistIcon, ChevronIcon, PinIcon, ReplayIcon } from '../../components/icons.tsx';
import { ServerBar } from '../../components/server-dot.tsx';
import { serverName } from '../../server-name.ts';
import classes from './rows.module.css';
import type { RunReport } from './run-reports.ts';
import { sayChange, sayReplay } from './say-change.ts';
import { t } from '../../i18n.ts';
import { callFormatters } from '../../format.ts';

interface RowProps {
  call: CallSummary;
  server: Server | undefined;
  sessions: readonly HeldSession[];
  now: Date;
}

export function Row({ call, server, sessions }: RowProps) {
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
          <span className={classes.chip} title={sayChange(replayOf.change, sessions)}>
            <ReplayIcon size={13} />
            <span>{sayChange(replayOf.change, sessions)}</span>
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
  /** The number of its calls. */
  count: number;
  isOpen: boolean;
  report: RunReport | undefined;
}

/** Shows a contract run, below which its calls stand where it is open. Its time tells it from others that are alike. */
export function RunRow({ call: { host }, server, run, count, isOpen, report }: RowProps & RunProps & RunStart) {
  const words = callFormatters();
  return (
    <>
      <span className={classes.fold} data-open={isOpen}>
        <ChevronIcon size={14} />
      </span>
      <span className={classes.what}>
        <ChecklistIcon />
        <span className="medium">{t('calls.contractRun')}</span>
        <span className="muted size12">{words.clock(new Date(run).toISOString())}</span>
        {report && <Chip tone={isClean(report) ? 'good' : 'bad'}>{sayKept(report)}</Chip>}
        <span className="far muted size12">{t('calls.runCalls', { count })}</span>
      </span>
      <span className={classes.time}>{report?.durationMs !== undefined && words.duration(report.durationMs)}</span>
      <Where server={server} host={host} />
    </>
  );
}

/** When a run began, in milliseconds since 1970. */
interface RunStart {
  run: number;
}

const isClean = ({ broken, findings }: RunReport): boolean => broken + findings === 0;

const sayKept = (report: RunReport): string =>
  isClean(report) ? t('calls.runKept') : t('contract.runSummary', { ...report });

/** Says what the line of a run shows as one text, with pauses. */
export function nameOfRun(
  { call: { host }, server, now, run }: RowProps & RunStart,
  { count, isOpen, report }: RunProps,
): string {
  return [
    t('calls.contractRun'),
    t('calls.runCalls', { count }),
    ...(report ? [sayKept(report)] : []),
    server ? serverName(server) : host,
    callFormatters().moment(new Date(run).toISOString(), now),
    t(isOpen ? 'calls.runOpen' : 'calls.runFolded'),
  ].join(', ');
}

/** Says what a row shows as one text, with pauses. */
export function nameOfRow({ call, server, sessions, now }: RowProps): string {
  const words = callFormatters();
  const { method, path, host, startedAt, totalMs, responseBytes, pinned, replayOf, contractRun } = call;
  return [
    `${method} ${path}`,
    outcomeText(call),
    server ? serverName(server) : host,
    words.moment(startedAt, now),
    words.duration(totalMs),
    words.size(responseBytes),
    ...(replayOf ? [sayReplay(replayOf.change, sessions)] : []),
    ...(contractRun ? [t('calls.contractRun')] : []),
    ...(pinned ? [t('calls.pinned')] : []),
  ].join(', ');
}
