import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import type { Main } from '../../support/make-main.ts';
import { startHttpProxy } from '../../support/proxies.ts';
import { ana, entered, logIn, through, withPerson } from '../../support/with-person.ts';

describe('a password', () => {
  const typing = (main: Main, text: string): void => {
    main.person.pressed({ by: 'mouse' });
    for (const key of text) main.person.pressed({ by: 'key', key, command: false });
    main.person.pressed({ by: 'key', key: 'Enter', command: false });
  };

  it('goes to an address that a person typed, and to any other after main asked', async () => {
    const [typed, other] = await Promise.all([startForeignServer(), startForeignServer()]);
    const { main, asked, answers } = await withPerson({});
    answers['first-password'] = false;
    typing(main, typed.baseUrl);
    await main.servers.chooseAddress(typed.baseUrl);
    await logIn(main);
    expect(asked).toEqual([]);

    await main.servers.chooseAddress(other.baseUrl);
    expect(await main.session.login(ana)).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(await main.session.register({ ...ana, path: 'register' })).toMatchObject({ error: { kind: 'not-asked' } });
    expect(other.calls).toEqual([]);
    const { origin, host } = new URL(other.baseUrl);
    expect(asked).toEqual([{ kind: 'first-password', host, origin, proxy: undefined }]);
    main.person.actedInMenu();
    answers['first-password'] = true;
    await logIn(main);
    await main.session.login(ana);
    expect(asked).toHaveLength(2);
  });

  it('goes through a proxy that nobody typed after main asked', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main, asked, answers } = await withPerson({ foreign });
    await main.session.login(ana);
    expect(asked).toHaveLength(1);
    answers['first-password'] = false;
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) }));
    expect(await main.session.login(ana)).toMatchObject({ ok: false });
    expect(asked.at(-1)).toMatchObject({ kind: 'first-password', origin: undefined, proxy: { mode: 'manual' } });
    expect(proxy.asked).toEqual([]);
    typing(main, `http://127.0.0.1:${proxy.proxy.port}`);
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) }));
    await main.session.login(ana);
    expect(proxy.asked).not.toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it('that was typed before is not sent again by a way that it did not go', async () => {
    const foreign = await startForeignServer({ host: '127.0.0.1' });
    const proxy = await startHttpProxy();
    const { main } = await withPerson({ foreign });
    await main.session.login(ana);
    const listed = main.calls.list({ search: 'login', outcome: 'all', contractRuns: 'with', pinnedOnly: false }, 0);
    const id = (listed.ok && listed.value.calls[0]?.id) || '';
    expect(await main.replay.replay(id, undefined)).toMatchObject({ ok: true, value: { outcome: 'sent' } });
    await main.servers.edit(entered(main, 'foreign', { enteredConnection: through(proxy.proxy.port) }));
    expect(await main.replay.replay(id, undefined)).toMatchObject({ ok: true, value: { outcome: 'secrets-missing' } });
    expect(proxy.asked).toEqual([]);
  });
});
