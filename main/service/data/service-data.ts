import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { emailKey } from '../domain/emails.ts';
import { createPasswords, defaultArgon2Cost } from '../domain/passwords.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { AccountRow, AccountTable, Page, Paged, SessionRow } from '../stores/account-table.ts';
import { demoPerson } from './demo-person.ts';
import { peopleOf, rowsOf, seededAs, type SeededPerson, type SeedName } from '../data/seeds.ts';

/** Why a copy cannot be made, brought back or removed; the accounts are as they were. */
export type CopyFailure =
  /** The database is in memory: there is no folder for copies. */
  | 'in-memory'
  /** There is no such copy, or it is not of this version of the database. */
  | 'no-copy'
  /** The folder cannot be written. */
  | 'unwritable'
  /** The file of the copy cannot be removed. */
  | 'not-removed';

/** `taken`: somebody registered its address with a password of his own, and that account is left alone. */
export type DemoResult = { ok: true; person: SeededPerson } | { ok: false; kind: 'taken' };

/** `not-seeded`: its password is not known, or the account is not there any more. */
export type SeededResult = { ok: true; person: SeededPerson } | { ok: false; kind: 'not-seeded' };

/** `seeded`: out of one of the sets, so that its password is known. */
export type DemoAccountRow = AccountRow & { seeded: boolean };

export type CopyResult = { ok: true } | { ok: false; kind: CopyFailure };

/** A copy that was asked for, named by its instant. */
export type Snapshot = { id: string; atMs: number };

/** What is in the embedded service's own database, for whoever runs it for himself. */
export type ServiceData = {
  accounts(page: Page): Promise<Paged<DemoAccountRow>>;
  sessions(page: Page): Promise<Paged<SessionRow>>;
  /** The next request with it is refused; it stays in the table. Whether it was there. */
  expire(tokenId: number): Promise<boolean>;
  /** Whether this call was the one that ended it. */
  revoke(tokenId: number): Promise<boolean>;
  /** Ends every session, and answers how many. */
  signEveryoneOut(): Promise<number>;
  /**
   * Puts a set of accounts in the place of all there is, and answers whom to log in as. A copy is kept first, for
   * {@link ServiceData.undo}; when that fails, nothing is done. In memory there is no undo.
   */
  reset(set: SeedName, seed: number): Promise<{ ok: true; people: SeededPerson[] } | { ok: false; kind: CopyFailure }>;
  canUndo(): boolean;
  /** Brings back what the last reset or restore replaced, once. */
  undo(): Promise<CopyResult>;
  snapshot(): Promise<{ ok: true; snapshot: Snapshot } | { ok: false; kind: CopyFailure }>;
  /** The newest first. */
  snapshots(): Snapshot[];
  /** Puts a snapshot in the place of all there is, which undo brings back. */
  restore(id: string): Promise<CopyResult>;
  /** For good. One that is not there has been removed already. */
  removeSnapshot(id: string): Promise<CopyResult>;
  /** Whom to log in as for one of the accounts. */
  seeded(accountId: number): Promise<SeededResult>;
  /** Whom to log in as for the demo; the account is made when it is not there. */
  demo(): Promise<DemoResult>;
  /** The same, as at first: without a session. No other account is touched. */
  resetDemo(): Promise<DemoResult>;
};

/** Its hashes say themselves what they cost; a login puts another in the place of one that is too cheap. */
const anyCost = createPasswords(defaultArgon2Cost);

/** Beyond it the oldest goes. */
const MOST_SNAPSHOTS = 20;

/** An instant in ISO 8601, with what a file name on Windows can hold. */
const FILE = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.sqlite$/;
const fileOf = (id: string): string => `${id}.sqlite`;

function readSnapshot(file: string): Snapshot | undefined {
  const [, day = '', hours = '', minutes = '', seconds = ''] = FILE.exec(file) ?? [];
  const atMs = Date.parse(`${day}${hours}:${minutes}:${seconds}`);
  return Number.isNaN(atMs) ? undefined : { id: file.slice(0, -'.sqlite'.length), atMs };
}

/**
 * @param options.file the database, beside whose file the folder `snapshots` is made when it is needed; or `:memory:`
 */
