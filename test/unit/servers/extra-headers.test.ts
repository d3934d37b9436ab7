import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { vaultService } from '../../../main/account/vault/vault.ts';
import type { ConnectionInput } from '../../../preload/contract/connection.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { createHeldCipher } from '../../support/held-cipher.ts';
import { makeMain, type Main } from '../../support/make-main.ts';
import { startHttpProxy } from '../../support/proxies.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { importFile } from '../../support/servers-file.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { anaForm, entered, registerAna, defaultConnection, through } from '../../support/with-person.ts';

// Names and forms as https://developers.cloudflare.com/cloudflare-one/identity/service-tokens/ has them, read on 2026-11-22.
const id = '88bf3b6d86161464f6509f7219099e57.access.example.com';
const secret = 'bdd31cbc4dec990953e39163fbbb194c93313ca9f0a6e420346af9d326b1d2a5';
const gate = [
  { name: 'CF-Access-Client-Id', value: id },
  { name: 'CF-Access-Client-Secret', value: secret },
];
const withHeaders = (headers: ConnectionInput['headers'], connection = defaultConnection): ConnectionInput => ({
  ...connection,
  headers,
});
/** Sets extra headers of a server as its form does. */
const setHeaders = (main: Main, server: string, headers: ConnectionInput['headers']) =>
  main.servers.edit(entered(main, server, { enteredConnection: withHeaders(headers) }));

const shownHeaders = (main: Main, server: string) =>
  main.state.get().servers.find((each) => each.id === server)?.extraHeaders;

/** A gateway like Cloudflare Access: a request without both values is sent to another origin to log in. */
async function startGate(options: { redirectTo?: string } = {}) {
  const foreign = await startForeignServer({
    host: '127.0.0.1',
    override: ({ headers }) =>
      headers['cf-access-client-id'] === id && headers['cf-access-client-secret'] === secret
        ? undefined
        : { status: 403, body: options.redirectTo ?? '<html><title>Forbidden</title></html>' },
  });
  const gotValues = () => foreign.calls.filter(({ headers }) => headers['cf-access-client-secret'] === secret);
  return { ...foreign, gotValues };
}

