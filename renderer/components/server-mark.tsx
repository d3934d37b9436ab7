import { VisuallyHidden } from '@mantine/core';
import type { AppState, Server } from '../../preload/contract/models.ts';
import { medianResponseMs } from '../../preload/contract/median-response-time.ts';
import { formatRelative, callFormatters } from '../format.ts';
import { useApp } from '../api.ts';
import { runOf } from '../server-name.ts';
import { useNow } from '../use-now.ts';
import classes from './server-mark.module.css';
import { t } from '../i18n.ts';

const oldMs = 600_000;
const dayMs = 86_400_000;
const slowMs = 1000;

interface Mark {
  /** The result of the last call: success, a slow or no response; `old` if it was long ago or there was none. */
  state: 'answers' | 'slow' | 'down' | 'old';
  text: string;
  /** The result of the last calls without their age: a duration, a status, or that there was no response. */
  value?: string;
  /** The same as a sentence, with the time of the last call. */
  title: string;
  /** For screen readers, with the figure too. */
  spoken?: string;
  ago?: string | undefined;
}

interface Props {
  server: Server;
  /** Also shows when the last call was. */
  withAge?: boolean;
  /** Shows the result of the last calls only, a dash if there was none; in the simple mode only the sign. */
  short?: boolean;
}

/** Shows the result of the last calls to a server. It sends no requests itself. */
export function ServerMark({ server, withAge = false, short = false }: Props) {
  const state = useApp();
  const mark = useMark(state, server);
  const { title, ago, spoken = title } = mark;
  const age = withAge ? ago : undefined;
  const text = short ? state.settings.workbench && (mark.value ?? '–') : [mark.text, age].filter(Boolean).join(', ');
  return (
    <span className={classes.mark} data-state={mark.state} title={title}>
      <span className={classes.sign} aria-hidden />
      {text && <span aria-hidden>{text}</span>}
      <VisuallyHidden>{spoken}</VisuallyHidden>
    </span>
  );
}

function useMark(state: AppState, server: Server): Mark {
  const [last] = server.lastCalls;
  const at = last && Date.parse(last.at);
  const now = useNow(at);
  const run = runOf(state, server);
  if (run !== undefined && run !== 'running') {
    const text = t(run === 'starting' ? 'server.starting' : 'server.notRunning');
    return { state: run === 'failed' ? 'down' : 'old', text, title: text };
  }
  if (last === undefined || at === undefined) {
    return { state: 'old', text: t('server.mark.notAsked'), title: t('server.mark.never') };
  }
  // A call of the current second was not made "in 0 seconds".
  const moment = new Date(Math.min(at, now - 1000));
  const title = t(`server.lastCall.${last.answered ? 'yes' : 'no'}`, { ago: formatRelative(moment, now, 'long') });
  const ago = formatRelative(moment, now, 'narrow');
  const ms = medianResponseMs(server.lastCalls);
  const isFault = last.status !== undefined && last.status >= 500;
  const fault = state.settings.workbench ? t('server.mark.error', { status: last.status }) : t('server.mark.fault');
  // The simple mode shows that a server responds, and not in how many milliseconds.
  const time = state.settings.workbench ? callFormatters().duration(ms) : undefined;
  const answered = isFault ? fault : time;
  const value = last.answered ? answered : t('server.mark.noAnswer');
  const mark = { title, ...(value && { value }), ...(last.answered && value && { spoken: `${value}, ${title}` }) };
  const age = now - at;
  if (age >= oldMs) return { ...mark, state: 'old', text: age >= dayMs || !value ? ago : `${value}, ${ago}` };
  const outcome = !last.answered ? 'down' : isFault || ms >= slowMs ? 'slow' : 'answers';
  return { ...mark, state: outcome, text: value ?? ago, ago: value && ago };
}
