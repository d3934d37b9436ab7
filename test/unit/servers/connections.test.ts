import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConnectionInput } from '../../../preload/contract/connection.ts';
import { makeCertificate, pfxOf } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts';
import { writeFiles } from '../../support/temporary-folder.ts';
import { withPerson } from '../../support/with-person.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
const details = {
  name: 'Shop',
  colour: 'teal',
  notes: '',
  registrationPath: 'registro',
  production: false,
  pinned: {},
} as const;
const nothing: ConnectionInput = {
  proxy: { mode: 'none' },
  authorityFile: '',
  clientCertificate: { form: 'none' },
  limits: { connectSeconds: '', firstByteSeconds: '', totalSeconds: '' },
  secrets: {},
};
const login = { username: 'ana', password: 'secret of the proxy' };
const manual = (port: number, scheme = 'http') =>
  ({ mode: 'manual', address: `${scheme}://127.0.0.1:${port}`, username: login.username, noProxy: '' }) as const;

/** Starts a server whose name only a proxy of the tests knows. */
async function startBehindProxy(options: Parameters<typeof startForeignServer>[0] = {}) {
  const foreign = await startForeignServer({ host: '127.0.0.1', ...options });
  return { ...foreign, baseUrl: foreign.baseUrl.replace('127.0.0.1', 'shop.test') };
}

/** The person chooses every file of a connection in main's own dialog. */
async function chooseFiles(
  { main: { servers }, file }: Awaited<ReturnType<typeof withPerson>>,
  { authorityFile, clientCertificate }: ConnectionInput,
): Promise<void> {
  file.chosen = authorityFile;
  await servers.chooseFile({ purpose: 'authority' });
  if (clientCertificate.form !== 'pfx') return;
  file.chosen = clientCertificate.file;
  await servers.chooseFile({ purpose: 'pfx' });
}

async function everyFileOf(folder: string, ...names: string[]): Promise<string> {
  return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => '')))).join();
}

describe('a server behind a proxy', () => {
  it.each(['http', 'socks5'] as const)('is reached through it with a password out of the vault: %s', async (scheme) => {
    const foreign = await startBehindProxy();
    const proxy = await (scheme === 'http' ? startHttpProxy({ login }) : startSocksProxy({ login }));
    const main = await makeMain({});
    const entered = {
      ...details,
      address: foreign.baseUrl,
      enteredConnection: {
        ...nothing,
        proxy: manual(proxy.proxy.port, scheme),
        secrets: { proxyPassword: login.password },
      },
    };
    expect(await main.servers.create(entered)).toMatchObject({ ok: true });
    const server = main.state.get().servers[1]!;
    await main.servers.choose({ id: server.id });
    expect(await main.session.logins.register({ ...ana, path: 'registro' })).toMatchObject({ ok: true });
    expect(new Set(proxy.asked)).toEqual(new Set([`shop.test:${foreign.port}`]));
    expect(server.secrets).toEqual(['proxyPassword']);
    expect(JSON.stringify([main.shown, main.store])).not.toContain(login.password);
    expect(await everyFileOf(main.folder, 'vault.json')).not.toContain(login.password);

    // The form sends the same again when nothing was typed, and the password stays.
    const again = { ...entered, enteredConnection: { ...entered.enteredConnection, secrets: {} } };
    await main.servers.edit({ id: server.id, ...again });
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(main.state.get().session).toMatchObject({ check: { state: 'checked' } });

    // A copy can be reached as well, and a removed one leaves nothing behind.
    await main.servers.duplicate({ id: server.id });
    const copy = main.state.get().servers[2]!;
    expect(copy.secrets).toEqual(['proxyPassword']);
    await main.servers.remove({ id: server.id });
    await main.servers.choose({ id: copy.id });
    expect(await main.session.logins.login(ana)).toMatchObject({ ok: true });
    await main.servers.remove({ id: copy.id });
    expect(JSON.parse(await everyFileOf(main.folder, 'vault.json'))).toMatchObject({ entries: [] });
  });

  it('gets no password that was entered for another proxy', async () => {
    const foreign = await startBehindProxy();
    const proxy = await startHttpProxy({ login });
    const other = await startHttpProxy();
    const main = await makeMain({});
    const entered = { ...details, address: foreign.baseUrl };
    const secrets = { proxyPassword: login.password };
    await main.servers.create({
      ...entered,
      enteredConnection: { ...nothing, proxy: manual(proxy.proxy.port), secrets },
    });
    const { id } = main.state.get().servers[1]!;
    const moved = { ...nothing, proxy: manual(other.proxy.port) };
    await main.servers.drafts.test({ id, address: foreign.baseUrl, enteredConnection: moved });
    await main.servers.edit({ id, ...entered, enteredConnection: moved });
    expect(main.state.get().servers[1]!.secrets).toEqual([]);
    await main.servers.choose({ id });
    await main.session.logins.login(ana);
    expect(other.forwarded.length).toBeGreaterThan(1);
    const sent = JSON.stringify(other.forwarded);
    expect(sent).not.toContain(Buffer.from(`${login.username}:${login.password}`).toString('base64'));
  });

  it('is looked at over the connection that is being entered, which is not kept', async () => {
    const foreign = await startBehindProxy();
    const proxy = await startHttpProxy({ login });
    const main = await makeMain({});
    const enteredConnection = { ...nothing, proxy: manual(proxy.proxy.port) };
    const test = (secrets: ConnectionInput['secrets']) =>
      main.servers.drafts.test({ address: foreign.baseUrl, enteredConnection: { ...enteredConnection, secrets } });
    expect(await test({})).toMatchObject({
      ok: true,
      value: { reached: false, error: { kind: 'proxy', problem: 'credentials' } },
    });
    expect(await test({ proxyPassword: login.password })).toMatchObject({
      ok: true,
      value: { reached: true, answered: 'asks-for-token' },
    });
    expect(main.config.get().servers).toHaveLength(1);
    expect(JSON.stringify(main.store)).not.toContain(String(proxy.proxy.port));
    await expect.poll(proxy.openConnections).toBe(0);
  });
});

