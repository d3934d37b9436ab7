import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { looksLikeEmail, emailFits } from '../../main/service/domain/emails.ts';
import { demoUser } from '../../main/service/data/demo-user.ts';
import { createSeedUsers, createAccountRows } from '../../main/service/data/seed-users.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { ada } from './support/make-service.ts';
import { seedNames } from '../../preload/contract/names.ts';
import { startBuiltInServer } from './support/fault-injection.ts';

const all = { offset: 0, limit: 1000 };
const sets = seedNames;

async function start(file = ':memory:') {
  const builtInServer = await startBuiltInServer({}, { database: { file } });
  const { data } = builtInServer.service;
  if (!data) throw new Error('It has no data');
  return { ...builtInServer, data };
}

/** Starts a service with its database in a folder of its own. */
async function startOnDisk() {
  const folder = await makeTemporaryFolder();
  return { folder, snapshots: path.join(folder, 'snapshots'), ...(await start(path.join(folder, 'service.sqlite'))) };
}

describe('the table of accounts and sessions', () => {
  it('shows them in pages, and no secret', async () => {
    const { data, post, login, token } = await start();
    await post('registro', { ...ada, name: 'Eve', email: 'eve@example.test' });
    await login();
    expect(await data.accounts(all)).toEqual({
      total: 2,
      rows: [
        { id: 1, name: ada.name, email: ada.email, createdAtMs: expect.any(Number), tokens: 2, seeded: false },
        { id: 2, name: 'Eve', email: 'eve@example.test', createdAtMs: expect.any(Number), tokens: 0, seeded: false },
      ],
    });
    expect(await data.accounts({ offset: 1, limit: 1 })).toMatchObject({ total: 2, rows: [{ id: 2 }] });
    expect(await data.accounts({ offset: 2, limit: 1 })).toEqual({ total: 2, rows: [] });
    const sessions = await data.sessions(all);
    expect(sessions).toMatchObject({
      total: 2,
      rows: [
        { tokenId: 1, accountId: 1, email: ada.email, lastUsedAtMs: null },
        { tokenId: 2, accountId: 1 },
      ],
    });
    const text = JSON.stringify([sessions, await data.accounts(all)]);
    for (const secret of [token.split('|')[1]!, ada.password, 'argon2', 'igest']) expect(text).not.toContain(secret);
  });

  it('ends one session now, or all of them', async () => {
    const { data, login, perfil, token } = await start();
    const tokens = [token];
    for (let round = 0; round < 3; round += 1) tokens.push(((await (await login()).json()) as { token: string }).token);
    const statuses = async () => Promise.all(tokens.map(async (each) => (await perfil(each)).status));

    expect([await data.expire(1), await data.expire(99)]).toEqual([true, false]);
    expect([await data.revoke(2), await data.revoke(2), await data.revoke(99)]).toEqual([true, false, false]);
    expect(await statuses()).toEqual([401, 401, 200, 200]);
    expect((await data.sessions(all)).rows.map(({ tokenId }) => tokenId)).toEqual([1, 3, 4]);
    expect(await data.revokeAllSessions()).toBe(3);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });

  it('revokes also while logout is wrong on purpose', async () => {
    const { data, behaviour, perfil, token } = await start();
    behaviour.set({ defects: ['token-outlives-logout'] });
    expect(await data.revoke(1)).toBe(true);
    expect((await perfil(token)).status).toBe(401);
  });
});

