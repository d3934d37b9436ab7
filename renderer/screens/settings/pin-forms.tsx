import { Button, Group, Stack, Text } from '@mantine/core';
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { ErrorMessage } from '../../components/error-message.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { useAction } from '../../use-action.ts';
import { t } from '../../i18n.ts';

interface PinFormsProps {
  isSet: boolean;
  onCancel: () => void;
  onDone: (done: PinChange) => void;
}

/** Sets a PIN. One that is set can be changed or removed with the current one. */
export function PinForms({ isSet, onCancel, onDone }: PinFormsProps) {
  const { formRef, ...form } = usePinForm(isSet, onDone);
  useEffect(() => formRef.current?.querySelector('input')?.focus(), [formRef]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves the form, as it leaves a dialog; its fields are what listens.
    <form
      onSubmit={form.save}
      noValidate
      ref={formRef}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('pin.help')}</Text>
        {form.failure && <ErrorMessage error={form.failure.error} during="server" />}
        {isSet && <SecretInput {...form.input('current')} onToggle={form.toggleVisible} />}
        <SecretInput {...form.input('next')} description={t('pin.length', length)} onToggle={form.toggleVisible} />
        <SecretInput {...form.input('repeated')} onToggle={form.toggleVisible} />
        <Group>
          <Button type="submit" aria-busy={form.sending}>
            {t(isSet ? 'pin.change' : 'pin.set')}
          </Button>
          {isSet && (
            <Button variant="default" onClick={form.remove}>
              {t('pin.remove')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The length of a PIN in characters. The contract says the same, but the screens may take only types from it. */
const length = { least: 4, most: 64 };

const empty = { current: '', next: '', repeated: '' };
export type PinChange = 'set' | 'changed' | 'removed';
type Problem = { field: keyof typeof empty; text: 'empty' | 'length' | 'differs' };

/** Keeps what is typed of a PIN and what is wrong with it, and sends it. */
function usePinForm(isSet: boolean, onDone: (done: PinChange) => void) {
  const attempt = useAction();
  const [typed, setTyped] = useState(empty);
  const [visible, setVisible] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const formRef = useRef<HTMLFormElement>(null);

  function refuse(found: Problem): void {
    setProblem(found);
    attempt.dismiss();
    formRef.current?.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus();
  }

  async function send(call: () => Promise<Result<null>>, then: PinChange): Promise<void> {
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
    shows: 'pin' as const,
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
    input,
    save,
    remove,
    sending: attempt.pending,
    failure: attempt.failure,
    toggleVisible: () => setVisible((shown) => !shown),
  };
}
