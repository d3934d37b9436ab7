import { VisuallyHidden } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import { Outcome, sayOutcome } from '../../answers/outcome.tsx';
import type { CallWords } from '../../answers/say-call.ts';
import { ChecklistIcon, ChevronIcon, PinIcon, ReplayIcon } from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { serverName } from '../../server-name.ts';
import { useTexts } from '../../texts.tsx';
import classes from './rows.module.css';
import { sayChange } from './say-change.ts';

interface RowProps {
  call: CallSummary;
  server: Server | undefined;
  sessions: readonly HeldSession[];
  words: CallWords;
  now: Date;
}

/** Shows one call in the list, under the heading of its day. */
export function Row({ call, server, sessions, words }: RowProps) {
  const { t } = useTexts();
  const { method, path, host, pinned, startedAt, totalMs, responseBytes, replayOf, contractRun } = call;
  return (
    <>
      <span className={classes.method}>{method}</span>
      <bdi className={classes.path} title={path}>
        {path}
      </bdi>
      <Outcome call={call} />
      <span className={classes.meta}>
        {server && <ServerDot colour={server.colour} />}
        <bdi className={classes.where} title={host}>
          {server ? serverName(server, t) : host}
        </bdi>
        <span>{words.clock(startedAt)}</span>
        <span>{words.duration(totalMs)}</span>
        {responseBytes > 0 && <span className={classes.size}>{words.size(responseBytes)}</span>}
        {replayOf && (
          <span className={classes.chip}>
            <ReplayIcon size={13} />
            <span>{sayChange(replayOf.change, sessions, t)}</span>
          </span>
        )}
        {contractRun && (
          <span className={classes.chip}>
            <ChecklistIcon size={13} />
            <span>{t('calls.contractRun')}</span>
          </span>
        )}
        {pinned && (
          <span className={classes.pin}>
            <PinIcon size={14} />
            <VisuallyHidden>{t('calls.pinned')}</VisuallyHidden>
          </span>
        )}
      </span>
    </>
  );
}

/** `count` is the number of its calls. */
interface RunProps {
  count: number;
  isOpen: boolean;
}

/** Shows a contract run, whose calls stand below where it is open. */
export function RunRow({ call: { startedAt, host }, server, words, count, isOpen }: RowProps & RunProps) {
  const { t } = useTexts();
  return (
    <>
      <span className={classes.fold} data-open={isOpen}>
        <ChevronIcon size={14} />
      </span>
      <span className={classes.run}>{t('calls.contractRun')}</span>
      <span>{t('calls.runCalls', { count })}</span>
      <span className={classes.meta}>
        {server && <ServerDot colour={server.colour} />}
        <bdi className={classes.where} title={host}>
          {server ? serverName(server, t) : host}
        </bdi>
        <span>{words.clock(startedAt)}</span>
      </span>
    </>
  );
}

/** Says what the line of a run shows as one text, with pauses. */
export function nameOfRun(
  { call: { startedAt, host }, server, words, now }: RowProps,
  { count, isOpen }: RunProps,
  t: TFunction,
): string {
  return [
    t('calls.contractRun'),
    t('calls.runCalls', { count }),
    server ? serverName(server, t) : host,
    words.moment(startedAt, now),
    t(isOpen ? 'calls.runOpen' : 'calls.runFolded'),
  ].join(', ');
}

/** Says what a row shows as one text, with pauses. */
export function nameOfRow({ call, server, sessions, words, now }: RowProps, t: TFunction): string {
  const { method, path, host, startedAt, totalMs, responseBytes, pinned, replayOf, contractRun } = call;
  return [
    `${method} ${path}`,
    sayOutcome(call, t),
    server ? serverName(server, t) : host,
    words.moment(startedAt, now),
    words.duration(totalMs),
    words.size(responseBytes),
    ...(replayOf ? [t('replay.of', { change: sayChange(replayOf.change, sessions, t) })] : []),
    ...(contractRun ? [t('calls.contractRun')] : []),
    ...(pinned ? [t('calls.pinned')] : []),
  ].join(', ');
}
