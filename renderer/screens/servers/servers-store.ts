import { useLayoutEffect } from 'react';
import type { ConnectionInput, InterfaceInput } from '../../../preload/contract/connection.ts';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api, onEvent, useActiveServer, useApp, useServer } from '../../api.ts';
import { useRoute } from '../../route.ts';
import { createStore, useStore } from '../../store.ts';
import { setTested } from '../../tested-servers.ts';
import { changedValues, connectionValues, serverValues, type ServerValues } from './server-values.ts';

/** Undefined for the server that is being created. */
type ServerId = string | undefined;

/** Unsaved values. Absent ones are as saved. */
type Draft = Partial<ServerValues>;

const drafts = createStore<ReadonlyMap<ServerId, Draft>>(new Map());

/** A draft may contain the password of a proxy, so all are discarded on lock. */
onEvent('app.changed', ({ locked }) => {
  if (locked && drafts.current().size > 0) drafts.set(new Map());
});

/** The drafts by server. They survive a change of server or page. */
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
  /** The server that the route requests. Another route has another view. */
  editing: ServerId;
  chosen: ServerId;
  /** Whether a narrow page shows the form instead of the list. */
  isOpen: boolean;
  /** The server in the dialog that confirms its deletion. */
  deleting?: string | undefined;
}

const view = createStore<View | undefined>(undefined);

function useView(): View {
  const { activeServerId } = useApp();
  const route = useRoute();
  const editing = route.page === 'servers' ? route.editing : undefined;
  const current = useStore(view);
  if (current && current.editing === editing) return current;
  return { editing, chosen: editing ?? activeServerId, isOpen: editing !== undefined };
}

/** Keeps the view while the page is mounted, even if another server becomes the active one. */
export function useViewOfPage(): View {
  const current = useView();
  useLayoutEffect(() => {
    view.set(current);
    return () => view.set(undefined);
    // oxlint-disable-next-line react/exhaustive-deps -- Later views are set by the actions below.
  }, []);
  return current;
}

/** The server in the form, or undefined for a new one. A deleted one is replaced by the active one. */
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

/** Shows the form of a server, and focuses it if requested or if the focused list is now hidden. */
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

/** True while an API description was imported but not used: saving would lose it. */
export const unusedImport = createStore(false);

type ConnectionTest =
  | { step: 'idle' }
  | { step: 'asking' }
  | { step: 'found'; asked: string; report: ConnectionReport }
  | { step: 'failed'; asked: string; error: AppError };

/** The last connection test of the shown form. */
export const connectionTest = createStore<ConnectionTest>({ step: 'idle' });

interface Tested {
  server: Server | undefined;
  address: string;
  /** Undefined for the built-in server and mock servers. */
  connection: ConnectionInput | undefined;
  /** Undefined if the API type is unchanged. */
  described: InterfaceInput | undefined;
  /** Key of the tested values: the result applies to these only. */
  asked: string;
}

/** Tests the address and connection as they are typed. No personal data is sent. */
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
  // The form may be closed by now.
  if (connectionTest.current() !== asking) return;
  connectionTest.set(
    result.ok ? { step: 'found', asked, report: result.value } : { step: 'failed', asked, error: result.error },
  );
}

export const cancelTest = (): void => void api.servers.cancelTest();

/** Cancels the test of a form that is closed. */
export function leaveTest(): void {
  if (connectionTest.current().step === 'asking') cancelTest();
  connectionTest.set({ step: 'idle' });
}
