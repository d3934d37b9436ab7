import { Button, Group, Switch } from '@mantine/core';
import { languageNames } from '../../../preload/contract/language-names.ts';
import type { AppState, Settings } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { go } from '../../place.ts';
import { useTexts } from '../../texts.tsx';
import { keysOf } from '../../use-shortcuts.ts';
import { Choice } from './choice.tsx';
import { described, type Row } from './setting-row.tsx';
import classes from './settings.module.css';
import { useSettingsFile } from './use-settings-file.ts';

/** Language, theme, the Workbench, the welcome, the view for others, and the file of the settings. */
export function useGeneralRows({ settings }: AppState): Row[] {
  const { t } = useTexts();
  const { said, error, exportFile, importFile } = useSettingsFile();
  return [
    {
      id: 'language',
      label: t('settings.row.language.label'),
      help: t('settings.row.language.help'),
      control: (named) => (
        <Choice
          named={named}
          value={settings.language}
          options={[['system', t('settings.system')], ...languageNames]}
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
    useSwitchRow('workbench', settings),
    {
      id: 'welcomed',
      label: t('settings.row.welcomed.label'),
      help: t('settings.row.welcomed.help'),
      control: (named) => (
        <Button {...described(named)} variant="default" size="compact-sm" onClick={() => void showWelcome()}>
          {t('settings.row.welcomed.show')}
        </Button>
      ),
    },
    useSwitchRow('presenting', settings),
    {
      id: 'file',
      label: t('settings.file.label'),
      help: said ?? t('settings.file.help'),
      live: true,
      control: (named) => (
        <Group gap="xs">
          <Button {...described(named)} variant="default" size="compact-sm" onClick={() => void importFile()}>
            {t('settings.file.import')}
          </Button>
          <Button {...described(named)} variant="default" size="compact-sm" onClick={() => void exportFile()}>
            {t('settings.file.export')}
          </Button>
        </Group>
      ),
      below: error && <ErrorMessage error={error} during="server" wait={0} />,
    },
  ];
}

const workbenchKey = keysOf('workbench', '+');

async function showWelcome() {
  await api.settings.change({ welcomed: false });
  go({ room: 'account' });
}

type Flag = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

/** Makes the row of a setting that is on or off. */
export function useSwitchRow(name: Exclude<Flag, 'welcomed'>, settings: Settings): Row {
  const { t } = useTexts();
  return {
    id: name,
    label: t(`settings.row.${name}.label`),
    help: t(`settings.row.${name}.help`, { key: workbenchKey }),
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
