import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { GearIcon } from './icons.tsx';

/** Language and theme. The two languages are named in themselves, so that each is found by who needs it. */
export function SettingsMenu({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const languages: [Settings['language'], string][] = [
    ['system', t('settings.languageSystem')],
    ['en', 'English'],
    ['es', 'Español'],
  ];
  const themes: [Settings['theme'], string][] = [
    ['system', t('settings.themeSystem')],
    ['light', t('settings.light')],
    ['dark', t('settings.dark')],
  ];
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('settings.open')} title={t('settings.open')}>
          <GearIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('settings.open')}>
        <Menu.Label>{t('settings.language')}</Menu.Label>
        {languages.map(([value, label]) => (
          <Menu.RadioItem
            key={value}
            value={value}
            checked={settings.language === value}
            onChange={() => void api.settings.change({ language: value })}
          >
            {label}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('settings.theme')}</Menu.Label>
        {themes.map(([value, label]) => (
          <Menu.RadioItem
            key={value}
            value={value}
            checked={settings.theme === value}
            onChange={() => void api.settings.change({ theme: value })}
          >
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
