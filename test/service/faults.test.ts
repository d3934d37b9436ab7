import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startExtendedService } from '../../main/service/fault-injection/extended-service.ts';
import { makeFailingDisk, makeReadOnly, makeSmallDisk } from '../support/disks.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { createApi, tokenOfLogin, type ApiAnswer, type ApiPerson } from '../prove/api.ts';
import { cheapArgon2, START_MS } from './support/make-service.ts';

// The service waits for a lock, and some cases start processes.
vi.setConfig({ testTimeout: 60_000 });

const person = (name: string): ApiPerson => ({ name, email: `${name}@example.test`, password: `a secret of ${name}` });

/** Starts the service over a file, on a port, with one account that is logged in. */
async function serviceIn(folder: string) {
  const file = join(folder, 'service.sqlite');
  const log: string[] = [];
  const started = await startExtendedService({
    database: { file },
    port: 0,
    rateLimit: 'off',
    argon2: cheapArgon2,
    now: () => START_MS,
    log: (line) => log.push(line),
  });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  const api = createApi(started.service.baseUrl);
  const ada = person('ada');
  expect((await api.register(ada))?.status).toBe(201);
  const token = tokenOfLogin((await api.login(ada))?.body);
  return { file, log, api, ada, token, baseUrl: started.service.baseUrl, close: () => started.service.close() };
}

/** Starts the service over a file that has been used. */
async function serviceAgain(file: string) {
  const started = await startExtendedService({ database: { file }, port: 0, argon2: cheapArgon2, now: () => START_MS });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  return createApi(started.service.baseUrl);
}

/** Expects 503 with one sentence for a person, and nothing of what lies under it. */
function expectUnavailable(answer: ApiAnswer | undefined): void {
  expect(answer).toEqual({
    status: 503,
    body: { message: 'The accounts cannot be reached right now. Try again shortly.' },
  });
}

/** Registers one person after another until one is refused, and answers those who were not. */
async function registerUntilRefused(api: ReturnType<typeof createApi>) {
  const registered: ApiPerson[] = [];
  for (let n = 0; n < 1000; n++) {
    const someone = person(`someone${n}`);
    const answer = await api.register(someone);
    if (answer?.status !== 201) return { registered, refused: someone, answer };
    registered.push(someone);
  }
  throw new Error('nobody was refused');
}

describe('while the disk is full', () => {
  it('writes are refused, reads go on, nothing that was answered is lost, and then all works again', async (context) => {
    const disk = await makeSmallDisk(context);
    const { api, ada, token, log, file, baseUrl, close } = await serviceIn(disk.folder);
    const second = tokenOfLogin((await api.login(ada))?.body);
    disk.fill();

    const { registered, refused, answer } = await registerUntilRefused(api);
    expectUnavailable(answer);
    expectUnavailable(await api.login(ada));
    expectUnavailable(await api.logout(token));
    expect((await api.profile(token))?.status).toBe(200);
    expect((await fetch(`${baseUrl}/api/v1/auth/login`, { method: 'POST' })).status).toBe(422);
    expect(log).toHaveLength(3);
    for (const line of log) expect(line).toMatch(/^Request \S+ was refused for now: .*full$/);

    disk.free();
    expect((await api.register(refused))?.status).toBe(201);
    expect((await api.logout(token))?.status).toBe(200);
    await close();
    const after = await serviceAgain(file);
    for (const someone of [ada, ...registered, refused]) expect((await after.login(someone))?.status).toBe(200);
    expect((await after.profile(token))?.status).toBe(401);
    expect((await after.profile(second))?.status).toBe(200);
  });

  it('the service either does not start or starts with all it had', async (context) => {
    const disk = await makeSmallDisk(context);
    const { ada, file, close } = await serviceIn(disk.folder);
    await close();
    disk.fill();
    const started = await startExtendedService({ database: { file }, port: 0, argon2: cheapArgon2 });
    expect(started.ok ? 'started' : started.kind).toMatch(/^(started|unwritable)$/);
    if (started.ok) await started.service.close();

    disk.free();
    expect((await (await serviceAgain(file)).login(ada))?.status).toBe(200);
  });
});

