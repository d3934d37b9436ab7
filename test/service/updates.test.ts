import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { UpdateStatus } from '../../preload/contract/updates.ts';
import type { Question } from '../../main/dialogs.ts';
import { installWay } from '../../main/updates/install-way.ts';
import { makeMain, type MainOptions } from '../support/make-main.ts';
import { noUpdates } from '../support/no-updates.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { makersKey } from '../support/update-feeds.ts';
import { startUpdateServer } from '../support/update-server.ts';
import { feedTrials, fileTrials, newAppImage, seenBefore } from '../support/update-trials.ts';

type Way = 'appimage' | 'deb' | 'rpm' | 'unpacked';

/** Starts a server of updates, and an application that runs from an AppImage and has that server as its feed. */
async function begin({ way = 'appimage', ...options }: MainOptions & { way?: Way } = {}) {
  const server = await startUpdateServer();
  const elsewhere = await startUpdateServer();
  onTestFinished(async () => {
    await Promise.all([server.close(), elsewhere.close()]);
    vi.unstubAllEnvs();
  });
  const folder = await makeTemporaryFolder();
  const appImage = path.join(folder, 'Llavero.AppImage');
  await writeFile(appImage, 'old');
  await chmod(appImage, 0o755);
  vi.stubEnv('APPIMAGE', appImage);
  const builtIn = path.join(folder, 'updates.json');
  await writeFile(builtIn, JSON.stringify({ updates: server.folder, key: makersKey }));
  const restarted: (string | undefined)[] = [];
  const updates = {
    ...noUpdates,
    files: { builtIn, administrators: [path.join(folder, 'none.json')] },
    way: async () => way,
    restart: (executable?: string) => void restarted.push(executable),
  };
  const about = { version: '0.1.0', electron: { version: '', thirdParty: false } };
  const main = await makeMain({}, { ...options, ports: { updates, about, now: () => new Date(), ...options.ports } });
  await main.updates.begin();
  const status = (): UpdateStatus => main.state.get().updates;
  const { handlers } = main;
  const settled = async (): Promise<UpdateStatus> => {
    await expect.poll(() => status().state, { interval: 5 }).not.toMatch(/looking|downloading/);
    return status();
  };
  return {
    ...main,
    server,
    elsewhere,
    appImage,
    status,
    restarted,
    log: path.join(folder, 'started'),
    look: async (): Promise<UpdateStatus> => {
      expect(await handlers.updates.look(undefined)).toMatchObject({ ok: true });
      return settled();
    },
    download: async (): Promise<UpdateStatus> => {
      expect(await handlers.updates.download(undefined)).toMatchObject({ ok: true });
      return settled();
    },
  };
}

const outcomeOf = (status: UpdateStatus): string => ('problem' in status && status.problem) || status.state;

