import { randomUUID } from 'node:crypto';
import type { EndedSessions } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { ServersFilePreview } from '../../../preload/contract/servers-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import { defaultInterfaceSummary } from '../../interface/default-interface-summary.ts';
import { readServersFile, type ResolvedEntry } from '../../servers-file/read-servers-file.ts';
import type { StoredRealServer, StoredServer } from '../config/config.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { hasSameInterface, type Consent } from './consent.ts';
import type { ProductionGuard } from './production-guard.ts';
import type { ServerStore } from './server-store.ts';
import {
  compareWithFile,
  editFromFile,
  interfaceFromFile,
  createServerFromFile,
  formatServersFile,
} from './servers-file-mapping.ts';

type Edit = Extract<ReturnType<typeof editFromFile>, { ok: true }>['value'];

type ServerFilesOptions = {
  store: Pick<ServerStore, 'all' | 'find' | 'replace' | 'save'>;
  sessionStore: Pick<SessionStore, 'ofServer'>;
  production: Pick<ProductionGuard, 'check'>;
  consent: Pick<Consent, 'confirmImportedProxies'>;
  chooseFile: (purpose: 'import' | 'export') => Promise<string | undefined>;
  /** Saves a server as it was entered, with the questions that belong to it. */
  change: (known: StoredRealServer, entered: Edit['entered'], read: Edit['read']) => Promise<Result<EndedSessions>>;
};

type Pending = { file: string; servers: readonly ResolvedEntry[] };
type Pair = { named: ResolvedEntry; known: StoredRealServer };

/** So many files are read again at once, and as many readings wait for an answer. */
const mostFiles = 20;

/**
 * The files of servers that a team shares. A server that came from one remembers its path and its name in it, and no
 * digest: what the file says is compared with the server as it is here, whichever of the two was changed. What was read
 * counts once a person took it over, and never what the file may say by then.
 */
export class ServersFileSync {
  readonly #options: ServerFilesOptions;
  /** By the key that the window knows each by. */
  readonly #pending = new Map<string, Pending>();

  constructor(options: ServerFilesOptions) {
    this.#options = options;
  }

  /** Asks for a file with the system's own dialog, and says what it would change. */
  async open(): Promise<Result<{ reading?: ServersFilePreview }>> {
    const file = await this.#options.chooseFile('import');
    if (file === undefined) return ok({});
    const reading = await this.#read(file);
    if (!reading.readable || reading.added.length + reading.changed.length + reading.gone.length > 0)
      return ok({ reading });
    // There is nothing to show before it counts: what is here already is known from then on as of this file.
    const taken = await this.apply(reading.key);
    return taken.ok ? ok({ reading }) : taken;
  }

