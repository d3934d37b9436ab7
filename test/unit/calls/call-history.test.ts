import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallFilter, RecordedCall } from '../../../preload/contract/calls.ts';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { startRecordingServer, type Respond } from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const all: CallFilter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false };
type Main = Awaited<ReturnType<typeof makeMain>>;

function listed({ calls }: Main, filter = all) {
  const page = calls.list(filter, 0);
  if (!page.ok) throw new Error(page.error.kind);
  return page.value.calls;
}

function whole({ calls }: Main, id: string): RecordedCall {
  const found = calls.get(id);
  if (!found.ok) throw new Error(found.error.kind);
  return found.value;
}

/** Reads all bytes of a profile folder as text. */
async function everythingIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = files
    .filter((file) => file.isFile())
    .map((file) => readFile(path.join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(contents)).join('\n');
}

describe('a journey', () => {
  it('is recorded call by call, with what was understood, and without a secret', async () => {
    const foreign = await startForeignServer();
    const main = await makeMain({ foreign });
    await main.session.logins.register({ ...ana, path: 'registro' });
    await main.session.checkShown();
    await main.session.logOutShown(true);

    const calls = listed(main);
    expect(calls.map(({ method, path: called, status }) => `${method} ${called} ${status}`)).toEqual([
      'POST /app/api/v1/auth/salir 204',
      'GET /app/api/v1/auth/perfil 200',
      'GET /app/api/v1/auth/perfil 200',
      'POST /app/api/v1/auth/login 200',
      'POST /app/api/v1/auth/registro 201',
    ]);
    const [logout, , profile, login, registration] = calls.map(({ id }) => whole(main, id));
    expect(registration!.request.head.text[0]).toMatch(/^POST \/app\/api\/v1\/auth\/registro HTTP\/1\.1\r\nHost: /);
    expect(registration!.request.body).toMatchObject({
      form: 'text',
      text: ['{"name":"Ana","email":"ana@example.test","password":"', { secret: 'password' }, '"}'],
    });
    expect(login!.understood?.found).toContainEqual(
      expect.objectContaining({ what: 'token', path: 'datos.access_token' }),
    );
    // The token that login gave is the same secret as the one that the profile call and the logout sent.
    const tokenIds = [login!, profile!, logout!].map(
      (call) => /"token","id":"([^"]+)"/.exec(JSON.stringify(call))?.[1],
    );
    expect(new Set(tokenIds).size).toBe(1);
    expect(profile!.response?.body).toMatchObject({ form: 'text' });
    expect(JSON.stringify(profile!.response?.body)).toContain('"secret":"hash"');

    main.calls.close();
    const everything = await everythingIn(main.folder);
    expect(everything).toContain('salir');
    const token = [...foreign.issued][0]!;
    for (const secret of [token, token.split('|')[1]!, ana.password, '$2y$10$abcdefghijklmnopqrstuv'])
      expect(everything).not.toContain(secret);
  });

  it('is recorded under the id of its session, also after a restart', async () => {
    const foreign = await startForeignServer();
    const main = await makeMain({ foreign });
    await main.session.logins.register({ ...ana, path: 'registro' });
    const [{ id: sessionId } = { id: '' }] = main.state.get().sessions;
    main.calls.close();
    const next = await makeMain({ foreign }, { folder: main.folder, store: main.store });
    await next.session.restore();
    const [latest] = listed(next);
    expect(JSON.stringify(whole(next, latest!.id).request.head)).toContain(`{"secret":"token","id":"${sessionId}"}`);
  });

  it('goes with its server', async () => {
    const one = await startForeignServer();
    const two = await startForeignServer({ host: '127.0.0.3' });
    const main = await makeMain({ one, two });
    await main.session.logins.login(ana);
    await main.servers.choose({ id: 'two' });
    await main.session.logins.login(ana);
    await main.servers.remove({ id: 'one' });
    expect(listed(main).map(({ serverId }) => serverId)).toEqual(['two']);
  });

  it('is recorded when nothing answered, with the failure', async () => {
    const foreign = await startForeignServer();
    await foreign.stop();
    const main = await makeMain({ foreign });
    await main.session.logins.login(ana);
    const [call] = listed(main, { ...all, outcome: 'failed' });
    expect(call).toMatchObject({ method: 'POST', failure: 'refused' });
    expect(whole(main, call!.id).response).toBeUndefined();
  });

  it('begins a new record beside a damaged one, whatever part of it is damaged, and beside one of another version', async () => {
    const foreign = await startForeignServer();
    const source = await makeMain({ foreign });
    await source.session.logins.register({ ...ana, path: 'registro' });
    const recorded = listed(source).length;
    source.calls.close();
    const good = await readFile(path.join(source.folder, 'calls.sqlite'));
    for (const at of [0, 20, 101, 4096, 4097, 8200, good.length - 4096]) {
      const damaged = Buffer.from(good).fill(0xa5, at, at + 16);
      const folder = await makeTemporaryFolder();
      const file = path.join(folder, 'calls.sqlite');
      await writeFile(file, damaged);
      const notices: FileNotice[] = [];
      const main = await makeMain({ foreign }, { folder, warn: () => undefined, notices });
      await main.session.logins.register({ ...ana, email: `${at}@example.test`, path: 'registro' });
      const [notice] = notices;
      expect(notice, `byte ${at}`).toMatchObject({ file: 'calls.sqlite', problem: 'set-aside' });
      expect(await readFile(path.join(folder, notice!.quarantinedAs!)), `byte ${at}`).toEqual(damaged);
      expect(listed(main)).toHaveLength(recorded);
    }
    for (const version of [2, 9]) {
      const other = Buffer.from(good);
      other.writeUInt32BE(version, 60);
      const folder = await makeTemporaryFolder();
      await writeFile(path.join(folder, 'calls.sqlite'), other);
      const notices: FileNotice[] = [];
      const main = await makeMain({ foreign }, { folder, warn: () => undefined, notices });
      expect(listed(main)).toEqual([]);
      expect(notices).toMatchObject([{ file: 'calls.sqlite', problem: 'other-version' }]);
      expect(await readFile(path.join(folder, notices[0]!.quarantinedAs!))).toEqual(other);
    }
  });

  it('does not depend on its record: without a file it goes on', async () => {
    const foreign = await startForeignServer();
    const warned: string[] = [];
    const folder = await makeTemporaryFolder();
    // No file can be where a folder is.
    await mkdir(path.join(folder, 'calls.sqlite'));
    const main = await makeMain({ foreign }, { folder, warn: (what) => warned.push(what) });
    expect(await main.session.logins.register({ ...ana, path: 'registro' })).toMatchObject({ ok: true });
    expect(listed(main)).toEqual([]);
    expect(warned).toEqual(['calls.sqlite could not be used as it was']);
  });

  it('keeps what is pinned when it is cleared, unless that is to go too', async () => {
    const main = await makeMain({ foreign: await startForeignServer() });
    await main.session.logins.register({ ...ana, path: 'registro' });
    const [, pinned] = listed(main);
    await main.handlers.calls.pin({ id: pinned!.id, pinned: true });
    await main.handlers.calls.clear({ pinnedToo: false });
    expect(listed(main).map(({ id }) => id)).toEqual([pinned!.id]);
    await main.handlers.calls.clear({ pinnedToo: true });
    expect(listed(main)).toEqual([]);
  });

  it.each(['timeout', 'message', 'login', 'refused'])('can be read with %s as a password', async (password) => {
    const foreign = await startForeignServer();
    const main = await makeMain({ foreign });
    await main.session.logins.register({ ...ana, password, path: 'registro' });
    await foreign.stop();
    expect(await main.session.logins.login({ ...ana, password })).toMatchObject({
      ok: false,
      error: { kind: 'refused' },
    });
    const all = main.calls.findAll({ search: '', outcome: 'all', checks: 'with', pinnedOnly: false });
    expect(all.at(-1)?.failure?.kind).toBe('refused');
    expect(all.flatMap(({ understood }) => understood?.found ?? []).map(({ what }) => what)).not.toContain('•••');
  });

  const answered = (head: string, body: string | Buffer): Buffer =>
    Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`, 'latin1'), Buffer.from(body)]);
  const json = 'Content-Type: application/json\r\n';
  const megabyte = Buffer.alloc(1024 * 1024, 'x');

  it.each<{ name: string; respond: Respond; error: object; response: object | undefined }>([
    {
      name: '50 MB long',
      respond: (_request, socket) => {
        socket.write(answered(`${json}Content-Length: ${50 * megabyte.length}\r\n`, ''));
        for (let n = 0; n < 50; n++) socket.write(megabyte);
        return undefined;
      },
      error: { kind: 'not-an-api-answer', reason: 'too-large' },
      response: { status: 200, body: { form: 'described' } },
    },
    {
      name: 'binary',
      respond: () => answered('Content-Type: image/png\r\nContent-Length: 6\r\n', Buffer.from('89504e470d00', 'hex')),
      error: { kind: 'not-an-api-answer', reason: 'not-json', status: 200 },
      response: {
        body: {
          form: 'described',
          type: 'image/png',
          sha256: createHash('sha256').update(Buffer.from('89504e470d00', 'hex')).digest('hex'),
          bytes: 6,
        },
      },
    },
    {
      name: 'no UTF-8, and so windows-1252',
      respond: () => answered(`${json}Content-Length: 16\r\n`, Buffer.from('{"message":"\xff\xfe"}', 'latin1')),
      error: { kind: 'unexpected', reason: 'no-token' },
      response: { body: { form: 'text', text: ['{"message":"ÿþ"}'], bytes: 16 } },
    },
    {
      name: 'shorter than it says',
      respond: (_request, socket) => {
        socket.end(answered(`${json}Content-Length: 500\r\n`, '{"message":"half'));
        return undefined;
      },
      error: { kind: 'not-an-api-answer', reason: 'truncated' },
      response: { status: 200, body: { form: 'described', type: 'application/json', bytes: 16 } },
    },
    {
      name: 'longer than it says',
      respond: () =>
        answered(`${json}Content-Length: 2\r\n`, '{}{"token":"7|abcdefghijklmnopqrstuvwxyz0123456789ABCD"}'),
      error: { kind: 'unexpected', reason: 'no-token' },
      response: { status: 200, body: { text: ['{}'], bytes: 2 } },
    },
    {
      name: 'with control characters in a header',
      respond: () => answered(`${json}X-Odd: a\x01\x1b[31mb\r\nContent-Length: 2\r\n`, '{}'),
      error: { kind: 'broken-http', problem: 'other', code: 'HPE_INVALID_HEADER_TOKEN' },
      response: undefined,
    },
    {
      name: 'nested without end',
      respond: () => answered(`${json}Content-Length: 400000\r\n`, '['.repeat(400_000)),
      error: { kind: 'not-an-api-answer', reason: 'broken-json' },
      response: { body: { form: 'described', bytes: 400_000 } },
    },
  ])('is said in words and recorded when its answer is $name', async ({ respond, error, response }) => {
    const server = await startRecordingServer(respond);
    onTestFinished(server.close);
    const main = await makeMain({ server: { baseUrl: server.origin } });
    const result = await main.session.logins.login(ana);
    expect(result).toMatchObject({ ok: false, error });
    expect(JSON.stringify(result)).not.toContain('PNG');
    expect(main.state.get().session.step).toBe('signed-out');
    await main.calls.settled();
    const [call, ...others] = listed(main);
    expect(others).toEqual([]);
    const { response: recorded, request } = whole(main, call!.id);
    expect(request.body).toMatchObject({ form: 'text' });
    expect(JSON.stringify(recorded ?? {}).length).toBeLessThanOrEqual(megabyte.length + 10_000);
    expect({ response: recorded }).toMatchObject({ response });
  });
});
