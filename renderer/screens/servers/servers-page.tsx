import { ActionIcon, Button, Menu } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import type { ServersFileImport } from '../../../preload/contract/servers-file.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { api, useApp, useServer } from '../../api.ts';
import { Alert } from '../../components/alert.tsx';
import { ProductionLabel } from '../../components/chip.tsx';
import { Deferred } from '../../components/deferred.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { DownloadIcon, MoreIcon, PlusIcon, UploadIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { BreakableText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';
import { moveFocus } from '../../move-focus.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { ServerDetail } from './server-detail.tsx';
import { ServerList } from './server-list.tsx';
import classes from './servers-page.module.css';
import {
  askToDelete,
  backToList,
  chooseServer,
  hasUnsaved,
  openServer,
  setDraft,
  useDrafts,
  useShownServer,
  useViewOfPage,
} from './servers-store.ts';

type ImportedFile = Extract<ServersFileImport, { outcome: 'imported' }>;
type RefusedFile = Extract<ServersFileImport, { outcome: 'refused' }>;

/**
 * All servers beside the form of one.
 * @param tested the result of a test of the active server before the page was opened
 */
export function ServersPage({ tested }: { tested?: ConnectionReport | undefined }) {
  const { activeServerId } = useApp();
  const { isOpen, deleting } = useViewOfPage();
  const server = useShownServer();
  const deleted = useServer(deleting);
  const action = useAction();
  const [refused, setRefused] = useState<RefusedFile>();
  const run: typeof action.run = (...all) => {
    setRefused(undefined);
    return action.run(...all);
  };
  return (
    <Page title={t('server.menu')} layout="panes" actions={<HeadActions run={run} onRefused={setRefused} />}>
      <div className="column pane">
        {(action.failure ?? refused) && (
          <div className={classes.failure}>
            {action.failure && <ErrorMessage error={action.failure.error} during="server" />}
            {refused && <RefusedFileMessage {...refused} />}
          </div>
        )}
        <div className={classes.columns} data-open={isOpen}>
          <div className={classes.list}>
            <ServerList />
          </div>
          <div className={classes.detail}>
            <Deferred>
              <ServerDetail
                key={server ? `server ${server.id}` : 'new'}
                server={server}
                tested={server?.id === activeServerId ? tested : undefined}
              />
            </Deferred>
          </div>
        </div>
      </div>
      {deleted && <DeleteDialog server={deleted} />}
    </Page>
  );
}

/** Why a servers file cannot be used. It takes the focus, as an `ErrorMessage` does. */
function RefusedFileMessage({ file, fault }: RefusedFile) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => moveFocus(ref.current), []);
  return <Alert tone="error" ref={ref} title={<BreakableText text={reportTexts().serversFault(file, fault)} />} />;
}

/** Text of the toast after an import. */
function importedText({ added, changed, unchanged, ended, pendingLogouts }: ImportedFile): string {
  if (added + changed === 0) return t('serversFile.alike');
  return [
    t('serversFile.imported', { added, changed, unchanged }),
    ended > 0 && t('serversFile.ended', { ended }),
    pendingLogouts > 0 && t('serversFile.unconfirmed', { pendingLogouts }),
  ]
    .filter(Boolean)
    .join(' ');
}

interface HeadActionsProps {
  run: ReturnType<typeof useAction>['run'];
  onRefused: (file: RefusedFile) => void;
}

function HeadActions({ run, onRefused }: HeadActionsProps) {
  const server = useShownServer();
  const draft = useDrafts().get(server?.id);
  const files = [
    {
      label: t('server.import'),
      icon: <UploadIcon />,
      act: () =>
        void run(
          () => api.servers.importFile({ again: false }),
          (result) => {
            if (result.outcome === 'imported') return () => importedText(result);
            if (result.outcome === 'refused') onRefused(result);
            return undefined;
          },
        ),
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
