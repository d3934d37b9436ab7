import { Button, Code } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { VaultStatus } from '../../../preload/contract/models.ts';
import type { StorageOverview } from '../../../preload/contract/about.ts';
import { callFormatters } from '../../format.ts';
import { api, useApp } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { vaultText } from '../../components/vault-text.tsx';
import { useAction } from '../../use-action.ts';
import { described, type Row } from './setting-row.tsx';
import classes from './settings.module.css';
import { t } from '../../i18n.ts';

/** What rests on this computer and what protects it, a text about it, and the way to erase it. */
export function useStorageRows(): Row[] {
  const state = useApp();
  const erase = useAction();
  return [
    {
      id: 'stored',
      label: t('storage.what'),
      help: t('storage.elsewhere'),
      below: <WhatRests vault={state.vault} />,
    },
    useDiagnosticsRow(),
    {
      id: 'erase',
      label: t('storage.erase'),
      help: t('storage.eraseHelp'),
      control: (named) => (
        <Button
          {...described(named)}
          color="red"
          variant="outline"
          size="compact-sm"
          onClick={() => void erase.run(api.storage.eraseEverything)}
        >
          {t('storage.eraseButton')}
        </Button>
      ),
      below: erase.failure && <ErrorMessage error={erase.failure.error} during="server" />,
    },
  ];
}

/** Lists the files of the profile by what they are for, and what protects each. */
function WhatRests({ vault }: { vault: VaultStatus }) {
  const { size } = callFormatters();
  const attempt = useAction();
  const [overview, setOverview] = useState<StorageOverview>();
  useEffect(() => {
    void attempt.run(api.storage.overview).then((result) => result?.ok && setOverview(result.value));
    // oxlint-disable-next-line react/exhaustive-deps -- it is asked once, when the room is entered.
  }, []);
  const stored = overview?.parts.filter(({ files }) => files > 0) ?? [];

  return (
    <>
      <ul className={classes.parts}>
        {stored.map(({ part, files, bytes }) => (
          <li key={part}>
            <span className="text medium">{t(`storage.part.${part}.name`)}</span>
            <span className={classes.size}>{t('storage.count', { count: files, size: size(bytes) })}</span>
            <span className={classes.help}>
              {part === 'tokens' ? vaultText(vault) : t(`storage.part.${part}.protected`)}
            </span>
          </li>
        ))}
      </ul>
      <p className={classes.folder}>
        {t('storage.folder')} {overview && <bdi>{overview.folder}</bdi>}
      </p>
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
    </>
  );
}

/** Offers the diagnostics, which are shown first, then copied. */
function useDiagnosticsRow(): Row {
  const attempt = useAction();
  const [text, setText] = useState<string>();
  const [copied, setCopied] = useState(false);

  async function show() {
    const result = await attempt.run(api.storage.diagnostics);
    if (result?.ok) setText(result.value.text);
  }

  async function copy() {
    const result = await attempt.run(api.storage.copyDiagnostics);
    setCopied(result?.ok === true);
  }

  return {
    id: 'diagnostics',
    label: t('storage.diagnostics'),
    help: copied ? t('storage.copied') : t('storage.diagnosticsHelp'),
    live: true,
    control: (named) => (
      <Button
        {...described(named)}
        variant="default"
        size="compact-sm"
        onClick={() => void (text === undefined ? show() : copy())}
      >
        {t(text === undefined ? 'storage.show' : 'storage.copy')}
      </Button>
    ),
    below: (
      <>
        {text !== undefined && (
          <section
            className={classes.text}
            aria-label={t('storage.text')}
            // The text scrolls, so the keys must reach it.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
          >
            <Code block>{text}</Code>
          </section>
        )}
        {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
      </>
    ),
  };
}
