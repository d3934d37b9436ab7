import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../preload/contract/calls.ts';
import { shortFailureOf } from './say-call.ts';
import classes from './outcome.module.css';

/** Shows the status, or why there is none. A status that came before a failure is shown beside it. */
export function Outcome({ call }: { call: Ended }) {
  const { t } = useTranslation();
  return (
    <span className={classes.outcome} data-outcome={outcomeOf(call)}>
      {sayOutcome(call, t)}
    </span>
  );
}

type Ended = Pick<CallSummary, 'status' | 'failure'>;

/** Says the outcome of a call in one line, for a name or a sentence. */
export function sayOutcome({ status, failure }: Ended, t: TFunction): string {
  return [
    ...(status === undefined ? [] : [String(status)]),
    ...(failure === undefined ? [] : [t(`calls.failure.${shortFailureOf(failure)}`)]),
  ].join(' · ');
}

function outcomeOf({ status, failure }: Ended): string {
  if (failure !== undefined || status === undefined) return 'failed';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirected' : 'succeeded';
}