describe('updates from a feed on loopback', () => {
  const content = newAppImage('/nowhere');
  it.each(feedTrials(content, '').map(({ of, comes }, at) => [of, comes, at] as const))(
    'of a feed that is %s it says %s, and fetches nothing else',
    async (_of, comes, at) => {
      const { server, elsewhere, appImage, config, look } = await begin();
      config.change({ newestFeed: seenBefore });
      server.has.feed = feedTrials(content, elsewhere.folder)[at]!.answers;
      expect(outcomeOf(await look())).toBe(comes);
      expect([server.asked, elsewhere.asked]).toEqual([['/llavero-updates.json'], []]);
      expect(await readFile(appImage, 'utf8')).toBe('old');
    },
  );

  it('of a server that is not there it says so', async () => {
    const { server, look } = await begin();
    await server.close();
    expect(await look()).toMatchObject({ state: 'failed', problem: 'unreachable' });
  });

  it('of files that are not what was announced it keeps none, and the next try succeeds', async () => {
    const { server, elsewhere, appImage, folder, look, download, handlers } = await begin();
    server.has.feed = feedTrials(content, '').at(-1)!.answers;
    await look();
    for (const { of, answers, comes } of fileTrials(content, elsewhere.folder)) {
      server.has.file = answers;
      expect([of, outcomeOf(await download())]).toEqual([of, comes]);
      const kept = (await readdir(path.join(folder, 'updates/pending'))).filter((name) => name.includes('AppImage'));
      expect(kept).toEqual(comes === 'ready' ? ['Llavero.AppImage'] : []);
      expect(await readFile(appImage, 'utf8')).toBe('old');
    }
    expect(elsewhere.asked).toEqual([]);
    // What lies there is compared once more, since it may have lain there for days.
    await writeFile(path.join(folder, 'updates/pending/Llavero.AppImage'), 'other');
    expect(await handlers.updates.install(undefined)).toMatchObject({
      ok: true,
      value: { updates: { state: 'available', problem: 'changed' } },
    });
    expect(await readFile(appImage, 'utf8')).toBe('old');
  });

  it('ends a download when the person says so, without a word about a failure', async () => {
    const { server, look, handlers, status, folder, download } = await begin();
    server.has.feed = feedTrials(content, '').at(-1)!.answers;
    server.has.file = { body: content.slice(0, 10), ends: 'waiting' };
    await look();
    await handlers.updates.download(undefined);
    await expect.poll(() => server.asked).toHaveLength(2);
    expect(await handlers.updates.cancel(undefined)).toMatchObject({ ok: true });
    await expect.poll(() => status().state).toBe('available');
    expect(status()).not.toHaveProperty('problem', expect.anything());
    expect(await readdir(path.join(folder, 'updates/pending'))).toEqual([]);
    server.has.file = { body: content };
    expect(outcomeOf(await download())).toBe('ready');
  });

  it('puts the new file in the place of the old one once the person agreed, and starts it afterwards', async () => {
    const { server, appImage, look, download, handlers, restarted, log } = await begin();
    const ours = newAppImage(log);
    server.has.feed = feedTrials(ours, '').at(-1)!.answers;
    server.has.file = { body: ours };
    expect(await look()).toMatchObject({
      state: 'available',
      update: { version: '0.2.0', notes: 'Quieter.\nFaster.', by: 'application' },
    });
    await download();
    expect(await handlers.updates.install(undefined)).toMatchObject({ ok: true });
    expect(restarted).toEqual([appImage]);
    expect(await readFile(appImage, 'utf8')).toBe(ours);
    expect(await readdir(path.dirname(appImage))).not.toContain('Llavero.AppImage.before');
  });

  it('leaves the old file in its place when the new one does not start', async () => {
    const broken = '#!/nowhere/at/all\n';
    const { server, appImage, look, download, handlers, restarted } = await begin();
    server.has.feed = feedTrials(broken, '').at(-1)!.answers;
    server.has.file = { body: broken };
    await look();
    await download();
    expect(await handlers.updates.install(undefined)).toMatchObject({
      value: { updates: { state: 'ready', problem: 'not-installed' } },
    });
    expect(restarted).toEqual([]);
    expect(await readFile(appImage, 'utf8')).toBe('old');
  });

  it.each([
    ['deb', 'llavero_0.2.0_amd64.deb'],
    ['rpm', undefined],
    ['unpacked', undefined],
  ] as const)('only announces what a person installs: %s', async (way, name) => {
    const { server, look, handlers, status } = await begin({ way });
    server.has.feed = feedTrials(content, '').at(-1)!.answers;
    const by = way === 'unpacked' ? 'person' : way;
    const update = { by, version: '0.2.0', page: 'https://llavero.example/0.2.0', ...(name && { file: { name } }) };
    expect(await look()).toMatchObject({ state: 'available', update });
    await handlers.updates.download(undefined);
    expect(status().state).toBe('available');
    expect(server.asked).toEqual(['/llavero-updates.json']);
  });
});

