import { useEffect, useState } from 'react';
import type { AppError } from '../preload/contract/result.ts';
import type { Failure } from './use-action.ts';

/** Returns the seconds that a throttled or maintained server asked to wait; 0 if it sent none. */
function retryAfterOf(error: AppError): number {
  return ('retryAfterSeconds' in error && error.retryAfterSeconds) || 0;
}

/** A wait that the server asked for, in whole seconds. */
export interface RetryAfter {
  total: number;
  left: number;
}

/** Returns the requested wait and the rest of it; undefined if the server sent none. */
export function useRetryAfter(failure: Failure | undefined): RetryAfter | undefined {
  const asked = failure ? retryAfterOf(failure.error) : 0;
  const until = failure && asked > 0 ? failure.failedAt + asked * 1000 : 0;
  const [now, setNow] = useState(0);

  useEffect(() => {
    if (until === 0) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= until) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [until]);

  // `now` may be older than the failure, and a clock may be set back: the wait is never longer than requested.
  return asked > 0 ? { total: asked, left: Math.max(0, Math.min(asked, Math.ceil((until - now) / 1000))) } : undefined;
}