  /** Reads the files that servers came from again. Only what a person took over before is read. */
  async reload(): Promise<Result<ServersFilePreview[]>> {
    const files = new Set(this.#options.store.all().flatMap((each) => (each.double ? [] : (each.file?.path ?? []))));
    return ok(await Promise.all([...files].slice(0, mostFiles).map((file) => this.#read(file))));
  }

  /**
   * Takes over what was shown of a file. A server that moves, or speaks another interface, is changed as by its form: with
   * main's own question, and its sessions end. What is gone from the file stays, and is the person's own from then on.
   */
  async apply(key: string): Promise<Result<EndedSessions>> {
    const { store, sessionStore, production, consent, change } = this.#options;
    const pending = this.#pending.get(key);
    if (!pending) return fail({ kind: 'not-now' });
    const { file } = pending;
    const { added, pairs, gone } = this.#compare(pending);
    for (const { named, known } of pairs) {
      const guarded =
        this.#isMoved(named, known) && sessionStore.ofServer(known.id).length > 0
          ? production.check(known.id)
          : ok(null);
      if (!guarded.ok) return guarded;
    }
    const made: StoredRealServer[] = [];
    for (const each of added) {
      const server = createServerFromFile(each, file, [...store.all(), ...made]);
      if (!server.ok) return server;
      made.push(server.value);
    }
    const total = { ended: 0, pendingLogouts: 0 };
    for (const { named, known } of pairs) {
      const edit = editFromFile(named, known);
      if (!edit.ok) return edit;
      if (this.#changes(named, known).length > 0) {
        const changed = await change(known, edit.value.entered, edit.value.read);
        if (!changed.ok) return changed;
        total.ended += changed.value.ended;
        total.pendingLogouts += changed.value.pendingLogouts;
      }
      this.#mark(known.id, { path: file, name: named.name });
    }
    for (const { id } of gone) this.#mark(id, undefined);
    const agreed = made.length > 0 ? await consent.confirmImportedProxies(made) : [];
    store.save([...store.all(), ...agreed]);
    this.#pending.delete(key);
    return ok(total);
  }

  /** Makes a server of a file the person's own. */
  detach(id: string): Result<null> {
    const server = this.#options.store.find(id);
    if (!server || server.double || !server.file) return fail({ kind: 'not-now' });
    this.#mark(id, undefined);
    return ok(null);
  }

  /** Writes the person's servers into a file that others can open. */
  async export(): Promise<Result<null>> {
    const { store, chooseFile } = this.#options;
    const file = await chooseFile('export');
    if (file === undefined) return ok(null);
    try {
      await writeAtomically(file, await formatServersFile(store.all()));
      return ok(null);
    } catch (error) {
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? 'unknown' });
    }
  }

  /** Forgets what was read and not taken over. */
  forget(): void {
    this.#pending.clear();
  }

  async #read(file: string): Promise<ServersFilePreview> {
    const read = await readServersFile(file);
    if (!read.ok) return { readable: false, file, fault: read.fault };
    const pending: Pending = { file, servers: read.servers };
    const { added, pairs, gone } = this.#compare(pending);
    const changed = pairs.flatMap(({ named, known }) => {
      const changes = this.#changes(named, known);
      const sessions = this.#isMoved(named, known) ? this.#options.sessionStore.ofServer(known.id).length : 0;
      return changes.length === 0 ? [] : [{ id: known.id, name: known.name, changes, sessions }];
    });
    const key = randomUUID();
    this.#pending.set(key, pending);
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > 2 * mostFiles && oldest !== undefined) this.#pending.delete(oldest);
    return {
      readable: true,
      file,
      key,
      added: added.map(shownOf),
      changed,
      gone: gone.map(({ id, name }) => ({ id, name })),
      same: pairs.length - changed.length,
    };
  }

  /** Finds the servers of a file among those here: by the name that they have in it, or the same name and address. */
  #compare({ file, servers }: Pending): { added: ResolvedEntry[]; pairs: Pair[]; gone: StoredRealServer[] } {
    const here = this.#options.store.all().filter((each): each is StoredRealServer => isElsewhere(each));
    const ofFile = here.filter((each) => each.file?.path === file);
    const pairs: Pair[] = [];
    const added: ResolvedEntry[] = [];
    for (const named of servers) {
      const known =
        ofFile.find((each) => each.file?.name === named.name) ??
        here.find((each) => !each.file && each.name === named.name && each.baseUrl === named.baseUrl);
      if (known) pairs.push({ named, known });
      else added.push(named);
    }
    return { added, pairs, gone: ofFile.filter((each) => !pairs.some(({ known }) => known.id === each.id)) };
  }

  #changes(named: ResolvedEntry, known: StoredRealServer) {
    const described = interfaceFromFile(named, known);
    return compareWithFile(named, known, described.ok ? described.value : undefined);
  }

  /** Whether what a session is kept by may not go where the file says. */
  #isMoved(named: ResolvedEntry, known: StoredRealServer): boolean {
    const described = interfaceFromFile(named, known);
    return named.baseUrl !== known.baseUrl || !described.ok || !hasSameInterface(known.interface, described.value);
  }

  #mark(id: string, file: StoredRealServer['file']): void {
    const { store } = this.#options;
    const server = store.find(id);
    if (!server || server.double) return;
    const { file: _before, ...own } = server;
    store.replace({ ...own, ...(file && { file }) });
  }
}

const isElsewhere = (server: StoredServer): boolean => !server.double && server.baseUrl !== '';

/** A server of a file as the window shows it before it counts. */
function shownOf(named: ResolvedEntry) {
  const described = interfaceFromFile(named);
  const { name, calls } = (described.ok ? described.value : undefined) ?? defaultInterfaceSummary;
  return {
    name: named.name,
    address: named.baseUrl,
    colour: named.colour ?? ('gray' as const),
    production: named.production ?? false,
    interface: `${name} (${calls.login})`,
    headers: (named.headers ?? []).map((each) => each.name),
  };
}
