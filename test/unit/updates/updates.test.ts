import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../preload/contract/contract.ts';
import { ok } from '../../../preload/contract/result.ts';
import type { UpdateProblem, UpdateStatus } from '../../../preload/contract/about.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { InstallType } from '../../../main/window/updates/install-type.ts';
import type { UpdateCheckResult } from '../../../main/window/updates/updater.ts';
import type { UpdateSource } from '../../../main/window/updates/updates.ts';
import { makeMain, type MainOptions } from '../../support/make-main.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const newer: UpdateCheckResult = { state: 'newer', update: { version: '0.2.0', notes: 'Quieter.', bytes: 100 } };
const notNow = { ok: false, error: { kind: 'not-now' } };

afterEach(() => vi.useRealTimers());

type Does = {
  finds: UpdateCheckResult;
  downloads: (signal: AbortSignal) => Promise<UpdateProblem | undefined>;
  installs: boolean;
};

/**
 * The application with a feed. Where electron-updater would be, which needs Electron, is something that does what
 * `does` says; the real one is tried in test/e2e/app/updates.test.ts.
 */
async function begin({ way = 'appimage', ...options }: MainOptions & { way?: InstallType } = {}) {
  const feed = path.join(await makeTemporaryFolder(), 'app-update.yml');
  await writeFile(feed, '');
  const done: string[] = [];
  const does: Does = { finds: newer, downloads: () => Promise.resolve(undefined), installs: true };
  const updates: UpdateSource = {
    files: { feed, administrators: [] },
    installType: async () => way,
    loadUpdater: async () => ({
      async checkForUpdates() {
        done.push('look');
        return does.finds;
      },
      async download(signal, onPercent) {
        done.push('download');
        for (const percent of [1, 50, 51, 100]) onPercent(percent);
        return does.downloads(signal);
      },
      async install() {
        done.push('install');
        return does.installs;
      },
    }),
  };
  const main = await makeMain({}, { ...options, ports: { updates, ...options.ports } });
  const status = (): UpdateStatus => main.state.get().updates;
  const became = (state: UpdateStatus['state']) => vi.waitFor(() => expect(status().state).toBe(state));
  return { ...main, does, done, status, became };
}

describe('Llavero by itself', () => {
  const startClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });

  it('looks a minute after the start and once a day, and never before', async () => {
    const { done, status, updates } = await begin();
    startClock();
    await updates.begin();
    await vi.advanceTimersByTimeAsync(minute - 1);
    expect([done, status().state]).toEqual([[], 'not-checked']);
    await vi.advanceTimersByTimeAsync(1);
    expect([done, status().state]).toEqual([['look'], 'available']);
    await vi.advanceTimersByTimeAsync(day);
    expect(done).toEqual(['look', 'look']);
    updates.close();
    await vi.advanceTimersByTimeAsync(3 * day);
    expect(done).toEqual(['look', 'look']);
  });

  it('does not look where the person does not want it, but does when it is pressed', async () => {
    const { done, handlers, updates, status } = await begin();
    startClock();
    await updates.begin();
    await handlers.settings.change({ lookForUpdates: false });
    await vi.advanceTimersByTimeAsync(2 * day);
    expect(done).toEqual([]);
    expect(await handlers.updates.check(undefined)).toMatchObject({ ok: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(status().state).toBe('available');
  });

  it('waits for the end of a lock or of a check', async () => {
    const { done, lock, updates, status } = await begin();
    startClock();
    await updates.begin();
    lock.lock('by-hand');
    updates.onRunStep({ running: {} });
    await vi.advanceTimersByTimeAsync(minute);
    expect(done).toEqual([]);
    await lock.unlock(undefined);
    expect(done).toEqual([]);
    updates.onRunStep({});
    await vi.advanceTimersByTimeAsync(0);
    expect(status().state).toBe('available');
  });
});

