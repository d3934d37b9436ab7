import { Button, Code, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, VaultStatus } from '../../../preload/contract/models.ts';
import type { StorageOverview, StoredPart } from '../../../preload/contract/storage.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { sayVault } from '../../components/vault-text.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { createCallWords } from '../../answers/say-call.ts';
import { CallLimitsForm } from './call-limits.tsx';
import classes from './storage.module.css';

/** Shows what rests on this computer and what protects it, offers a text about it, and erases it. */
export function StorageSettings({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const attempt = useAttempt(state.activeServerId);
  const [overview, setOverview] = useState<StorageOverview>();

  useEffect(() => {
    void attempt.run(api.storage.overview).then((result) => result?.ok && setOverview(result.value));
    // oxlint-disable-next-line react/exhaustive-deps -- it is asked once, when the dialog is opened.
  }, []);

  return (
    <Stack gap="lg">
      <WhatRests overview={overview} loading={attempt.sending} vault={state.vault} />
      <CallLimitsForm activeServerId={state.activeServerId} />
      <Diagnostics attempt={attempt} />
      <section aria-label={t('storage.erase')}>
        <Stack gap="sm">
          <Title order={3} size="h5">
            {t('storage.erase')}
          </Title>
          <Text size="sm">{t('storage.eraseHelp')}</Text>
          <Group>
            <Button color="red" onClick={() => void attempt.run(api.storage.eraseEverything)}>
              {t('storage.eraseButton')}
            </Button>
          </Group>
        </Stack>
      </section>
      {attempt.failure && (
        <div className={classes.failure}>
          <ErrorMessage error={attempt.failure.error} during="server" wait={0} />
        </div>
      )}
    </Stack>
  );
}

/** What main lists. Their words are here at once, so that only numbers come later. */
const parts = [
  'settings',
  'tokens',
  'pin',
  'accounts',
  'snapshots',
  'calls',
  'logs',
  'set-aside',
  'picture',
  'browser',
] as const satisfies readonly StoredPart[];

interface WhatRestsProps {
  overview: StorageOverview | undefined;
  loading: boolean;
  vault: VaultStatus;
}

/** Lists the files of the profile by what they are for, and what protects each. */
function WhatRests({ overview, loading, vault }: WhatRestsProps) {
  const { t, i18n } = useTranslation();
  const { size } = createCallWords(i18n.language);
  const counted = new Map(overview?.parts.map((each) => [each.part, each]));

  function sayCount(part: StoredPart): string | undefined {
    const { files, bytes } = counted.get(part) ?? {};
    if (files === undefined || bytes === undefined) return undefined;
    return files === 0 ? t('storage.nothing') : t('storage.count', { files, size: size(bytes) });
  }

  return (
    <section aria-label={t('storage.what')}>
      <Stack gap="sm">
        <Text size="sm" className={classes.folder}>
          {t('storage.folder')} {overview && <bdi>{overview.folder}</bdi>}
          {loading && !overview && <Loader size="xs" className={classes.loader} aria-label={t('app.waiting')} />}
        </Text>
        <ul className={classes.parts}>
          {parts.map((part) => (
            <li key={part}>
              <Group justify="space-between" wrap="nowrap" gap="md">
                <Text size="sm" fw={600}>
                  {t(`storage.part.${part}.name`)}
                </Text>
                <Text size="sm" className={classes.size}>
                  {sayCount(part)}
                </Text>
              </Group>
              <Text size="xs">{part === 'tokens' ? sayVault(vault, t) : t(`storage.part.${part}.protected`)}</Text>
            </li>
          ))}
        </ul>
        <Text size="xs">{t('storage.elsewhere')}</Text>
      </Stack>
    </section>
  );
}

/** Offers a text for whoever looks into a fault. It is shown first, then copied. */
function Diagnostics({ attempt }: { attempt: ReturnType<typeof useAttempt> }) {
  const { t } = useTranslation();
  const [diagnostics, setDiagnostics] = useState<string>();
  const [copied, setCopied] = useState(false);

  async function showDiagnostics() {
    const result = await attempt.run(api.storage.diagnostics);
    if (result?.ok) setDiagnostics(result.value.text);
  }

  async function copy() {
    const result = await attempt.run(api.storage.copyDiagnostics);
    setCopied(result?.ok === true);
  }

  return (
    <section aria-label={t('storage.diagnostics')}>
      <Stack gap="sm">
        <Title order={3} size="h5">
          {t('storage.diagnostics')}
        </Title>
        <Text size="sm">{t('storage.diagnosticsHelp')}</Text>
        {diagnostics === undefined ? (
          <Group>
            <Button variant="default" onClick={() => void showDiagnostics()}>
              {t('storage.show')}
            </Button>
          </Group>
        ) : (
          <>
            <section
              className={classes.text}
              aria-label={t('storage.text')}
              // The text scrolls, so the keys must reach it.
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
            >
              <Code block>{diagnostics}</Code>
            </section>
            <Group>
              <Button variant="default" onClick={() => void copy()}>
                {t('storage.copy')}
              </Button>
              <Text component="output" size="sm">
                {copied && t('storage.copied')}
              </Text>
            </Group>
          </>
        )}
      </Stack>
    </section>
  );
}