describe('a server behind an access gateway', () => {
  it('is reached with its extra headers, in every call', async () => {
    const foreign = await startGate();
    const main = await makeMain({ gate: foreign });
    expect(await main.session.logins.register({ ...anaForm, path: 'registro' })).toMatchObject({ ok: false });
    expect(await setHeaders(main, 'gate', gate)).toMatchObject({ ok: true });
    const before = foreign.calls.length;
    await registerAna(main);
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    await main.session.logOutShown(true);
    expect(foreign.calls.length).toBeGreaterThan(before + 3);
    expect(foreign.gotValues()).toHaveLength(foreign.calls.length - before);
    expect(foreign.calls.at(-1)).toMatchObject({ path: '/app/api/v1/auth/salir' });
  });

  it('keeps its values and a certificate that is pinned while the keyring is slow to store them', async () => {
    const foreign = await startGate();
    const system = createHeldCipher();
    const main = await makeMain({ gate: foreign }, { cipher: system.cipher });
    await main.vault.open();
    system.hold();
    const saved = setHeaders(main, 'gate', gate);
    await system.asked();
    const pin = Array.from({ length: 32 }, () => 'A1').join(':');
    main.servers.store.setPins('gate', [pin]);
    system.release();
    expect(await saved).toMatchObject({ ok: true });
    expect(shownHeaders(main, 'gate')).toMatchObject(gate.map(({ name }) => ({ name, isSet: true })));
    expect(main.config.get().servers.find((each) => each.id === 'gate')?.pins).toEqual([pin]);
    await registerAna(main);
    expect(foreign.gotValues()).toHaveLength(foreign.calls.length);
  });

  // The same page: an application can be set to take both in one header, whose name it chooses, as JSON.
  it('takes a value in JSON, which is hidden where it is said back in JSON', async () => {
    const value = JSON.stringify({ 'cf-access-client-id': id, 'cf-access-client-secret': secret });
    const foreign = await startForeignServer({
      host: '127.0.0.1',
      override: ({ headers }) => ({ status: 400, body: { mensaje: `x-gate: ${headers['x-gate'] as string}` } }),
    });
    const main = await makeMain({ gate: foreign });
    await setHeaders(main, 'gate', [{ name: 'X-Gate', value }]);
    const refused = await main.session.logins.login(anaForm);
    expect(foreign.calls.at(-1)?.headers).toMatchObject({ 'x-gate': value });
    expect(JSON.stringify(refused)).toContain('•••');
    await main.calls.settled();
    const recorded = main.calls.findAll({ search: '', outcome: 'all', checks: 'with', pinnedOnly: false });
    expect(JSON.stringify([refused, recorded])).not.toMatch(/bdd31cbc|88bf3b6d/);
  });

  it('shows the window the names and whether there is a value, and never a value', async () => {
    const foreign = await startGate();
    const main = await makeMain({ gate: foreign });
    await setHeaders(main, 'gate', gate);
    await registerAna(main);
    expect(shownHeaders(main, 'gate')).toEqual(gate.map(({ name }) => ({ name, isSet: true })));
    expect(JSON.stringify([main.told, main.state.get()])).not.toMatch(/bdd31cbc|88bf3b6d/);
  });

  it('keeps a value whose row was left empty, replaces one that was typed, and removes one whose row is gone', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const main = await makeMain({ gate: foreign });
    const sent = async () => {
      await main.session.logins.login(anaForm);
      const { headers } = foreign.calls.at(-1)!;
      return [headers['x-one'], headers['x-two']];
    };
    await setHeaders(main, 'gate', [
      { name: 'X-One', value: 'first of one' },
      { name: 'X-Two', value: 'first of two' },
    ]);
    expect(await sent()).toEqual(['first of one', 'first of two']);
    await setHeaders(main, 'gate', [
      { name: 'x-one', value: '' },
      { name: 'X-Two', value: 'second of two' },
      { name: '', value: '' },
    ]);
    expect(await sent()).toEqual(['first of one', 'second of two']);
    await main.servers.edit(entered(main, 'gate', { enteredConnection: defaultConnection }));
    await main.servers.edit(entered(main, 'gate', {}));
    expect(await sent()).toEqual(['first of one', 'second of two']);
    await setHeaders(main, 'gate', [{ name: 'X-Two', value: '' }]);
    expect(await sent()).toEqual([undefined, 'second of two']);
    expect(await setHeaders(main, 'gate', [{ name: 'X-One', value: '' }])).toMatchObject({
      error: { kind: 'invalid-header', row: 0, problem: 'value-missing', name: 'X-One' },
    });
  });

  it.each([
    [
      [
        { name: 'X-Key', value: 'v' },
        { name: ' ', value: '' },
        { name: 'host', value: 'v' },
      ],
      2,
      'name-taken',
    ],
    [[{ name: 'X-Key', value: 'a\r\nX-Evil: 1' }], 0, 'value-characters'],
    [[{ name: 'X-Key', value: 'v'.repeat(1_048_576) }], 0, 'value-long'],
    [[{ name: 'v'.repeat(1_048_576), value: 'v' }], 0, 'name-long'],
  ])('refuses what cannot be sent, and changes nothing', async (headers, row, problem) => {
    const main = await makeMain({ gate: { baseUrl: 'http://127.0.0.1:1' } });
    const before = JSON.stringify(main.config.get());
    expect(await setHeaders(main, 'gate', headers)).toMatchObject({ error: { kind: 'invalid-header', row, problem } });
    const { servers } = main.state.get();
    const tested = await main.servers.drafts.test({
      ...servers[1]!,
      address: 'http://127.0.0.1:1',
      enteredConnection: withHeaders(headers),
    });
    expect(tested).toMatchObject({ error: { kind: 'invalid-header', row, problem } });
    expect(JSON.stringify(main.config.get())).toBe(before);
  });
});

