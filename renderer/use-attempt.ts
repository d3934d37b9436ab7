import { useRef, useState } from 'react';
import { useAppState } from './api.ts';
import type { AppError, Result } from '../preload/contract/result.ts';

/** A failure with the moment it was seen, in milliseconds since 1970. A waiting time counts from then. */
export interface Failure {
  error: AppError;
  seenAt: number;
}

type Attempt = { step: 'idle' } | { step: 'sending' } | { step: 'failed'; failure: Failure; serverId: string };

/** Makes one call to main at a time. Its failure belongs to the server that was active, and goes away with it. */
export function useAction() {
  const activeServerId = useAppState()?.activeServerId ?? '';
  const [attempt, setAttempt] = useState<Attempt>({ step: 'idle' });
  const [said, setSaid] = useState<{ say: () => string }>();
  // State arrives a render late: two presses in one frame would both see "idle".
  const underWay = useRef(false);

  /** Answers undefined when another call is still under way. */
  async function run<T>(call: () => Promise<Result<T>>): Promise<Result<T> | undefined> {
    if (underWay.current) return undefined;
    underWay.current = true;
    setAttempt({ step: 'sending' });
    const result = await call();
    underWay.current = false;
    setAttempt(
      result.ok
        ? { step: 'idle' }
        : { step: 'failed', failure: { error: result.error, seenAt: Date.now() }, serverId: activeServerId },
    );
    return result;
  }

  return {
    run,
    /** Shows what `then` returns once the call has succeeded, in the language of the window. Resolves with whether it did. */
    async act<T>(call: () => Promise<Result<T>>, then: (value: T) => (() => string) | void): Promise<boolean> {
      const result = await run(call);
      if (!result?.ok) return false;
      const say = then(result.value);
      setSaid(say ? { say } : undefined);
      return true;
    },
    said: said?.say(),
    dismiss: () => setAttempt((last) => (last.step === 'failed' ? { step: 'idle' } : last)),
    sending: attempt.step === 'sending',
    failure: attempt.step === 'failed' && attempt.serverId === activeServerId ? attempt.failure : undefined,
  };
}
