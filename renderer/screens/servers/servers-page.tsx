import { ActionIcon, Button, Menu } from '@mantine/core';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import type { ServersFilePreview } from '../../../preload/contract/servers-file.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api, useApp, useServer } from '../../api.ts';
import { ProductionLabel } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { DownloadIcon, MoreIcon, PlusIcon, UploadIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { t } from '../../i18n.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { ServerDetail } from './server-detail.tsx';
import { ServerList } from './server-list.tsx';
import { isOther, ServersFileDialog } from './servers-file-dialog.tsx';
import classes from './servers-page.module.css';
import {
  askToDelete,
  backToList,
  chooseServer,
  hasUnsaved,
  openServer,
  setDraft,
  showFile,
  useDrafts,
  useShownServer,
  useViewOfPage,
} from './servers-store.ts';

/** Saves a request to main. Importing `ok` would bundle the schemas of the contract into the page. */
const noFiles: Result<ServersFilePreview[]> = { ok: true, value: [] };

/**
 * All servers beside the form of one.
 * @param tested the result of a test of the active server before the page was opened
 */
export function ServersPage({ tested }: { tested?: ConnectionReport | undefined }) {
  const { servers, activeServerId } = useApp();
  const { isOpen, deleting, file } = useViewOfPage();
  const server = useShownServer();
  const deleted = useServer(deleting);
  const action = useAction();
  const paths = [...new Set(servers.flatMap((each) => (each.file ? [each.file.path] : [])))].join('\n');
  // Read when the page is opened and when there are other files, otherwise on request.
  const files = useQuery(async () => (paths === '' ? noFiles : api.servers.rereadFiles()), paths);
  return (
    <Page title={t('server.menu')} layout="panes" actions={<HeadActions run={action.run} />}>
      <div className="column pane">
        {action.failure && (
          <div className={classes.failure}>
            <ErrorMessage error={action.failure.error} during="server" />
          </div>
        )}
        <div className={classes.columns} data-open={isOpen}>
          <div className={classes.list}>
            <ServerList files={(files.data ?? []).filter(isOther)} />
          </div>
          <div className={classes.detail}>
            <ServerDetail
              key={server ? `server ${server.id}` : 'new'}
              server={server}
              tested={server?.id === activeServerId ? tested : undefined}
            />
          </div>
        </div>
      </div>
      {file && <ServersFileDialog reading={file} onTaken={() => void files.reload()} />}
      {deleted && <DeleteDialog server={deleted} />}
    </Page>
  );
}

function HeadActions({ run }: { run: ReturnType<typeof useAction>['run'] }) {
  const server = useShownServer();
  const draft = useDrafts().get(server?.id);
  const files = [
    {
      label: t('server.import'),
      icon: <UploadIcon />,
      act: () => void run(api.servers.openFile, ({ reading }) => showFile(reading)),
    },
    {
      label: t('mocks.import'),
      icon: <UploadIcon />,
      act: () =>
        void run(api.mocks.importModel, ({ id }) => {
          // The user may cancel the dialog of the system.
          if (id !== undefined) openServer(id, false);
        }),
    },
    { label: t('server.export'), icon: <DownloadIcon />, act: () => void run(api.servers.exportFile) },
  ];
  return (
    <>
      {files.map(({ label, icon, act }) => (
        <Button key={label} className={classes.wide} variant="subtle" color="gray" leftSection={icon} onClick={act}>
          {label}
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
          {files.map(({ label, icon, act }) => (
            <Menu.Item key={label} leftSection={icon} onClick={act}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {/* A view has one primary button, and saving comes first. */}
      <Button
        variant={!server || hasUnsaved(server, draft) ? 'default' : 'filled'}
        leftSection={<PlusIcon />}
        onClick={() => openServer(undefined, true)}
      >
        {t('server.new')}
      </Button>
    </>
  );
}

/** Confirms that a server is deleted with its sessions. */
function DeleteDialog({ server }: { server: Server }) {
  const { servers, sessions } = useApp();
  const { run, pending, failure } = useAction();
  const count = sessions.filter(({ serverId }) => serverId === server.id).length;
  const at = servers.indexOf(server);
  const next = servers[at + 1] ?? servers[at - 1];

  const remove = () =>
    run(
      () => api.servers.remove({ id: server.id }),
      () => {
        setDraft(server.id, undefined);
        askToDelete(undefined);
        chooseServer(next?.id);
        backToList();
      },
    );

  return (
    <ConfirmDialog
      title={t('server.deleteTitle', { name: serverName(server) })}
      about={server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      help={t(server.mock ? 'mocks.deleteHelp' : 'server.deleteHelp', { number: count })}
      onCancel={() => askToDelete(undefined)}
      cancel={t('server.keep')}
      confirm={t('server.deleteNow')}
      sending={pending}
      onConfirm={() => void remove()}
    >
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </ConfirmDialog>
  );
}
