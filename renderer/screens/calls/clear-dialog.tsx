import { Button, Checkbox, Group, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { AppError } from '../../../preload/contract/result.ts';
import { api, useApp, useActiveServer } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { serverName } from '../../server-name.ts';
import { t } from '../../i18n.ts';

interface ClearDialogProps {
  onCleared: () => void;
  onClose: () => void;
}

/** Asks what is to be forgotten, since nothing brings it back. */
export function ClearDialog({ onCleared, onClose }: ClearDialogProps) {
  const state = useApp();
  const { activeServerId } = state;
  const [everywhere, setEverywhere] = useState(false);
  const [pinnedToo, setPinnedToo] = useState(false);
  const [clearing, setClearing] = useState(false);
  const [error, setError] = useState<AppError>();
  const active = useActiveServer();

  async function clear() {
    if (clearing) return;
    setClearing(true);
    const result = await api.calls.clear({ serverId: everywhere ? undefined : activeServerId, pinnedToo });
    setClearing(false);
    if (result.ok) onCleared();
    else setError(result.error);
  }

  return (
    <Dialog title={t('calls.clearTitle')} onClose={onClose}>
      <Stack gap="md">
        {error && <ErrorMessage error={error} during="server" />}
        <Radio.Group
          label={t('calls.clearWhat')}
          value={everywhere ? 'all' : 'this'}
          onChange={(value) => setEverywhere(value === 'all')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="this" label={t('calls.clearThis', { name: serverName(active) })} />
            <Radio value="all" label={t('calls.clearAll')} />
          </Stack>
        </Radio.Group>
        <Checkbox
          label={t('calls.pinnedToo')}
          checked={pinnedToo}
          onChange={(event) => setPinnedToo(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('calls.keep')}
          </Button>
          <Button color="red" aria-busy={clearing} onClick={() => void clear()}>
            {t('calls.clearNow')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
