import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain, type Main } from '../../support/make-main.ts';
import { startHttpProxy } from '../../support/proxies.ts';
import { anaForm, entered, registerAna, defaultConnection, through, withPerson } from '../../support/with-person.ts';

const certificate = (name: string) => makeCertificate({ commonName: name, names: ['127.0.0.2'] });

/** What a person is asked about a change of how the server `foreign` is reached. */
const counted = (sessions: number, logouts = 0, headers = 0) => ({ kind: 'connection', sessions, logouts, headers });
const gate = { ...defaultConnection, headers: [{ name: 'X-Gate', value: 'correct-gate-1f6b' }] };
const withoutLogout = ({ path: called }: { path: string }) =>
  called.endsWith('/salir') ? { status: 503, body: {} } : undefined;

describe('the connection of a server', () => {
  it('changes after one question, for its sessions too', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, asked, kinds } = await withPerson({ foreign });
    await registerAna(main);
    const edit = entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) });
    expect(await main.servers.edit(edit)).toEqual({ ok: true, value: { ended: 0, pendingLogouts: 0 } });
    expect(asked).toMatchObject([
      {
        ...counted(1),
        host: `127.0.0.1:${foreign.port}`,
        changes: [{ what: 'proxy', from: { mode: 'system' }, to: { mode: 'manual' } }],
      },
    ]);
    await main.session.checkShown();
    expect(proxy.asked).toEqual([`127.0.0.1:${foreign.port}`]);
    await main.servers.edit({ ...entered(main, 'foreign', {}), name: 'Shop', notes: 'x', colour: 'red' });
    expect(kinds()).toEqual(['connection']);
  });

  it('is asked about where nothing is held as well, since the next password goes over it', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, asked, answers } = await withPerson({ foreign });
    answers.connection = false;
    const edit = entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) });
    expect(await main.servers.edit(edit)).toMatchObject({ error: { kind: 'cancelled' } });
    expect(asked).toMatchObject([counted(0)]);
    await main.session.logins.login(anaForm);
    expect(proxy.asked).toEqual([]);
  });

  it('stays as it is when the person says no, and is asked about again once they pressed something', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, answers, kinds } = await withPerson({ foreign });
    await registerAna(main);
    answers.connection = false;
    const before = JSON.stringify(main.config.get().servers);
    const edits = [
      { enteredConnection: through(proxy.proxy.port) },
      { enteredConnection: { ...defaultConnection, proxy: { mode: 'pac', url: 'http://127.0.0.1:1/x.pac' } } as const },
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
    expect(kinds()).toEqual(['connection']);
    main.prompts.onUserActivation();
    answers.connection = true;
    expect(await main.servers.edit(entered(main, 'foreign', edits[0]!))).toMatchObject({ ok: true });
  });

  it('is asked about with the logouts that are still to be told, and the extra headers', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1', override: withoutLogout });
    const { main, asked } = await withPerson({ foreign });
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: gate }));
    await registerAna(main);
    await main.session.logOutShown(true);
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(1) }));
    expect(asked.at(-1)).toMatchObject(counted(0, 1, 1));
  });

  it('changes under a login, which goes on over the new one', async () => {
    const proxy = await startHttpProxy();
    const change = { of: undefined as Main | undefined, done: undefined as Promise<unknown> | undefined };
    const foreign = await startForeignServer({
      host: '127.0.0.1',
      override({ path: called }) {
        if (change.of && !change.done && called.endsWith('/perfil')) {
          const edit = entered(change.of, 'foreign', { enteredConnection: through(proxy.proxy.port) });
          change.done = change.of.servers.edit(edit);
        }
        return undefined;
      },
    });
    const { main } = await withPerson({ foreign });
    change.of = main;
    await registerAna(main);
    expect(await change.done).toMatchObject({ ok: true });
    expect(await main.session.checkShown()).toMatchObject({ ok: true });
    expect(proxy.asked).toEqual([`127.0.0.1:${foreign.port}`]);
  });
});

