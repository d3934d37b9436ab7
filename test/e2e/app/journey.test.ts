import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchApp, launchForAll, makeProfile } from '../../support/launch-app.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import {
  hasFocus,
  alertText,
  ana,
  createAccount,
  expectProfile,
  expectServer,
  heading,
  logIn,
  logOut,
  openServers,
  seen,
  useServer,
} from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

describe('with the built-in server', () => {
  const running = launchForAll();

  it.each(['/registro', '/register'] as const)(
    'a person registers at %s, sees the profile, logs out and in again',
    async (registrationPath) => {
      const { page } = running();
      const person = registrationPath === '/registro' ? ana : { ...ana, email: 'ana@register.test' };
      await seen(heading(page, 'Log in'));
      await createAccount(page, person, registrationPath);
      await expectProfile(page, person);
      await logOut(page);
      await logIn(page, person);
      await expectProfile(page, person);
      await logOut(page);
    },
  );

  it('says what is wrong with a wrong password, and keeps what was typed', async () => {
    const { page } = running();
    await logIn(page, { ...ana, password: 'not the password' });
    expect(await alertText(page)).toMatch(/email|password/i);
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(ana.email);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not the password');
    await page.getByLabel('Password', { exact: true }).fill(ana.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expectProfile(page, ana);
    await logOut(page);
  });

  it('says under the field that an email is taken', async () => {
    const { page } = running();
    await createAccount(page, { ...ana, email: ' ANA@Example.Test ' });
    const email = page.getByLabel('Email', { exact: true });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    await hasFocus(email);
    const described = (await email.getAttribute('aria-describedby')) ?? '';
    const texts = await Promise.all(described.split(' ').map((id) => page.locator(`[id="${id}"]`).allInnerTexts()));
    expect(texts.flat().join(' ')).toContain('taken');
  });

  it('keeps password and token out of every file, and asks for the password after a restart without a keyring', async () => {
    const userDataDir = await makeProfile();
    const first = await launchApp({ userDataDir });
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    await first.quit();
    expect(await filesContaining(userDataDir, ana.password)).toEqual([]);
    const names = await readdir(userDataDir);
    expect(names).toContain('service.sqlite');
    expect(names).not.toContain('vault.json');
    expect(JSON.parse(await readFile(path.join(userDataDir, 'config.json'), 'utf8')).sessions ?? {}).toEqual({});

    const second = await launchApp({ userDataDir });
    await seen(heading(second.page, 'Log in'));
    expect(await second.page.getByLabel('Email', { exact: true }).inputValue()).toBe(ana.email);
    await logIn(second.page, ana);
    await expectProfile(second.page, ana);
  });
});

describe('with a foreign server at another address', () => {
  const running = launchForAll();

  it('a person registers, sees the profile, logs out, and the old token is refused', async () => {
    const foreign = await startForeignServer();
    const { page } = running();
    await useServer(page, `${foreign.host}:${foreign.port}/app/`);
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
    ).toEqual(['POST /registro', 'POST /login', 'GET /perfil', 'POST /salir', 'GET /perfil']);
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
    await useServer(page, foreign.baseUrl);
    await logIn(page, ana);
    await expectProfile(page, ana);
    const state = JSON.stringify(await page.evaluate(() => window.api.app.state(undefined)));
    const seenByPeople = await page.content();
    for (const text of [state, seenByPeople]) expect(text).not.toContain(token.slice(3));
    expect(foreign.calls.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it('a login that is refused with status 200 shows the words of the server', async () => {
    const foreign = await startForeignServer();
    const { page } = running();
    await useServer(page, foreign.baseUrl);
    await logIn(page, ana);
    expect(await alertText(page)).toContain('Credenciales incorrectas');
  });

  it('ends the session here when the server is gone, and says that it could not be told', async () => {
    const foreign = await startForeignServer();
    const { page } = running();
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await foreign.stop();
    await logOut(page);
    expect(await page.getByRole('main').innerText()).toMatch(/could not be notified/i);
  });

  it('keeps the address across a restart, and the two servers apart', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const first = await launchApp({ userDataDir });
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    await useServer(first.page, foreign.baseUrl);
    await seen(heading(first.page, 'Log in'));
    await first.quit();

    const second = await launchApp({ userDataDir });
    await seen(heading(second.page, 'Log in'));
    await expectServer(second.page, `${foreign.host}:${foreign.port}`);
    expect(foreign.calls).toEqual([]);
  });
});

describe('an address that does not answer', () => {
  const running = launchForAll();

  it('is named in the error', async () => {
    const foreign = await startForeignServer();
    await foreign.stop();
    const { page } = running();
    await useServer(page, foreign.baseUrl);
    await logIn(page, ana);
    expect(await alertText(page)).toContain(`${foreign.host}:${foreign.port}`);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(ana.password);
  });

  it.each(['ftp://example.test', 'http://ana:secret@example.test', 'http://', 'a b c'])(
    'is refused beside the field when it is no address: %s',
    async (address) => {
      const { page } = running();
      await seen(heading(page, 'Log in'));
      await useServer(page, address);
      expect((await alertText(page)).length).toBeGreaterThan(10);
      expect(await (await openServers(page)).getAttribute('aria-invalid')).toBe('true');
      await page.keyboard.press('Escape');
    },
  );
});
