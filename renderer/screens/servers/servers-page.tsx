import { ActionIcon, Button, Menu } from '@mantine/core';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import { FloatingOutcome } from '../../components/floating-outcome.tsx';
import { DownloadIcon, MoreIcon, PlusIcon, UploadIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { DeleteQuestion } from './delete-question.tsx';
import { ServerDetail } from './server-detail.tsx';
import { ServerList } from './server-list.tsx';
import { ServersFileDialog } from './servers-file-dialog.tsx';
import classes from './servers-page.module.css';
import { type ShownServers, useServers } from './use-servers.ts';
import { t } from '../../i18n.ts';

interface ServersRoomProps {
  /** The server to begin with. */
  editing?: string | undefined;
  /** What was found at the server in use, before the room was opened. */
  tested?: ConnectionReport | undefined;
}

/** Lists all servers beside the form of one, to order, create, edit, duplicate, delete, import and export them. */
export function ServersPage({ editing, tested }: ServersRoomProps) {
  const shown = useServers(editing);
  const { listRef, server } = shown;

  return (
    <Page title={t('server.menu')} layout="panes" actions={<HeadActions shown={shown} />}>
      <div className={`column pane here ${classes.over}`}>
        <div className={classes.columns} data-open={shown.isOpen}>
          <div className={classes.list}>
            <ServerList
              ref={listRef}
              chosen={shown.chosen}
              hasNew={shown.hasNew}
              onChoose={shown.choose}
              onOpen={shown.open}
              onMove={(moved, by) => void shown.move(moved, by)}
              files={shown.file.others}
              onFile={shown.file.show}
            />
          </div>
          <div className={classes.detail}>
            <ServerDetail
              key={shown.isNew ? 'new' : `server ${shown.chosen}`}
              shown={shown}
              tested={shown.isActive ? tested : undefined}
            />
          </div>
        </div>
        {shown.file.shown && (
          <ServersFileDialog
            reading={shown.file.shown}
            sending={shown.sending}
            failure={shown.failure}
            onTake={(key) => void shown.takeFile(key, shown.file.close).finally(() => void shown.file.reload())}
            onClose={() => {
              shown.file.close();
              shown.dismiss();
            }}
          />
        )}
        <FloatingOutcome
          said={shown.said}
          failure={shown.file.shown ? undefined : shown.failure}
          during="server"
          onClose={shown.dismiss}
        />
      </div>
      {shown.isDeleting && server && (
        <DeleteQuestion server={server} onKeep={shown.keep} onDeleted={shown.leaveDeleted} />
      )}
    </Page>
  );
}

function HeadActions({ shown }: { shown: ShownServers }) {
  const files = [
    { words: t('server.import'), icon: <UploadIcon />, act: () => void shown.openFile(shown.file.show) },
    { words: t('doubles.import'), icon: <UploadIcon />, act: () => void shown.importModel() },
    { words: t('server.export'), icon: <DownloadIcon />, act: () => void shown.exportFile() },
  ];
  return (
    <>
      {files.map(({ words, icon, act }) => (
        <Button key={words} className={classes.wide} variant="subtle" color="gray" leftSection={icon} onClick={act}>
          {words}
        </Button>
      ))}
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            className={classes.narrow}
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('server.files')}
            title={t('server.files')}
          >
            <MoreIcon size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {files.map(({ words, icon, act }) => (
            <Menu.Item key={words} leftSection={icon} onClick={act}>
              {words}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {/* Only one button of a view is the primary one, and saving comes first. */}
      <Button
        variant={shown.hasUnsaved ? 'default' : 'filled'}
        leftSection={<PlusIcon />}
        onClick={() => shown.open(undefined, true)}
      >
        {t('server.new')}
      </Button>
    </>
  );
}
