import { copyFile, link, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodeOrEmpty } from '../../../main/service/error-code-or-empty.ts';
import { firstToken, startForeignServer } from '../../support/foreign-server.ts';
import { startEmptyBus, startKeyring } from '../../support/keyring.ts';
import { watchKeyringCalls } from '../../support/keyring-calls.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import {
  alertText,
  ana,
  createAccount,
  expectProfile,
  logIn,
  logOut,
  seen,
  enterServer,
} from '../../support/screens.ts';
import { onKnownDesktop, onUnknownDesktop, signedInBefore, vaultWords } from '../../support/signed-in-before.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../..');

it('the session with the built-in server survives a restart, wherever it listens', async () => {
  const userDataDir = await makeProfile();
  const { env } = await startKeyring();
  const open = () => launchApp({ userDataDir, env, args: ['--password-store=gnome-libsecret'] });
  const first = await open();
  await createAccount(first.page, ana);
  await expectProfile(first.page, ana);
  // On a busy machine the keyring may not have answered yet, and the session is in memory only until it has.
  await vaultWords(first.page, /stored in GNOME Keyring/);
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
    if (errorCodeOrEmpty(error) === 'EADDRINUSE') return undefined;
    throw error;
  });
  const second = await open();
  await expectProfile(second.page, ana);
  await seen(second.page.getByText(/Checked/));
  expect(inTheWay?.calls ?? []).toEqual([]);
});

// The vault of each is asked for in the same way, and differs only in who finds the keyring.
const desktops = [
  ['that Electron finds', onKnownDesktop],
  ['that only the Secret Service leads to', onUnknownDesktop],
] as const;

describe.each(desktops)('a keyring %s', (_which, desktop) => {
  it('gives the session back when it was restarted', async () => {
    const { keyring, open, foreign, userDataDir } = await signedInBefore(desktop);
    const [token] = foreign.tokens.keys();
    expect(token).toBe(firstToken);
    for (const secret of [firstToken, firstToken.split('|')[1]!, ana.password])
      expect(await filesContaining(userDataDir, secret)).toEqual([]);
    await keyring.unlock();
    const { page } = await open();
    await expectProfile(page, ana);
    await vaultWords(page, new RegExp(`stored in ${desktop.name}`));
    // The stored profile is shown while the server is asked.
    await expect.poll(() => foreign.calls.at(-1)?.headers.authorization).toBe(`Bearer ${firstToken}`);
    await logOut(page);
    await expect.poll(() => foreign.tokens.size).toBe(0);
  });

  it('lets the window work while it is locked and nobody answers its prompt, and needs no restart when it is unlocked', async () => {
    const { keyring, open, userDataDir, foreign } = await signedInBefore(desktop);
    const file = path.join(userDataDir, 'vault.json');
    const before = await readFile(file, 'utf8');
    await keyring.lock();
    const { page } = await open();
    await vaultWords(page, /^Memory only$/);
    expect(await alertText(page)).toMatch(/unlock the keyring and try again/);
    // Ana logs in meanwhile. Her new session is in memory, and no stored one is touched.
    await logIn(page, ana);
    await expectProfile(page, ana);
    expect(await readFile(file, 'utf8')).toBe(before);
    await keyring.unlock();
    await page.getByRole('contentinfo').getByRole('button', { name: 'Memory only' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await vaultWords(page, new RegExp(`stored in ${desktop.name}`));
    await expect.poll(async () => JSON.parse(await readFile(file, 'utf8')).entries.length).toBe(2);
    expect(foreign.tokens.size).toBe(2);
  });
});

// What the Secret Service says in these states when it is asked directly: unit/vault/secret-service.test.ts.
describe('a keyring that is busy, or another one', () => {
  it('gives the session back by itself when it was too busy to answer', async () => {
    const { keyring, open } = await signedInBefore();
    const goOn = await keyring.stall();
    const { page } = await open();
    await vaultWords(page, /^Memory only$/);
    goOn();
    await expectProfile(page, ana);
    await seen(page.getByText(/Checked/));
    await vaultWords(page, /stored in GNOME Keyring/);
  });

  it('is said to be another one when it was replaced, the old entry is kept aside, and logging in again works', async () => {
    const { keyring, open, userDataDir } = await signedInBefore();
    const file = path.join(userDataDir, 'vault.json');
    const [entry] = JSON.parse(await readFile(file, 'utf8')).entries;
    await keyring.replace();
    const { page } = await open();
    await vaultWords(page, /^Sessions unreadable$/);
    expect(await alertText(page)).toMatch(/kept aside/);
    await logIn(page, ana);
    await expectProfile(page, ana);
    const entries = async () => JSON.parse(await readFile(file, 'utf8')).entries;
    await expect.poll(async () => (await entries()).length).toBe(2);
    expect(await entries()).toContainEqual(entry);
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
    await vaultWords(page, /No sessions stored yet/);
    await page.getByRole('link', { name: 'Create account', exact: true }).click();
    await page.getByLabel('Remember me on this computer').uncheck();
    await createAccount(page, ana);
    await expectProfile(page, ana);
    expect(await filesContaining(userDataDir, '"sealed"')).toEqual([]);
    await logOut(page);
    expect(calls()).toEqual([]);

    await page.getByLabel('Remember me on this computer').check();
    await logIn(page, ana);
    await vaultWords(page, /Sessions stored in GNOME Keyring/);
    expect(calls().length).toBeGreaterThan(5);
    await logOut(page);
    await quit();
    const before = calls().length;
    const second = await open();
    await vaultWords(second.page, /No sessions stored yet/);
    expect(calls().slice(before)).toEqual([]);
  });
});

describe('without a keyring', () => {
  it.each([
    ['a bus and a fixed password', async () => (await startEmptyBus()).env, /no keyring, such as/],
    [
      'no bus',
      async () => ({ DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined }),
      /no keyring, such as/,
    ],
  ] as const)('the token is in no file, and the window says so: %s', async (_what, makeEnv, words) => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const { page, quit } = await launchApp({ userDataDir, env: await makeEnv(), args: ['--password-store=basic'] });
    await enterServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await vaultWords(page, words);
    await quit();
    const [token] = foreign.tokens.keys();
    expect(await filesContaining(userDataDir, token!.split('|')[1]!)).toEqual([]);
    expect(await filesContaining(userDataDir, '"sealed"')).toEqual([]);
  });
});
