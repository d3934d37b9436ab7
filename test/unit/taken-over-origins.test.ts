import dns from 'node:dns';
import net from 'node:net';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RunOptions } from '../../preload/contract/report.ts';
import { startForeignServer } from '../support/foreign-server.ts';
import { fileOf, importFile } from '../support/servers-file.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { anaForm, entered, defaultConnection, through, withPerson } from '../support/with-person.ts';

const typed = 'what-the-person-typed';

/** A place of the attacker, which counts the connections that are opened to it, and a name that leads there. */
async function startEvil() {
  const listener = net.createServer((socket) => socket.destroy());
  const heard = { connections: 0, names: [] as string[] };
  listener.on('connection', () => (heard.connections += 1));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const look = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, options: object, tell: unknown) => {
    if (net.isIP(name) === 0) heard.names.push(name);
    const callback = (typeof options === 'function' ? options : tell) as (...answer: unknown[]) => void;
    const found = { address: '127.0.0.1', family: 4 };
    if ('all' in options && options.all === true) callback(null, [found]);
    else callback(null, found.address, found.family);
  }) as typeof dns.lookup);
  onTestFinished(() => look.mockRestore());
  const { port } = listener.address() as net.AddressInfo;
  return { heard, port, address: `http://evil.test:${port}/${typed}` };
}

describe('a page that was taken over', () => {
  it('opens no connection to an origin or proxy that nobody agreed to, and has no name looked up, by any call', async () => {
    const { heard, port, address } = await startEvil();
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const { main, answers, asked, file } = await withPerson({ foreign });
    Object.assign(answers, { 'new-origin': false, connection: false });
    const options = RunOptions.parse({ only: ['login.right-credentials'], callsPerSecond: 100 });
    file.chosen = path.join(await makeTemporaryFolder(), 'servers.json');
    await writeFile(file.chosen, fileOf({ name: 'Imported', address }));
    const { servers, session, interfaces, checks, mocks } = main.handlers;
    const own = entered(main, 'foreign', {});
    const pac = { ...defaultConnection, proxy: { mode: 'pac', url: `http://evil.test:${port}/${typed}.pac` } } as const;
    const proxies = [through(port), pac];

    await importFile(main);
    const imported = main.config.get().servers.find(({ name }) => name === 'Imported')!;
    const account = { is: 'typed', email: anaForm.email, password: typed } as const;
    const logIn = () => session.login({ ...anaForm, password: typed });
    const calls: (() => unknown)[] = [
      () => servers.test({ address }),
      () => servers.test({ address, id: 'foreign' }),
      () => servers.test({ address, id: 'built-in' }),
      ...proxies.map((enteredConnection) => () => servers.test({ address: foreign.baseUrl, enteredConnection })),
      ...proxies.map((enteredConnection) => () => servers.test({ ...own, enteredConnection })),
      () => interfaces.runTrial({ ...own, address, account }),
      ...proxies.map((enteredConnection) => () => interfaces.runTrial({ ...own, enteredConnection, account })),
      () => servers.chooseAddress({ address }),
      logIn,
      () => servers.create({ ...own, address, enteredConnection: defaultConnection }),
      () => servers.edit({ ...own, address }),
      logIn,
      ...proxies.map((enteredConnection) => () => servers.edit({ ...own, enteredConnection })),
      logIn,
      () => checks.start({ serverId: imported.id, options }),
      () => checks.start({ serverId: 'foreign', compareWith: imported.id, options }),
      () => mocks.create({ serverId: imported.id, measure: true }),
      () => servers.duplicate({ id: imported.id }),
      () => servers.choose({ id: imported.id }),
      logIn,
      () => session.register({ ...anaForm, path: 'registro' }),
    ];
    for (const call of calls) {
      await call();
      main.checks.cancel();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(heard).toEqual({ connections: 0, names: [] });
    // What it asks is shown to the person and never twice: three origins in a minute, and one change of a connection.
    expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(asked.length);
    const { 'new-origin': origins = [], connection = [] } = Object.groupBy(asked, ({ kind }) => kind);
    expect(origins.length).toBeLessThanOrEqual(3);
    expect(connection).toHaveLength(1);
    expect(asked[0]).toMatchObject({ kind: 'import-servers', added: [{ name: 'Imported', address }] });
    expect(asked[1]).toEqual({ kind: 'new-origin', origin: `http://evil.test:${port}`, isNew: true, proxy: undefined });
  });
});
