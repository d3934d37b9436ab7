import { VisuallyHidden } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { Server } from '../../../preload/contract/models.ts';
import type { CallWords } from '../../answers/say-call.ts';
import appClasses from '../../app.module.css';
import { ChecklistIcon, PinIcon } from '../../components/icons.tsx';
import { serverName } from '../../server-name.ts';
import { Outcome, sayOutcome } from '../../answers/outcome.tsx';
import classes from './rows.module.css';

interface RowProps {
  call: CallSummary;
  server: Server | undefined;
  words: CallWords;
  now: Date;
}

/** Shows one call in the list. */
export function Row({ call, server, words, now }: RowProps) {
  const { t } = useTranslation();
  const { method, path, host, pinned, startedAt, totalMs, responseBytes, replayOf, contractRun } = call;
  return (
    <>
      <span className={classes.line}>
        <span className={classes.pin}>
          {pinned && (
            <>
              <PinIcon />
              <VisuallyHidden>{t('calls.pinned')}</VisuallyHidden>
            </>
          )}
        </span>
        <span className={classes.method}>
          {method}
          {replayOf && <span title={t('replay.replay')}> ↻</span>}
          {contractRun && (
            <span className={classes.ofRun} title={t('calls.contractRun')}>
              <ChecklistIcon size={14} />
            </span>
          )}
        </span>
        <bdi className={classes.path}>{path}</bdi>
        <Outcome call={call} />
      </span>
      <span className={classes.line}>
        <span className={classes.where}>
          {server && <span className={appClasses.swatch} data-colour={server.colour} aria-hidden />}
          <bdi>{server ? serverName(server, t) : host}</bdi>
        </span>
        <span className={classes.figure}>{words.moment(startedAt, now)}</span>
        <span className={classes.figure}>{words.duration(totalMs)}</span>
        <span className={classes.figure}>{words.size(responseBytes)}</span>
      </span>
    </>
  );
}

/** Says what a row shows as one text, with pauses. */
export function nameOfRow({ call, server, words, now }: RowProps, t: TFunction): string {
  const { method, path, host, startedAt, totalMs, responseBytes, pinned } = call;
  return [
    `${method} ${path}`,
    sayOutcome(call, t),
    server ? serverName(server, t) : host,
    words.moment(startedAt, now),
    words.duration(totalMs),
    words.size(responseBytes),
    ...(call.replayOf ? [t('replay.replay')] : []),
    ...(call.contractRun ? [t('calls.contractRun')] : []),
    ...(pinned ? [t('calls.pinned')] : []),
  ].join(', ');
}