describe('a set of accounts', () => {
  it.each(sets)('%s is the same for the same seed, and has emails of its own', (set) => {
    const people = createSeedUsers(set, 5);
    expect(createSeedUsers(set, 5)).toEqual(people);
    const same = JSON.stringify(createSeedUsers(set, 6)) === JSON.stringify(people);
    expect(same).toBe({ empty: true, three: false, many: false, awkward: true }[set]);
    expect(people).toHaveLength({ empty: 0, three: 3, many: 500, awkward: 16 }[set]);
    expect(new Set(people.map(({ email }) => email.toLowerCase())).size).toBe(people.length);
    expect(
      people.every(({ email, password }) => looksLikeEmail(email) && emailFits(email) && password.length >= 8),
    ).toBe(true);
  });

  it('hashes each password once', async () => {
    const people = createSeedUsers('three', 5);
    const [first, second] = [await createAccountRows(people, 9000), await createAccountRows(people, 9000)];
    expect(second).toEqual(first);
    expect(first.map(({ createdAtMs }) => createdAtMs)).toEqual([7000, 8000, 9000]);
  });

  it.each(['three', 'awkward'] as const)('%s takes the place of all there is, and each can log in', async (set) => {
    const { data, login, perfil, token } = await start();
    const reset = await data.reset(set, 7);
    if (!reset.ok) throw new Error(reset.kind);
    expect((await perfil(token)).status).toBe(401);
    expect((await login()).status).toBe(401);
    expect((await data.accounts(all)).rows.map(({ name, email }) => ({ name, email }))).toEqual(
      reset.people.map(({ name, email }) => ({ name, email })),
    );
    for (const person of reset.people) {
      const answered = await login(person);
      expect({ email: person.email, status: answered.status }).toEqual({ email: person.email, status: 200 });
      expect(await answered.json()).toMatchObject({ user: { name: person.name } });
    }
  });

  it.each(['three', 'many', 'awkward'] as const)('%s says of each account who it is, and of no other', async (set) => {
    const { data, post, login } = await start();
    const reset = await data.reset(set, 7);
    if (!reset.ok) throw new Error(reset.kind);
    const seeded = async () => (await data.accounts(all)).rows.map((row) => row.seeded);
    expect(await seeded()).toEqual(reset.people.map(() => true));
    const [first] = (await data.accounts(all)).rows;
    // A login puts a hash of the usual cost in the place of the cheap one.
    expect((await login(reset.people[0])).status).toBe(200);
    expect(await data.seedUserOf(first!.id)).toEqual({ ok: true, person: reset.people[0] });

    // The person has the same name and email with a password of his own, and the other way round.
    await data.reset('empty', 1);
    await post('registro', { ...reset.people[0], password: 'a password of his own' });
    await post('registro', { ...reset.people[1], name: 'Somebody Else' });
    await data.demoUser();
    expect(await seeded()).toEqual([false, false, false]);
    const { rows } = await data.accounts(all);
    for (const id of [...rows.map((row) => row.id), first!.id, 0]) {
      expect(await data.seedUserOf(id)).toEqual({ ok: false, kind: 'not-seeded' });
    }
  });

  it('many can be paged through; empty is empty; in memory nothing is undone', async () => {
    const { data } = await start();
    await data.reset('many', 1);
    expect(await data.accounts({ offset: 490, limit: 20 })).toMatchObject({ total: 500, rows: { length: 10 } });
    expect(await data.reset('empty', 1)).toEqual({ ok: true, people: [] });
    expect(await data.accounts(all)).toEqual({ total: 0, rows: [] });
    expect([data.canUndo(), await data.undo()]).toEqual([false, { ok: false, kind: 'in-memory' }]);
  });
});

