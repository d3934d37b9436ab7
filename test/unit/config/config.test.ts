import { describe, expect, it } from 'vitest';
import { builtInId, createConfig, plainServer } from '../../../main/config/config.ts';
import earlier from '../../fixtures/config-0.1.0.json' with { type: 'json' };

function makeStore(content: unknown) {
  const written: Record<string, unknown>[] = [];
  return { store: content, set: (values: Record<string, unknown>) => void written.push(values), written };
}

const unreachable = (): never => expect.unreachable();

describe('the configuration', () => {
  it('has defaults for a new user', () => {
    expect(createConfig(makeStore({}), unreachable).get()).toEqual({
      settings: {
        language: 'system',
        theme: 'system',
        lockAfterMinutes: 0,
        lockOnScreenLock: false,
        lockOnSleep: false,
        clearOnQuit: false,
        callsPerSecond: 5,
        workbench: false,
        welcomed: false,
        notifications: false,
        presenting: false,
        lookForUpdates: true,
      },
      zoom: 1,
      service: { loginsPerMinute: 5, registrationsPerMinute: 10, tokenDays: 30 },
      callLimits: { count: 500, bytes: 20_000_000 },
      servers: [plainServer(builtInId, '', '')],
      activeServerId: builtInId,
      sessions: {},
      currentSessions: {},
      lastEmails: {},
    });
  });

  it.each<[string, boolean, unknown]>([
    ['nothing', false, {}],
    [
      'only the place of the window',
      false,
      { version: 2, window: { x: 0, y: 0, width: 9, height: 9, maximized: false } },
    ],
    ['settings that say so', true, { version: 2, settings: { welcomed: true } }],
    ['settings that deny it', false, { version: 2, settings: { welcomed: false }, lastEmails: { 'built-in': 'a@b' } }],
    ['settings from before there was a first minute', true, { version: 2, settings: { theme: 'dark' } }],
    ['the email of somebody who was here', true, { version: 2, lastEmails: { 'built-in': 'a@b' } }],
    ['a server of their own', true, { version: 2, environments: [{ id: 'x', name: 'X', baseUrl: 'http://x.test' }] }],
    ['what version 0.1.0 wrote', true, earlier],
  ])('takes a profile for one that has begun before by what is in it: %s', (_what, hasBegun, content) => {
    expect(createConfig(makeStore(content), unreachable).get().settings.welcomed).toBe(hasBegun);
  });

  it('keeps the parts that can be read when another cannot', () => {
    const content = { settings: { language: 'es', theme: 'dark' }, environments: 'rubbish', activeEnvironmentId: 7 };
    expect(createConfig(makeStore(content), unreachable).get()).toMatchObject({
      settings: { language: 'es', theme: 'dark' },
      servers: [{ id: builtInId }],
      activeServerId: builtInId,
    });
  });

  it.each([
    [
      { loginsPerMinute: 50, tokenDays: 1 },
      { loginsPerMinute: 50, registrationsPerMinute: 10, tokenDays: 1 },
    ],
    [{ loginsPerMinute: 0 }, { loginsPerMinute: 5, registrationsPerMinute: 10, tokenDays: 30 }],
    ['no limits', { loginsPerMinute: 5, registrationsPerMinute: 10, tokenDays: 30 }],
  ])('takes settings of the built-in server that it can use: %j', (service, read) => {
    expect(createConfig(makeStore({ service }), unreachable).get().service).toEqual(read);
  });

  it('writes only what changed', () => {
    const store = makeStore({});
    const config = createConfig(store, unreachable);
    config.change({ activeServerId: 'a' });
    config.change({ activeServerId: 'a', lastEmails: {} });
    expect(store.written).toEqual([{ activeEnvironmentId: 'a' }]);
    expect(config.get().activeServerId).toBe('a');
  });

  it('writes what could not be written with the next change, and at once when it is made again', () => {
    let isFull = true;
    const store = makeStore({});
    const sometimes = {
      store: {},
      set(values: Record<string, unknown>) {
        if (isFull) throw new Error('ENOSPC');
        store.set(values);
      },
    };
    const config = createConfig(sometimes, () => undefined);
    config.change({ activeServerId: 'a' });
    config.change({ lastEmails: { a: 'ana@example.test' } });
    isFull = false;
    config.change({ activeServerId: 'a' });
    expect(store.written).toEqual([{ activeEnvironmentId: 'a', lastEmails: { a: 'ana@example.test' } }]);
  });

  it('goes on with what it knows when the file cannot be written', () => {
    const failures: unknown[] = [];
    const full = {
      store: earlier,
      set(): never {
        throw new Error('ENOSPC');
      },
    };
    const config = createConfig(full, (error) => failures.push(error));
    config.change({ activeServerId: 'b2' });
    expect(config.get()).toMatchObject({ activeServerId: 'b2', sessions: { a1: { serverId: 'a1' } } });
    expect(failures).toHaveLength(2);
  });
});

describe('the configuration of version 0.1.0', () => {
  it('comes over whole: addresses, sessions, where their tokens rest, what was chosen', () => {
    const store = makeStore(earlier);
    const config = createConfig(store, unreachable).get();
    expect(config.servers.map(({ id, name, baseUrl }) => [id, name, baseUrl])).toEqual([
      ['built-in', '', ''],
      ['a1', '127.0.0.2:8000/app', 'http://127.0.0.2:8000/app'],
      ['b2', 'example.test', 'https://example.test'],
    ]);
    expect(config).toMatchObject({
      settings: earlier.settings,
      activeServerId: 'a1',
      lastEmails: earlier.lastEmails,
      window: earlier.window,
      currentSessions: { a1: 'a1', 'built-in': 'built-in' },
      sessions: {
        a1: { ...earlier.sessions.a1, serverId: 'a1', vaultAccount: 'ana@example.test' },
        'built-in': { ...earlier.sessions['built-in'], serverId: 'built-in', vaultAccount: 'bea@example.test' },
      },
    });
    expect(store.written).toHaveLength(1);
  });

  it('is brought over once', () => {
    const [written] = ((store) => (createConfig(store, unreachable), store.written))(makeStore(earlier));
    const again = makeStore({ ...earlier, ...written });
    expect(createConfig(again, unreachable).get().sessions).toHaveProperty('a1');
    expect(again.written).toEqual([]);
  });

  it('comes over as far as it can be read', () => {
    const damaged = {
      ...earlier,
      sessions: { a1: 7, b2: { account: 'x', baseUrl: 'https://example.test', user: {} } },
    };
    const config = createConfig(makeStore(damaged), unreachable).get();
    expect(config.servers).toHaveLength(3);
    expect(Object.keys(config.sessions)).toEqual(['b2']);
  });
});
