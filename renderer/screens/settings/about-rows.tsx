import { useEffect, useState } from 'react';
import type { About } from '../../../preload/contract/about.ts';
import { api, useApp } from '../../api.ts';
import { Chip } from '../../components/chip.tsx';
import { useLicencesRow } from './licences.tsx';
import type { Row } from './setting-row.tsx';
import classes from './settings.module.css';
import { t } from '../../i18n.ts';

/** The version, what it runs on, and the licences of all parts. */
export function useAboutRows(): Row[] {
  const { version, electron } = useApp();
  const [about, setAbout] = useState<About>();
  useEffect(() => {
    void api.app.about().then((result) => result.ok && setAbout(result.value));
  }, []);
  const value = (text: string | undefined) => () => <span className={classes.value}>{text ?? '…'}</span>;
  return [
    { id: 'version', label: t('settings.about.version'), control: value(version) },
    {
      id: 'electron',
      label: 'Electron',
      help: t('settings.about.electronHelp', { chromium: about?.chromium ?? '…', node: about?.node ?? '…' }),
      control: value(electron.version),
      below: electron.thirdParty && (
        <div className={classes.below}>
          <Chip>{t('settings.about.thirdParty')}</Chip>
        </div>
      ),
    },
    {
      id: 'system',
      label: t('settings.about.system'),
      help: t('settings.about.systemHelp'),
      control: value(about?.system),
    },
    useLicencesRow(),
  ];
}
