import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp, launchForAll, makeProfile } from '../../support/launch-app.ts';
import { layoutShift, nothingMoved } from '../../support/layout-shift.ts';
import {
  ana,
  createAccount,
  expectProfile,
  expectServer,
  pageHeading,
  logIn,
  logOut,
  openServers,
  type Person,
  seen,
  enterServer,
} from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const bea: Person = { name: 'Bea Prueba', email: 'bea@example.test', password: 'battery horse correct' };

/** Returns the menus with the labels of their items, without separators and what is hidden. */
const menusOf = (app: ElectronApplication): Promise<Record<string, string[]>> =>
  app.evaluate(({ Menu }) =>
    Object.fromEntries(
      (Menu.getApplicationMenu()?.items ?? []).map(({ label, submenu }) => [
        label,
        (submenu?.items ?? []).filter(({ type, visible }) => visible && type !== 'separator').map((item) => item.label),
      ]),
    ),
  );

const press = (app: ElectronApplication, id: string) =>
  app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);

async function fromAccountMenu(page: Page, item: string): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Account/ })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('with the built-in server', () => {
  const running = launchForAll();

  it.each(['/registro', '/register'] as const)(
    'a person registers at %s, sees the profile, logs out and in again',
    async (registrationPath) => {
      const { page } = running();
      const person = registrationPath === '/registro' ? ana : { ...ana, email: 'ana@register.test' };
      await seen(pageHeading(page, 'Log in'));
      await createAccount(page, person, registrationPath);
      await expectProfile(page, person);
      await logOut(page);
      await logIn(page, person);
      await expectProfile(page, person);
      await logOut(page);
    },
  );

  it('keeps password and token out of every file, and asks for the password after a restart without a keyring', async () => {
    const userDataDir = await makeProfile();
    const first = await launchApp({ userDataDir });
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    expect(await layoutShift(first.page)).toEqual(nothingMoved);
    await first.quit();
    expect(await filesContaining(userDataDir, ana.password)).toEqual([]);
    const names = await readdir(userDataDir);
    expect(names).toContain('service.sqlite');
    expect(names).not.toContain('vault.json');
    expect(JSON.parse(await readFile(path.join(userDataDir, 'config.json'), 'utf8')).sessions ?? {}).toEqual({});

    const second = await launchApp({ userDataDir });
    await seen(pageHeading(second.page, 'Log in'));
    expect(await second.page.getByLabel('Email', { exact: true }).inputValue()).toBe(ana.email);
    await logIn(second.page, ana);
    await expectProfile(second.page, ana);
  });
});

describe('with a foreign server', () => {
  const running = launchForAll();

  it('a person registers, sees the profile, logs out, and the old token is refused', async () => {
    const foreign = await startForeignServer();
    const { page } = running();
    await enterServer(page, `${foreign.host}:${foreign.port}/app/`);
    await createAccount(page, ana);
    await expectProfile(page, ana);

    const main = await page.getByRole('main').innerText();
    expect(main).toContain('Quito');
    expect(main).not.toContain('$2y$10$');

    const [token] = foreign.tokens.keys();
    await logOut(page);
    await expect.poll(() => foreign.tokens.size).toBe(0);
    const refused = await fetch(`${foreign.baseUrl}/api/v1/auth/perfil`, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
    });
    expect(refused.status).toBe(401);
    expect(
      foreign.calls.map(({ method, path: called }) => `${method} ${called.replace('/app/api/v1/auth', '')}`),
    ).toEqual(['GET /perfil', 'POST /registro', 'POST /login', 'GET /perfil', 'POST /salir', 'GET /perfil']);
  });

  it('no token gets onto the page, also when the server sends it back', async () => {
    const token = '77|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
    const foreign = await startForeignServer({
      override: ({ path: called }) =>
        called.endsWith('/login')
          ? { status: 200, body: { token, message: `Your token is ${token}` } }
          : { status: 200, body: { name: ana.name, email: ana.email, note: `Bearer ${token}`, typed: ana.password } },
    });
    const { page } = running();
    await enterServer(page, foreign.baseUrl);
    await logIn(page, ana);
    await expectProfile(page, ana);
    const state = JSON.stringify(await page.evaluate(() => window.api.app.state(undefined)));
    const seenByPeople = await page.content();
    for (const text of [state, seenByPeople]) expect(text).not.toContain(token.slice(3));
    expect(foreign.calls.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });
});

describe('two servers with two accounts each', () => {
  it('are switched by one press, by a shortcut and by account, and never mixed', async () => {
    const one = await startForeignServer();
    const two = await startForeignServer({ host: '127.0.0.3' });
    const { page } = await launchApp();
    for (const server of [one, two]) {
      await enterServer(page, server.baseUrl);
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
    expect(await page.title()).toBe(`Profile – Local ${two.port} – Llavero`);
    await page.keyboard.press('Control+1');
    await seen(pageHeading(page, 'Log in'));
    await expectServer(page, 'Built-in');
    expect(two.calls.every(({ path: called }) => called.endsWith('/perfil'))).toBe(true);

    await fromAccountMenu(page, 'All sessions');
    const list = page.getByRole('region', { name: 'All sessions' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(4);
    expect(await list.getByText(/Token 4[12]$/).count()).toBe(4);
    await list
      .getByRole('region', { name: `Local ${one.port}`, exact: true })
      .getByRole('button', { name: `Log out ${bea.email}` })
      .click();
    await list.getByRole('listitem').nth(3).waitFor({ state: 'detached' });
    await expect.poll(() => one.tokens.size).toBe(1);
    expect(two.tokens.size).toBe(2);
  });
});

describe('the window', () => {
  it('has its menus in its own language, and its size and that of its page also at the next start', async () => {
    const userDataDir = await makeProfile();
    const { page, app, quit } = await launchApp({ userDataDir });
    await seen(pageHeading(page, 'Log in'));
    const english = await menusOf(app);
    expect(Object.keys(english)).toEqual(['File', 'Edit', 'View', 'Help']);
    await press(app, 'page-servers');
    await seen(page.getByRole('heading', { name: 'Servers', exact: true }));
    await press(app, 'about');
    await page.getByRole('radio', { name: 'Español' }).click();
    await expect.poll(async () => Object.keys(await menusOf(app))).toEqual(['Archivo', 'Edición', 'Ver', 'Ayuda']);
    const widthOf = () => page.evaluate(() => window.innerWidth);
    const before = await widthOf();
    await press(app, 'zoom-in');
    await press(app, 'zoom-in');
    await expect.poll(widthOf).toBeLessThan(before * 0.85);
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 20, y: 10, width: 700, height: 600 }),
    );
    await quit();

    const next = await launchApp({ userDataDir });
    await seen(next.page.getByRole('heading', { name: 'Iniciar sesión', exact: true }));
    expect(await next.page.evaluate(() => window.innerWidth)).toBe(Math.floor(700 / 1.25));
    await press(next.app, 'zoom-reset');
    await expect.poll(() => next.page.evaluate(() => window.innerWidth)).toBe(700);
    await next.page.evaluate(() => window.api.settings.change({ presenting: true }));
    await expect.poll(() => next.page.evaluate(() => window.innerWidth)).toBe(Math.floor(700 / 1.25));
  });
});
