import type { EnteredConnection, EnteredInterface } from '../../../preload/contract/connection.ts';
import type { Server, ServerDetails } from '../../../preload/contract/models.ts';
import { onEvent } from '../../api.ts';
import { createStore, useStore } from '../../store.ts';
import { enteredConnectionOf } from './entered-connection.ts';

export interface EnteredServer {
  details: ServerDetails;
  address: string;
  connection: EnteredConnection;
  interface: EnteredInterface;
}

/** What was typed and is not saved yet. What is absent is as the server has it. */
interface Draft {
  details?: Partial<ServerDetails> | undefined;
  address?: string | undefined;
  connection?: EnteredConnection | undefined;
  interface?: EnteredInterface | undefined;
}

/** The server that a draft belongs to; undefined stands for one that is not created yet. */
type DraftOf = string | undefined;

const drafts = createStore<ReadonlyMap<DraftOf, Draft>>(new Map());

/** A draft may hold a password of a proxy, so nothing of it outlives a lock. */
onEvent('app.changed', ({ locked }) => {
  if (locked && drafts.current().size > 0) drafts.set(new Map());
});

/** Returns what was typed about servers and not saved. It stays while the person looks at other servers and rooms. */
export const useServerDrafts = (): ReadonlyMap<DraftOf, Draft> => useStore(drafts);

/** Keeps one more thing that was typed about a server. */
export function changeDraft(of: DraftOf, part: Draft): void {
  const last = drafts.current().get(of);
  drafts.set(new Map(drafts.current()).set(of, { ...last, ...part, details: { ...last?.details, ...part.details } }));
}

/** Forgets what was typed about a server and not saved. */
export function dropDraft(of: DraftOf): void {
  const next = new Map(drafts.current());
  if (next.delete(of)) drafts.set(next);
}

/** What a server has of which nothing was said. */
export const newServer: ServerDetails = {
  name: '',
  colour: 'gray',
  notes: '',
  registrationPath: 'registro',
  production: false,
  pinned: {},
};

/** Returns what the form shows: the server, and over it what was typed. */
export function enteredServerOf(server: Server | undefined, draft: Draft = {}): EnteredServer {
  const { name, colour, notes, registrationPath, production, pinned } = server ?? newServer;
  return {
    details: { name, colour, notes, registrationPath, production, pinned, ...draft.details },
    address: draft.address ?? server?.baseUrl ?? '',
    connection: draft.connection ?? enteredConnectionOf(server),
    interface: draft.interface ?? enteredInterfaceOf(server),
  };
}

/** Returns what a person entered of a server's interface. Its description stays as it is. */
export const enteredInterfaceOf = (server: Server | undefined): EnteredInterface => ({
  variables: (server?.interface.variables ?? []).map(({ name, value = '' }) => ({ name, value })),
});

/** Says whether what was typed differs from what is saved. */
export function isChanged(server: Server | undefined, draft: Draft | undefined): boolean {
  return draft !== undefined && comparable(enteredServerOf(server, draft)) !== comparable(enteredServerOf(server));
}

/** An emptied place is one that nobody named. */
const comparable = ({ details: { pinned, ...details }, ...entered }: EnteredServer): string =>
  JSON.stringify([
    details,
    [pinned.token ?? '', pinned.user ?? '', pinned.message ?? ''],
    [entered.address, entered.connection, entered.interface.text],
    entered.interface.variables.filter(({ value }) => value !== '').toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  ]);
