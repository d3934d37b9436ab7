import { Menu } from '@mantine/core';
import type { Server } from '../../../preload/contract/models.ts';
import { DownloadIcon, RefreshIcon } from '../../components/icons.tsx';
import { useTexts } from '../../texts.tsx';
import type { ServerActions } from './use-server-actions.ts';

/** What can be done with a double alone, in the menu of its page. */
export function DoubleItems({ server, actions }: { server: Server; actions: ServerActions }) {
  const { t } = useTexts();
  return (
    <>
      <Menu.Item leftSection={<RefreshIcon />} onClick={() => actions.measureAgain(server)}>
        {t('doubles.measureAgain')}
      </Menu.Item>
      <Menu.Item leftSection={<DownloadIcon />} onClick={() => actions.exportModel(server)}>
        {t('doubles.export')}
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}
