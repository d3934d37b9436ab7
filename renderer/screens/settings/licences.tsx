import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Licences } from '../../../preload/contract/about.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { described, type Row } from './setting-row.tsx';
import classes from './settings.module.css';
import { t } from '../../i18n.ts';

/** Offers the licences of everything that is part of the application. They are loaded when they are asked for. */
export function useLicencesRow(): Row {
  const [licences, setLicences] = useState<Licences>();
  const [error, setError] = useState<AppError>();

  async function show(): Promise<void> {
    const result = await api.app.licences();
    if (result.ok) setLicences(result.value);
    setError(result.ok ? undefined : result.error);
  }

  return {
    id: 'licences',
    label: t('settings.licences.label'),
    help: t('settings.licences.help'),
    control: (named) => (
      <Button
        {...described(named)}
        variant="default"
        size="compact-sm"
        aria-expanded={licences !== undefined}
        onClick={() => void (licences ? setLicences(undefined) : show())}
      >
        {t(licences ? 'settings.licences.hide' : 'settings.licences.show')}
      </Button>
    ),
    below: licences ? <LicenceList licences={licences} /> : error && <ErrorMessage error={error} during="server" />,
  };
}

function LicenceList({ licences: { parts, texts } }: { licences: Licences }) {
  if (parts.length === 0) return <p className={classes.help}>{t('settings.licences.none')}</p>;
  return (
    <ul className={classes.licences}>
      {parts.map(({ name, version, licence, text }) => {
        const title = (
          <>
            <bdi>
              {name} {version}
            </bdi>{' '}
            <span className="muted">{licence}</span>
          </>
        );
        const words = text === undefined ? undefined : texts[text];
        return (
          <li key={`${name} ${version}`}>{words === undefined ? title : <Licence title={title} words={words} />}</li>
        );
      })}
    </ul>
  );
}

/** A text is put on the page when it is opened: all of them together are as long as a book. */
function Licence({ title, words }: { title: ReactNode; words: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <pre className={classes.licenceText}>{words}</pre>}
    </details>
  );
}