describe('what disturbs nobody', () => {
  it('no look and nothing new while the application is locked or a contract run is under way', async () => {
    const { server, look, handlers, updates, lock, told, state, status } = await begin();
    server.has.feed = feedTrials('x', '').at(-1)!.answers;
    const refused = { ok: false, error: { kind: 'not-now' } };
    updates.runStepped({ underWay: {} });
    expect(await handlers.updates.look(undefined)).toEqual(refused);
    updates.runStepped({});
    await look();
    updates.runStepped({ underWay: {} });
    expect(await handlers.updates.download(undefined)).toEqual(refused);
    expect(await handlers.updates.install(undefined)).toEqual(refused);
    updates.runStepped({});
    lock.lock('by-hand');
    await expect.poll(() => told.at(-1)?.locked).toBe(true);
    expect([state.shown(), told.at(-1)]).toEqual(
      Array(2).fill(expect.not.objectContaining({ updates: expect.anything() })),
    );
    expect(await handlers.updates.look(undefined)).toEqual(refused);
    expect(status().state).toBe('available');
  });

  it('what a look finds during a contract run is said when that is over', async () => {
    const { server, handlers, updates, status, config } = await begin();
    server.has.feed = feedTrials('x', '').at(-1)!.answers;
    await handlers.updates.look(undefined);
    updates.runStepped({ underWay: {} });
    await expect.poll(() => server.asked).toHaveLength(1);
    // What a look found is kept before it is said.
    await expect.poll(() => config.get().newestFeed).toBeDefined();
    expect(status().state).toBe('looking');
    updates.runStepped({});
    await expect.poll(() => status().state).toBe('available');
  });

  it('nothing is installed when the person says no', async () => {
    const questions: Question[] = [];
    const { server, look, download, handlers, appImage, restarted, status } = await begin({
      ports: {
        dialogs: {
          chooseFile: async () => undefined,
          async confirm(question) {
            questions.push(question);
            return false;
          },
          sayNotErased: () => undefined,
          sayBadLink: async () => undefined,
          openOutside: async () => ({ ok: true, value: null }),
        },
      },
    });
    server.has.feed = feedTrials('x', '').at(-1)!.answers;
    server.has.file = { body: 'x' };
    await look();
    await download();
    expect(await handlers.updates.install(undefined)).toMatchObject({ ok: true });
    expect(questions).toEqual([{ kind: 'install-update', version: '0.2.0' }]);
    expect([status().state, restarted, await readFile(appImage, 'utf8')]).toEqual(['ready', [], 'old']);
  });
});

describe('a copy', () => {
  it('says how it was installed', async () => {
    const resources = await makeTemporaryFolder();
    const appImage = path.join(resources, 'Llavero.AppImage');
    const wayOf = (some: Partial<Parameters<typeof installWay>[0]>) =>
      installWay({
        platform: 'linux',
        resources,
        executable: path.join(resources, 'x'),
        appImage: undefined,
        appDir: resources,
        ...some,
      });
    expect(await wayOf({})).toBe('unpacked');
    expect(await wayOf({ appImage })).toBe('unpacked');
    await writeFile(appImage, '');
    expect(await wayOf({ appImage })).toBe('appimage');
    // The variables of another AppImage that has started this copy lead to no file of ours.
    expect(await wayOf({ appImage, appDir: '/tmp/.mount_Other' })).toBe('unpacked');
    expect(await wayOf({ appImage, appDir: undefined })).toBe('unpacked');
    expect(await wayOf({ platform: 'darwin' })).toBe('mac');
    expect(await wayOf({ platform: 'win32' })).toBe('unpacked');
    await writeFile(path.join(resources, 'Uninstall Llavero.exe'), '');
    expect(await wayOf({ platform: 'win32' })).toBe('nsis');
    await writeFile(path.join(resources, 'package-type'), 'deb\n');
    expect(await wayOf({ appImage })).toBe('deb');
  });
});