describe('a reset', () => {
  it('is undone once, with accounts and sessions as they were, and no id comes twice', async () => {
    const { data, login, perfil, token, snapshots, post } = await startOnDisk();
    expect([data.canUndo(), await data.undo()]).toEqual([false, { ok: false, kind: 'no-copy' }]);
    const before = [await data.accounts(all), await data.sessions(all)];
    await data.reset('three', 1);
    expect(data.canUndo()).toBe(true);
    const [first] = createSeedUsers('three', 1);
    const during = ((await (await login(first)).json()) as { token: string }).token;

    expect(await data.undo()).toEqual({ ok: true });
    expect([await data.accounts(all), await data.sessions(all)]).toEqual(before);
    expect([(await perfil(token)).status, (await perfil(during)).status]).toEqual([200, 401]);
    expect([data.canUndo(), await data.undo()]).toEqual([false, { ok: false, kind: 'no-copy' }]);
    expect(readdirSync(snapshots)).toEqual([]);

    const later = ((await (await login()).json()) as { token: string }).token;
    expect(Number.parseInt(later, 10)).toBeGreaterThan(Number.parseInt(during, 10));
    await post('registro', { ...ada, email: 'eve@example.test' });
    expect((await data.accounts(all)).rows.map(({ id }) => id)).toEqual([1, 5]);
  });

  it('is not done when no copy can be kept', async () => {
    const { data, snapshots } = await startOnDisk();
    writeFileSync(snapshots, 'a file where the folder should be');
    expect(await data.reset('empty', 1)).toEqual({ ok: false, kind: 'unwritable' });
    expect(await data.accounts(all)).toMatchObject({ total: 1 });
  });
});

describe('the backup of a reset', () => {
  it('is for this user only', async () => {
    const { data, snapshots } = await startOnDisk();
    await data.reset('three', 1);
    expect(statSync(snapshots).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(snapshots, 'before-reset.sqlite')).mode & 0o777).toBe(0o600);
  });

  it('is not written through a link', async () => {
    const { data, folder, snapshots } = await startOnDisk();
    const elsewhere = path.join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, snapshots);
    expect(await data.reset('three', 1)).toEqual({ ok: false, kind: 'unwritable' });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect((await data.accounts(all)).total).toBe(1);
  });

  it('is refused when it is damaged or something else, and leaves everything as it was', async () => {
    const { data, snapshots } = await startOnDisk();
    await data.reset('three', 1);
    for (const content of ['', 'no database, and long enough to be seen as none\n'.repeat(50)]) {
      writeFileSync(path.join(snapshots, 'before-reset.sqlite'), content);
      expect(await data.undo()).toEqual({ ok: false, kind: 'no-copy' });
    }
    expect((await data.accounts(all)).total).toBe(3);
  });

  it.each([2, 1000])('of version %i of the database is refused, and everything stays as it was', async (version) => {
    const { data, snapshots } = await startOnDisk();
    await data.reset('three', 1);
    const db = new DatabaseSync(path.join(snapshots, 'before-reset.sqlite'));
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    expect(await data.undo()).toEqual({ ok: false, kind: 'no-copy' });
    expect((await data.accounts(all)).total).toBe(3);
  });
});

describe('the demo person', () => {
  it('is made once, can log in, and loses only its own sessions', async () => {
    const { data, login, perfil, token } = await start();
    const made = await data.demoUser();
    if (!made.ok) throw new Error(made.kind);
    expect(await data.demoUser()).toEqual(made);
    expect((await data.accounts(all)).rows.map(({ email }) => email)).toEqual([ada.email, made.person.email]);
    expect(looksLikeEmail(made.person.email)).toBe(true);
    const its = ((await (await login(made.person)).json()) as { token: string }).token;
    expect((await perfil(its)).status).toBe(200);
    const createdAt = async () =>
      (await data.accounts(all)).rows.find(({ email }) => email === made.person.email)?.createdAtMs;
    const before = (await createdAt())!;
    await expect.poll(() => Date.now()).toBeGreaterThan(before);
    expect(await data.resetDemo()).toEqual(made);
    expect(await createdAt()).toBeGreaterThan(before);
    expect([(await perfil(its)).status, (await perfil(token)).status]).toEqual([401, 200]);
  });

  it('is nobody when its address has another password', async () => {
    const { data, post, login } = await start();
    const { email } = demoUser;
    await post('registro', { ...ada, email });
    const { token } = (await (await login({ ...ada, email })).json()) as { token: string };
    const taken = { ok: false, kind: 'taken' };
    expect([await data.demoUser(), await data.resetDemo()]).toEqual([taken, taken]);
    expect((await data.sessions(all)).rows).toHaveLength(2);
    expect(token).toMatch(/^2\|/);
  });
});
