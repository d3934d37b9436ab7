import { useEffect, useState } from 'react';
import type { AppError } from '../preload/contract/result.ts';
import type { Failure } from './use-action.ts';

/** Returns the seconds that a throttled or maintained server asked to wait; 0 when it named none. */
function retryAfterOf(error: AppError): number {
  return ('retryAfterSeconds' in error && error.retryAfterSeconds) || 0;
}

/** Whole seconds of a wait that a server asked for. */
export interface RetryAfter {
  total: number;
  left: number;
}

/** Returns how long the server asked to wait, and what is left of it; undefined when it named no time. */
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

  // `now` may be from before the failure, and a clock may be set back. The wait is never longer than the server asked
  // for.
  return asked > 0 ? { total: asked, left: Math.max(0, Math.min(asked, Math.ceil((until - now) / 1000))) } : undefined;
}
