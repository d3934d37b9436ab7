import { ActionIcon } from '@mantine/core';
import type { Settings } from '../../preload/contract/models.ts';
import { useTexts } from '../texts.tsx';
import { GearIcon } from './icons.tsx';
import { useOpener } from './use-opener.ts';
import { whenOpened } from './when-opened.tsx';

const Choices = whenOpened(() => import('./settings-choices.tsx').then((loaded) => loaded.SettingsChoices));

/** Offers language and theme. */
export function SettingsMenu({ settings }: { settings: Settings }) {
  const { t } = useTexts();
  const { buttonProps, isWanted, opened } = useOpener('menu');
  const label = t('settings.open');
  return (
    <>
      <ActionIcon {...buttonProps} variant="subtle" color="gray" size={32} aria-label={label} title={label}>
        <GearIcon size={20} />
      </ActionIcon>
      {isWanted && <Choices opened={opened} settings={settings} />}
    </>
  );
}
