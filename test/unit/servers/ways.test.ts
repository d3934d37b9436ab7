import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import type { Main } from '../../support/make-main.ts';
import { startHttpProxy } from '../../support/proxies.ts';
import { ana, entered, logIn, nothing, through, withPerson } from '../../support/with-person.ts';

const certificate = (name: string) => makeCertificate({ commonName: name, names: ['127.0.0.2'] });

describe('how a server is reached that holds sessions', () => {
  it('changes after main asked, for the sessions too', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, asked, kinds } = await withPerson({ foreign });
    await logIn(main);
    const edit = entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) });
    expect(await main.servers.edit(edit)).toMatchObject({ ok: true });
    expect(asked.at(-1)).toMatchObject({
      kind: 'way',
      host: `127.0.0.1:${foreign.port}`,
      sessions: 1,
      changes: [{ what: 'proxy', from: { mode: 'system' }, to: { mode: 'manual' } }],
    });
    await main.session.checkShown();
    expect(proxy.asked).toEqual([`127.0.0.1:${foreign.port}`]);
    // What says nothing about the way is nobody's question.
    await main.servers.edit({ ...entered(main, 'foreign', {}), name: 'Shop', notes: 'x', colour: 'red' });
    expect(kinds()).toEqual(['way']);
  });

  it('stays as it is when the person says no, and then main does not ask again', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, answers, kinds } = await withPerson({ foreign });
    await logIn(main);
    answers.way = false;
    const before = JSON.stringify(main.config.get().servers);
    const edits = [
      { enteredConnection: through(proxy.proxy.port) },
      { enteredConnection: { ...nothing, proxy: { mode: 'pac', url: 'http://127.0.0.1:1/x.pac' } } as const },
      { address: 'http://127.0.0.9:1' },
    ];
    for (const [index, edit] of edits.entries()) {
      expect(await main.servers.edit(entered(main, 'foreign', edit))).toEqual({
        ok: false,
        error: { kind: index === 0 ? 'cancelled' : 'not-asked' },
      });
    }
    expect(JSON.stringify(main.config.get().servers)).toBe(before);
    await main.session.checkShown();
    expect(proxy.asked).toEqual([]);
    expect(kinds()).toEqual(['way']);
    main.person.actedInMenu();
    answers.way = true;
    expect(await main.servers.edit(entered(main, 'foreign', edits[0]!))).toMatchObject({ ok: true });
  });

  it('is asked about for a logout that the server was not told of, too', async () => {
    const foreign = await startForeignServer({
      host: '127.0.0.1',
      override: ({ path: called }) => (called.endsWith('/salir') ? { status: 503, body: {} } : undefined),
    });
    const proxy = await startHttpProxy();
    const { main, answers } = await withPerson({ foreign });
    await logIn(main);
    await main.session.logOutShown(true);
    expect(main.held.all()).toHaveLength(1);
    answers.way = false;
    const edit = entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) });
    expect(await main.servers.edit(edit)).toMatchObject({ ok: false });
  });

  it('does not change for a login that is under way while the page changes its server', async () => {
    const proxy = await startHttpProxy();
    const change = { of: undefined as Main | undefined, done: undefined as Promise<unknown> | undefined };
    const foreign = await startForeignServer({
      host: '127.0.0.1',
      override({ path: called }) {
        // There is a token by now and no session yet, and so no question.
        if (change.of && !change.done && called.endsWith('/perfil')) {
          const edit = entered(change.of, 'foreign', { enteredConnection: through(proxy.proxy.port) });
          change.done = change.of.servers.edit(edit);
        }
        return undefined;
      },
    });
    const { main, kinds } = await withPerson({ foreign });
    change.of = main;
    await logIn(main);
    expect(await change.done).toMatchObject({ ok: true });
    expect(kinds()).toEqual(['new-origin']);
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(proxy.asked).toEqual([]);
  });

  it('at another address is not how the sessions of the old one are told', async () => {
    const server = { down: true };
    const old = certificate('old');
    const foreign = await startForeignServer({
      tls: old,
      override: ({ path: called }) =>
        server.down && called.endsWith('/salir') ? { status: 503, body: {} } : undefined,
    });
    const proxy = await startHttpProxy();
    const { main } = await withPerson({ foreign });
    await main.session.login(ana);
    expect(await main.servers.trust('foreign', old.sha256)).toMatchObject({ ok: true });
    await logIn(main);
    await main.session.logOutShown(true);
    const [pending] = main.held.all();
    const moved = { address: 'http://127.0.0.1:1', enteredConnection: through(proxy.proxy.port) };
    expect(await main.servers.edit(entered(main, 'foreign', moved))).toMatchObject({ ok: true });
    expect(main.config.get().servers[1]).toMatchObject({ pins: [], connection: { proxy: { mode: 'manual' } } });
    server.down = false;
    // By the certificate that was trusted there, and through no proxy of the new address.
    expect(await main.session.revoke(pending!.id)).toMatchObject({ ok: true });
    expect(foreign.tokens.size).toBe(0);
    expect(proxy.asked).toEqual([]);
  });
});