export function createServiceData(options: {
  table: AccountTable;
  accounts: Pick<AccountStore, 'createAccount' | 'findLogin' | 'revokeToken'>;
  file: string;
  now: () => number;
}): ServiceData {
  const { table, accounts, file, now } = options;
  const folder = file === ':memory:' ? undefined : join(dirname(resolve(file)), 'snapshots');
  const undoFile = folder && join(folder, 'before-reset.sqlite');
  // Two that replace everything at once would leave the first one's copy for the second one's undo.
  const oneByOne = pLimit(1);

  async function copyTo(target: string): Promise<CopyResult> {
    try {
      // Beside the database, so that the folder above is there.
      if (!existsSync(dirname(target))) mkdirSync(dirname(target), { mode: 0o700 });
      await table.copyTo(target);
      return { ok: true };
    } catch {
      return { ok: false, kind: 'unwritable' };
    }
  }

  function filesOf(path: string | undefined): string[] {
    try {
      return path === undefined ? [] : readdirSync(path);
    } catch {
      // Not made yet, or not to be read: making the next copy says so.
      return [];
    }
  }

  /** Of an account of a set, also after a login put a stronger hash in its place. */
  async function seededPerson({ name, email }: Pick<AccountRow, 'name' | 'email'>): Promise<SeededPerson | undefined> {
    const person = seededAs(name, email);
    const there = person && (await accounts.findLogin(emailKey(email)));
    return there && (await anyCost.verify(person.password, there.passwordHash)) ? person : undefined;
  }

  /** The account of the demo, made when it is not there; nothing when it is somebody's own. */
  async function demoAccountId(): Promise<number | undefined> {
    const { name, email, password } = demoPerson;
    const key = emailKey(email);
    const there = await accounts.findLogin(key);
    if (there) return (await anyCost.verify(password, there.passwordHash)) ? there.account.id : undefined;
    const passwordHash = await anyCost.hash(password);
    const made = await accounts.createAccount({ name, email, emailKey: key, passwordHash, createdAtMs: now() });
    // Of two at once, the other one made it.
    return made.ok ? made.account.id : demoAccountId();
  }

  const list = (): Snapshot[] =>
    filesOf(folder)
      .map(readSnapshot)
      .filter((snapshot) => snapshot !== undefined)
      .toSorted((a, b) => b.atMs - a.atMs);

  return {
    async accounts(page) {
      const { total, rows } = await table.accounts(page);
      const people = await Promise.all(rows.map(seededPerson));
      return { total, rows: rows.map((row, index) => Object.assign({}, row, { seeded: people[index] !== undefined })) };
    },
    sessions: (page) => table.sessions(page),
    expire: (tokenId) => table.expireToken(tokenId, now()),
    revoke: (tokenId) => accounts.revokeToken(tokenId),
    signEveryoneOut: () => table.revokeAll(),

    reset: (set, seed) =>
      oneByOne(async () => {
        const people = peopleOf(set, seed);
        const rows = await rowsOf(people, now());
        const copied: CopyResult = undoFile === undefined ? { ok: true } : await copyTo(undoFile);
        if (!copied.ok) return copied;
        await table.replaceAll(rows);
        return { ok: true, people };
      }),

    canUndo: () => undoFile !== undefined && existsSync(undoFile),

    undo: () =>
      oneByOne(async () => {
        if (undoFile === undefined) return { ok: false, kind: 'in-memory' };
        const back = await table.bringBack(undoFile);
        if (back.ok) rmSync(undoFile, { force: true });
        return back;
      }),

    snapshot: () =>
      oneByOne(async () => {
        if (folder === undefined) return { ok: false, kind: 'in-memory' };
        const newest = list()[0];
        // Two within one millisecond, or after the clock was put back, are one after the other all the same.
        const atMs = Math.max(now(), (newest?.atMs ?? 0) + 1);
        const snapshot = { id: new Date(atMs).toISOString().replaceAll(':', '-'), atMs };
        const copied = await copyTo(join(folder, fileOf(snapshot.id)));
        if (!copied.ok) return copied;
        for (const { id } of list().slice(MOST_SNAPSHOTS)) rmSync(join(folder, fileOf(id)), { force: true });
        return { ok: true, snapshot };
      }),

    snapshots: list,

    restore: (id) =>
      oneByOne(async () => {
        if (folder === undefined || undoFile === undefined) return { ok: false, kind: 'in-memory' };
        // Named by the list alone: an id is no path.
        if (!list().some((snapshot) => snapshot.id === id)) return { ok: false, kind: 'no-copy' };
        // A copy of now beside the undo of before, until it is known that the snapshot can be read.
        const pending = `${undoFile}.pending`;
        const copied = await copyTo(pending);
        if (!copied.ok) return copied;
        const back = await table.bringBack(join(folder, fileOf(id)));
        if (back.ok) renameSync(pending, undoFile);
        else rmSync(pending, { force: true });
        return back;
      }),

    removeSnapshot: (id) =>
      oneByOne(async () => {
        if (folder === undefined) return { ok: false, kind: 'in-memory' };
        // Named by the list alone, as above.
        if (!list().some((snapshot) => snapshot.id === id)) return { ok: true };
        try {
          rmSync(join(folder, fileOf(id)), { force: true });
          return { ok: true };
        } catch {
          return { ok: false, kind: 'not-removed' };
        }
      }),

    async seeded(accountId) {
      const row = await table.account(accountId);
      const person = row && (await seededPerson(row));
      return person ? { ok: true, person } : { ok: false, kind: 'not-seeded' };
    },

    async demo() {
      return (await demoAccountId()) === undefined ? { ok: false, kind: 'taken' } : { ok: true, person: demoPerson };
    },

    async resetDemo() {
      const id = await demoAccountId();
      if (id === undefined) return { ok: false, kind: 'taken' };
      await table.revokeAllOf(id);
      return { ok: true, person: demoPerson };
    },
  };
}
