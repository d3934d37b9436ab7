import path from 'node:path';
import type { Page } from 'playwright-core';
import { startServer, type RunningServer } from '../servers/start-server.ts';
import { makeFilm, type Film } from './film.ts';
import { addServer, withShotWindow } from './real-window.ts';

const file = path.resolve(import.meta.dirname, '../../build/moving.webp');
const shape = { width: 1040, height: 700, scale: 1 };
const waits = { timeout: 120_000 };

const ana = { name: 'Ana Ferrer', email: 'ana.ferrer@example.com', password: 'correct horse battery' };

/** Makes the moving picture of the README: the demo, a server of one's own, a finding, and the mock server of that server. */
export async function makeMoving(): Promise<void> {
  const server = await startServer('planted', { FAULTS: 'unverified,echo' });
  try {
    await register(server);
    await withShotWindow(shape, async (page) => {
      await addServer(page, { name: 'Staging', address: server.origin, colour: 'amber' });
      await page.evaluate(() => window.api.settings.change({ callsPerSecond: 100 }));
      await makeFilm(page, file, (film) => story(page, film, server));
    });
  } finally {
    await server.stop();
  }
}

async function register({ origin }: RunningServer): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${origin}/api/v1/auth/registro`, { method: 'POST', headers, body: JSON.stringify(ana) });
}

async function story(page: Page, film: Film, server: RunningServer): Promise<void> {
  film.says('1  Demo: no account, no network');
  await demo(page, film);
  film.says('2  Your server: log in and see your profile');
  await ownServer(page, film);
  film.says('3  Check it: the report begins with the worst finding');
  await finding(page, film);
  film.says('4  Mock it: the check is enough to create a local mock server');
  await mockServer(page, film, server);
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

async function demo(page: Page, film: Film): Promise<void> {
  await film.hold(900);
  await film.press(button(page, 'Start the demo'));
  await page.getByRole('region', { name: 'DEMO' }).waitFor();
  await film.hold(1_300);
}

async function ownServer(page: Page, film: Film): Promise<void> {
  await choose(page, film, /^Staging/);
  await logIn(page, film);
  await film.hold(1_200);
}

/** Chooses a server in the menu of the header. */
async function choose(page: Page, film: Film, name: RegExp): Promise<void> {
  await film.press(button(page, /^Server:/));
  await page.getByLabel('Search or type an address', { exact: true }).waitFor();
  await film.hold(200);
  await film.press(page.getByRole('option', { name }).first());
  await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  await film.hold(200);
}

async function logIn(page: Page, film: Film): Promise<void> {
  await film.type(page.getByLabel('Email', { exact: true }), ana.email);
  await film.type(page.getByLabel('Password', { exact: true }), ana.password);
  await film.press(button(page, 'Log in'));
  await button(page, 'Check again').waitFor();
}

const toPage = (page: Page, film: Film, name: 'Account' | 'Checks'): Promise<void> =>
  film.press(page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name }));

async function finding(page: Page, film: Film): Promise<void> {
  await film.press(button(page, /Tools/));
  await toPage(page, film, 'Checks');
  await film.hold(400);
  // Before the first check, the page has this button alone.
  await film.press(page.getByRole('main').getByRole('button'));
  await film.hold(400);
  await film.press(button(page, 'Start'));
  await page.locator('progress').waitFor();
  for (const share of [0.1, 0.35, 0.6, 0.85]) {
    await page.waitForFunction((least) => (document.querySelector('progress')?.position ?? 1) >= least, share, {
      ...waits,
      polling: 100,
    });
    await film.hold(280);
  }
  await page.getByRole('region', { name: 'Summary', exact: true }).waitFor(waits);
  await film.hold(900);
  const altered = page.getByRole('listitem').filter({ hasText: 'An altered token is accepted' });
  await film.press(altered.getByRole('button').first());
  await film.hold(1_800);
}

/** A mock server has its own accounts, so the person makes one there. */
async function mockServer(page: Page, film: Film, server: RunningServer): Promise<void> {
  await film.press(button(page, 'Create mock'));
  await button(page, /^Show “Mock of /).waitFor(waits);
  await film.hold(1_000);
  await server.stop();
  film.says('5  Staging is off, and the mock responds on this computer');
  await toPage(page, film, 'Account');
  await film.press(button(page, 'Check again'));
  await page
    .getByRole('main')
    .getByText(/respond/)
    .first()
    .waitFor(waits);
  await film.hold(1_200);
  await choose(page, film, /^Mock of Staging/);
  await film.press(page.getByRole('link', { name: 'Create account', exact: true }));
  await film.type(page.getByLabel('Name', { exact: true }), ana.name);
  await film.type(page.getByLabel('Email', { exact: true }), ana.email);
  await film.type(page.getByLabel('Password', { exact: true }), ana.password);
  await film.press(button(page, 'Create account'));
  await button(page, 'Check again').waitFor();
  await film.hold(2_200);
}