describe('a newer version', () => {
  it('is downloaded and installed only when each was pressed and the dialog was agreed to', async () => {
    const { handlers, updates, done, shown, status, became } = await begin();
    await updates.begin();
    expect(await handlers.updates.download(undefined)).toEqual(notNow);
    await handlers.updates.check(undefined);
    await became('available');
    expect([done, status()]).toMatchObject([['look'], { update: { version: '0.2.0', by: 'application', bytes: 100 } }]);
    await handlers.updates.download(undefined);
    await became('ready');
    const percents = shown.flatMap((each) => ('percent' in each.updates ? [each.updates.percent] : []));
    // What comes in one go is told once.
    expect([percents[0], percents.at(-1), percents.includes(51)]).toEqual([0, 100, false]);
    expect(await handlers.updates.check(undefined)).toEqual(notNow);
    expect(await handlers.updates.install(undefined)).toMatchObject({ ok: true });
    expect(done).toEqual(['look', 'download', 'install']);
  });

  it('is not installed when the person says no', async () => {
    const asked: DialogQuestion[] = [];
    const dialogs = {
      chooseFile: async () => undefined,
      async confirm(question: DialogQuestion) {
        asked.push(question);
        return false;
      },
      showEraseFailed: async () => undefined,
      showBadLink: async () => undefined,
      openExternal: async () => ok(null),
    };
    const { handlers, updates, done, status, became } = await begin({ ports: { dialogs } });
    await updates.begin();
    await handlers.updates.check(undefined);
    await became('available');
    await handlers.updates.download(undefined);
    await became('ready');
    expect(await handlers.updates.install(undefined)).toMatchObject({ ok: true });
    expect(asked).toEqual([{ kind: 'install-update', version: '0.2.0' }]);
    expect([done, status().state]).toEqual([['look', 'download'], 'ready']);
  });

  it.each([
    ['deb', 'system'],
    ['rpm', 'system'],
    ['unpacked', 'person'],
  ] as const)('of a copy that came as %s is told, and never downloaded', async (way, by) => {
    const { handlers, updates, done, status, became } = await begin({ way });
    await updates.begin();
    await handlers.updates.check(undefined);
    await became('available');
    expect(status()).toMatchObject({ update: { by } });
    await handlers.updates.download(undefined);
    expect(await handlers.updates.install(undefined)).toEqual(notNow);
    expect([done, status().state]).toEqual([['look'], 'available']);
  });

  it('stays announced when a later look fails, and when the download is stopped or fails', async () => {
    const { handlers, updates, does, done, status, became } = await begin();
    await updates.begin();
    does.finds = { state: 'failed', problem: 'refused' };
    await handlers.updates.check(undefined);
    await became('failed');
    expect(status()).toMatchObject({ problem: 'refused' });
    does.finds = newer;
    await handlers.updates.check(undefined);
    await became('available');
    does.finds = { state: 'failed', problem: 'unreachable' };
    await handlers.updates.check(undefined);
    await vi.waitFor(() => expect(done).toHaveLength(3));
    does.downloads = () => Promise.resolve('changed');
    await handlers.updates.download(undefined);
    await vi.waitFor(() => expect(status()).toMatchObject({ state: 'available', problem: 'changed' }));
    does.downloads = (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
    await handlers.updates.download(undefined);
    await became('downloading');
    await vi.waitFor(() => expect(done.at(-1)).toBe('download'));
    expect(await handlers.updates.check(undefined)).toEqual(notNow);
    await handlers.updates.cancel(undefined);
    await became('available');
    expect(status()).not.toHaveProperty('problem');
    does.downloads = async (signal) => (signal.aborted ? 'not-downloaded' : undefined);
    await handlers.updates.download(undefined);
    await became('ready');
  });

  it('is given up after an hour of a download that goes on and on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { handlers, updates, does, done, status, became } = await begin();
    await updates.begin();
    await handlers.updates.check(undefined);
    await vi.advanceTimersByTimeAsync(0);
    // The look of meanwhile, which waited, finds nothing.
    does.finds = { state: 'failed', problem: 'unreachable' };
    does.downloads = (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
    await handlers.updates.download(undefined);
    await vi.advanceTimersByTimeAsync(60 * minute - 1);
    expect(status().state).toBe('downloading');
    // The first look by itself was due meanwhile.
    expect(done).toEqual(['look', 'download']);
    await vi.advanceTimersByTimeAsync(1);
    await became('available');
    expect(status()).toMatchObject({ problem: 'not-downloaded' });
  });

  it('that could not be put in its place is still ready', async () => {
    const { handlers, updates, does, status, became } = await begin();
    await updates.begin();
    await handlers.updates.check(undefined);
    await became('available');
    await handlers.updates.download(undefined);
    await became('ready');
    does.installs = false;
    await handlers.updates.install(undefined);
    expect(status()).toMatchObject({ state: 'ready', problem: 'not-installed' });
  });

  it('is not told, downloaded or installed while the application is locked or a run is under way', async () => {
    const { handlers, updates, lock, state, done, status, became } = await begin();
    await updates.begin();
    await handlers.updates.check(undefined);
    updates.onRunStep({ running: {} });
    await vi.waitFor(() => expect(done).toEqual(['look']));
    expect(await handlers.updates.check(undefined)).toEqual(notNow);
    expect(status().state).toBe('checking');
    updates.onRunStep({});
    await became('available');
    updates.onRunStep({ running: {} });
    for (const method of ['download', 'install'] as const)
      expect(await handlers.updates[method](undefined)).toEqual(notNow);
    updates.onRunStep({});
    lock.lock('by-hand');
    expect(await handlers.updates.download(undefined)).toEqual(notNow);
    expect(state.shown()).not.toHaveProperty('updates');
    expect(done).toEqual(['look']);
  });
});

it('a page that was taken over has no word about where updates come from', () => {
  const evil = 'https://evil.example/';
  for (const { input } of Object.values(contract.updates)) {
    expect(input.safeParse(undefined).success).toBe(true);
    const passed = [evil, { updates: evil }, { url: evil }].filter((each) => input.safeParse(each).success);
    expect(passed).toEqual([]);
  }
  expect(contract.settings.change.input.parse({ updates: evil, feed: evil, url: evil })).toEqual({});
});
