import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ClientProblem, LoggedRequest } from '../../../preload/contract/local-servers.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api, onEvent } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { formatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import classes from './built-in-server.module.css';
import { DataTable, LongText, Pager, pageSize } from './data-table.tsx';

/** Both are shown together, so they are loaded together. */
async function load(): Promise<Result<{ requests: LoggedRequest[]; problems: ClientProblem[] }>> {
  const [requests, problems] = await Promise.all([api.builtIn.requests(), api.builtIn.clientReport()]);
  if (!requests.ok) return requests;
  return problems.ok ? { ok: true, value: { requests: requests.value, problems: problems.value } } : problems;
}

const requestText = ({ method, route }: Pick<LoggedRequest, 'method' | 'route'>): string =>
  route === null ? t('builtIn.request.noRoute', { method }) : `${method} ${route}`;

/** The requests to the built-in server, newest first. New ones appear while it is open. */
export function RequestsTab({ onChanged }: { onChanged: () => void }) {
  const { data, error, reload, setData } = useQuery(load);
  const { run, failure } = useAction();
  const [offset, setOffset] = useState(0);
  useEffect(() => onEvent('builtIn.requested', () => void reload()), [reload]);

  const clear = () =>
    run(api.builtIn.clearRequests, (requests) => {
      setData({ requests, problems: [] });
      setOffset(0);
      onChanged();
      return () => t('builtIn.request.cleared');
    });

  return (
    <>
      {!data && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {(data ?? error) && (
        <div className="row wrap apart gap8">
          <Pager offset={offset} total={data?.requests.length ?? 0} onOffset={setOffset} />
          <Button variant="default" size="xs" onClick={() => void clear()}>
            {t('builtIn.request.clear')}
          </Button>
        </div>
      )}
      {failure && <ErrorMessage error={failure.error} during="server" />}
      {data && (
        <div className={classes.beside}>
          <ClientProblems problems={data.problems} />
          <Card title={t('builtIn.tabs.requests')} padding="none">
            <DataTable
              label={t('builtIn.tabs.requests')}
              empty={t('builtIn.request.none')}
              rows={data.requests.slice(offset, offset + pageSize)}
              idOf={({ id }) => id}
              columns={[
                { head: t('builtIn.request.time'), kind: 'fixed', render: ({ atMs }) => formatters().moment(atMs) },
                {
                  head: t('builtIn.request.operation'),
                  render: (request) => <LongText text={requestText(request)} />,
                },
                {
                  head: t('builtIn.request.status'),
                  kind: 'fixed',
                  render: ({ status }) => status ?? t('builtIn.request.noAnswer'),
                },
                {
                  head: t('builtIn.request.duration'),
                  kind: 'fixed',
                  render: ({ durationMs }) => formatters().duration(durationMs),
                },
                {
                  head: t('builtIn.request.faults'),
                  render: ({ faults }) => faults.map((kind) => t(`builtIn.kinds.${kind}.name`)).join(', '),
                },
              ]}
            />
          </Card>
        </div>
      )}
      {/* Appears without a click, so it is below everything and moves nothing. */}
      {error && <ErrorMessage error={error} during="server" takesFocus={false} />}
    </>
  );
}

/** Mistakes of clients, each with the requests that show it. */
const ClientProblems = ({ problems }: { problems: readonly ClientProblem[] }) => (
  <Card title={t('builtIn.client.title')}>
    {problems.length === 0 ? (
      <p className="flush text soft">{t('builtIn.client.none')}</p>
    ) : (
      <ul className={classes.problems}>
        {problems.map(({ fault, count, shownBy: [first = []] }) => (
          <li key={fault}>
            <strong className="strong">{t(`builtIn.client.faults.${fault}.name`)}</strong>
            <span className="text soft">{t(`builtIn.client.faults.${fault}.description`)}</span>
            <Chip tone="warn">{t('builtIn.client.seen', { count })}</Chip>
            <ol className="list grid slim gap2 anywhere small digits">
              {first.map(({ id, atMs, status, ...request }) => (
                <li key={id}>
                  <span>{formatters().time(atMs)}</span> <bdi>{requestText(request)}</bdi>{' '}
                  <span>{status ?? t('builtIn.request.noAnswer')}</span>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
    )}
    <Text className="hint" mt={14}>
      {t('builtIn.client.help')}
    </Text>
  </Card>
);
