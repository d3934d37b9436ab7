import { Button, Stack, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { useAttempt } from '../../use-attempt.ts';
import { DataTable, Fixed, Long, Pager, pageSize } from './data-table.tsx';
import { Outcome } from './outcome.tsx';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

interface AccountsTabProps {
  state: AppState;
  /** Closes the dialog, so that the profile of whoever was signed in can be seen. */
  onClose: () => void;
}

/** Shows who has an account in the built-in server. A person can sign in as one of those that were made up. */
export function AccountsTab({ state: { servers }, onClose }: AccountsTabProps) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const [offset, setOffset] = useState(0);
  const { value, error } = useLoaded(useCallback(() => api.builtIn.accounts({ offset, limit: pageSize }), [offset]));
  // The built-in server is meant, whichever server is used now: signing in changes to it.
  const attempt = useAttempt(servers.find(({ builtIn }) => builtIn)?.id ?? '');

  async function signIn(id: number) {
    const result = await attempt.run(() => api.demo.signInAs({ id }));
    if (result?.ok) onClose();
  }

  const head = (['id', 'name', 'email', 'created', 'tokens', 'actions'] as const).map((name) =>
    t(`builtIn.account.${name}`),
  );
  const sentence = attempt.sending ? t('builtIn.account.signingIn') : value ? undefined : t('builtIn.loading');
  return (
    <Stack gap="sm">
      <Outcome said={sentence} error={attempt.failure?.error ?? error} />
      {value && <Pager offset={offset} total={value.total} onOffset={setOffset} />}
      {value && value.rows.length > 0 && (
        <DataTable label={t('builtIn.tabs.accounts')} head={head}>
          {value.rows.map(({ id, name, email, createdAtMs, tokens, seeded }) => (
            <tr key={id}>
              <Fixed>{id}</Fixed>
              <Long text={name} />
              <Long text={email} />
              <Fixed>{moments.minute(createdAtMs)}</Fixed>
              <Fixed>{tokens}</Fixed>
              <td>
                {seeded && (
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={t('builtIn.account.signInAs', { email })}
                    aria-busy={attempt.sending}
                    onClick={() => void signIn(id)}
                  >
                    {t('builtIn.account.signIn')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {value?.total === 0 && <Text size="sm">{t('builtIn.account.none')}</Text>}
    </Stack>
  );
}
