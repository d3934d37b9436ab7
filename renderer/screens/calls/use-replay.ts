import { useRef, useState } from 'react';
import type { RecordedCall, ReplayChange, SecretReference } from '../../../preload/contract/calls.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { duringOf } from '../../answers/say-call.ts';
import { api } from '../../api.ts';

type Step =
  | { step: 'idle' | 'sending' }
  | { step: 'confirming'; change: ReplayChange | undefined }
  | { step: 'asking'; change: ReplayChange | undefined; missing: readonly SecretReference[] };

/** A logout with one of these changes names no session that it could end. */
const withoutToken: ReadonlySet<ReplayChange['change'] | undefined> = new Set(['no-token', 'broken-token'] as const);

interface ReplayOptions {
  id: string;
  /** The address of the call, without its secrets. */
  url: string;
  onSending: () => void;
  onSent: (replay: RecordedCall) => void;
  onFailed: (error: AppError) => void;
}

/** Leads one replay: it asks where a session would end, sends, and sends again with the secrets that were missing. */
export function useReplay({ id, url, onSending, onSent, onFailed }: ReplayOptions) {
  const [step, setStep] = useState<Step>({ step: 'idle' });
  // State arrives a render late: two presses in one frame would both see "idle".
  const underWay = useRef(false);

  async function send(change: ReplayChange | undefined, secrets?: Readonly<Record<string, string>>): Promise<void> {
    if (underWay.current) return;
    underWay.current = true;
    setStep({ step: 'sending' });
    onSending();
    const result = await api.calls.replay({ id, change, secrets });
    underWay.current = false;
    if (result.ok && result.value.outcome === 'secrets-missing') {
      setStep({ step: 'asking', change, missing: result.value.missing });
      return;
    }
    setStep({ step: 'idle' });
    if (!result.ok) onFailed(result.error);
    else if (result.value.outcome === 'sent') onSent(result.value.call);
  }

  return {
    step,
    send,
    start: (change: ReplayChange | undefined): void => {
      if (underWay.current) return;
      // The person is asked before a session is ended at the server.
      if (duringOf(url) === 'logout' && !withoutToken.has(change?.change)) setStep({ step: 'confirming', change });
      else void send(change);
    },
    /** Leaves a question unanswered. Nothing was sent. */
    leave: () => setStep({ step: 'idle' }),
    cancel: () => void api.calls.cancelReplay(),
  };
}

export type Replay = ReturnType<typeof useReplay>;
