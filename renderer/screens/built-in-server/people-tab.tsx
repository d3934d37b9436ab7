import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { formatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { navigate } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { DataTable, LongText, Pager, pageSize } from './data-table.tsx';
import type { BuiltInTab } from './tabs.ts';

/** The accounts of the built-in server. The user can log in as one of the generated ones. */
export function PeopleTab({ onOpenTab }: { onOpenTab: (tab: BuiltInTab) => void }) {
  const [offset, setOffset] = useState(0);
  const { data, error } = useQuery(() => api.builtIn.accounts({ offset, limit: pageSize }), String(offset));
  const { run, pending, failure } = useAction();
  const [chosen, setChosen] = useState<number>();
  function logIn(id: number) {
    setChosen(id);
    void run(
      () => api.demo.logInAs({ id }),
      () => navigate({ page: 'account' }),
    );
  }
  return (
    <>
      {!data && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {data && (
        <div className="row wrap apart gap8">
          <Pager offset={offset} total={data.total} onOffset={setOffset} />
          <Text component="output" size="sm">
            {pending && t('builtIn.account.signingIn')}
          </Text>
          <Button variant="default" size="xs" onClick={() => onOpenTab('data')}>
            {t('builtIn.account.madeUp')}
          </Button>
        </div>
      )}
      {error && <ErrorMessage error={error} during="server" takesFocus={false} />}
      {data && (
        <Card title={t('builtIn.tabs.people')} padding="none">
          <DataTable
            label={t('builtIn.tabs.people')}
            empty={t('builtIn.account.none')}
            rows={data.rows}
            idOf={({ id }) => id}
            renderBelow={({ id }) => failure && id === chosen && <ErrorMessage error={failure.error} during="server" />}
            columns={[
              { head: t('builtIn.account.id'), kind: 'fixed', render: ({ id }) => id },
              { head: t('builtIn.account.name'), render: ({ name }) => <LongText text={name} /> },
              { head: t('builtIn.account.email'), render: ({ email }) => <LongText text={email} /> },
              {
                head: t('builtIn.account.created'),
                kind: 'fixed',
                render: ({ createdAtMs }) => formatters().minute(createdAtMs),
              },
              { head: t('builtIn.account.tokens'), kind: 'fixed', render: ({ tokens }) => tokens },
              {
                head: t('builtIn.account.actions'),
                kind: 'actions',
                render: ({ id, email, seeded }, tabIndex) =>
                  seeded && (
                    <Button
                      variant="default"
                      size="compact-sm"
                      tabIndex={tabIndex}
                      aria-label={t('builtIn.account.signInAs', { email })}
                      aria-busy={pending}
                      onClick={() => logIn(id)}
                    >
                      {t('builtIn.account.signIn')}
                    </Button>
                  ),
              },
            ]}
          />
        </Card>
      )}
    </>
  );
}
