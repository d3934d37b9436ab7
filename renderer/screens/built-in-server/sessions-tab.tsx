import { Button, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ClockMove, SessionPage } from '../../../preload/contract/local-servers.ts';
import { api, useApp } from '../../api.ts';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { Card } from '../../components/card.tsx';
import { useAction } from '../../use-action.ts';
import type { TabProps } from './tab-props.ts';
import classes from './built-in-server.module.css';
import { ClockStrip } from './clock-strip.tsx';
import { type Column, DataTable, Long, Pager, pageSize } from './data-table.tsx';
import { formatters, type Formatters } from '../../format.ts';
import { TabPage } from './tab-page.tsx';
import { useQuery } from '../../use-query.ts';
import { t } from '../../i18n.ts';

const verbs = ['expire', 'revoke'] as const;
type Verb = (typeof verbs)[number];

/** Shows every token of the built-in server. Each can be ended while a client holds it. */
export function SessionsTab({ onChanged }: TabProps) {
  const { clockAheadMs } = useApp();
  const [asking, setAsking] = useState(false);
  const sessions = useSessions(onChanged);
  const { data, updatedAt, error, sending, offset, setOffset, reload, endAll, refreshRef } = sessions;

  async function goOn() {
    if ((await endAll())?.ok) setAsking(false);
  }

  return (
    <TabPage error={error}>
      <ClockStrip aheadMs={clockAheadMs} sending={sending} onMove={(to) => void sessions.moveClock(to)} />
      {!data && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {(data ?? error) && (
        <div className="row wrap apart gap8">
          {data ? <Pager offset={offset} total={data.total} onOffset={setOffset} /> : <span />}
          <div className={classes.row}>
            <Button ref={refreshRef} variant="default" size="xs" onClick={() => void reload()}>
              {t('builtIn.refresh')}
            </Button>
            {data && data.total > 0 && (
              <Button variant="outline" color="red" size="xs" onClick={() => setAsking(true)}>
                {t('builtIn.session.everyone')}
              </Button>
            )}
          </div>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={t('builtIn.session.everyoneAsk')}
          help={t('builtIn.session.everyoneSure')}
          keep={t('builtIn.session.keep')}
          goOn={t('builtIn.session.everyone')}
          sending={sending}
          onKeep={() => setAsking(false)}
          onGoOn={() => void goOn()}
        />
      )}
      {data && (
        <Card title={t('builtIn.tabs.sessions')} padding={data.total === 0 ? 'inside' : 'none'}>
          {data.total === 0 ? (
            <Text size="sm">{t('builtIn.session.none')}</Text>
          ) : (
            <SessionsTable
              sessions={data.rows}
              nowMs={updatedAt + clockAheadMs}
              onEnd={(verb, id) => void sessions.end(verb, id)}
            />
          )}
        </Card>
      )}
    </TabPage>
  );
}

function useSessions(onChanged: () => void) {
  const [offset, setOffset] = useState(0);
  const {
    data,
    updatedAt = 0,
    error,
    reload,
  } = useQuery(() => api.builtIn.sessions({ offset, limit: pageSize }), String(offset));
  const attempt = useAction();
  const refreshRef = useRef<HTMLButtonElement>(null);

  function changed(): void {
    onChanged();
    void reload();
  }
  return {
    data,
    updatedAt,
    error: attempt.failure?.error ?? error,
    sending: attempt.pending,
    offset,
    setOffset,
    reload,
    end: (verb: Verb, id: number) =>
      attempt.run(
        () => api.builtIn[verb]({ id }),
        ({ done }) => {
          // The table goes away with its last row, and the focus must not go with it.
          if (verb === 'revoke' && data?.rows.length === 1) refreshRef.current?.focus();
          changed();
          if (!done) return () => t('builtIn.session.gone', { id });
          return () => t(verb === 'expire' ? 'builtIn.session.expiredNow' : 'builtIn.session.revoked', { id });
        },
      ),
    /** Answers whether it was done. */
    endAll: () =>
      attempt.run(api.builtIn.signEveryoneOut, ({ ended }) => {
        refreshRef.current?.focus();
        setOffset(0);
        changed();
        return () => t('builtIn.session.ended', { number: ended });
      }),
    moveClock: (to: ClockMove) =>
      attempt.run(
        () => api.builtIn.moveClock({ to }),
        () => void reload(),
      ),
    refreshRef,
  };
}

interface SessionsTableProps {
  sessions: SessionPage['rows'];
  /** When these were answered by the server's clock, in milliseconds since 1970. */
  nowMs: number;
  onEnd: (verb: Verb, id: number) => void;
}

function SessionsTable({ sessions, nowMs, onEnd }: SessionsTableProps) {
  const moments = formatters();
  return (
    <DataTable
      label={t('builtIn.tabs.sessions')}
      columns={columnsOf(moments, nowMs, onEnd)}
      rows={sessions}
      idOf={({ tokenId }) => tokenId}
    />
  );
}

const columnsOf = (
  moments: Formatters,
  nowMs: number,
  onEnd: SessionsTableProps['onEnd'],
): Column<SessionPage['rows'][number]>[] => [
  { head: t('builtIn.session.id'), kind: 'fixed', cell: ({ tokenId }) => tokenId },
  { head: t('builtIn.session.email'), cell: ({ email }) => <Long text={email} /> },
  { head: t('builtIn.session.created'), kind: 'fixed', cell: ({ createdAtMs }) => moments.minute(createdAtMs) },
  {
    head: t('builtIn.session.used'),
    kind: 'fixed',
    cell: ({ lastUsedAtMs }) => (lastUsedAtMs === null ? t('builtIn.session.never') : moments.minute(lastUsedAtMs)),
  },
  {
    head: t('builtIn.session.expires'),
    kind: 'fixed',
    cell: ({ expiresAtMs }) => (expiresAtMs <= nowMs ? t('builtIn.session.expired') : moments.minute(expiresAtMs)),
  },
  {
    head: t('builtIn.session.actions'),
    kind: 'actions',
    cell: ({ tokenId, expiresAtMs }, tabIndex) =>
      verbs.map((verb) => {
        // The button that has just been pressed keeps the focus.
        const isDone = verb === 'expire' && expiresAtMs <= nowMs;
        return (
          <Button
            key={verb}
            variant="default"
            size="compact-sm"
            tabIndex={tabIndex}
            aria-label={t(`builtIn.session.${verb}This`, { id: tokenId })}
            aria-disabled={isDone}
            {...(isDone && { 'data-disabled': true })}
            onClick={isDone ? undefined : () => onEnd(verb, tokenId)}
          >
            {t(`builtIn.session.${verb}`)}
          </Button>
        );
      }),
  },
];
