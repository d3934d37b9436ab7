import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import type { AppState } from '../../../preload/contract/models.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { arriveAt } from '../../arrive.ts';
import { useTexts } from '../../texts.tsx';
import { useAttempt } from '../../use-attempt.ts';

/** The length of a PIN in characters. The contract says the same, but the screens may take only types from it. */
export const length = { least: 4, most: 64 };

const empty = { current: '', next: '', repeated: '' };
/** What has happened to the PIN. */
export type PinChange = 'set' | 'changed' | 'removed';
type Problem = { field: keyof typeof empty; text: 'empty' | 'length' | 'differs' };

/** Keeps what is typed of a PIN and what is wrong with it, and sends it. */
export function usePinForm(isSet: boolean, onDone: (done: PinChange) => void) {
  const { t } = useTexts();
  const attempt = useAttempt('');
  const [typed, setTyped] = useState(empty);
  const [visible, setVisible] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const alertRef = useRef<HTMLDivElement>(null);
  const formRef = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (attempt.failure) arriveAt(alertRef.current);
  }, [attempt.failure]);

  function refuse(found: Problem): void {
    setProblem(found);
    attempt.dismiss();
    formRef.current?.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus();
  }

  async function send(call: () => Promise<Result<AppState>>, then: PinChange): Promise<void> {
    setProblem(undefined);
    const result = await attempt.run(call);
    if (!result?.ok) return;
    setTyped(empty);
    onDone(then);
  }

  function save(event: FormEvent): void {
    event.preventDefault();
    const { current, next, repeated } = typed;
    if (isSet && current === '') refuse({ field: 'current', text: 'empty' });
    else if (next.length < length.least || next.length > length.most) refuse({ field: 'next', text: 'length' });
    else if (next !== repeated) refuse({ field: 'repeated', text: 'differs' });
    else
      void send(() => api.lock.setPin({ pin: next, current: isSet ? current : undefined }), isSet ? 'changed' : 'set');
  }

  function remove(): void {
    if (typed.current === '') refuse({ field: 'current', text: 'empty' });
    else void send(() => api.lock.removePin({ current: typed.current }), 'removed');
  }

  const input = (field: keyof typeof empty) => ({
    name: field,
    label: t(`pin.${field}`),
    value: typed[field],
    visible,
    autoComplete: 'off',
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [field]: value }));
      setProblem(undefined);
    },
    error: problem?.field === field && t(`pin.problem.${problem.text}`, length),
  });

  return {
    formRef,
    alertRef,
    input,
    save,
    remove,
    sending: attempt.sending,
    failure: attempt.failure,
    toggleVisible: () => setVisible((shown) => !shown),
  };
}
