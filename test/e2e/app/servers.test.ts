import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { startKeyring } from '../../support/keyring.ts';
import { launchApp, makeProfile, type RunningApp } from '../../support/launch-app.ts';
import {
  alertText,
  ana,
  createAccount,
  expectProfile,
  expectServer,
  expectText,
  hasFocus,
  heading,
  logIn,
  logOut,
  openServers,
  type Person,
  seen,
  serverChip,
  useServer,
} from '../../support/screens.ts';

const bea: Person = { name: 'Bea Prueba', email: 'bea@example.test', password: 'battery horse correct' };
const keyringArgs = ['--password-store=gnome-libsecret'];

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

const room = (page: Page, name: string) => button(page.getByRole('navigation', { name: 'Rooms' }), name).click();
const option = (page: Page, name: string | RegExp) =>
  page.getByRole('listbox', { name: 'Servers', exact: true }).getByRole('option', { name });

async function fromAccountMenu(page: Page, item: string): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Account/ })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click();
  await seen(page.getByText('All changes are saved'));
}

/** Says that the server in use is production, and goes back to the account. */
async function makeProduction(page: Page): Promise<void> {
  await room(page, 'Servers');
  await page.getByRole('switch', { name: 'This is a production server' }).check();
  await save(page);
  await room(page, 'Account');
}

/** Makes the file dialogs of the system answer with this file. */
async function chooseFile({ app, page }: RunningApp, file: string): Promise<void> {
  // While main is still starting, Playwright's own call into it can get lost.
  await seen(heading(page, 'Log in'));
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, file);
}

describe('two servers with two accounts each', () => {
  it('are switched by one press, by a shortcut and by account, and never mixed', async () => {
    const one = await startForeignServer();
    const two = await startForeignServer({ host: '127.0.0.3' });
    const { page } = await launchApp();
    for (const server of [one, two]) {
      await useServer(page, server.baseUrl);
      await createAccount(page, ana);
      await expectProfile(page, ana);
      await fromAccountMenu(page, 'Add account');
      await createAccount(page, bea);
      await expectProfile(page, bea);
    }
    const nameOf = ({ host, port }: typeof one) => `${host}:${port}/app`;

    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Account/ })
      .click();
    await page.getByRole('menuitemradio', { name: ana.email }).click();
    await expectProfile(page, ana);
    // The profile is shown before the server is asked about it.
    await expect.poll(() => two.calls.at(-1)?.headers.authorization).toMatch(/^Bearer 41\|/);

    two.calls.length = 0;
    await openServers(page);
    await page.getByRole('option', { name: nameOf(one) }).click();
    await expectProfile(page, bea);
    await page.keyboard.press('Control+3');
    await expectProfile(page, ana);
    await expectServer(page, nameOf(two));
    expect(await page.title()).toBe(`Profile – ${nameOf(two)} – Llavero`);
    await page.keyboard.press('Control+1');
    await seen(heading(page, 'Log in'));
    await expectServer(page, 'Built-in');
    expect(two.calls.every(({ path: called }) => called.endsWith('/perfil'))).toBe(true);

    await fromAccountMenu(page, 'All sessions');
    const list = page.getByRole('region', { name: 'All sessions' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(4);
    expect(await list.getByText(/Token 4[12]$/).count()).toBe(4);
    await list
      .getByRole('region', { name: nameOf(one) })
      .getByRole('button', { name: `Log out ${bea.email}` })
      .click();
    await list.getByRole('listitem').nth(3).waitFor({ state: 'detached' });
    await expect.poll(() => one.tokens.size).toBe(1);
    expect(two.tokens.size).toBe(2);
  });
});

describe('a production server', () => {
  it('asks for its host before a registration and before it is told of a logout', async () => {
    const foreign = await startForeignServer();
    const { page } = await launchApp();
    await useServer(page, foreign.baseUrl);
    const host = `${foreign.host}:${foreign.port}`;
    await makeProduction(page);
    await expectText(serverChip(page), /production/i);
    await createAccount(page, ana);
    const question = page.getByRole('dialog', { name: 'Create an account at the production server?' });
    await seen(question);
    expect(foreign.calls).toEqual([]);
    await field(page, 'Host').fill('example.test');
    await field(page, 'Host').press('Enter');
    expect(await alertText(page)).toContain(host);
    expect(foreign.calls).toEqual([]);
    await field(page, 'Host').fill(host);
    await field(page, 'Host').press('Enter');
    await expectProfile(page, ana);
    await logOut(page);
    await expect.poll(() => foreign.tokens.size).toBe(0);
  });

  it('is not told of a logout when the person declines, and the session ends here', async () => {
    const foreign = await startForeignServer();
    foreign.accounts.set(ana.email, { id: 7, ...ana });
    const { page } = await launchApp();
    await useServer(page, foreign.baseUrl);
    await makeProduction(page);
    await logIn(page, ana);
    await expectProfile(page, ana);
    await fromAccountMenu(page, 'Log out');
    await button(page, 'Log out on this computer only').click();
    await seen(heading(page, 'Log in'));
    await seen(page.getByText(/The server was not notified, as you chose/));
    expect(foreign.calls.some(({ path: called }) => called.endsWith('/salir'))).toBe(false);
  });
});

