import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { api, useApp } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { formatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { DataTable, LongText, Pager, pageSize } from './data-table.tsx';
import { ClockStrip } from './strip.tsx';

/** All tokens of the built-in server. Each can be ended while a client uses it. */
export function SessionsTab({ onChanged }: { onChanged: () => void }) {
  const { clockAheadMs } = useApp();
  const [offset, setOffset] = useState(0);
  const load = () => api.builtIn.sessions({ offset, limit: pageSize });
  const { data, updatedAt = 0, error, reload, setData } = useQuery(load, String(offset));
  const [isAsking, setAsking] = useState(false);
  const clock = useAction();
  const list = useAction();
  const row = useAction();
  const [pressed, setPressed] = useState<number>();
  const nowMs = updatedAt + clockAheadMs;

  function changed(): void {
    onChanged();
    void reload();
  }

  function end(verb: 'expire' | 'revoke', id: number): void {
    setPressed(id);
    void row.run(
      () => api.builtIn[verb]({ id }),
      ({ done }) => {
        changed();
        if (!done) return () => t('builtIn.session.gone', { id });
        return () => t(verb === 'expire' ? 'builtIn.session.expiredNow' : 'builtIn.session.revoked', { id });
      },
    );
  }

  async function endAll(): Promise<void> {
    const result = await list.run(api.builtIn.revokeAllTokens, ({ ended }) => {
      setOffset(0);
      onChanged();
      return () => t('builtIn.session.ended', { number: ended });
    });
    // The button that opened the question is removed with the sessions, before the question closes.
    if (result?.ok) await reload();
    setAsking(false);
  }

  return (
    <>
      <ClockStrip
        aheadMs={clockAheadMs}
        sending={clock.pending}
        onMove={(to) =>
          void clock.run(
            () => api.builtIn.moveClock({ to }),
            () => void reload(),
          )
        }
      />
      {clock.failure && <ErrorMessage error={clock.failure.error} during="server" />}
      {!data && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {(data ?? error) && (
        <div className="row wrap apart gap8">
          {data ? <Pager offset={offset} total={data.total} onOffset={setOffset} /> : <span />}
          <div className="wrapping gap8">
            <Button data-home variant="default" size="xs" onClick={() => void list.run(load, setData)}>
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
      {list.failure && <ErrorMessage error={list.failure.error} during="server" />}
      {error && <ErrorMessage error={error} during="server" takesFocus={false} />}
      {isAsking && (
        <ConfirmDialog
          title={t('builtIn.session.everyoneAsk')}
          help={t('builtIn.session.everyoneSure')}
          cancel={t('builtIn.session.keep')}
          confirm={t('builtIn.session.everyone')}
          sending={list.pending}
          onCancel={() => setAsking(false)}
          onConfirm={() => void endAll()}
        />
      )}
      {data && (
        <Card title={t('builtIn.tabs.sessions')} padding="none">
          <DataTable
            label={t('builtIn.tabs.sessions')}
            empty={t('builtIn.session.none')}
            rows={data.rows}
            idOf={({ tokenId }) => tokenId}
            renderBelow={({ tokenId }) =>
              row.failure && tokenId === pressed && <ErrorMessage error={row.failure.error} during="server" />
            }
            columns={[
              { head: t('builtIn.session.id'), kind: 'fixed', render: ({ tokenId }) => tokenId },
              { head: t('builtIn.session.email'), render: ({ email }) => <LongText text={email} /> },
              {
                head: t('builtIn.session.created'),
                kind: 'fixed',
                render: ({ createdAtMs }) => formatters().minute(createdAtMs),
              },
              {
                head: t('builtIn.session.used'),
                kind: 'fixed',
                render: ({ lastUsedAtMs: at }) => (at === null ? t('builtIn.session.never') : formatters().minute(at)),
              },
              {
                head: t('builtIn.session.expires'),
                kind: 'fixed',
                render: ({ expiresAtMs: at }) => (at <= nowMs ? t('builtIn.session.expired') : formatters().minute(at)),
              },
              {
                head: t('builtIn.session.actions'),
                kind: 'actions',
                render: ({ tokenId, expiresAtMs }, tabIndex) =>
                  (['expire', 'revoke'] as const).map((verb) => {
                    // Not `disabled`, so that the button that was just clicked keeps the focus.
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
                        onClick={isDone ? undefined : () => end(verb, tokenId)}
                      >
                        {t(`builtIn.session.${verb}`)}
                      </Button>
                    );
                  }),
              },
            ]}
          />
        </Card>
      )}
    </>
  );
}