describe('a certificate', () => {
  it('is trusted only while exactly this one was just refused at exactly this address, and main asked', async () => {
    const own = certificate('own');
    const foreign = await startForeignServer({ tls: own });
    const evil = certificate('evil');
    const { main, asked, answers, kinds } = await withPerson({ foreign });
    const trust = (sha256: string) => main.servers.trust('foreign', sha256);
    expect(await trust(own.sha256)).toEqual({ ok: false, error: { kind: 'not-now' } });
    // A look at it over a connection that is only being entered is not the server's own refusal.
    await main.servers.test(entered(main, 'foreign', { enteredConnection: nothing }));
    expect(await trust(own.sha256)).toMatchObject({ ok: false });
    await main.session.login(ana);
    expect(await trust(evil.sha256)).toMatchObject({ ok: false });
    expect(kinds()).toEqual([]);
    answers.trust = false;
    expect(await trust(own.sha256)).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(main.config.get().servers[1]?.pins).toEqual([]);
    main.person.actedInMenu();
    answers.trust = true;
    expect(await trust(own.sha256)).toMatchObject({ ok: true });
    expect(asked.at(-1)).toMatchObject({
      kind: 'trust',
      host: `127.0.0.2:${foreign.port}`,
      certificate: { sha256: own.sha256 },
      instead: false,
    });
    await logIn(main);
    // An answer has come since: nothing was just refused.
    expect(await trust(own.sha256)).toMatchObject({ ok: false });
    answers.way = false;
    expect(await main.servers.distrust('foreign')).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(main.config.get().servers[1]?.pins).toEqual([own.sha256]);

    main.person.actedInMenu();
    answers.way = true;
    expect(await main.servers.distrust('foreign')).toMatchObject({ ok: true });
    const before = foreign.calls.length;
    expect(await main.session.login(ana)).toMatchObject({ ok: false, error: { kind: 'tls' } });
    expect(foreign.calls.length).toBe(before);
  });

  it('that was refused before the server was reached otherwise is no longer one that was just refused', async () => {
    const own = certificate('own');
    const foreign = await startForeignServer({ tls: own });
    const { main } = await withPerson({ foreign });
    await main.session.login(ana);
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(1) }));
    expect(await main.servers.trust('foreign', own.sha256)).toMatchObject({ ok: false });
  });
});

describe('the files of a connection', () => {
  it('come from main’s own dialog only, and no answer says whether there is one', async () => {
    const { main, file } = await withPerson({ shop: { baseUrl: 'https://shop.test' } });
    const trying = (authorityFile: string) =>
      main.servers.test(entered(main, 'shop', { enteredConnection: { ...nothing, authorityFile } }));
    const refused = { ok: false, error: { kind: 'invalid-connection', field: 'authorityFile' } };
    for (const named of ['/etc/passwd', '/nowhere', '\\\\evil.test\\share\\x']) {
      expect(await trying(named)).toEqual(refused);
      expect(
        await main.servers.create(entered(main, 'shop', { enteredConnection: { ...nothing, authorityFile: named } })),
      ).toEqual(refused);
    }
    file.chosen = '/etc/passwd';
    await main.servers.chooseFile('key');
    expect(await trying('/etc/passwd')).toEqual(refused);
    await main.servers.chooseFile('authority');
    expect(await trying('/etc/passwd')).toMatchObject({ error: { kind: 'connection-settings' } });
    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    expect(await trying('/etc/passwd')).toEqual(refused);
    file.chosen = '/etc/proxy.pac';
    expect(await main.servers.chooseFile('pac')).toBe('file:///etc/proxy.pac');
  });
});
