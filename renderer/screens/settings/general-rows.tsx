import { Switch } from '@mantine/core';
import { languages } from '../../../preload/contract/words/languages.ts';
import type { Settings } from '../../../preload/contract/settings.ts';
import { api, useApp } from '../../api.ts';
import { Choice } from './choice.tsx';
import type { Row } from './setting-row.tsx';
import classes from './settings.module.css';
import { t } from '../../i18n.ts';

/** Language, theme, and the view for others. */
export function useGeneralRows(): Row[] {
  const { settings } = useApp();
  return [
    {
      id: 'language',
      label: t('settings.row.language.label'),
      help: t('settings.row.language.help'),
      control: (named) => (
        <Choice
          named={named}
          value={settings.language}
          options={[['system', t('settings.system')], ...Object.entries(languages)]}
          onChange={(language) => void api.settings.change({ language })}
        />
      ),
    },
    {
      id: 'theme',
      label: t('settings.row.theme.label'),
      help: t('settings.row.theme.help'),
      control: (named) => (
        <Choice
          named={named}
          value={settings.theme}
          options={[
            ['system', t('settings.system')],
            ['light', t('settings.light')],
            ['dark', t('settings.dark')],
          ]}
          onChange={(theme) => void api.settings.change({ theme })}
        />
      ),
    },
    useSwitchRow('presenting', settings),
  ];
}

type Flag = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

/** Makes the row of a setting that is on or off. */
export function useSwitchRow(name: Exclude<Flag, 'welcomed' | 'workbench'>, settings: Settings): Row {
  return {
    id: name,
    label: t(`settings.row.${name}.label`),
    help: t(`settings.row.${name}.help`),
    isField: true,
    control: (named) => (
      <Switch
        {...named}
        size="sm"
        classNames={{ track: classes.track, thumb: classes.thumb }}
        checked={settings[name]}
        onChange={(event) => void api.settings.change({ [name]: event.currentTarget.checked })}
      />
    ),
  };
}
