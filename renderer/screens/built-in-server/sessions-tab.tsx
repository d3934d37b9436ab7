import { Button, Group, Stack, Text } from '@mantine/core';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { useAttempt } from '../../use-attempt.ts';
import { DataTable, Fixed, Long, Pager, pageSize } from './data-table.tsx';
import { Outcome } from './outcome.tsx';
import { Question } from './question.tsx';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

/** Every token of the embedded service, each of which can be ended while a client holds it. */
export function SessionsTab({ state: { activeServerId } }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const [offset, setOffset] = useState(0);
  const {
    value,
    answeredAt = 0,
    error,
    reload,
  } = useLoaded(useCallback(() => api.builtIn.sessions({ offset, limit: pageSize }), [offset]));
  const attempt = useAttempt(activeServerId);
  const [said, setSaid] = useState<string>();
  const [asking, setAsking] = useState(false);
  const tableRef = useRef<HTMLElement>(null);

  async function end(verb: 'expire' | 'revoke', id: number) {
    const result = await attempt.run(() => api.builtIn[verb]({ id }));
    if (!result?.ok) return;
    const done = verb === 'expire' ? t('builtIn.session.expiredNow', { id }) : t('builtIn.session.revoked', { id });
    setSaid(result.value.done ? done : t('builtIn.session.gone', { id }));
    // The button goes away with its row: the focus must not go with it.
    if (verb === 'revoke') tableRef.current?.focus();
    await reload();
  }

  async function endAll() {
    const result = await attempt.run(api.builtIn.signEveryoneOut);
    if (!result?.ok) return;
    setAsking(false);
    setSaid(t('builtIn.session.ended', { number: result.value.ended }));
    setOffset(0);
    await reload();
  }

  const head = (['id', 'email', 'created', 'used', 'expires', 'actions'] as const).map((name) =>
    t(`builtIn.session.${name}`),
  );
  return (
    <Stack gap="sm">
      <Outcome said={value ? said : t('builtIn.loading')} error={attempt.failure?.error ?? error} />
      <Group justify="space-between">
        {value ? <Pager offset={offset} total={value.total} onOffset={setOffset} /> : <span />}
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => void reload()}>
            {t('builtIn.refresh')}
          </Button>
          {value && value.total > 0 && (
            <Button variant="default" size="xs" aria-expanded={asking} onClick={() => setAsking(true)}>
              {t('builtIn.session.everyone')}
            </Button>
          )}
        </Group>
      </Group>
      {asking && (
        <Question
          text={t('builtIn.session.everyoneSure')}
          keep={t('builtIn.session.keep')}
          goOn={t('builtIn.session.everyone')}
          sending={attempt.sending}
          onKeep={() => setAsking(false)}
          onGoOn={() => void endAll()}
        />
      )}
      {value && value.rows.length > 0 && (
        <DataTable ref={tableRef} label={t('builtIn.tabs.sessions')} head={head}>
          {value.rows.map(({ tokenId, email, createdAtMs, lastUsedAtMs, expiresAtMs }) => (
            <tr key={tokenId}>
              <Fixed>{tokenId}</Fixed>
              <Long text={email} />
              <Fixed>{moments.minute(createdAtMs)}</Fixed>
              <Fixed>{lastUsedAtMs === null ? t('builtIn.session.never') : moments.minute(lastUsedAtMs)}</Fixed>
              <Fixed>{expiresAtMs <= answeredAt ? t('builtIn.session.expired') : moments.minute(expiresAtMs)}</Fixed>
              <td>
                <Group gap={4}>
                  {(['expire', 'revoke'] as const).map((verb) => (
                    <Button
                      key={verb}
                      variant="default"
                      size="compact-xs"
                      aria-label={t(`builtIn.session.${verb}This`, { id: tokenId })}
                      onClick={() => void end(verb, tokenId)}
                    >
                      {t(`builtIn.session.${verb}`)}
                    </Button>
                  ))}
                </Group>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {value?.total === 0 && <Text size="sm">{t('builtIn.session.none')}</Text>}
    </Stack>
  );
}
