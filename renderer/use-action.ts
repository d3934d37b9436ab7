import { useRef, useState } from 'react';
import type { AppError, Result } from '../preload/contract/result.ts';
import { useAppState } from './api.ts';
import { showToast } from './toasts.ts';

/** An error and when it occurred, in milliseconds since 1970. A waiting time counts from then. */
export interface Failure {
  error: AppError;
  failedAt: number;
}

type State = { step: 'idle' } | { step: 'pending' } | { step: 'failed'; failure: Failure; serverId: string };

/**
 * Runs one user action at a time. Its success is a toast, its failure is for an `ErrorMessage` below the control. A
 * failure belongs to the server that was active, and disappears with it.
 */
export function useAction() {
  const activeServerId = useAppState()?.activeServerId ?? '';
  const [state, setState] = useState<State>({ step: 'idle' });
  // State updates one render late: two clicks in one frame would both see "idle".
  const isRunning = useRef(false);

  /**
   * Returns undefined, and does nothing, while an earlier action is pending.
   * @param succeeded returns the text of the toast, or nothing if the screen shows the result itself
   */
  async function run<T>(
    call: () => Promise<Result<T>>,
    succeeded?: (value: T) => (() => string) | void,
  ): Promise<Result<T> | undefined> {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    setState({ step: 'pending' });
    const result = await call();
    isRunning.current = false;
    if (result.ok) {
      setState({ step: 'idle' });
      const text = succeeded?.(result.value);
      if (text) showToast({ text });
    } else {
      const failure = { error: result.error, failedAt: Date.now() };
      setState({ step: 'failed', failure, serverId: activeServerId });
    }
    return result;
  }

  return {
    run,
    pending: state.step === 'pending',
    failure: state.step === 'failed' && state.serverId === activeServerId ? state.failure : undefined,
    dismiss: () => setState((last) => (last.step === 'failed' ? { step: 'idle' } : last)),
  };
}
