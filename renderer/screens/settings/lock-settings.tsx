import { Button, Checkbox, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { sayMoreOfVault, sayVault, VaultRetry } from '../../components/vault-text.tsx';
import { sayDuration } from '../../say-error.ts';
import { PinForms } from './pin-forms.tsx';

/** The minutes of idle time that can be chosen. A number from the file that is not among them is shown too. */
const minutes = [0, 1, 5, 15, 30, 60];

/** Shows where tokens are, when the application locks itself, the PIN, and whether sessions outlive the application. */
export function LockSettings({ state }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const { settings, vault } = state;
  const more = sayMoreOfVault(vault, t, i18n.language);
  const choices = [...new Set([...minutes, settings.lockAfterMinutes])].toSorted((one, other) => one - other);
  return (
    <Stack gap="lg">
      <Section title={t('security.tokens')}>
        <Text size="sm" component="output">
          {sayVault(vault, t)} {more}
        </Text>
        <VaultRetry vault={vault} />
        <Checkbox
          label={t('security.clearOnQuit')}
          description={t('security.clearOnQuitHelp')}
          checked={settings.clearOnQuit}
          onChange={(event) => void api.settings.change({ clearOnQuit: event.currentTarget.checked })}
        />
      </Section>
      <Section title={t('security.lock')}>
        <NativeSelect
          label={t('security.idle')}
          description={t('security.idleHelp')}
          value={String(settings.lockAfterMinutes)}
          onChange={(event) => void api.settings.change({ lockAfterMinutes: Number(event.currentTarget.value) })}
          data={choices.map((value) => ({
            value: String(value),
            label: value === 0 ? t('security.never') : sayDuration(value * 60, i18n.language),
          }))}
        />
        <Checkbox
          label={t('security.onScreenLock')}
          checked={settings.lockOnScreenLock}
          onChange={(event) => void api.settings.change({ lockOnScreenLock: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('security.onSleep')}
          checked={settings.lockOnSleep}
          onChange={(event) => void api.settings.change({ lockOnSleep: event.currentTarget.checked })}
        />
        <Group>
          <Button variant="default" onClick={() => void api.lock.now()}>
            {t('lock.now')}
          </Button>
        </Group>
      </Section>
      <Section title={t('security.pin')}>
        <PinForms isSet={state.pin} />
      </Section>
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Stack gap="sm">
        <Title order={3} size="h5">
          {title}
        </Title>
        {children}
      </Stack>
    </section>
  );
}
