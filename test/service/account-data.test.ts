import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { currentCode } from '../../main/interface/totp.ts';
import { demoCodesUser, demoUser } from '../../main/service/data/demo-user.ts';
import { isPublicPassword } from '../../main/service/data/seeded-accounts.ts';
import { startService } from '../../main/service/server.ts';
import { openSqlite } from '../../main/service/stores/sqlite/open-sqlite.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { startWithAccountCalls } from './support/account-service.ts';
import { ada, START_MS } from './support/make-service.ts';

const folderFile = async (): Promise<string> => path.join(await makeTemporaryFolder(), 'service.sqlite');
const tablesOf = (file: string): unknown[] => {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  db.close();
  return rows.map(({ name }) => name).filter((name) => name !== 'sqlite_sequence');
};

describe('a database', () => {
  it('of before keeps its accounts and sessions when account calls are switched on, and off again', async () => {
    const file = await folderFile();
    const before = await startWithAccountCalls({ database: { file }, accountCalls: false });
    await before.send('POST', '/registro', { body: ada });
    const token = await before.tokenOf(ada);
    await before.service.close();
    expect(tablesOf(file)).toEqual(['accounts', 'tokens']);
    for (const accountCalls of [true, false, true]) {
      const after = await startWithAccountCalls({ database: { file }, accountCalls });
      expect([await after.profile(token), (await after.login(ada)).status]).toEqual([200, 200]);
      await after.service.close();
    }
    expect(tablesOf(file)).toEqual(['accounts', 'recovery_codes', 'second_factors', 'tokens', 'used_code_steps']);
  });

  it('has neither a recovery code nor a pending token in clear', async () => {
    const file = await folderFile();
    const { enroll, pendingTokenOf, service } = await startWithAccountCalls({ database: { file } });
    const { recoveryCodes } = await enroll(ada);
    const pendingToken = await pendingTokenOf(ada);
    await service.close();
    const opened = await openSqlite(file);
    if (!opened.ok) throw new Error(opened.message);
    const rows = ['second_factors', 'recovery_codes', 'used_code_steps', 'tokens'].flatMap((table) =>
      opened.local.db.prepare(`SELECT * FROM ${table}`).all(),
    );
    await opened.accounts.close();
    const text = JSON.stringify(rows, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(rows.length).toBeGreaterThanOrEqual(12);
    for (const secret of [pendingToken, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(text).not.toContain(secret);
  });

  it('loses factors with a reset, and has them again after its undo', async () => {
    const { enroll, data, login, codeOf, send } = await startWithAccountCalls({
      database: { file: await folderFile() },
    });
    const { secret, recoveryCodes } = await enroll(ada);
    const code = codeOf(secret);
    expect((await login(ada, { code })).status).toBe(200);
    expect((await login(ada, { recoveryCode: recoveryCodes[0] })).status).toBe(200);
    expect(await data.reset('three', 1)).toMatchObject({ ok: true });
    expect((await send('POST', '/registro', { body: ada })).status).toBe(201);
    expect((await login(ada)).status).toBe(200);
    expect(await data.undo()).toEqual({ ok: true });
    expect((await login(ada)).status).toBe(403);
    expect((await login(ada, { code })).status).toBe(422);
    expect((await login(ada, { recoveryCode: recoveryCodes[0] })).status).toBe(422);
    expect((await login(ada, { recoveryCode: recoveryCodes[1] })).status).toBe(200);
    expect((await login(ada, { code: codeOf(secret, 1) })).status).toBe(200);
  });

  it('takes a copy of before that has no factors', async () => {
    const file = await folderFile();
    const before = await startWithAccountCalls({ database: { file }, accountCalls: false });
    await before.send('POST', '/registro', { body: ada });
    await before.data.reset('empty', 1);
    await before.service.close();
    const { data, login, enroll } = await startWithAccountCalls({ database: { file } });
    await enroll({ ...ada, email: 'eve@example.test' });
    expect(await data.undo()).toEqual({ ok: true });
    expect((await login(ada)).status).toBe(200);
  });

  it('remembers the codes of a clock that was moved ahead and back', async () => {
    const { enroll, service, login, codeOf, advance } = await startWithAccountCalls();
    const { secret } = await enroll(ada);
    await service.clock?.move({ to: 'now' });
    await advance(120_000);
    expect((await login(ada, { code: codeOf(secret) })).status).toBe(200);
    await advance(86_400_000);
    expect((await login(ada, { code: codeOf(secret) })).status).toBe(200);
    await service.clock?.move({ to: 'now' });
    await advance(120_000);
    expect((await login(ada, { code: codeOf(secret) })).status).toBe(422);
    expect((await login(ada, { code: codeOf(secret, 1) })).status).toBe(200);
  });
});

it('logins at once that all replace a cheaper hash succeed', async () => {
  const { data, login } = await startWithAccountCalls({ argon2: { memoryKiB: 16, passes: 1, lanes: 1 } });
  const made = await data.reset('three', 1);
  if (!made.ok) throw new Error(made.kind);
  const logins = await Promise.all(Array.from({ length: 4 }, () => login(made.people[0]!)));
  expect(logins.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

describe('the demo user with a second factor', () => {
  it('is made with the other one, and logs in with the current code', async () => {
    const { data, login } = await startWithAccountCalls();
    expect(await data.demoUser()).toEqual({ ok: true, person: demoUser });
    expect((await data.accounts({ offset: 0, limit: 10 })).rows.map(({ email }) => email)).toEqual([
      demoUser.email,
      demoCodesUser.email,
    ]);
    expect(await data.demoCodesUser()).toEqual({ ok: true, person: demoCodesUser });
    expect((await login(demoCodesUser)).status).toBe(403);
    const { code } = currentCode(demoCodesUser.totpSecret, START_MS)!;
    expect((await login(demoCodesUser, { code })).status).toBe(200);
    expect((await login(demoUser)).status).toBe(200);
    expect((await data.accounts({ offset: 0, limit: 10 })).total).toBe(2);
    await data.resetDemo();
    expect((await data.accounts({ offset: 0, limit: 10 })).rows.map(({ tokens }) => tokens)).toEqual([0, 0]);
    expect((await login(demoCodesUser)).status).toBe(403);
  });

  it('is made once by calls at once', async () => {
    const { data } = await startWithAccountCalls();
    const made = await Promise.all([data.demoCodesUser(), data.demoUser(), data.demoCodesUser()]);
    expect(made.map(({ ok }) => ok)).toEqual([true, true, true]);
  });

  it('is not made without account calls, nor where somebody has its email', async () => {
    const without = await startWithAccountCalls({ accountCalls: false });
    await without.data.demoUser();
    expect((await without.data.accounts({ offset: 0, limit: 10 })).total).toBe(1);
    expect(await without.data.demoCodesUser()).toEqual({ ok: false, kind: 'off' });
    const { data, send } = await startWithAccountCalls();
    await send('POST', '/registro', { body: { ...ada, email: demoCodesUser.email } });
    expect(await data.demoCodesUser()).toEqual({ ok: false, kind: 'taken' });
  });

  it('cannot log in where others reach the service', () => {
    expect(isPublicPassword(demoCodesUser, demoCodesUser.password)).toBe(true);
    expect(isPublicPassword(demoCodesUser, ada.password)).toBe(false);
  });
});

it('account calls are refused on PostgreSQL, with one sentence', async () => {
  const started = await startService({ database: { url: 'postgres://x/y' }, port: 0, accountCalls: true });
  expect(started).toEqual({
    ok: false,
    kind: 'account-calls-unusable',
    message: 'Account calls need a SQLite database and the default API: no PostgreSQL, no mock and no API type.',
  });
});
