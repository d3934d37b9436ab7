import { expect, vi } from 'vitest';
import type { ElectronApplication, Locator, Page } from 'playwright-core';

export type Person = { name: string; email: string; password: string };

export const ana: Person = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery' };

/** Waits until something is on the screen. */
export async function seen(locator: Locator): Promise<Locator> {
  await locator.waitFor();
  return locator;
}

/** Waits until a check of what is on the screen holds. */
export const eventually = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 30_000, interval: 100 });

export const hasFocus = (locator: Locator): Promise<void> =>
  eventually(async () => expect(await locator.evaluate((node) => node === document.activeElement)).toBe(true));

export const expectText = (locator: Locator, text: string | RegExp): Promise<void> =>
  eventually(async () => expect(await locator.innerText()).toMatch(text));

export const pageHeading = (page: Page, name: 'Log in' | 'Create account' | 'Details'): Locator =>
  page.getByRole('heading', { name, exact: true });

export async function logIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await seen(pageHeading(page, 'Log in'));
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Changes the path in the small line under the form, if the form has another one. */
export async function chooseRegistrationPath(page: Page, path: '/registro' | '/register'): Promise<void> {
  if (await page.getByText(`Creates the account at ${path}.`, { exact: true }).isVisible()) return;
  const change = page.getByRole('button', { name: 'Change the registration path', exact: true });
  // Without the Workbench there is nothing to choose: it is the first path.
  if (path === '/registro' && !(await change.isVisible())) return;
  await change.click();
  await page.getByRole('menuitemradio', { name: path }).click();
  await seen(page.getByText(`Creates the account at ${path}.`, { exact: true }));
}

export async function createAccount(
  page: Page,
  person: Person,
  path: '/registro' | '/register' = '/registro',
): Promise<void> {
  if (!(await pageHeading(page, 'Create account').isVisible())) {
    await page.getByRole('link', { name: 'Create account', exact: true }).click();
  }
  await chooseRegistrationPath(page, path);
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  if (path === '/register') await page.getByLabel('Repeat password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await seen(pageHeading(page, 'Log in'));
}

/** The button in the header that names the server in use, such as `Server: Built-in 127.0.0.1:4848 answers`. */
export const serverChip = (page: Page): Locator => page.getByRole('button', { name: /^Server:/ });

/** Waits until the server in use is the one with this name or host, which stands in the hint of its name. */
export const expectServer = (page: Page, text: string): Promise<void> =>
  eventually(async () => {
    const chip = serverChip(page);
    expect(`${await chip.innerText()}\n${await chip.getAttribute('title')}`).toContain(text);
  });

/** The field in the menu of servers, which opens with a press on the chip. */
export async function openServers(page: Page): Promise<Locator> {
  const field = page.getByLabel('Search or type an address', { exact: true });
  if (!(await field.isVisible())) await serverChip(page).click();
  return seen(field);
}

/**
 * Returns when it is used or refused: a form filled before that would belong to the server that was used until then. An
 * address where the first request found no login is used all the same, as a second Enter does.
 */
export async function enterServer(page: Page, address: string): Promise<void> {
  const field = await openServers(page);
  const enter = async (): Promise<void> => {
    await field.press('Enter');
    await seen(serverChip(page).and(page.locator('[aria-busy="false"]')));
  };
  await field.fill(address);
  await enter();
  if ((await page.getByRole('option', { name: 'Continue anyway', exact: true }).count()) > 0) await enter();
}

/** Returns the text of the alert that is shown. */
export async function alertText(page: Page): Promise<string> {
  const notice = page.locator('[data-message]', { has: page.getByRole('alert') }).first();
  await seen(notice.getByRole('alert'));
  const why = notice.getByRole('button', { name: 'Why?', exact: true });
  if ((await why.count()) > 0 && (await why.getAttribute('aria-expanded')) === 'false') await why.click();
  return notice.innerText();
}

export async function expectProfile(page: Page, { name, email }: Pick<Person, 'name' | 'email'>): Promise<void> {
  await seen(pageHeading(page, 'Details'));
  const text = await page.getByRole('main').innerText();
  expect(text).toContain(name);
  expect(text).toContain(email);
}

/** Fails on what a stub's page has complained about since the last question. */
export function expectNoComplaints({ complaints }: { complaints: string[] }): void {
  expect(complaints.splice(0)).toEqual([]);
}

/** From now on the system's dialog is answered with yes or with no; what it asks is kept for {@link questionsOf}. */
export async function answerQuestions(app: ElectronApplication, agree: boolean): Promise<void> {
  await app.evaluate(
    ({ dialog }, response) => {
      const asked: unknown[] = [];
      Object.assign(globalThis, { questionsOfTest: asked });
      dialog.showMessageBox = (...given: unknown[]) => {
        asked.push(given.at(-1));
        return Promise.resolve({ response, checkboxChecked: false });
      };
    },
    agree ? 0 : 1,
  );
}

/** What was asked since {@link answerQuestions}. */
export const questionsOf = (app: ElectronApplication): Promise<{ message: string; detail: string }[]> =>
  app.evaluate(() => Reflect.get(globalThis, 'questionsOfTest') as { message: string; detail: string }[]);

/** The person chooses the item of the menu with which main may ask again. */
export const askAgain = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('ask-again')?.click());
