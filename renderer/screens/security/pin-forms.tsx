import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { useAttempt } from '../../use-attempt.ts';

/** As the contract has it, which the screens may only take types from. */
const length = { least: 4, most: 64 };

const empty = { current: '', next: '', repeated: '' };
type Problem = { field: keyof typeof empty; text: 'empty' | 'length' | 'differs' };

/** Sets a PIN, or with the current one changes or removes it. */
export function PinForms({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation();
  const attempt = useAttempt('');
  const [typed, setTyped] = useState(empty);
  const [visible, setVisible] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [done, setDone] = useState<'set' | 'changed' | 'removed'>();
  const alertRef = useRef<HTMLDivElement>(null);
  const formRef = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (attempt.failure) alertRef.current?.focus();
  }, [attempt.failure]);

  function refuse(found: Problem): void {
    setProblem(found);
    setDone(undefined);
    attempt.dismiss();
    formRef.current?.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus();
  }

  async function send(call: () => Promise<Result<AppState>>, then: 'set' | 'changed' | 'removed'): Promise<void> {
    setProblem(undefined);
    setDone(undefined);
    const result = await attempt.run(call);
    if (!result?.ok) return;
    setTyped(empty);
    setDone(then);
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
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [field]: value }));
      setProblem(undefined);
    },
    error: problem?.field === field && t(`pin.problem.${problem.text}`, length),
  });

  return (
    <form onSubmit={save} noValidate ref={formRef}>
      <Stack gap="sm">
        <Text size="sm">{t('pin.help')}</Text>
        {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} ref={alertRef} />}
        {isSet && <SecretInput {...input('current')} />}
        <SecretInput
          {...input('next')}
          description={t('pin.length', length)}
          onToggle={() => setVisible((shown) => !shown)}
        />
        <SecretInput {...input('repeated')} />
        <Group>
          <Button type="submit" aria-busy={attempt.sending}>
            {t(isSet ? 'pin.change' : 'pin.set')}
          </Button>
          {isSet && (
            <Button variant="default" onClick={remove}>
              {t('pin.remove')}
            </Button>
          )}
          <Text size="sm" component="output">
            {done && t(`pin.done.${done}`)}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
