import { Button, Group, Stack, Text } from '@mantine/core';
import { type Ref, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionPage } from '../../../preload/contract/built-in-server.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { useAttempt } from '../../use-attempt.ts';
import { DataTable, Fixed, Long, Pager, pageSize } from './data-table.tsx';
import { Outcome } from './outcome.tsx';
import { Question } from './question.tsx';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

const verbs = ['expire', 'revoke'] as const;
type Verb = (typeof verbs)[number];

/** Shows every token of the built-in server. Each can be ended while a client holds it. */
export function SessionsTab({ state: { activeServerId } }: { state: AppState }) {
  const { t } = useTranslation();
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

  async function end(verb: Verb, id: number) {
    const result = await attempt.run(() => api.builtIn[verb]({ id }));
    if (!result?.ok) return;
    const done = verb === 'expire' ? t('builtIn.session.expiredNow', { id }) : t('builtIn.session.revoked', { id });
    setSaid(result.value.done ? done : t('builtIn.session.gone', { id }));
    // The button goes away with its row, and the focus must not go with it.
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

  return (
    <Stack gap="sm">
      <Outcome said={value ? said : t('builtIn.loading')} error={attempt.failure?.error ?? error} />
      {(value ?? error) && (
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
      )}
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
        <SessionsTable
          ref={tableRef}
          sessions={value.rows}
          answeredAt={answeredAt}
          onEnd={(verb, id) => void end(verb, id)}
        />
      )}
      {value?.total === 0 && <Text size="sm">{t('builtIn.session.none')}</Text>}
    </Stack>
  );
}

interface SessionsTableProps {
  ref: Ref<HTMLElement>;
  sessions: SessionPage['rows'];
  /** When these were answered, in milliseconds since 1970. */
  answeredAt: number;
  onEnd: (verb: Verb, id: number) => void;
}

function SessionsTable({ ref, sessions, answeredAt, onEnd }: SessionsTableProps) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const head = (['id', 'email', 'created', 'used', 'expires', 'actions'] as const).map((name) =>
    t(`builtIn.session.${name}`),
  );
  return (
    <DataTable ref={ref} label={t('builtIn.tabs.sessions')} head={head}>
      {sessions.map(({ tokenId, email, createdAtMs, lastUsedAtMs, expiresAtMs }) => (
        <tr key={tokenId}>
          <Fixed>{tokenId}</Fixed>
          <Long text={email} />
          <Fixed>{moments.minute(createdAtMs)}</Fixed>
          <Fixed>{lastUsedAtMs === null ? t('builtIn.session.never') : moments.minute(lastUsedAtMs)}</Fixed>
          <Fixed>{expiresAtMs <= answeredAt ? t('builtIn.session.expired') : moments.minute(expiresAtMs)}</Fixed>
          <td>
            <Group gap={4}>
              {verbs.map((verb) => (
                <Button
                  key={verb}
                  variant="default"
                  size="compact-xs"
                  aria-label={t(`builtIn.session.${verb}This`, { id: tokenId })}
                  onClick={() => onEnd(verb, tokenId)}
                >
                  {t(`builtIn.session.${verb}`)}
                </Button>
              ))}
            </Group>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
