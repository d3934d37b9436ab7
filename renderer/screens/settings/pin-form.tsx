import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';

interface PinFormProps {
  isSet: boolean;
  onClose: (done?: 'set') => void;
}

/** In characters. As in the contract, of which the window may import types only. */
const length = { least: 4, most: 64 };

const hasLength = (pin: string): boolean => pin.length >= length.least && pin.length <= length.most;

const problems = ['empty', 'length', 'differs'] as const;
type Problem = (typeof problems)[number];

/** Sets a PIN, or changes or removes it with the current one. */
export function PinForm({ isSet, onClose }: PinFormProps) {
  const { run, pending, failure, dismiss } = useAction();
  const [visible, setVisible] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  useEffect(() => formRef.current?.querySelector('input')?.focus(), []);

  // A problem is stored by its key, so that its text follows the language.
  const form = useForm({
    initialValues: { current: '', next: '', repeated: '' },
    validate: {
      current: (pin): Problem | false => isSet && pin === '' && 'empty',
      next: (pin): Problem | false => !hasLength(pin) && 'length',
      repeated: (pin, { next }): Problem | false => hasLength(next) && pin !== next && 'differs',
    },
  });

  function refuse(field: string | undefined): void {
    dismiss();
    form.getInputNode(field ?? '')?.focus();
  }

  async function send(call: () => Promise<Result<null>>, done: 'set' | 'changed' | 'removed'): Promise<void> {
    const result = await run(call, () => () => t(`pin.done.${done}`));
    if (result?.ok) onClose(done === 'set' ? done : undefined);
  }

  const save = form.onSubmit(
    ({ current, next: pin }) =>
      void send(() => api.lock.setPin({ pin, current: isSet ? current : undefined }), isSet ? 'changed' : 'set'),
    (wrong) => refuse(Object.keys(wrong)[0]),
  );

  function remove(): void {
    const { current } = form.values;
    if (form.validateField('current').hasError) refuse('current');
    else void send(() => api.lock.removePin({ current }), 'removed');
  }

  function input(field: keyof typeof form.values) {
    const problem = problems.find((each) => each === form.errors[field]);
    return {
      ...form.getInputProps(field),
      name: field,
      shows: 'pin' as const,
      label: t(`pin.${field}`),
      error: problem && t(`pin.problem.${problem}`, length),
      visible,
      autoComplete: 'off',
      onToggle: () => setVisible(!visible),
    };
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves the form, as it leaves a dialog; its fields are what listens.
    <form
      onSubmit={save}
      noValidate
      ref={formRef}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('pin.help')}</Text>
        {isSet && <SecretInput {...input('current')} />}
        <SecretInput {...input('next')} description={t('pin.length', length)} />
        <SecretInput {...input('repeated')} />
        <Group>
          <Button type="submit" aria-busy={pending}>
            {t(isSet ? 'pin.change' : 'pin.set')}
          </Button>
          {isSet && (
            <Button variant="default" onClick={remove}>
              {t('pin.remove')}
            </Button>
          )}
        </Group>
        {failure && <ErrorMessage error={failure.error} during="server" />}
      </Stack>
    </form>
  );
}
