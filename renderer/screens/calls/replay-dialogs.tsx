import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SecretReference } from '../../../preload/contract/calls.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { secretName } from '../../answers/redacted.tsx';
import { urlText } from '../../answers/call-text.ts';
import { t } from '../../i18n.ts';
import { leaveReplay, sendReplay, useCalls } from './calls-store.ts';

/** The dialog that a replay waits for, if any. */
export function ReplayQuestion() {
  const replay = useCalls((state) => state.replay);
  if (replay.step === 'confirming') {
    return <EndsSessionDialog onSend={() => void sendReplay(replay.call, replay.request)} />;
  }
  if (replay.step !== 'asking') return null;
  const url = urlText(replay.call.request.url);
  return (
    <MissingSecretsDialog
      missing={replay.missing}
      host={URL.canParse(url) ? new URL(url).host : ''}
      onSend={(secrets) => void sendReplay(replay.call, replay.request, secrets)}
    />
  );
}

interface MissingSecretsProps {
  missing: readonly SecretReference[];
  /** Host that the secrets are sent to. */
  host: string;
  /** Called with the secrets by the ids of the references. */
  onSend: (secrets: Readonly<Record<string, string>>) => void;
}

/** Asks for secrets that main no longer has. They are in the uncontrolled fields only, and gone with them. */
function MissingSecretsDialog({ missing, host, onSend }: MissingSecretsProps) {
  const [visible, setVisible] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    onSend(
      Object.fromEntries(
        missing.map(({ id }) => {
          const value = typed.get(id);
          return [id, typeof value === 'string' ? value : ''];
        }),
      ),
    );
  }

  return (
    <Dialog title={t('replay.secretsTitle')} onClose={leaveReplay}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{t('replay.secretsHelp', { host })}</Text>
          {missing.map((reference, index) => (
            <SecretInput
              key={reference.id}
              name={reference.id}
              label={`‹${secretName(reference)}›`}
              visible={visible}
              data-autofocus={index === 0 || undefined}
              onToggle={index === 0 ? () => setVisible(!visible) : undefined}
              required
              withAsterisk={false}
              autoComplete="off"
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={leaveReplay}>
              {t('app.cancel')}
            </Button>
            <Button type="submit">{t('replay.send')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Confirms a replay that ends a session at the server. */
function EndsSessionDialog({ onSend }: { onSend: () => void }) {
  return (
    <Dialog title={t('replay.logoutTitle')} onClose={leaveReplay}>
      <Stack gap="md">
        <Text size="sm">{t('replay.logoutHelp')}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={leaveReplay}>
            {t('app.cancel')}
          </Button>
          <Button color="red" onClick={onSend}>
            {t('replay.logoutSend')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
