import { Button, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import type { AccountPage } from '../../../preload/contract/local-servers.ts';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { navigate } from '../../place.ts';
import { useAction } from '../../use-attempt.ts';
import type { TabProps } from './tab-props.ts';
import { type Column, DataTable, Long, Pager, pageSize } from './data-table.tsx';
import { formatters, type Formatters } from '../../format.ts';
import { TabPage } from './tab-page.tsx';
import { useQuery } from '../../use-loaded.ts';
import { t } from '../../i18n.ts';

/** Shows who has an account in the built-in server. A person can sign in as one of those that were made up. */
export function PeopleTab({ onLead }: TabProps) {
  const moments = formatters();
  const [offset, setOffset] = useState(0);
  const { value, error } = useQuery(useCallback(() => api.builtIn.accounts({ offset, limit: pageSize }), [offset]));
  // The built-in server is meant, whichever server is used now: signing in changes to it.
  const attempt = useAction();

  const signIn = (id: number) =>
    void attempt.act(
      () => api.demo.signInAs({ id }),
      () => navigate({ room: 'account' }),
    );
  const columns = columnsOf(moments, { sending: attempt.sending, onSignIn: signIn });
  return (
    <TabPage
      said={attempt.sending ? t('builtIn.account.signingIn') : undefined}
      error={attempt.failure?.error ?? error}
    >
      {value ? (
        <div className="row wrap apart gap8">
          <Pager offset={offset} total={value.total} onOffset={setOffset} />
          <Button variant="default" size="xs" onClick={() => onLead('data')}>
            {t('builtIn.account.madeUp')}
          </Button>
        </div>
      ) : (
        !error && <Text size="sm">{t('builtIn.loading')}</Text>
      )}
      {value && (
        <Card title={t('builtIn.tabs.people')} padding={value.total === 0 ? 'inside' : 'none'}>
          {value.total === 0 ? (
            <Text size="sm">{t('builtIn.account.none')}</Text>
          ) : (
            <DataTable label={t('builtIn.tabs.people')} columns={columns} rows={value.rows} idOf={({ id }) => id} />
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
