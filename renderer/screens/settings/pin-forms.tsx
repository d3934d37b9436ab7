import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorMessage } from '../../components/error-message.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { length, usePinForm } from './use-pin-form.ts';

/** Sets a PIN. One that is set can be changed or removed with the current one. */
export function PinForms({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation();
  const { formRef, alertRef, ...form } = usePinForm(isSet);
  return (
    <form onSubmit={form.save} noValidate ref={formRef}>
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
          <Text size="sm" component="output">
            {form.done && t(`pin.done.${form.done}`)}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