describe('another address of a server', () => {
  it('ends its sessions after one question, and the old one is told; nothing of them reaches the new one', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const other = await startForeignServer({ host: '127.0.0.1' });
    const { main, asked, kinds } = await withPerson({ foreign });
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: gate }));
    await registerAna(main);
    main.session.addAccount();
    await main.session.logins.login(anaForm);
    expect(foreign.tokens.size).toBe(2);
    asked.length = 0;
    const edit = entered(main, 'foreign', { address: other.baseUrl, enteredConnection: defaultConnection });
    expect(await main.servers.edit(edit)).toEqual({ ok: true, value: { ended: 2, pendingLogouts: 0 } });
    expect(asked).toMatchObject([{ ...counted(2, 0, 1), changes: [{ what: 'address', to: other.baseUrl }] }]);
    expect(foreign.tokens.size).toBe(0);
    expect(main.state.get()).toMatchObject({ sessions: [], session: { step: 'signed-out' } });
    expect(await main.vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    expect(other.calls).toEqual([]);
    await registerAna(main);
    // The first token of such a server is always the same, so the second one tells whose it is.
    const sent = JSON.stringify(other.calls);
    for (const secret of [[...foreign.issued][1], 'correct-gate-1f6b']) expect(sent).not.toContain(secret);
    expect(sent).toContain('Bearer');
    expect(kinds()).toEqual(['connection']);
  });

  it('names how many could not be told, logouts that were waiting for it among them', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1', override: withoutLogout });
    const other = await startForeignServer({ host: '127.0.0.1' });
    const { main, asked } = await withPerson({ foreign });
    await registerAna(main);
    await main.session.logOutShown(true);
    await main.session.logins.login(anaForm);
    const edit = entered(main, 'foreign', { address: other.baseUrl });
    expect(await main.servers.edit(edit)).toEqual({ ok: true, value: { ended: 2, pendingLogouts: 2 } });
    expect(asked.at(-1)).toMatchObject(counted(1, 1));
    expect(main.sessionStore.all()).toEqual([]);
    expect(await main.vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    expect(other.calls).toEqual([]);
  });

  it('is told of over the old connection, with the certificate that was trusted there', async () => {
    const old = certificate('old');
    const foreign = await startForeignServer({ tls: old });
    const proxy = await startHttpProxy();
    const { main } = await withPerson({ foreign });
    await main.session.logins.login(anaForm);
    expect(await main.servers.trust({ id: 'foreign' })).toMatchObject({ ok: true });
    await registerAna(main);
    const moved = { address: 'http://127.0.0.1:1', enteredConnection: through(proxy.proxy.port) };
    expect(await main.servers.edit(entered(main, 'foreign', moved))).toMatchObject({
      value: { ended: 1, pendingLogouts: 0 },
    });
    expect(main.config.get().servers[1]).toMatchObject({ pins: [], connection: { proxy: { mode: 'manual' } } });
    expect(foreign.tokens.size).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  it('is asked about as any new one where nothing ends', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const other = await startForeignServer({ host: '127.0.0.1' });
    const { main, kinds } = await withPerson({ foreign });
    expect(await main.servers.edit(entered(main, 'foreign', { address: other.baseUrl }))).toMatchObject({ ok: true });
    expect(kinds()).toEqual(['new-origin']);
  });

  it('takes no token of a login that was under way', async () => {
    const other = await startForeignServer({ host: '127.0.0.1' });
    const change = { of: undefined as Main | undefined, done: undefined as Promise<unknown> | undefined };
    const foreign = await startForeignServer({
      host: '127.0.0.1',
      override({ path: called }) {
        if (change.of && called.endsWith('/perfil'))
          change.done ??= change.of.servers.edit(entered(change.of, 'foreign', { address: other.baseUrl }));
        return undefined;
      },
    });
    const { main } = await withPerson({ foreign });
    change.of = main;
    expect(await main.session.logins.register({ ...anaForm, path: 'registro' })).toMatchObject({ ok: true });
    expect(await change.done).toMatchObject({ ok: true });
    expect(main.sessionStore.all()).toEqual([]);
    expect(await main.vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    expect(other.calls).toEqual([]);
  });

  it('waits for the typed host where the old one is a production server that is to be told', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const { main, asked } = await withPerson({ foreign });
    await registerAna(main);
    await main.servers.edit({ ...entered(main, 'foreign', {}), production: true });
    const edit = { ...entered(main, 'foreign', { address: 'http://127.0.0.9:1' }) };
    expect(await main.servers.edit(edit)).toMatchObject({ error: { kind: 'production-not-confirmed' } });
    expect(asked).toEqual([]);
    main.servers.production.confirm('foreign', `127.0.0.1:${foreign.port}`);
    expect(await main.servers.edit(edit)).toMatchObject({ ok: true });
    expect(foreign.tokens.size).toBe(0);
  });

  it('that somebody wrote into config.json gets no token, which is let go at the start', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const other = await startForeignServer({ host: '127.0.0.1' });
    const main = await makeMain({ foreign });
    await registerAna(main);
    const [builtIn, own] = main.config.get().servers;
    const servers = [builtIn, { ...own, baseUrl: other.baseUrl }];
    const next = await makeMain({}, { folder: main.folder, store: { ...main.store, servers } });
    expect(next.state.get().session).toMatchObject({ step: 'signed-out' });
    await next.application.begin();
    expect(next.sessionStore.all()).toEqual([]);
    expect(await next.vault.findCredentials('app.llavero.desktop/foreign')).toEqual([]);
    expect(other.calls).toEqual([]);
  });
});

