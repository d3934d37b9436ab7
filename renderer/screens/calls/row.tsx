import { VisuallyHidden } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import { Outcome, sayOutcome } from '../../answers/outcome.tsx';
import type { CallWords } from '../../answers/say-call.ts';
import { ChecklistIcon, PinIcon, ReplayIcon } from '../../components/icons.tsx';
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
