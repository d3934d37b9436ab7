import { ActionIcon, Menu, Stack } from '@mantine/core';
import { languageNames } from '../../preload/contract/locales/languages.ts';
import type { Settings } from '../../preload/contract/settings.ts';
import { api } from '../api.ts';
import { GearIcon } from './icons.tsx';
import { t } from '../i18n.ts';

/** A menu of language and theme. Each language is named in itself, so that its speakers find it. */
export function SettingsMenu({ settings }: { settings: Settings }) {
  const label = t('settings.open');
  const options: [Settings['language'], string][] = [
    ['system', t('settings.languageSystem')],
    ...Object.entries(languageNames),
  ];
  const themes: [Settings['theme'], string][] = [
    ['system', t('settings.themeSystem')],
    ['light', t('settings.light')],
    ['dark', t('settings.dark')],
  ];
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} title={label}>
          <GearIcon size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <Choice
          label={t('settings.language')}
          options={options}
          chosen={settings.language}
          onChoose={(language) => void api.settings.change({ language })}
        />
        <Menu.Divider />
        <Choice
          label={t('settings.theme')}
          options={themes}
          chosen={settings.theme}
          onChoose={(theme) => void api.settings.change({ theme })}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly [T, string][];
  chosen: T;
  onChoose: (value: T) => void;
}

/** A radio group of menu items. ARIA allows groups in a menu but no other text, so the label is hidden. */
function Choice<T extends string>({ label, options, chosen, onChoose }: ChoiceProps<T>) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- ARIA allows groups in a menu, and no fieldset.
    <Stack gap={0} role="group" aria-label={label}>
      <Menu.Label aria-hidden>{label}</Menu.Label>
      {options.map(([value, text]) => (
        <Menu.RadioItem key={value} value={value} checked={value === chosen} onChange={() => onChoose(value)}>
          {text}
        </Menu.RadioItem>
      ))}
    </Stack>
  );
}