describe('with a real keyring', () => {
  it('a deleted server takes its tokens out of the vault, after a question', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const { env } = await startKeyring();
    const { page, quit } = await launchApp({ userDataDir, env, args: keyringArgs });
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    const vaultFile = path.join(userDataDir, 'vault.json');
    const entries = async (): Promise<unknown[]> => JSON.parse(await readFile(vaultFile, 'utf8')).entries;
    await expect.poll(async () => (await entries()).length).toBe(2);

    const name = `${foreign.host}:${foreign.port}/app`;
    await room(page, 'Servers');
    const ask = async () => {
      await button(page, `More for ${name}`).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await seen(page.getByRole('dialog', { name: `Delete ${name}?` }));
    };
    await ask();
    await seen(page.getByText(/removed from this computer: 1/));
    await hasFocus(button(page, 'Keep server'));
    await button(page, 'Keep server').click();
    expect(await entries()).toHaveLength(2);
    await ask();
    await button(page, 'Delete').click();
    await option(page, name).waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('listbox', { name: 'Servers', exact: true }));
    await room(page, 'Account');
    await expectProfile(page, ana);
    await expect.poll(entries).toMatchObject([{ service: 'app.llavero.desktop/built-in' }]);
    expect(foreign.tokens.size).toBe(1);
    await quit();
  });

  it('a server that missed a logout is told of it after a restart by itself, and the vault is empty then', async () => {
    const server = { down: true };
    const foreign = await startForeignServer({
      override: ({ path: called }) =>
        server.down && called.endsWith('/salir') ? { status: 503, body: { mensaje: 'Más tarde' } } : undefined,
    });
    const userDataDir = await makeProfile();
    const { env } = await startKeyring();
    const first = await launchApp({ userDataDir, env, args: keyringArgs });
    await useServer(first.page, foreign.baseUrl);
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    await logOut(first.page);
    await seen(first.page.getByText(/could not be notified/i));
    await button(first.page, 'Notify again').click();
    await seen(first.page.getByText(/status 503/).nth(1));
    await first.quit();

    server.down = false;
    await launchApp({ userDataDir, env, args: keyringArgs });
    await expect.poll(() => foreign.tokens.size).toBe(0);
    const vaultFile = path.join(userDataDir, 'vault.json');
    await expect.poll(async () => JSON.parse(await readFile(vaultFile, 'utf8')).entries).toEqual([]);
  });
});

describe('a person who manages servers', () => {
  it('writes them to a file and reads it in another application, and a broken file changes nothing', async () => {
    const file = path.join(await makeProfile(), 'servers.json');
    const first = await launchApp();
    await chooseFile(first, file);
    await room(first.page, 'Servers');
    await button(first.page, 'New server').click();
    await field(first.page, 'Server name').fill('Staging');
    await field(first.page, 'Address').fill('ftp://staging.example.test');
    await button(first.page, 'Save').click();
    expect(await alertText(first.page)).toContain('http:// or https://');
    await field(first.page, 'Address').fill('https://staging.example.test');
    await first.page.getByRole('radio', { name: 'Purple' }).check();
    await button(first.page, 'Save').click();
    await seen(button(first.page, 'Use Staging'));
    await button(first.page, 'Export…').click();
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('https://staging.example.test');

    const second = await launchApp();
    await chooseFile(second, file);
    await room(second.page, 'Servers');
    await button(second.page, 'Import…').click();
    await seen(second.page.getByText('Servers added: 1'));
    await seen(option(second.page, 'Staging'));
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, 90));
    await button(second.page, 'Import…').click();
    expect(await alertText(second.page)).toContain('Nothing was imported.');
    expect(await option(second.page, /./).count()).toBe(2);
    await option(second.page, 'Staging').click();
    await button(second.page, 'Use Staging').click();
    await second.page.waitForFunction(() => document.documentElement.dataset['serverColour'] === 'purple');
  });

  it('looks at an address before it is saved, and can pin what was understood', async () => {
    const foreign = await startForeignServer();
    const { page } = await launchApp();
    await room(page, 'Servers');
    await button(page, 'New server').click();
    await field(page, 'Address').fill(foreign.baseUrl);
    await button(page, 'Test connection').click();
    await seen(page.getByText('It asks for a login, as expected.'));
    expect(foreign.calls.map(({ method, headers }) => [method, headers.authorization])).toEqual([['GET', undefined]]);
    await save(page);
    await room(page, 'Account');
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await room(page, 'Servers');
    await page.getByRole('main').getByRole('button', { name: foreign.host }).click();
    await page.getByText('Where answers hold what').click();
    await seen(page.getByText('Found last at datos.access_token'));
    await field(page, 'Token path').fill('nowhere');
    await save(page);
    await room(page, 'Account');
    await logOut(page);
    await logIn(page, ana);
    expect(await alertText(page)).toContain('sent no token');
  });

  it('can cancel a look at an address that does not answer, which also ends with its form', async () => {
    const foreign = await startForeignServer({ override: () => 'no answer' });
    const { page } = await launchApp();
    await room(page, 'Servers');
    await button(page, 'New server').click();
    await field(page, 'Address').fill(foreign.baseUrl);
    await button(page, 'Test connection').click();
    await expect.poll(() => foreign.waiting.size).toBe(1);
    await button(page, 'Cancel the test').click();
    await seen(page.getByText('Cancelled.'));
    await hasFocus(button(page, 'Test connection'));
    await expect.poll(() => foreign.waiting.size).toBe(0);

    await button(page, 'Test connection').click();
    await expect.poll(() => foreign.waiting.size).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => foreign.waiting.size).toBe(0);

    await button(page, 'Test connection').click();
    await expect.poll(() => foreign.waiting.size).toBe(1);
    await room(page, 'Account');
    await expect.poll(() => foreign.waiting.size).toBe(0);
  });
});
