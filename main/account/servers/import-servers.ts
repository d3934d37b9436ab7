import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ProxySettings } from '../../../preload/contract/connection.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { EndedSessions } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { ServersFileImport } from '../../../preload/contract/servers-file.ts';
import { readServersFile, type ResolvedEntry } from '../../servers-file/read-servers-file.ts';
import { isRemote, type StoredRealServer, type StoredServer } from '../config/config.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { changesBetween, hostOf, isMoved, proxyKeys, type Consent } from './consent.ts';
import type { ProductionGuard } from './production-guard.ts';
import type { ServerStore } from './server-store.ts';
import { createServerFromFile, editFromFile, hasChanges, type ServerEdit } from './server-from-file.ts';

type ServersImportOptions = {
  store: Pick<ServerStore, 'all' | 'save'>;
  sessionStore: Pick<SessionStore, 'ofServer'>;
  production: Pick<ProductionGuard, 'check'>;
  consent: Pick<Consent, 'confirmImport'>;
  chooseFile: (purpose: 'import') => Promise<string | undefined>;
  /** Saves a change that the user agreed to. */
  save: (edit: ServerEdit) => Promise<Result<EndedSessions>>;
};

/** A proxy, and the hosts that it is for. */
type ImportedProxy = { proxy: ProxySettings; hosts: string[] };
type Plan = {
  added: StoredRealServer[];
  changed: ServerEdit[];
  unchanged: number;
  proxies: ImportedProxy[];
  /** The number of proxies that are left out. */
  unlisted: number;
};

/** A dialog has room for so many. */
const mostProxies = 8;

/** Imports the servers file of a team, in which a server is found by its name. */
export class ServersImport {
  readonly #options: ServersImportOptions;
  /** The file for which a host of production was asked. */
  #waiting: string | undefined;

  constructor(options: ServersImportOptions) {
    this.#options = options;
  }

  /** Changes nothing before the user agreed. What the file does not name stays as it is. */
  async run({ again }: { again: boolean }): Promise<Result<ServersFileImport>> {
    const { store, consent, chooseFile } = this.#options;
    const file = again ? this.#waiting : await chooseFile('import');
    this.#waiting = undefined;
    if (file === undefined) return again ? fail({ kind: 'not-now' }) : ok({ outcome: 'cancelled' });
    const read = await readServersFile(file);
    if (!read.ok) return ok({ outcome: 'refused', file: path.basename(file), fault: read.fault });
    const planned = planImport(read.servers, store.all());
    if (!planned.ok) return planned;
    const { added, changed } = planned.value;
    const guarded = this.#checkProduction(changed);
    if (!guarded.ok) {
      this.#waiting = file;
      return guarded;
    }
    if (added.length + changed.length > 0) {
      const agreed = await consent.confirmImport(this.#question(path.basename(file), planned.value), changed);
      if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok({ outcome: 'cancelled' }) : agreed;
    }
    return this.#save(planned.value);
  }

  forget(): void {
    this.#waiting = undefined;
  }

  #checkProduction(changed: readonly ServerEdit[]): Result<null> {
    const { sessionStore, production } = this.#options;
    for (const { known, form } of changed) {
      const endsSessions = isMoved(known, form) && sessionStore.ofServer(known.id).length > 0;
      const guarded = endsSessions ? production.check(known.id) : ok(null);
      if (!guarded.ok) return guarded;
    }
    return ok(null);
  }

  #question(file: string, { added, changed, proxies, unlisted }: Plan) {
    const moved = changed.filter(({ known, form }) => isMoved(known, form));
    const sessions = moved.flatMap(({ known }) => this.#options.sessionStore.ofServer(known.id));
    const logouts = sessions.filter(({ loggedOutAt }) => loggedOutAt !== undefined).length;
    return {
      kind: 'import-servers',
      file,
      added: added.map(({ name, baseUrl }) => ({ name, address: baseUrl })),
      // The largest changes first, since the dialog lists only the first few.
      changed: changed.map(describeEdit).toSorted((one, other) => weightOf(other) - weightOf(one)),
      proxies,
      unlisted,
      sessions: sessions.length - logouts,
      logouts,
      headers: changed.reduce((count, edit) => count + lostHeaders(edit), 0),
    } satisfies DialogQuestion;
  }

  async #save({ added, changed, unchanged }: Plan): Promise<Result<ServersFileImport>> {
    const { store, save } = this.#options;
    if (added.length > 0) {
      const approved = added.map((each) => ({ ...each, agreed: proxyKeys(each.connection.proxy) }));
      store.save([...store.all(), ...approved]);
    }
    const total = { ended: 0, pendingLogouts: 0 };
    for (const edit of changed) {
      const saved = await save(edit);
      if (!saved.ok) return saved;
      total.ended += saved.value.ended;
      total.pendingLogouts += saved.value.pendingLogouts;
    }
    return ok({ outcome: 'imported', added: added.length, changed: changed.length, unchanged, ...total });
  }
}

function planImport(entries: readonly ResolvedEntry[], servers: readonly StoredServer[]): Result<Plan> {
  const named = entries.map((entry) => ({
    entry,
    known: servers.filter(isRemote).find(({ name }) => name === entry.name),
  }));
  const proxies = newProxies(named);
  const listed = new Set([...proxies.keys()].slice(0, mostProxies));
  const plan: Plan = {
    added: [],
    changed: [],
    unchanged: 0,
    proxies: [...proxies].slice(0, mostProxies).map(([, each]) => each),
    unlisted: proxies.size - listed.size,
  };
  for (const { entry, known } of named) {
    const key = JSON.stringify(entry.proxy);
    const agreeable = proxies.has(key) && !listed.has(key) ? { ...entry, proxy: undefined } : entry;
    const result = known
      ? editFromFile(agreeable, known)
      : createServerFromFile(agreeable, [...servers, ...plan.added]);
    if (!result.ok) return result;
    if (!('known' in result.value)) plan.added.push(result.value);
    else if (hasChanges(result.value)) plan.changed.push(result.value);
    else plan.unchanged += 1;
  }
  return ok(plan);
}

/** The proxies that the servers of a file do not have yet, by their settings. */
function newProxies(
  named: readonly { entry: ResolvedEntry; known: StoredRealServer | undefined }[],
): Map<string, ImportedProxy> {
  const proxies = new Map<string, ImportedProxy>();
  for (const { entry, known } of named) {
    const { proxy } = entry;
    if (!proxy) continue;
    // A new server that uses the system's proxy, or none, needs no question.
    const isNew = known ? !isDeepStrictEqual(proxy, known.connection.proxy) : proxyKeys(proxy).length > 0;
    if (!isNew) continue;
    const key = JSON.stringify(proxy);
    proxies.set(key, { proxy, hosts: [...(proxies.get(key)?.hosts ?? []), hostOf(entry)] });
  }
  return proxies;
}

function describeEdit({ known, entered, form }: ServerEdit) {
  const { baseUrl, connection, validatedInterface } = form;
  const after = { baseUrl, connection, pins: known.pins, interface: validatedInterface.interface };
  return {
    name: known.name,
    address: baseUrl,
    changes: changesBetween(known, after).filter(({ what }) => what === 'address' || what === 'interface'),
    losesProduction: known.production && !entered.production,
  };
}

const weightOf = ({ changes, losesProduction }: ReturnType<typeof describeEdit>): number =>
  changes.length + Number(losesProduction);

/** The number of extra headers whose values are removed. */
const lostHeaders = ({ known, form }: ServerEdit): number =>
  known.extraHeaders.filter(({ isSet }) => isSet).length - form.headers.filter(({ isSet }) => isSet).length;
