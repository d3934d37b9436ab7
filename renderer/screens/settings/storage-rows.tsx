import { Code } from '@mantine/core';
import { useState } from 'react';
import { api, useApp } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { vaultText } from '../../components/vault-text.tsx';
import { callFormatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { helpText, type Row, RowButton } from './setting-row.tsx';
import classes from './settings.module.css';

/** What is stored on this computer and what protects it, the diagnostics, and the button that erases everything. */
export function useStorageRows(): Record<'stored' | 'diagnostics' | 'erase', Row> {
  const erase = useAction();
  return {
    stored: { help: helpText('stored'), below: <StoredParts /> },
    diagnostics: useDiagnosticsRow(),
    erase: {
      help: helpText('erase'),
      control: (named) => (
        <RowButton
          named={named}
          color="red"
          variant="outline"
          onClick={() => void erase.run(api.storage.eraseEverything)}
        >
          {t('storage.eraseButton')}
        </RowButton>
      ),
      below: erase.failure && <ErrorMessage error={erase.failure.error} during="server" />,
    },
  };
}

/** Lists the files of the profile by their purpose, and what protects each. */
function StoredParts() {
  const { vault } = useApp();
  const { size } = callFormatters();
  const { data, error } = useQuery(api.storage.overview);
  return (
    <>
      <ul className={classes.parts}>
        {data?.parts
          .filter(({ files }) => files > 0)
          .map(({ part, files, bytes }) => (
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
        {t('storage.folder')} {data && <bdi>{data.folder}</bdi>}
      </p>
      {error && <ErrorMessage error={error} during="server" takesFocus={false} />}
    </>
  );
}

/** The diagnostics are shown before they can be copied. */
function useDiagnosticsRow(): Row {
  const { run, failure } = useAction();
  const [text, setText] = useState<string>();
  const show = () => run(api.storage.diagnostics, (diagnostics) => setText(diagnostics.text));
  const copy = () => run(api.storage.copyDiagnostics, () => () => t('storage.copied'));
  return {
    help: helpText('diagnostics'),
    control: (named) => (
      <RowButton named={named} onClick={() => void (text === undefined ? show() : copy())}>
        {t(text === undefined ? 'storage.show' : 'storage.copy')}
      </RowButton>
    ),
    below: (
      <>
        {failure && <ErrorMessage error={failure.error} during="server" />}
        {text !== undefined && (
          <section
            className={classes.text}
            aria-label={t('storage.text')}
            // Focusable, so that the arrow keys scroll it.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
          >
            <Code block>{text}</Code>
          </section>
        )}
      </>
    ),
  };
}
