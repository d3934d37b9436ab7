import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { AccountPage } from '../../../preload/contract/local-servers.ts';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { navigate } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import type { TabProps } from './tab-props.ts';
import { type Column, DataTable, Long, Pager, pageSize } from './data-table.tsx';
import { formatters, type Formatters } from '../../format.ts';
import { TabPage } from './tab-page.tsx';
import { useQuery } from '../../use-query.ts';
import { t } from '../../i18n.ts';

/** Shows who has an account in the built-in server. A person can sign in as one of those that were made up. */
export function PeopleTab({ onLead }: TabProps) {
  const moments = formatters();
  const [offset, setOffset] = useState(0);
  const { data, error } = useQuery(() => api.builtIn.accounts({ offset, limit: pageSize }), String(offset));
  // The built-in server is meant, whichever server is used now: signing in changes to it.
  const attempt = useAction();

  const signIn = (id: number) =>
    void attempt.run(
      () => api.demo.signInAs({ id }),
      () => navigate({ room: 'account' }),
    );
  const columns = columnsOf(moments, { sending: attempt.pending, onSignIn: signIn });
  return (
    <TabPage
      said={attempt.pending ? t('builtIn.account.signingIn') : undefined}
      error={attempt.failure?.error ?? error}
    >
      {data ? (
        <div className="row wrap apart gap8">
          <Pager offset={offset} total={data.total} onOffset={setOffset} />
          <Button variant="default" size="xs" onClick={() => onLead('data')}>
            {t('builtIn.account.madeUp')}
          </Button>
        </div>
      ) : (
        !error && <Text size="sm">{t('builtIn.loading')}</Text>
      )}
      {data && (
        <Card title={t('builtIn.tabs.people')} padding={data.total === 0 ? 'inside' : 'none'}>
          {data.total === 0 ? (
            <Text size="sm">{t('builtIn.account.none')}</Text>
          ) : (
            <DataTable label={t('builtIn.tabs.people')} columns={columns} rows={data.rows} idOf={({ id }) => id} />
          )}
        </Card>
      )}
    </TabPage>
  );
}

const columnsOf = (
  moments: Formatters,
  { sending, onSignIn }: { sending: boolean; onSignIn: (id: number) => void },
): Column<AccountPage['rows'][number]>[] => [
  { head: t('builtIn.account.id'), kind: 'fixed', cell: ({ id }) => id },
  { head: t('builtIn.account.name'), cell: ({ name }) => <Long text={name} /> },
  { head: t('builtIn.account.email'), cell: ({ email }) => <Long text={email} /> },
  { head: t('builtIn.account.created'), kind: 'fixed', cell: ({ createdAtMs }) => moments.minute(createdAtMs) },
  { head: t('builtIn.account.tokens'), kind: 'fixed', cell: ({ tokens }) => tokens },
  {
    head: t('builtIn.account.actions'),
    kind: 'actions',
    cell: ({ id, email, seeded }, tabIndex) =>
      seeded && (
        <Button
          variant="default"
          size="compact-sm"
          tabIndex={tabIndex}
          aria-label={t('builtIn.account.signInAs', { email })}
          aria-busy={sending}
          onClick={() => onSignIn(id)}
        >
          {t('builtIn.account.signIn')}
        </Button>
      ),
  },
];