describe('when the disk fails and can only be read', () => {
  it('writes are refused and reads go on', async (context) => {
    const disk = await makeFailingDisk(context);
    const { api, ada, token } = await serviceIn(disk.folder);
    disk.fail();
    expect(() => writeFileSync(join(disk.folder, 'plain'), '')).toThrow(/EROFS/);

    expectUnavailable(await api.register(person('bob')));
    expectUnavailable(await api.login(ada));
    expectUnavailable(await api.logout(token));
    expect((await api.profile(token))?.status).toBe(200);
  });
});

describe('while another process holds the database', () => {
  /** Holds the lock that a writer needs, until it is told to let go. */
  async function lockFrom(file: string) {
    const code = `const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(process.argv[1]);
      db.exec('BEGIN EXCLUSIVE');
      process.on('message', () => { db.exec('ROLLBACK'); process.send('free'); });
      process.send('locked');`;
    const child = spawn(process.execPath, ['-e', code, file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'message');
    return {
      async release(): Promise<void> {
        const freed = once(child, 'message');
        child.send('release');
        await freed;
      },
    };
  }

  it('writes wait for it without holding up reads', async () => {
    const { file, api, token } = await serviceIn(await makeTemporaryFolder());
    const lock = await lockFrom(file);
    const order: string[] = [];
    const registered = api.register(person('bob')).then((answer) => {
      order.push('registered');
      return answer;
    });
    for (let n = 0; n < 5; n++) expect((await api.profile(token))?.status).toBe(200);
    order.push('profiles');
    await lock.release();
    expect((await registered)?.status).toBe(201);
    expect(order).toEqual(['profiles', 'registered']);
  });

  it('writes are refused in the end, and work once it is free', async () => {
    const { file, api, token, log } = await serviceIn(await makeTemporaryFolder());
    const lock = await lockFrom(file);
    const [registered, loggedOut] = await Promise.all([api.register(person('bob')), api.logout(token)]);
    expectUnavailable(registered);
    expectUnavailable(loggedOut);
    expect(log.every((line) => line.endsWith('locked'))).toBe(true);
    await lock.release();
    expect((await api.profile(token))?.status).toBe(200);
    expect((await api.register(person('bob')))?.status).toBe(201);
    expect((await api.logout(token))?.status).toBe(200);
  });
});

describe('serve', () => {
  const CLI = fileURLToPath(new URL('../../main/commands/cli.ts', import.meta.url));

  async function serve(data: string) {
    const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--data', data], { stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
    const [code] = await once(child, 'close');
    return { code, ...texts };
  }

  /** Returns the names, sizes and contents of all files. */
  const contentOf = (folder: string): string[] =>
    readdirSync(folder).map((name) => {
      const stats = statSync(join(folder, name));
      return `${name} ${stats.isFile() ? readFileSync(join(folder, name)).toString('base64') : 'folder'}`;
    });

  for (const [how, prepare] of [
    ['empty', async () => undefined],
    ['with a database', async (folder: string) => (await serviceIn(folder)).close()],
  ] as const)
    it(`ends with 3 and one sentence, and changes nothing: a folder that cannot be written, ${how}`, async (context) => {
      const folder = await makeTemporaryFolder();
      await prepare(folder);
      const before = contentOf(folder);
      const readOnly = await makeReadOnly(context, folder);
      expect(() => writeFileSync(join(readOnly, 'plain'), '')).toThrow(/EROFS/);
      const { code, out, err } = await serve(readOnly);
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toMatch(/^The database .* cannot be written: EROFS\.\n$/);
      expect(contentOf(folder)).toEqual(before);
    });
});
