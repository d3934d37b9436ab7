import { type ReactNode, useState } from 'react';
import type { Licences } from '../../../preload/contract/about.ts';
import { api, useApp } from '../../api.ts';
import { Chip } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { helpText, type Row, RowButton } from './setting-row.tsx';
import classes from './settings.module.css';

/** The version, its runtime, and the licences of all parts, which are loaded on demand. */
export function useAboutRows(): Record<'version' | 'electron' | 'system' | 'licences', Row> {
  const { version, electron } = useApp();
  const { data: about } = useQuery(api.app.about);
  const [licences, setLicences] = useState<Licences>();
  const { run, failure } = useAction();
  const value = (text = '…') => <span className={classes.value}>{text}</span>;
  return {
    version: { control: () => value(version) },
    electron: {
      help: t('settings.row.electron.help', { chromium: about?.chromium ?? '…', node: about?.node ?? '…' }),
      control: () => value(electron.version),
      below: electron.thirdParty && (
        <div className={classes.below}>
          <Chip>{t('settings.about.thirdParty')}</Chip>
        </div>
      ),
    },
    system: { help: helpText('system'), control: () => value(about?.system) },
    licences: {
      help: helpText('licences'),
      control: (named) => (
        <RowButton
          named={named}
          aria-expanded={licences !== undefined}
          onClick={() => (licences ? setLicences(undefined) : void run(api.app.licences, setLicences))}
        >
          {t(licences ? 'settings.licences.hide' : 'settings.licences.show')}
        </RowButton>
      ),
      below: licences ? (
        <LicenceList licences={licences} />
      ) : (
        failure && <ErrorMessage error={failure.error} during="server" />
      ),
    },
  };
}

function LicenceList({ licences: { parts, texts } }: { licences: Licences }) {
  if (parts.length === 0) return <p className={classes.help}>{t('settings.licences.none')}</p>;
  return (
    <ul className={classes.licences}>
      {parts.map(({ name, version, licence, text }) => (
        <li key={`${name} ${version}`}>
          <Licence text={text === undefined ? undefined : texts[text]}>
            <bdi>
              {name} {version}
            </bdi>{' '}
            <span className="muted">{licence}</span>
          </Licence>
        </li>
      ))}
    </ul>
  );
}

/** A text is rendered when it is expanded, since all of them together are as long as a book. */
function Licence({ text, children }: { text: string | undefined; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  if (text === undefined) return children;
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{children}</summary>
      {isOpen && <pre className={classes.licenceText}>{text}</pre>}
    </details>
  );
}
