import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { ErrorMessage } from '../../components/error-message.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { useTexts } from '../../texts.tsx';
import { length, type PinChange, usePinForm } from './use-pin-form.ts';

interface PinFormsProps {
  isSet: boolean;
  onCancel: () => void;
  onDone: (done: PinChange) => void;
}

/** Sets a PIN. One that is set can be changed or removed with the current one. */
export function PinForms({ isSet, onCancel, onDone }: PinFormsProps) {
  const { t } = useTexts();
  const { formRef, alertRef, ...form } = usePinForm(isSet, onDone);
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
        {form.failure && <ErrorMessage error={form.failure.error} during="server" wait={0} ref={alertRef} />}
        {isSet && <SecretInput {...form.input('current')} />}
        <SecretInput {...form.input('next')} description={t('pin.length', length)} onToggle={form.toggleVisible} />
        <SecretInput {...form.input('repeated')} />
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