describe('a certificate', () => {
  it('is trusted only once the server’s own last call was refused for it, and main asked', async () => {
    const own = certificate('own');
    const foreign = await startForeignServer({ tls: own });
    const { main, asked, answers, kinds } = await withPerson({ foreign });
    const trust = () => main.servers.trust({ id: 'foreign' });
    expect(await trust()).toEqual({ ok: false, error: { kind: 'not-now' } });
    // A look at it over a connection that is only being entered is not the server's own refusal.
    await main.servers.drafts.test(entered(main, 'foreign', { enteredConnection: defaultConnection }));
    expect(await trust()).toMatchObject({ ok: false });
    await main.session.logins.login(anaForm);
    expect(kinds()).toEqual([]);
    answers.trust = false;
    expect(await trust()).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(main.config.get().servers[1]?.pins).toEqual([]);
    main.prompts.onMenuActivation();
    answers.trust = true;
    expect(await trust()).toMatchObject({ ok: true });
    expect(main.config.get().servers[1]?.pins).toEqual([own.sha256]);
    expect(asked.at(-1)).toMatchObject({
      kind: 'trust',
      host: `127.0.0.2:${foreign.port}`,
      certificate: { sha256: own.sha256 },
      instead: false,
    });
    await registerAna(main);
    // An answer has come since: nothing was refused.
    expect(await trust()).toMatchObject({ ok: false });
    answers.connection = false;
    expect(await main.servers.distrust({ id: 'foreign' })).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(main.config.get().servers[1]?.pins).toEqual([own.sha256]);
    expect(asked.at(-1)).toMatchObject({ ...counted(1), changes: [{ what: 'distrust' }] });

    main.prompts.onUserActivation();
    answers.connection = true;
    expect(await main.servers.distrust({ id: 'foreign' })).toMatchObject({ ok: true });
    const before = foreign.calls.length;
    expect(await main.session.logins.login(anaForm)).toMatchObject({ ok: false, error: { kind: 'tls' } });
    expect(foreign.calls.length).toBe(before);
  });

  it('that was refused before the connection changed can no longer be trusted', async () => {
    const foreign = await startForeignServer({ tls: certificate('own') });
    const { main } = await withPerson({ foreign });
    await main.session.logins.login(anaForm);
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(1) }));
    expect(await main.servers.trust({ id: 'foreign' })).toMatchObject({ ok: false });
  });
});

describe('the files of a connection', () => {
  it('come from main’s own dialog only, and no answer says whether there is one', async () => {
    const { main, file } = await withPerson({ shop: { baseUrl: 'https://shop.test' } });
    const trying = (authorityFile: string) =>
      main.servers.drafts.test(entered(main, 'shop', { enteredConnection: { ...defaultConnection, authorityFile } }));
    const refused = { ok: false, error: { kind: 'invalid-connection', field: 'authorityFile' } };
    for (const named of ['/etc/passwd', '/nowhere', '\\\\evil.test\\share\\x']) {
      expect(await trying(named)).toEqual(refused);
      expect(
        await main.servers.create(
          entered(main, 'shop', { enteredConnection: { ...defaultConnection, authorityFile: named } }),
        ),
      ).toEqual(refused);
    }
    file.chosen = '/etc/passwd';
    await main.servers.chooseFile({ purpose: 'key' });
    expect(await trying('/etc/passwd')).toEqual(refused);
    await main.servers.chooseFile({ purpose: 'authority' });
    expect(await trying('/etc/passwd')).toMatchObject({ error: { kind: 'connection-settings' } });
    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    expect(await trying('/etc/passwd')).toEqual(refused);
    file.chosen = '/etc/proxy.pac';
    expect(await main.servers.chooseFile({ purpose: 'pac' })).toEqual({
      ok: true,
      value: { file: 'file:///etc/proxy.pac' },
    });
  });
});
