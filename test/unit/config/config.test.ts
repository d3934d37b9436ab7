import { describe, expect, it, vi } from 'vitest';
import { Config, createStoredServer } from '../../../main/account/config/config.ts';
import { createConfigStore } from '../../../main/account/config/config-store.ts';
import { builtInId } from '../../../main/account/config/server-ids.ts';

function makeStore(content: unknown) {
  const written: Record<string, unknown>[] = [];
  return {
    config: Config.parse(content),
    set: (values: Record<string, unknown>) => void written.push(values),
    written,
  };
}

const unreachable = (): never => expect.unreachable();

describe('the configuration', () => {
  it('has defaults for a new user', () => {
    expect(createConfigStore(makeStore({}), unreachable).get()).toEqual({
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
      servers: [createStoredServer(builtInId, '', '')],
      activeServerId: builtInId,
      sessions: {},
      currentSessions: {},
      lastEmails: {},
      allowedOrigins: {},
      unfinishedImports: [],
    });
  });

  it('keeps the parts that can be read when another cannot', () => {
    const content = { settings: { language: 'es', theme: 'dark' }, servers: 'rubbish', activeServerId: 7 };
    expect(createConfigStore(makeStore(content), unreachable).get()).toMatchObject({
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
    expect(createConfigStore(makeStore({ service }), unreachable).get().service).toEqual(read);
  });

  it('takes exact origins of web pages alone', () => {
    const allowedOrigins = { [builtInId]: ['http://localhost:5173/', '*', 'null', 'https://app.example.test/x'] };
    expect(createConfigStore(makeStore({ allowedOrigins }), unreachable).get().allowedOrigins).toEqual({
      [builtInId]: ['http://localhost:5173'],
    });
  });

  it('writes only what changed', async () => {
    const store = makeStore({});
    const config = createConfigStore(store, unreachable);
    config.change({ activeServerId: 'a' });
    await config.flushWithBackup();
    config.change({ activeServerId: 'a', lastEmails: {} });
    await config.flushWithBackup();
    expect(store.written).toEqual([{ activeServerId: 'a' }]);
    expect(config.get().activeServerId).toBe('a');
  });

  it('writes at once and by itself, and the changes of one turn together', async () => {
    const store = makeStore({});
    const config = createConfigStore(store, unreachable);
    config.change({ activeServerId: 'a' });
    config.change({ zoom: 1.5 });
    expect(config.persisted()).toMatchObject({ activeServerId: builtInId, zoom: 1 });
    await config.flush();
    config.change({ zoom: 2 });
    await config.flush();
    expect(store.written).toEqual([{ activeServerId: 'a', zoom: 1.5 }, { zoom: 2 }]);
    expect(config.persisted()).toEqual(config.get());
  });

  it('tells when something has come to the disk, and never where nothing is written', async () => {
    for (const set of [() => undefined, () => false] as const) {
      const config = createConfigStore({ config: Config.parse({}), set }, unreachable);
      const told: number[] = [];
      config.change({ zoom: 2 });
      config.onChange(() => told.push(config.persisted().zoom));
      await config.flush();
      expect(told).toEqual(set() === false ? [] : [2]);
    }
  });

  it('writes what is changed during a write after it, and both are there once it is saved', async () => {
    const store = makeStore({});
    const begun = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const slow = {
      config: Config.parse({}),
      async set(values: Record<string, unknown>) {
        begun.resolve();
        await written.promise;
        store.set(values);
      },
    };
    const config = createConfigStore(slow, unreachable);
    config.change({ activeServerId: 'a' });
    const first = config.flushWithBackup();
    await begun.promise;
    config.change({ activeServerId: 'b' });
    const second = config.flushWithBackup();
    written.resolve();
    await Promise.all([first, second]);
    expect(store.written).toEqual([{ activeServerId: 'a' }, { activeServerId: 'b' }]);
  });

  it('writes what could not be written with the next change, and also when it is made again', async () => {
    let isFull = true;
    const store = makeStore({});
    const sometimes = {
      config: Config.parse({}),
      set(values: Record<string, unknown>) {
        if (isFull) throw new Error('ENOSPC');
        store.set(values);
      },
    };
    const config = createConfigStore(sometimes, () => undefined);
    config.change({ activeServerId: 'a' });
    await config.flushWithBackup();
    config.change({ lastEmails: { a: 'ana@example.test' } });
    await config.flushWithBackup();
    isFull = false;
    config.change({ activeServerId: 'a' });
    await vi.waitUntil(() => store.written.length > 0);
    expect(store.written).toEqual([{ activeServerId: 'a', lastEmails: { a: 'ana@example.test' } }]);
  });

  it('goes on with what it knows when the file cannot be written', async () => {
    const failures: unknown[] = [];
    const full = {
      config: Config.parse({ lastEmails: { a1: 'ana@example.test' } }),
      set(): never {
        throw new Error('ENOSPC');
      },
    };
    const config = createConfigStore(full, (error) => failures.push(error));
    config.change({ activeServerId: 'b2' });
    await config.flushWithBackup();
    expect(config.get()).toMatchObject({ activeServerId: 'b2', lastEmails: { a1: 'ana@example.test' } });
    expect(failures.length).toBeGreaterThan(0);
    expect(config.persisted().activeServerId).not.toBe('b2');
  });
});
