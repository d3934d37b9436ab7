import { ActionIcon, Menu } from '@mantine/core';
import type { CallFilter } from '../../../preload/contract/calls.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { BinIcon, DownloadIcon, MoreIcon } from '../../components/icons.tsx';
import { useTexts } from '../../texts.tsx';

interface MoreMenuProps {
  filter: CallFilter;
  onDone: (sentence: string) => void;
  onFailed: (error: AppError) => void;
  onClear: () => void;
}

/** Writes what the list shows into a file without secrets, and clears. */
export function MoreMenu({ filter, onDone, onFailed, onClear }: MoreMenuProps) {
  const { t } = useTexts();

  async function exportHar() {
    const result = await api.calls.exportHar({ filter });
    if (!result.ok) onFailed(result.error);
    else if (result.value.exported !== undefined) onDone(t('calls.exported', { number: result.value.exported }));
  }

  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('calls.more')} title={t('calls.more')}>
          <MoreIcon size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('calls.more')}>
        <Menu.Label>{t('calls.export')}</Menu.Label>
        <Menu.Item leftSection={<DownloadIcon />} onClick={() => void exportHar()}>
          {t('calls.har')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<BinIcon />} onClick={onClear}>
          {t('calls.clear')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
