import type { CallSummary } from '../../preload/contract/calls.ts';
import { Chip } from '../components/chip.tsx';
import { shortFailureOf } from './call-text.ts';
import classes from './outcome.module.css';
import { t } from '../i18n.ts';

/**
 * The status, the failure, or both if the call failed after the status was received.
 * @param isShort shows the status only
 */
export function Outcome({ call, isShort = false }: { call: Ended; isShort?: boolean }) {
  return (
    <span className={classes.outcome} data-outcome={outcomeOf(call)}>
      {isShort ? (call.status ?? t('calls.noStatus')) : outcomeText(call)}
    </span>
  );
}

type Ended = Pick<CallSummary, 'status' | 'failure'>;

/** One line of plain text, for accessible names and sentences. */
export function outcomeText({ status, failure }: Ended): string {
  return [
    ...(status === undefined ? [] : [String(status)]),
    ...(failure === undefined ? [] : [t(`calls.failure.${shortFailureOf(failure)}`)]),
  ].join(' · ');
}

type OutcomeKind = 'succeeded' | 'redirected' | 'refused' | 'failed';

function outcomeOf({ status, failure }: Ended): OutcomeKind {
  if (failure !== undefined || status === undefined || status >= 500) return 'failed';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirected' : 'succeeded';
}

const tones = { succeeded: 'good', redirected: 'info', refused: 'warn', failed: 'bad' } as const;

export function OutcomeChip({ call }: { call: Ended }) {
  return <Chip tone={tones[outcomeOf(call)]}>{outcomeText(call)}</Chip>;
}
