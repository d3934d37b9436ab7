import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, useActiveServer } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { useAction } from '../../use-action.ts';
import { t } from '../../i18n.ts';

/** The token is stored in the field alone, until that is unmounted: main receives it once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const server = useActiveServer();
  const { run, pending, failure } = useAction();
  const [visible, setVisible] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const address = server.baseUrl;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('token');
    const token = typeof typed === 'string' ? typed : '';
    setIsMissing(token.trim() === '');
    if (token.trim() === '') return;
    const result = await run(() => api.session.adoptToken({ token }));
    if (result?.ok) onClose();
  }

  return (
    <Dialog
      title={t('session.token.useTitle')}
      onClose={() => {
        if (pending) void api.session.cancel();
        onClose();
      }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm">
            {t('session.token.useHelp', { host: URL.canParse(address) ? new URL(address).host : address })}
          </Text>
          <SecretInput
            name="token"
            label={t('session.token.field')}
            visible={visible}
            onToggle={() => setVisible(!visible)}
            maxLength={65_536}
            autoComplete="off"
            data-autofocus
            error={isMissing && t('session.token.missing')}
          />
          {failure && <ErrorMessage error={failure.error} during="server" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('app.cancel')}
            </Button>
            <Button type="submit" aria-busy={pending} aria-disabled={pending}>
              {t('session.token.use')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
