import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import { api, onEvent } from '../../api.ts';
import { useAttempt } from '../../use-attempt.ts';
import { DataTable, Fixed, Long, Pager, pageSize } from './data-table.tsx';
import { Outcome } from './outcome.tsx';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

/** Shows what the built-in server was asked, the newest first. New requests come in while it is open. */
export function RequestsTab({ state: { activeServerId } }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const { value, error, reload, put } = useLoaded(api.builtIn.requests);
  const attempt = useAttempt(activeServerId);
  const [offset, setOffset] = useState(0);
  const [said, setSaid] = useState<string>();
  useEffect(() => onEvent('builtIn.requested', () => void reload()), [reload]);

  async function clear() {
    const result = await attempt.run(api.builtIn.clearRequests);
    if (!result?.ok) return;
    put(result.value);
    setOffset(0);
    setSaid(t('builtIn.request.cleared'));
  }

  const head = (['time', 'operation', 'status', 'duration', 'faults'] as const).map((name) =>
    t(`builtIn.request.${name}`),
  );
  const total = value?.length ?? 0;

  return (
    <Stack gap="sm">
      <Outcome said={value ? said : t('builtIn.loading')} error={attempt.failure?.error ?? error} />
      {(value ?? error) && (
        <Group justify="space-between">
          <Pager offset={offset} total={total} onOffset={setOffset} />
          <Button variant="default" size="xs" onClick={() => void clear()}>
            {t('builtIn.request.clear')}
          </Button>
        </Group>
      )}
      {value && total > 0 && (
        <DataTable label={t('builtIn.tabs.requests')} head={head}>
          {value.slice(offset, offset + pageSize).map(({ id, atMs, method, route, status, durationMs, faults }) => (
            <tr key={id}>
              <Fixed>{moments.moment(atMs)}</Fixed>
              <Long text={route === null ? t('builtIn.request.noRoute', { method }) : `${method} ${route}`} />
              <Fixed>{status ?? t('builtIn.request.noAnswer')}</Fixed>
              <Fixed>{moments.duration(durationMs)}</Fixed>
              <td>{faults.map((kind) => t(`builtIn.kinds.${kind}.name`)).join(', ')}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {value && total === 0 && <Text size="sm">{t('builtIn.request.none')}</Text>}
    </Stack>
  );
}