describe('the values of extra headers', () => {
  it('are dropped when the address changes, and are not there when it is back', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const other = await startForeignServer({ host: '127.0.0.1' });
    const main = await makeMain({ gate: foreign });
    for (const headers of [undefined, gate.map(({ name }) => ({ name, value: '' }))]) {
      await setHeaders(main, 'gate', gate);
      const moved = { address: other.baseUrl, enteredConnection: withHeaders(headers) };
      expect(await main.servers.edit(entered(main, 'gate', moved))).toMatchObject({ ok: true });
      expect(shownHeaders(main, 'gate')).toEqual([]);
      await main.session.logins.login(anaForm);
      await main.servers.edit(
        entered(main, 'gate', { address: foreign.baseUrl, enteredConnection: defaultConnection }),
      );
      await main.session.logins.login(anaForm);
      expect(shownHeaders(main, 'gate')).toEqual([]);
    }
    for (const { headers } of [...other.calls, ...foreign.calls])
      expect(headers).not.toHaveProperty('cf-access-client-id');
    expect(other.calls.length).toBeGreaterThan(1);
  });

  it('go to no other address that config.json says later', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const other = await startForeignServer({ host: '127.0.0.1' });
    const main = await makeMain({ gate: foreign });
    await setHeaders(main, 'gate', gate);
    const servers = main.config
      .get()
      .servers.map((each) => Object.assign({}, each, each.id === 'gate' && { baseUrl: other.baseUrl }));
    main.config.change({ servers });
    expect(await main.session.logins.login(anaForm)).toMatchObject({
      error: { kind: 'connection-settings', problem: 'header-value-missing' },
    });
    expect(other.calls).toEqual([]);
  });

  it('go with no call of another server at the same address', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const main = await makeMain({ shop: foreign, twin: foreign });
    await setHeaders(main, 'shop', gate);
    await main.servers.choose({ id: 'twin' });
    await main.session.logins.login(anaForm);
    expect(foreign.calls.at(-1)?.headers).not.toHaveProperty('cf-access-client-id');
    await main.servers.choose({ id: 'shop' });
    await main.session.logins.login(anaForm);
    expect(foreign.calls.at(-1)?.headers).toHaveProperty('cf-access-client-id', id);
  });

  it('are looked for in all that is recorded from the moment they were entered', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const other = await startForeignServer({
      host: '127.0.0.1',
      override: () => ({ status: 400, body: { x: `is ${secret}` } }),
    });
    const main = await makeMain({ other, gate: foreign });
    await setHeaders(main, 'gate', gate);
    await main.session.logins.login(anaForm);
    await main.calls.settled();
    const filter = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;
    expect(JSON.stringify(main.calls.findAll(filter))).toContain('is ');
    expect(JSON.stringify(main.calls.findAll(filter))).not.toContain(secret);
  });

  it('are covered by the PIN, and go with the fifth wrong one', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const main = await makeMain({ gate: foreign });
    await setHeaders(main, 'gate', gate);
    await main.lock.setPin('2580', undefined);
    main.lock.lock('by-hand');
    expect(await main.vault.getPassword(vaultService('gate'), 'connection header cf-access-client-secret')).toBeNull();
    expect(JSON.stringify(main.told.at(-1))).not.toContain('CF-Access');
    await main.lock.unlock('2580');
    await main.session.logins.login(anaForm);
    expect(foreign.calls.at(-1)?.headers).toHaveProperty('cf-access-client-id', id);
    main.lock.lock('by-hand');
    for (let tries = 0; tries < 5; tries += 1) await main.lock.unlock('0000');
    expect(shownHeaders(main, 'gate')).toEqual(gate.map(({ name }) => ({ name, isSet: false })));
    expect(await main.vault.findCredentials(vaultService('gate'))).toEqual([]);
  });

  it('stay behind in an export, which has the names, and are to be entered after an import', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'servers.json');
    const main = await makeMain({ gate: { baseUrl: 'http://127.0.0.1:1' } }, { file });
    await setHeaders(main, 'gate', gate);
    await main.servers.exportFile();
    expect(await filesContaining(folder, secret)).toEqual([]);
    const there = await makeMain({}, { file });
    expect(await importFile(there)).toMatchObject({ value: { added: 1 } });
    const [, imported] = there.state.get().servers;
    expect(imported?.extraHeaders).toEqual(gate.map(({ name }) => ({ name, isSet: false })));
    const text = await readFile(file, 'utf8');
    for (const wrong of ['Host', 'a b', '', 'x'.repeat(2_000), 'cf-access-client-secret']) {
      await writeFile(file, text.replace('"CF-Access-Client-Id"', JSON.stringify(wrong)));
      expect(await importFile(there)).toMatchObject({
        value: { outcome: 'refused', fault: { at: expect.stringMatching(/^servers\.0\.headers/) } },
      });
    }
  });

  it('do not follow a redirect', async () => {
    const elsewhere = await startRecordingServer(() => answer(200, { token: '1|abcdefghijkl' }));
    const server = await startRecordingServer(() =>
      answer(307, '', { Location: `${elsewhere.origin}/api/v1/auth/login` }),
    );
    onTestFinished(() => Promise.all([server.close(), elsewhere.close()]).then(() => undefined));
    const main = await makeMain({ gate: { baseUrl: server.origin } });
    await setHeaders(main, 'gate', gate);
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: false });
    expect(server.requests.at(-1)?.raw).toContain(secret);
    expect(elsewhere.requests).toEqual([]);
  });

  it('go over no connection that is only being looked at', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const main = await makeMain({ gate: foreign });
    await setHeaders(main, 'gate', gate);
    const test = (enteredConnection: ConnectionInput) =>
      main.servers.drafts.test(entered(main, 'gate', { enteredConnection }));
    expect(await test(through(proxy.proxy.port))).toMatchObject({ ok: true });
    expect(proxy.asked).toHaveLength(1);
    expect(foreign.calls.at(-1)?.headers).not.toHaveProperty('cf-access-client-id');
    expect(await test(defaultConnection)).toMatchObject({ ok: true });
    expect(foreign.calls.at(-1)?.headers).toHaveProperty('cf-access-client-id', id);
  });

  it('are a copy of the same address, and go with the server that is removed', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const main = await makeMain({ gate: foreign });
    await setHeaders(main, 'gate', gate);
    await main.servers.duplicate({ id: 'gate' });
    expect(await main.vault.findCredentials(vaultService('gate'))).toHaveLength(2);
    await main.servers.remove({ id: 'gate' });
    expect(await main.vault.findCredentials(vaultService('gate'))).toEqual([]);
    const [, copy] = main.state.get().servers;
    await main.servers.choose({ id: copy!.id });
    await main.session.logins.login(anaForm);
    expect(foreign.calls.at(-1)?.headers).toMatchObject({ 'cf-access-client-secret': secret });
  });

  it('are asked for again when the vault does not give them, and nothing is sent meanwhile', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const main = await makeMain({ gate: foreign });
    await setHeaders(main, 'gate', gate);
    await main.vault.clear();
    const missing = { error: { kind: 'connection-settings', problem: 'header-value-missing' } };
    expect(await main.session.logins.login(anaForm)).toMatchObject(missing);
    expect(
      await main.servers.drafts.test(entered(main, 'gate', { enteredConnection: defaultConnection })),
    ).toMatchObject({
      value: { reached: false, ...missing },
    });
    expect(foreign.calls).toEqual([]);
    await setHeaders(main, 'gate', gate);
    await registerAna(main);
  });
});