describe('a server with certificates of its own', () => {
  const authority = makeCertificate({ commonName: 'Authority', isAuthority: true });
  const server = makeCertificate({ commonName: 'Server', names: ['127.0.0.2'], signedBy: authority });
  const client = makeCertificate({ commonName: 'Ana', signedBy: authority });
  const startServer = () =>
    startForeignServer({ tls: { ...server, requestCert: true, rejectUnauthorized: true, ca: authority.cert } });
  const writeAll = () => writeFiles({ 'ca.pem': authority.cert, 'me.pfx': pfxOf(client, 'open sesame') });

  it('is reached with them after a restart, and the passphrase is out of the vault', async () => {
    const foreign = await startServer();
    const files = await writeAll();
    const person = await withPerson({});
    const { main } = person;
    const enteredConnection: ConnectionInput = {
      ...nothing,
      authorityFile: files['ca.pem'],
      clientCertificate: { form: 'pfx', file: files['me.pfx'] },
      secrets: { passphrase: 'open sesame' },
    };
    await chooseFiles(person, enteredConnection);
    await main.servers.create({ ...details, address: foreign.baseUrl, enteredConnection });
    await main.servers.choose({ id: main.state.get().servers[1]!.id });
    expect(await main.session.logins.register({ ...ana, path: 'registro' })).toMatchObject({ ok: true });
    const next = await makeMain({}, { folder: main.folder, store: main.store });
    await next.session.restore();
    expect(next.state.get().session).toMatchObject({ step: 'signed-in', check: { state: 'checked' } });
    expect(JSON.stringify([main.shown, main.store, await everyFileOf(main.folder, 'vault.json')])).not.toContain(
      'sesame',
    );
  });

  // Which settings cannot be used, and why, is in unit/client/trust.test.ts.
  it('is refused when it is saved with a setting that cannot be used, and nothing is half-saved', async () => {
    const files = await writeAll();
    const person = await withPerson({ shop: { baseUrl: 'https://shop.example.test' } });
    const { main } = person;
    const before = JSON.stringify(main.store);
    const enteredConnection: ConnectionInput = {
      ...nothing,
      authorityFile: files['ca.pem'],
      clientCertificate: { form: 'pfx', file: files['me.pfx'] },
      secrets: { passphrase: 'guess' },
    };
    const entered = { ...details, address: 'https://shop.example.test', enteredConnection };
    await chooseFiles(person, enteredConnection);
    for (const result of [
      await main.servers.create(entered),
      await main.servers.edit({ id: 'shop', ...entered }),
      await main.servers.drafts.test(entered),
    ])
      expect(result).toMatchObject({ ok: false, error: { kind: 'connection-settings', problem: 'passphrase-wrong' } });
    expect(JSON.stringify(main.store)).toBe(before);
    expect(await everyFileOf(main.folder, 'vault.json')).toBe('');
  });
});

describe('time limits', () => {
  it('of a server hold for its calls', async () => {
    const foreign = await startForeignServer({ override: () => 'no answer' });
    const main = await makeMain({});
    await main.servers.create({
      ...details,
      address: foreign.baseUrl,
      enteredConnection: { ...nothing, limits: { ...nothing.limits, firstByteSeconds: '1' } },
    });
    await main.servers.choose({ id: main.state.get().servers[1]!.id });
    expect(await main.session.logins.login(ana)).toMatchObject({
      ok: false,
      error: { kind: 'timeout', phase: 'first-byte', seconds: 1 },
    });
  });
});
