import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { alertText, createAccount, pageHeading, logIn, logOut, seen, enterServer } from '../support/screens.ts';
import type { JourneyLines, Known } from './known-server.ts';
import { watchServer } from './watched-server.ts';

// FastAPI's EmailStr refuses every address under `.test`.
const ana = { name: 'Ana Prueba', email: 'ana@example.com', password: 'correct horse battery' };
const bea = { name: 'Bea Prueba', email: 'bea@example.com', password: 'x1' };

/**
 * A person registers, makes each of the usual mistakes, logs in and out; returns what they saw, line by line.
 */
export async function journeyOf(
  page: Page,
  origin: string,
  { registersAt }: Pick<Known, 'registersAt'>,
): Promise<JourneyLines> {
  const server = await watchServer(origin);
  const path = `/${registersAt}` as const;
  const called = (): string =>
    server
      .take()
      .map(({ line }) => line)
      .join(', ');
  try {
    await enterServer(page, server.origin);
    await createAccount(page, ana, path);
    await atProfile(page);
    const shown = await profileShown(page);
    // A typed address is tested by a profile without a token before anything is sent to it.
    const registration = called().replace(/^GET \S+ 40\d, /, '');

    await logOut(page);
    await seen(page.getByText('You are logged out.'));
    const [logout] = server.take();

    await createAccount(page, ana, path);
    const taken = await complaint(page);
    await toLogIn(page);
    await createAccount(page, bea, path);
    const short = await complaint(page);
    await toLogIn(page);
    await logIn(page, { ...ana, password: 'not the password' });
    const wrong = await complaint(page);

    const afterwards = await fetch(`${origin}/api/v1/auth/perfil`, {
      headers: { Authorization: `Bearer ${logout?.token}`, Accept: 'application/json' },
    });
    await afterwards.body?.cancel();
    return {
      'calls of a registration': registration,
      'the profile shows': shown,
      'a taken email': taken,
      'a password of two characters': short,
      'a wrong password': wrong,
      'logging out': logout?.line ?? 'no call',
      'the token after it': String(afterwards.status),
    };
  } finally {
    await server.close();
  }
}

/** Waits for the profile as the server sent it: what a login says of somebody is shown before. */
async function atProfile(page: Page): Promise<void> {
  await seen(pageHeading(page, 'Details'));
  await seen(page.getByRole('button', { name: 'Check again' }));
}

async function toLogIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  await seen(pageHeading(page, 'Log in'));
}

/** The name and the email with their values, then the labels of the other fields. */
async function profileShown(page: Page): Promise<string> {
  const details = page.getByRole('region', { name: 'Details', exact: true });
  const rows = await details.locator('dt').evaluateAll((terms) =>
    terms.map((term) => {
      const [label = ''] = (term instanceof HTMLElement ? term.innerText : '').split('\n');
      return { label, value: term.nextElementSibling?.textContent ?? '' };
    }),
  );
  const valueOf = (wanted: string) => rows.find(({ label }) => label === wanted)?.value;
  const linked = await page.locator('main div:has(> h1) [role=link]').allInnerTexts();
  const own = new Set(['Name', 'Email', 'ID', 'Empty:']);
  return [
    `Name: ${valueOf('Name') ?? 'not sent by the server'}`,
    `Email: ${linked[0] ?? valueOf('Email')}`,
    ...(valueOf('ID') === undefined ? [] : ['ID']),
    ...rows.flatMap(({ label }) => (own.has(label) ? [] : [label])),
  ].join(', ');
}

/** Returns what the person is told, and where: `under Email: …` or `above the form: …`, in the server's own words. */
async function complaint(page: Page): Promise<string> {
  const told = page.locator('input[aria-invalid="true"], [role="alert"]:not(:empty)');
  await expect.poll(() => told.count(), { timeout: 20_000 }).toBeGreaterThan(0);
  const under = await page.locator('input[aria-invalid="true"]').evaluateAll((inputs) =>
    inputs.map((input) => {
      const ids = (input.getAttribute('aria-describedby') ?? '').split(' ');
      const texts = ids.map((id) => document.getElementById(id)?.textContent ?? '');
      const label = input instanceof HTMLInputElement ? (input.labels?.[0]?.innerText ?? '') : '';
      return `under ${label}: ${texts.find((text) => text.includes('“')) ?? texts.join(' ')}`;
    }),
  );
  const where = under.length > 0 ? under : [`above the form: ${await alertText(page)}`];
  return where.map((each) => each.replace(/^([^:]*): [^]*“([^]*)”[^]*$/, '$1: $2')).join('; ');
}
