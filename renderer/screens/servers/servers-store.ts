import { useLayoutEffect } from 'react';
import type { EnteredConnection, EnteredInterface } from '../../../preload/contract/connection.ts';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import type { ServersFileReading } from '../../../preload/contract/servers-file.ts';
import { api, onEvent, useActiveServer, useApp, useServer } from '../../api.ts';
import { useRoute } from '../../route.ts';
import { createStore, useStore } from '../../store.ts';
import { setTested } from '../../tested-servers.ts';
import { changedValues, connectionValues, serverValues, type ServerValues } from './server-values.ts';

/** Undefined stands for the server that is not created yet. */
export type ServerId = string | undefined;

/** What was typed and is not saved yet. What is absent is as the server has it. */
type Draft = Partial<ServerValues>;

const drafts = createStore<ReadonlyMap<ServerId, Draft>>(new Map());

/** A draft may hold a password of a proxy, so nothing of it outlives a lock. */
onEvent('app.changed', ({ locked }) => {
  if (locked && drafts.current().size > 0) drafts.set(new Map());
});

/** Returns the drafts by server. They stay while the person looks at other servers and pages. */
export const useDrafts = (): ReadonlyMap<ServerId, Draft> => useStore(drafts);

export function setDraft(id: ServerId, draft: Draft | undefined): void {
  const next = new Map(drafts.current());
  if (draft) next.set(id, draft);
  else if (!next.delete(id)) return;
  drafts.set(next);
}

export const hasUnsaved = (server: Server | undefined, draft: Draft | undefined): boolean =>
  draft !== undefined && changedValues(serverValues(server), { ...serverValues(server), ...draft }) !== undefined;

interface View {
  /** The server that the route asked for. For another route, there is another view. */
  editing: ServerId;
  chosen: ServerId;
  /** Whether a narrow page shows the form instead of the list. */
  isOpen: boolean;
  /** The server that the open dialog asks about. */
  deleting?: string | undefined;
  /** The servers file in the open dialog. */
  file?: ServersFileReading | undefined;
}

const view = createStore<View | undefined>(undefined);

/** Returns which server is shown, and which dialog is open. */
function useView(): View {
  const { activeServerId } = useApp();
  const route = useRoute();
  const editing = route.page === 'servers' ? route.editing : undefined;
  const current = useStore(view);
  if (current && current.editing === editing) return current;
  return { editing, chosen: editing ?? activeServerId, isOpen: editing !== undefined };
}

/** Keeps the view as long as the page is there, also when another server becomes the active one. */
export function useViewOfPage(): View {
  const current = useView();
  useLayoutEffect(() => {
    view.set(current);
    return () => view.set(undefined);
    // oxlint-disable-next-line react/exhaustive-deps -- Later views are set by the actions below.
  }, []);
  return current;
}

/** Returns the server whose form is shown, or undefined for a new one. One that is gone gives way to the active one. */
export function useShownServer(): Server | undefined {
  const { chosen } = useView();
  const known = useServer(chosen);
  const active = useActiveServer();
  return chosen === undefined ? undefined : (known ?? active);
}

function changeView(change: Partial<View>): void {
  const current = view.current();
  if (current) view.set({ ...current, ...change });
}

export const listId = 'servers-list';
export const headingId = 'server-heading';
const focusById = (id: string): void => document.getElementById(id)?.focus();

export const chooseServer = (chosen: ServerId): void => changeView({ chosen });

/** Shows the form of a server. The focus goes there if it was asked for, or if the list that had it is no longer shown. */
export function openServer(chosen: ServerId, withFocus: boolean): void {
  changeView({ chosen, isOpen: true });
  requestAnimationFrame(() => {
    const list = document.getElementById(listId);
    if (withFocus || list?.offsetParent === null) focusById(headingId);
  });
}

export function backToList(): void {
  changeView({ isOpen: false });
  requestAnimationFrame(() => focusById(listId));
}

export const askToDelete = (deleting: string | undefined): void => changeView({ deleting });
export const showFile = (file: ServersFileReading | undefined): void => changeView({ file });

/** Whether an API description was given and not used: a save would leave it out. */
export const unusedImport = createStore(false);

type ConnectionTest =
  | { step: 'idle' }
  | { step: 'asking' }
  | { step: 'found'; asked: string; report: ConnectionReport }
  | { step: 'failed'; asked: string; error: AppError };

/** The last test of the form that is shown. */
export const connectionTest = createStore<ConnectionTest>({ step: 'idle' });

interface Tested {
  server: Server | undefined;
  address: string;
  /** It is absent for a server that runs here. */
  connection: EnteredConnection | undefined;
  /** It is absent where it stays as it is. */
  described: EnteredInterface | undefined;
  /** Stands for what was typed: a result holds only for that. */
  asked: string;
}

/** Asks what answers at the address, over the connection as both are typed now. Nothing about a person is sent. */
export async function testConnection({ server, address, connection, described, asked }: Tested): Promise<void> {
  if (connectionTest.current().step === 'asking') return;
  const asking = { step: 'asking' } as const;
  connectionTest.set(asking);
  const result = await api.servers.test({
    address,
    enteredConnection: connection,
    enteredInterface: described,
    id: server?.id,
  });
  const isAsSaved = !described && JSON.stringify(connection) === JSON.stringify(connectionValues(server));
  if (result.ok && isAsSaved) setTested(result.value, server?.interface.digest);
  // The form may be gone by now.
  if (connectionTest.current() !== asking) return;
  connectionTest.set(
    result.ok ? { step: 'found', asked, report: result.value } : { step: 'failed', asked, error: result.error },
  );
}

export const cancelTest = (): void => void api.servers.cancelTest();

/** Nobody waits for a test any more when its form is gone. */
export function leaveTest(): void {
  if (connectionTest.current().step === 'asking') cancelTest();
  connectionTest.set({ step: 'idle' });
}
