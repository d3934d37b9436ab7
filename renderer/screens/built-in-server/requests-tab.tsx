import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ClientLine, LoggedRequest } from '../../../preload/contract/local-servers.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api, onEvent } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { useAction } from '../../use-action.ts';
import type { TabProps } from './tab-props.ts';
import classes from './built-in-server.module.css';
import { ClientLines } from './client-lines.tsx';
import { type Column, DataTable, Long, Pager, pageSize } from './data-table.tsx';
import { formatters, type Formatters } from '../../format.ts';
import { TabPage } from './tab-page.tsx';
import { useQuery } from '../../use-query.ts';
import { t } from '../../i18n.ts';

interface Asked {
  requests: LoggedRequest[];
  lines: ClientLine[];
}

/** Asks for both at once, since they are shown together. */
async function load(): Promise<Result<Asked>> {
  const [requests, lines] = await Promise.all([api.builtIn.requests(), api.builtIn.clientReport()]);
  if (!requests.ok) return requests;
  return lines.ok ? { ok: true, value: { requests: requests.value, lines: lines.value } } : lines;
}

/** Shows what the built-in server was asked, the newest first. New requests come in while it is open. */
export function RequestsTab({ onChanged }: TabProps) {
  const moments = formatters();
  const { data, error, reload, setData } = useQuery(load);
  const attempt = useAction();
  const [offset, setOffset] = useState(0);
  useEffect(() => onEvent('builtIn.requested', () => void reload()), [reload]);

  const clear = () =>
    attempt.run(api.builtIn.clearRequests, (requests) => {
      setData({ requests, lines: [] });
      setOffset(0);
      onChanged();
      return () => t('builtIn.request.cleared');
    });

  const total = data?.requests.length ?? 0;

  return (
    <TabPage error={attempt.failure?.error ?? error}>
      {!data && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {(data ?? error) && (
        <div className="row wrap apart gap8">
          <Pager offset={offset} total={total} onOffset={setOffset} />
          <Button variant="default" size="xs" onClick={() => void clear()}>
            {t('builtIn.request.clear')}
          </Button>
        </div>
      )}
      {data && (
        <div className={classes.beside}>
          <ClientLines lines={data.lines} moments={moments} />
          <Card title={t('builtIn.tabs.requests')} padding={total === 0 ? 'inside' : 'none'}>
            {total === 0 ? (
              <Text size="sm">{t('builtIn.request.none')}</Text>
            ) : (
              <DataTable
                label={t('builtIn.tabs.requests')}
                columns={columnsOf(moments)}
                rows={data.requests.slice(offset, offset + pageSize)}
                idOf={({ id }) => id}
              />
            )}
          </Card>
        </div>
      )}
    </TabPage>
  );
}

const columnsOf = (moments: Formatters): Column<LoggedRequest>[] => [
  { head: t('builtIn.request.time'), kind: 'fixed', cell: ({ atMs }) => moments.moment(atMs) },
  {
    head: t('builtIn.request.operation'),
    cell: ({ method, route }) => (
      <Long text={route === null ? t('builtIn.request.noRoute', { method }) : `${method} ${route}`} />
    ),
  },
  { head: t('builtIn.request.status'), kind: 'fixed', cell: ({ status }) => status ?? t('builtIn.request.noAnswer') },
  { head: t('builtIn.request.duration'), kind: 'fixed', cell: ({ durationMs }) => moments.duration(durationMs) },
  {
    head: t('builtIn.request.faults'),
    cell: ({ faults }) => faults.map((kind) => t(`builtIn.kinds.${kind}.name`)).join(', '),
  },
];
