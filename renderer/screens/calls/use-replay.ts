import { useRef, useState } from 'react';
import type { RecordedCall, ReplayChange, SecretReference } from '../../../preload/contract/calls.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';

type Step =
  | { step: 'idle' | 'sending' }
  | { step: 'confirming'; change: ReplayChange | undefined }
  | { step: 'asking'; change: ReplayChange | undefined; missing: readonly SecretReference[] };

interface ReplayOptions {
  id: string;
  /** Says whether the replay ends a session at the server. The person is asked about that before. */
  endsSession: (change: ReplayChange | undefined) => boolean;
  onSending: () => void;
  onSent: (replay: RecordedCall) => void;
  onFailed: (error: AppError) => void;
}

/** Leads one replay: it asks where a session would end, sends, and sends again with the secrets that were missing. */
export function useReplay({ id, endsSession, onSending, onSent, onFailed }: ReplayOptions) {
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
      if (endsSession(change)) setStep({ step: 'confirming', change });
      else void send(change);
    },
    /** Leaves a question unanswered. Nothing was sent. */
    leave: () => setStep({ step: 'idle' }),
    cancel: () => void api.calls.cancelReplay(),
  };
}
