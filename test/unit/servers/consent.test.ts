import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../../../main/service/server.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { startHttpProxy } from '../../support/proxies.ts';
import { fileOf, importFile } from '../../support/servers-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { entered, registerAna, defaultConnection, through, withPerson } from '../../support/with-person.ts';

const originOf = (foreign: { baseUrl: string }): string => new URL(foreign.baseUrl).origin;
const details = { name: 'Shop', colour: 'gray', notes: '', registrationPath: 'registro', production: false } as const;

describe('a new origin', () => {
  it('is asked about once, whether it is tested, chosen, made, or logged in at', async () => {
    const foreign = await startForeignServer();
    const { main, asked } = await withPerson({});
    const address = foreign.baseUrl;
    expect(await main.servers.drafts.test({ address })).toMatchObject({ ok: true, value: { reached: true } });
    expect(asked).toEqual([{ kind: 'new-origin', origin: originOf(foreign), isNew: true, proxy: undefined }]);
    await main.servers.chooseAddress({ address });
    await main.servers.create({
      ...details,
      pinned: {},
      address: `${address}/other`,
      enteredConnection: defaultConnection,
    });
    await registerAna(main);
    await main.session.checkShown();
    expect(asked).toHaveLength(1);
  });

  it('that was refused is sent nothing, and is no server', async () => {
    const foreign = await startForeignServer();
    const { main, answers, asked } = await withPerson({});
    answers['new-origin'] = false;
    const refused = { ok: false, error: { kind: 'not-agreed' } };
    const address = foreign.baseUrl;
    expect(await main.servers.drafts.test({ address })).toEqual(refused);
    expect(await main.servers.chooseAddress({ address })).toEqual(refused);
    expect(
      await main.servers.create({ ...details, pinned: {}, address, enteredConnection: defaultConnection }),
    ).toEqual(refused);
    expect(main.config.get().servers).toHaveLength(1);
    expect(asked).toHaveLength(1);
    main.prompts.onUserActivation();
    expect(await main.servers.chooseAddress({ address })).toEqual(refused);
    expect(asked).toHaveLength(2);
    expect(foreign.calls).toEqual([]);
  });

  it('is one by its port and by its scheme', async () => {
    const [one, other] = await Promise.all([startForeignServer(), startForeignServer()]);
    const { main, asked } = await withPerson({ one });
    await main.servers.chooseAddress({ address: other.baseUrl });
    await main.servers.drafts.test({ address: one.baseUrl.replace('http:', 'https:') });
    expect(asked).toMatchObject([{ origin: originOf(other) }, { origin: originOf(one).replace('http:', 'https:') }]);
  });

  it('of two calls at once is one question', async () => {
    const foreign = await startForeignServer();
    const { main, asked } = await withPerson({});
    const both = await Promise.all([1, 2].map(() => main.servers.chooseAddress({ address: foreign.baseUrl })));
    expect(both).toMatchObject([{ ok: true }, { ok: true }]);
    expect(main.config.get().servers).toHaveLength(2);
    expect(asked).toHaveLength(1);
  });

  it('is known in the next run, and until its server is removed', async () => {
    const foreign = await startForeignServer();
    const store = {};
    const first = await withPerson({}, { store });
    await first.main.servers.chooseAddress({ address: foreign.baseUrl });
    const { main, asked } = await withPerson({}, { store });
    await registerAna(main);
    expect(asked).toEqual([]);
    await main.servers.remove({ id: main.state.get().activeServerId });
    await main.servers.drafts.test({ address: foreign.baseUrl });
    expect(asked).toHaveLength(1);
  });

  it('without a server is known until a lock', async () => {
    const foreign = await startForeignServer();
    const { main, asked } = await withPerson({});
    for (const isLocked of [false, false, true]) {
      if (isLocked) {
        main.lock.lock('by-hand');
        await main.lock.unlock(undefined);
      }
      await main.servers.drafts.test({ address: foreign.baseUrl });
    }
    expect(asked).toHaveLength(2);
  });

  it('is asked about when a server of a file is used, not when the file is read', async () => {
    const foreign = await startForeignServer();
    const { main, asked, file } = await withPerson({});
    file.chosen = path.join(await makeTemporaryFolder(), 'servers.json');
    await writeFile(file.chosen, fileOf({ name: 'Shop', address: foreign.baseUrl }));
    await importFile(main);
    const { id, baseUrl } = main.config.get().servers[1]!;
    await main.servers.choose({ id });
    await main.servers.edit({ ...entered(main, id, { address: baseUrl }), name: 'Renamed' });
    expect(asked).toMatchObject([{ kind: 'import-servers' }]);
    await registerAna(main);
    expect(asked.slice(1)).toMatchObject([{ kind: 'new-origin', origin: originOf(foreign) }]);
  });

  it('is not needed where main itself started what listens there, and is needed elsewhere on this computer', async () => {
    const started = await startService({ database: { file: ':memory:' }, port: 0, rateLimit: 'off' });
    if (!started.ok) throw new Error(started.message);
    onTestFinished(() => started.service.close());
    const { main, asked } = await withPerson({}, { service: started.service });
    await registerAna(main);
    expect(await main.servers.drafts.test({ id: 'built-in', address: started.service.baseUrl })).toMatchObject({
      ok: true,
    });
    expect(await main.servers.chooseAddress({ address: started.service.baseUrl })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    const beside = await startForeignServer({ host: '127.0.0.1' });
    await main.servers.drafts.test({ id: 'built-in', address: beside.baseUrl });
    expect(beside.calls).toEqual([]);
  });
});

describe('a proxy that nobody agreed to', () => {
  it('is asked about before anything goes through it', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, asked, answers } = await withPerson({ foreign });
    answers['new-origin'] = false;
    const edit = entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) });
    expect(await main.servers.drafts.test(edit)).toMatchObject({ error: { kind: 'not-agreed' } });
    expect(asked).toMatchObject([{ kind: 'new-origin', isNew: false, proxy: { mode: 'manual' } }]);
    expect(proxy.asked).toEqual([]);
  });

  it('is agreed to with the change of the connection, which shows it', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, kinds } = await withPerson({ foreign });
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) }));
    await registerAna(main);
    expect(proxy.asked).not.toEqual([]);
    expect(kinds()).toEqual(['connection']);
  });
});
