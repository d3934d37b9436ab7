import { copyFile, cp, link, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../../main/service/error-code.ts';
import { byTurns } from '../../../scripts/turns.mjs';
import { firstToken, startForeignServer } from '../../support/foreign-server.ts';
import { startEmptyBus, startKeyring } from '../../support/keyring.ts';
import { watchKeyringCalls } from '../../support/keyring-calls.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { ana, createAccount, expectProfile, heading, logIn, logOut, seen, useServer } from '../../support/screens.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../..');

const onKnownDesktop = { store: 'gnome-libsecret', name: 'GNOME Keyring' };
/** Electron finds this on i3, Hyprland and others: the Secret Service is there, and Electron does not look for it. */
const onUnknownDesktop = { store: 'basic', name: 'the Secret Service' };

/**
 * By the name of the store: what the first test has made of {@link signedInBefore}, for the others to begin with. They
 * use the folder of the first one again, since the keyring knows a profile by where it lies.
 */
const kept = new Map<string, { folder: string; userDataDir: string; port: number }>();
afterAll(async () => {
  for (const { folder } of kept.values()) await rm(folder, { recursive: true });
});

/** Ana is logged in to a foreign server, the keyring has her token, and the application has been closed. */
async function signedInBefore({ store, name } = onKnownDesktop) {
  const before = kept.get(store);
  const foreign = await startForeignServer({ host: '127.0.0.5', port: before?.port ?? 0 });
  const userDataDir = await makeProfile(before?.userDataDir);
  const keyring = await startKeyring({ prompts: 'on-display', ...(before && { from: `${before.folder}/keyrings` }) });
  const open = () => launchApp({ userDataDir, env: keyring.env, args: [`--password-store=${store}`] });
  if (before) {
    await cp(`${before.folder}/profile`, userDataDir, { recursive: true });
    foreign.accounts.set(ana.email, { id: 7, ...ana });
    foreign.tokens.set(firstToken, ana.email);
    return { foreign, userDataDir, keyring, open };
  }
  const first = await open();
  await useServer(first.page, foreign.baseUrl);
  await createAccount(first.page, ana);
  await expectProfile(first.page, ana);
  await seen(first.page.getByText(`Sessions kept in ${name}`));
  await first.quit();
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-signed-in-'));
  await cp(userDataDir, `${folder}/profile`, { recursive: true });
  await cp(keyring.folder, `${folder}/keyrings`, { recursive: true });
  kept.set(store, { folder, userDataDir, port: foreign.port });
  return { foreign, userDataDir, keyring, open };
}

const vaultWords = (page: Page, words: RegExp) => seen(page.getByRole('contentinfo').getByText(words));

describe('with a real keyring', () => {
  it('the session is there again after a restart, and no file contains the token', async () => {
    const { foreign, userDataDir, open } = await signedInBefore();
    const [token] = foreign.tokens.keys();
    expect(token).toBe(firstToken);
    expect(await filesContaining(userDataDir, token!)).toEqual([]);
    expect(await filesContaining(userDataDir, token!.split('|')[1]!)).toEqual([]);
    expect(await filesContaining(userDataDir, ana.password)).toEqual([]);

    const second = await open();
    await expectProfile(second.page, ana);
    // The stored profile is shown while the server is asked.
    await expect
      .poll(() => foreign.calls.at(-1))
      .toMatchObject({
        path: '/app/api/v1/auth/perfil',
        headers: { authorization: `Bearer ${token}` },
      });
    await logOut(second.page);
    await expect.poll(() => foreign.tokens.size).toBe(0);
  });

  it('the session with the built-in server survives a restart, wherever it listens', async () => {
    const userDataDir = await makeProfile();
    const { env } = await startKeyring();
    const open = () => launchApp({ userDataDir, env, args: ['--password-store=gnome-libsecret'] });
    const first = await open();
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    const address = await first.page.evaluate(() => window.api.app.state(undefined));
    await first.quit();

    const { port } = new URL(
      address.ok && !address.value.locked && address.value.builtIn.state === 'running'
        ? address.value.builtIn.baseUrl
        : '',
    );
    // This takes the port of the first start, so that the second start gets another. The application of another test may
    // have taken it already, which does the same.
    const inTheWay = await startForeignServer({ host: '127.0.0.1', port: Number(port) }).catch((error: unknown) => {
      if (codeOf(error) === 'EADDRINUSE') return undefined;
      throw error;
    });
    const second = await open();
    await expectProfile(second.page, ana);
    await seen(second.page.getByText(/Checked/));
    expect(inTheWay?.calls ?? []).toEqual([]);
  });

  it('a session that the server no longer knows ends with a word about it', async () => {
    const { foreign, open } = await signedInBefore();
    foreign.tokens.clear();

    const second = await open();
    await seen(heading(second.page, 'Log in'));
    await seen(second.page.getByText(/session.*ended/i));
    expect(await second.page.getByLabel('Email', { exact: true }).inputValue()).toBe(ana.email);
  });

  it('a server that is down at start does not end the session', async () => {
    const { foreign, open } = await signedInBefore();
    await foreign.stop();

    const second = await open();
    await expectProfile(second.page, ana);
    await seen(second.page.getByText(/could not be checked/i));
    await second.quit();
    const third = await open();
    await expectProfile(third.page, ana);
  });
});

// The vault of each is asked for in the same way, and differs only in who finds the keyring.
const desktops = [
  ['that Electron finds', onKnownDesktop],
  ['that only the Secret Service leads to', onUnknownDesktop],
] as const;

describe.each(byTurns(desktops))('a keyring %s', (_which, desktop) => {
  it('gives the session back when it was restarted', async () => {
    const { keyring, open, foreign, userDataDir } = await signedInBefore(desktop);
    const [token] = foreign.tokens.keys();
    expect(await filesContaining(userDataDir, token!)).toEqual([]);
    await keyring.unlock();
    const { page } = await open();
    await expectProfile(page, ana);
    await vaultWords(page, new RegExp(`kept in ${desktop.name}`));
  });

  it('lets the window work while it is locked and nobody answers its prompt, and needs no restart when it is unlocked', async () => {
    const { keyring, open, userDataDir, foreign } = await signedInBefore(desktop);
    const file = path.join(userDataDir, 'vault.json');
    const before = await readFile(file, 'utf8');
    await keyring.lock();
    const { page } = await open();
    await vaultWords(page, /keyring is locked or does not answer/);
    await seen(page.getByRole('main').getByText(/unlock the keyring and try again/));
    // Ana logs in meanwhile. Her new session is in memory, and no stored one is touched.
    await logIn(page, ana);
    await expectProfile(page, ana);
    expect(await readFile(file, 'utf8')).toBe(before);
    await keyring.unlock();
    await page.getByRole('contentinfo').getByRole('button', { name: 'Memory only' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await vaultWords(page, new RegExp(`kept in ${desktop.name}`));
    await expect.poll(async () => JSON.parse(await readFile(file, 'utf8')).entries.length).toBe(2);
    expect(foreign.tokens.size).toBe(2);
  });

  it('gives the session back when it was locked and is unlocked', async () => {
    const { keyring, open, foreign } = await signedInBefore(desktop);
    await keyring.lock();
    const { page } = await open();
    await seen(page.getByRole('main').getByText(/unlock the keyring and try again/));
    await keyring.unlock();
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await expectProfile(page, ana);
    expect(foreign.tokens.size).toBe(1);
  });

  it('that was replaced is said to be another one, the old entry is kept aside, and logging in again works', async () => {
    const { keyring, open, userDataDir } = await signedInBefore(desktop);
    const file = path.join(userDataDir, 'vault.json');
    const [entry] = JSON.parse(await readFile(file, 'utf8')).entries;
    await keyring.replace();
    const { page } = await open();
    await vaultWords(page, /cannot open: 1\. It has changed since last time/);
    await seen(page.getByText(/The session is kept aside/));
    await logIn(page, ana);
    await expectProfile(page, ana);
    const entries = async () => JSON.parse(await readFile(file, 'utf8')).entries;
    await expect.poll(async () => (await entries()).length).toBe(2);
    expect(await entries()).toContainEqual(entry);
  });
});

describe('without a keyring', () => {
  it.each([
    ['a bus and a fixed password', async () => (await startEmptyBus()).env, /keyring of this system is not secure/],
    [
      'no bus',
      async () => ({ DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined }),
      /this system offers no keyring/,
    ],
  ] as const)('the token is in no file, and the window says so: %s', async (_what, makeEnv, words) => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const { page, quit } = await launchApp({ userDataDir, env: await makeEnv(), args: ['--password-store=basic'] });
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await vaultWords(page, words);
    await quit();
    const [token] = foreign.tokens.keys();
    expect(await filesContaining(userDataDir, token!.split('|')[1]!)).toEqual([]);
    expect(await filesContaining(userDataDir, '"sealed"')).toEqual([]);
  });
});

describe('a keyring that nothing is kept in yet', () => {
  /** Electron without its demonstration, which loads all of Electron before our code runs, and so asks the keyring. */
  async function electronAlone(): Promise<string> {
    const folder = await makeTemporaryFolder();
    const [dist, name] = [path.dirname(process.execPath), path.basename(process.execPath)];
    const others = (await readdir(dist)).filter((each) => each !== name && each !== 'resources');
    for (const each of others) await symlink(path.join(dist, each), path.join(folder, each));
    // It looks for all of that where it lies itself.
    await link(process.execPath, path.join(folder, name)).catch(() =>
      copyFile(process.execPath, path.join(folder, name)),
    );
    await mkdir(path.join(folder, 'resources'));
    await symlink(projectRoot, path.join(folder, 'resources/app'));
    return path.join(folder, name);
  }

  it('is not asked by a start, nor for a session that is not to be remembered, but for the first one that is', async () => {
    const keyring = await startKeyring();
    const userDataDir = await makeProfile();
    const executable = await electronAlone();
    const open = () =>
      launchApp({ userDataDir, executable, env: keyring.env, args: ['--password-store=gnome-libsecret'] });
    const calls = await watchKeyringCalls(keyring.env);
    const { page, quit } = await open();
    await vaultWords(page, /Nothing stored yet/);
    await page.getByRole('link', { name: 'Create account', exact: true }).click();
    await page.getByLabel('Remember me on this computer').uncheck();
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await logOut(page);
    expect(calls()).toEqual([]);

    await page.getByLabel('Remember me on this computer').check();
    await logIn(page, ana);
    await vaultWords(page, /Sessions kept in GNOME Keyring/);
    expect(calls().length).toBeGreaterThan(5);
    await logOut(page);
    await quit();
    const before = calls().length;
    const second = await open();
    await vaultWords(second.page, /Nothing stored yet/);
    expect(calls().slice(before)).toEqual([]);
  });
});
