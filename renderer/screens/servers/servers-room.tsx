import { ActionIcon, Button, Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AppState } from '../../../preload/contract/models.ts';
import { FloatingOutcome } from '../../components/floating-outcome.tsx';
import { DownloadIcon, MoreIcon, PlusIcon, UploadIcon } from '../../components/icons.tsx';
import { Room } from '../../components/room.tsx';
import { useTexts } from '../../texts.tsx';
import { DeleteQuestion } from './delete-question.tsx';
import { ServerDetail } from './server-detail.tsx';
import { isChanged, useServerDrafts } from './server-drafts.ts';
import { type Chosen, ServerList } from './server-list.tsx';
import classes from './servers-room.module.css';
import { type ServerActions, useServerActions } from './use-server-actions.ts';

interface ServersRoomProps {
  state: AppState;
  /** The server to begin with. */
  editing?: string | undefined;
}

/** Lists all servers beside the form of one, to order, create, edit, duplicate, delete, import and export them. */
export function ServersRoom({ state, editing }: ServersRoomProps) {
  const { t } = useTexts();
  const { listRef, headingRef, ...view } = useView(state, editing);
  const { chosen, isNew, server } = view;
  const [isDeleting, setDeleting] = useState(false);
  const actions = useServerActions(state, (id) => view.open(id, false));
  const drafts = useServerDrafts();
  const at = state.servers.findIndex(({ id }) => id === chosen);
  // Only one button of a view is the primary one, and saving comes first.
  const hasUnsaved = isNew || isChanged(server, drafts.get(chosen));

  return (
    <Room
      title={t('server.menu')}
      layout="panes"
      actions={<HeadActions actions={actions} isPrimary={!hasUnsaved} onNew={() => view.open(undefined, true)} />}
    >
      <div className={classes.room}>
        <div className={classes.columns} data-open={view.isOpen}>
          <div className={classes.list}>
            <ServerList
              ref={listRef}
              state={state}
              chosen={chosen}
              hasNew={isNew || drafts.has(undefined)}
              onChoose={view.choose}
              onOpen={view.open}
              onMove={(moved, by) => void actions.move(moved, by)}
            />
          </div>
          <div className={classes.detail}>
            <ServerDetail
              key={isNew ? 'new' : `server ${chosen}`}
              server={server}
              isActive={chosen === state.activeServerId}
              place={{ isFirst: at === 0, isLast: at === state.servers.length - 1 }}
              actions={actions}
              headingRef={headingRef}
              onCreated={(id) => view.open(id, true)}
              onDelete={() => setDeleting(true)}
              onBack={view.back}
              onCancelled={() => {
                view.choose(state.activeServerId);
                view.back();
              }}
            />
          </div>
        </div>
        <FloatingOutcome said={actions.said} failure={actions.failure} during="server" onClose={actions.dismiss} />
      </div>
      {isDeleting && server && (
        <DeleteQuestion
          server={server}
          state={state}
          onKeep={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false);
            view.choose((state.servers[at + 1] ?? state.servers[at - 1])?.id);
            view.back();
          }}
        />
      )}
    </Room>
  );
}

interface HeadActionsProps {
  actions: ServerActions;
  /** Whether making a new server is the first thing to do here. */
  isPrimary: boolean;
  onNew: () => void;
}

function HeadActions({ actions, isPrimary, onNew }: HeadActionsProps) {
  const { t } = useTexts();
  const files = [
    { words: t('server.import'), icon: <UploadIcon />, act: () => void actions.importFile() },
    { words: t('doubles.import'), icon: <UploadIcon />, act: () => void actions.importModel() },
    { words: t('server.export'), icon: <DownloadIcon />, act: actions.exportFile },
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
      <Button variant={isPrimary ? 'filled' : 'default'} leftSection={<PlusIcon />} onClick={onNew}>
        {t('server.new')}
      </Button>
    </>
  );
}

/** Keeps which server is shown, and whether a narrow room shows it instead of the list. */
function useView({ servers, activeServerId }: AppState, editing: string | undefined) {
  const [view, setView] = useState<{ chosen: Chosen; isNew: boolean; isOpen: boolean }>({
    chosen: editing ?? activeServerId,
    isNew: false,
    isOpen: editing !== undefined,
  });
  const listRef = useRef<HTMLDivElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  // A server that is gone gives its place to the one in use.
  const known = servers.find(({ id }) => id === view.chosen) ?? servers.find(({ id }) => id === activeServerId);
  const server = view.isNew ? undefined : known;

  return {
    server,
    chosen: server?.id,
    isNew: view.isNew,
    isOpen: view.isOpen,
    listRef,
    headingRef,
    choose: (chosen: Chosen): void => setView((last) => ({ ...last, chosen, isNew: chosen === undefined })),
    /** The focus goes to the form if that was asked for, or if the list that had it is no longer shown. */
    open: (chosen: Chosen, withFocus: boolean): void => {
      setView({ chosen, isNew: chosen === undefined, isOpen: true });
      requestAnimationFrame(() => {
        if (withFocus || listRef.current?.offsetParent === null) headingRef.current?.focus();
      });
    },
    back: (): void => {
      setView((last) => ({ ...last, isOpen: false }));
      requestAnimationFrame(() => listRef.current?.focus());
    },
  };
}
