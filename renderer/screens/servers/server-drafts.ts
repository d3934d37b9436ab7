import { useSyncExternalStore } from 'react';
import type { EnteredConnection } from '../../../preload/contract/connection.ts';
import type { Server, ServerDetails } from '../../../preload/contract/models.ts';
import { onEvent } from '../../api.ts';
import { enteredConnectionOf } from './entered-connection.ts';

/** Everything that the form of a server shows. */
export interface EnteredServer {
  details: ServerDetails;
  address: string;
  connection: EnteredConnection;
}

/** What was typed and is not saved yet. What is absent is as the server has it. */
interface Draft {
  details?: Partial<ServerDetails> | undefined;
  address?: string | undefined;
  connection?: EnteredConnection | undefined;
}

/** The server that a draft belongs to; undefined stands for one that is not created yet. */
type DraftOf = string | undefined;

let drafts: ReadonlyMap<DraftOf, Draft> = new Map();
const listeners = new Set<() => void>();

function keep(next: ReadonlyMap<DraftOf, Draft>): void {
  drafts = next;
  for (const listener of listeners) listener();
}

/** A draft may hold a password of a proxy, so nothing of it outlives a lock. */
onEvent('app.changed', ({ locked }) => {
  if (locked && drafts.size > 0) keep(new Map());
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns what was typed about servers and not saved. It stays while the person looks at other servers and rooms. */
export const useServerDrafts = (): ReadonlyMap<DraftOf, Draft> => useSyncExternalStore(subscribe, () => drafts);

/** Keeps one more thing that was typed about a server. */
export function changeDraft(of: DraftOf, part: Draft): void {
  const last = drafts.get(of);
  keep(new Map(drafts).set(of, { ...last, ...part, details: { ...last?.details, ...part.details } }));
}

/** Forgets what was typed about a server and not saved. */
export function dropDraft(of: DraftOf): void {
  const next = new Map(drafts);
  if (next.delete(of)) keep(next);
}

const newServer: ServerDetails = {
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
  };
}

/** Says whether what was typed differs from what is saved. */
export function isChanged(server: Server | undefined, draft: Draft | undefined): boolean {
  return draft !== undefined && comparable(enteredServerOf(server, draft)) !== comparable(enteredServerOf(server));
}

/** An emptied place is one that nobody named. */
const comparable = ({ details: { pinned, ...details }, address, connection }: EnteredServer): string =>
  JSON.stringify([details, pinned.token ?? '', pinned.user ?? '', pinned.message ?? '', address, connection]);
