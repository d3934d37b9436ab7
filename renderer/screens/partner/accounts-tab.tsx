import { Stack, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api.ts';
import { DataTable, Fixed, Long, Pager, pageSize } from './data-table.tsx';
import { Outcome } from './outcome.tsx';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

/** Who has an account in the embedded service. */
export function AccountsTab() {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const [offset, setOffset] = useState(0);
  const { value, error } = useLoaded(useCallback(() => api.service.accounts({ offset, limit: pageSize }), [offset]));
  const head = (['id', 'name', 'email', 'created', 'tokens'] as const).map((name) => t(`partner.account.${name}`));
  return (
    <Stack gap="sm">
      <Outcome said={value ? undefined : t('partner.loading')} error={error} />
      {value && <Pager offset={offset} total={value.total} onOffset={setOffset} />}
      {value && value.rows.length > 0 && (
        <DataTable label={t('partner.tabs.accounts')} head={head}>
          {value.rows.map(({ id, name, email, createdAtMs, tokens }) => (
            <tr key={id}>
              <Fixed>{id}</Fixed>
              <Long text={name} />
              <Long text={email} />
              <Fixed>{moments.minute(createdAtMs)}</Fixed>
              <Fixed>{tokens}</Fixed>
            </tr>
          ))}
        </DataTable>
      )}
      {value?.total === 0 && <Text size="sm">{t('partner.account.none')}</Text>}
    </Stack>
  );
}
