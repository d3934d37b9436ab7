import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import { Room } from '../../components/room.tsx';
import type { SettingsSection } from '../../place.ts';
import { LockSettings } from './lock-settings.tsx';
import { StorageSettings } from './storage-settings.tsx';

/** Shows all settings. `section` is the one that the room opens at. */
export function SettingsRoom({ state }: { state: AppState; section: SettingsSection | undefined }) {
  const { t } = useTranslation();
  return (
    <Room title={t('settings.open')}>
      <Stack gap="xl">
        <LockSettings state={state} />
        <StorageSettings state={state} />
      </Stack>
    </Room>
  );
}
