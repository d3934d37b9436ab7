import { useRef, useState } from 'react';
import type { EndedSessions, Server } from '../../../preload/contract/models.ts';
import type { ServersFileReading } from '../../../preload/contract/servers-file.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api, useApp, useActiveServer } from '../../api.ts';
import { showActiveServer } from '../../route.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { useServersFile } from './use-servers-file.ts';
import { isChanged, useServerDrafts } from './server-drafts.ts';
import { t } from '../../i18n.ts';

/** One place in the list; `undefined` is the server that is not created yet. */
export type Chosen = string | undefined;

/** Keeps which server is shown, and does what can be done with servers. */
export function useServers(editing: string | undefined) {
  const state = useApp();
  const { servers, activeServerId } = state;
  const view = useView(editing);
  const acts = useActs((id) => view.open(id, false));
  const file = useServersFile();
  const [isDeleting, setDeleting] = useState(false);
  const drafts = useServerDrafts();
  const { chosen, isNew, server } = view;
  const at = servers.findIndex(({ id }) => id === chosen);
  return {
    ...view,
    ...acts,
    file,
    isActive: chosen === activeServerId,
    isFirst: at === 0,
    isLast: at === servers.length - 1,
    hasNew: isNew || drafts.has(undefined),
    hasUnsaved: isNew || isChanged(server, drafts.get(chosen)),
    giveUpNew: () => {
      view.choose(activeServerId);
      view.back();
    },
    isDeleting,
    askToDelete: () => setDeleting(true),
    keep: () => setDeleting(false),
    leaveDeleted: () => {
      setDeleting(false);
      view.choose((servers[at + 1] ?? servers[at - 1])?.id);
      view.back();
    },
  };
}

export type ShownServers = ReturnType<typeof useServers>;

/** Keeps which server is shown, and whether a narrow room shows it instead of the list. */
function useView(editing: string | undefined) {
  const { servers, activeServerId } = useApp();
  const [view, setView] = useState<{ chosen: Chosen; isNew: boolean; isOpen: boolean }>({
    chosen: editing ?? activeServerId,
    isNew: false,
    isOpen: editing !== undefined,
  });
  const listRef = useRef<HTMLDivElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  // A server that is gone gives its place to the one in use.
  const active = useActiveServer();
  const known = servers.find(({ id }) => id === view.chosen) ?? active;
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

/**
 * Does what can be done with servers, one thing at a time, and keeps how the last one ended.
 * @param onMade called with the id of a server that was not there before
 */
function useActs(onMade: (id: string) => void) {
  const { servers } = useApp();
  const attempt = useAction();
  const [said, setSaid] = useState('');

  async function act<T>(call: () => Promise<Result<T>>, then?: (value: T) => void): Promise<void> {
    setSaid('');
    const result = await attempt.run(call);
    if (result?.ok) then?.(result.value);
  }

  return {
    failure: attempt.failure,
    said,
    dismiss: () => {
      setSaid('');
      attempt.dismiss();
    },
    sayEnded: ({ ended, untold }: EndedSessions): void =>
      setSaid(t(untold === 0 ? 'server.ended' : 'server.endedUntold', { ended, untold })),
    use: ({ id }: Server) => act(() => api.servers.choose({ id }), showActiveServer),
    duplicate: ({ id }: Server) =>
      act(
        () => api.servers.duplicate({ id }),
        (copy) => onMade(copy.id),
      ),
    move: (server: Server, by: -1 | 1) =>
      act(
        () => api.servers.move({ id: server.id, by }),
        ({ place }) => setSaid(t('server.moved', { name: serverName(server), place, all: servers.length })),
      ),
    sending: attempt.pending,
    openFile: (show: (reading: ServersFileReading) => void) =>
      act(api.servers.openFile, ({ reading }) => reading && show(reading)),
    /** Reads the file that a server came from again. */
    compareFile: ({ file }: Server, show: (reading: ServersFileReading) => void) =>
      act(api.servers.readFiles, (readings) => {
        const reading = readings.find((each) => each.file === file?.path);
        if (reading) show(reading);
      }),
    takeFile: (key: string, then: () => void) =>
      act(
        () => api.servers.takeFile({ key }),
        ({ ended, untold }) => {
          then();
          setSaid(
            ended === 0
              ? t('serversFile.taken')
              : t(untold === 0 ? 'server.ended' : 'server.endedUntold', { ended, untold }),
          );
        },
      ),
    leaveFile: ({ id }: Server) =>
      act(
        () => api.servers.leaveFile({ id }),
        () => setSaid(t('serversFile.left')),
      ),
    exportFile: () => act(api.servers.exportFile),
    importModel: () => act(api.doubles.importModel, ({ id }) => id !== undefined && onMade(id)),
    exportModel: ({ id }: Server) => act(() => api.doubles.exportModel({ id })),
    /** What it comes to stands in the page of the double. */
    measureAgain: ({ id }: Server): void => void api.doubles.measureAgain({ id }),
  };
}
