import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { technicalWords } from '../../support/plain-words.ts';
import { ana, createAccount, expectProfile, expectServer, heading, seen, typeInto } from '../../support/screens.ts';

/** A folder in which nothing was ever kept. */
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-first-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

describe('the first minute', () => {
  it('leads from the first start to the signed-in demo by one press, and is not shown again', async () => {
    const userDataDir = await emptyFolder();
    const first = await launchApp({ userDataDir });
    await seen(first.page.getByRole('heading', { name: 'Welcome to Llavero' }));
    await first.page.getByRole('button', { name: 'Start the demo' }).click();
    await expectProfile(first.page, { name: 'Alba Demo', email: 'demo@llavero.invalid' });
    await seen(first.page.getByRole('region', { name: 'DEMO' }));
    await first.quit();

    const { page } = await launchApp({ userDataDir });
    await seen(heading(page, 'Log in'));
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('leads from an address to an account there, and comes again as long as nobody went through a door', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await emptyFolder();
    const first = await launchApp({ userDataDir });
    await seen(first.page.getByRole('heading', { name: 'Welcome to Llavero' }));
    await first.quit();

    const { page } = await launchApp({ userDataDir });
    const address = await seen(page.getByLabel('Address of the server', { exact: true }));
    await typeInto(address, 'a b c');
    await address.press('Enter');
    await seen(page.getByRole('alert'));
    await typeInto(address, `${foreign.host}:${foreign.port}/app/`);
    await address.press('Enter');
    await seen(heading(page, 'Log in'));
    await expectServer(page, `${foreign.host}:${foreign.port}`);
    await createAccount(page, ana);
    await expectProfile(page, ana);
  });

  it('leads to the Workbench', async () => {
    const { page } = await launchApp({ userDataDir: await emptyFolder() });
    await (await seen(page.getByRole('button', { name: 'Open the Workbench' }))).click();
    await seen(page.getByRole('navigation', { name: 'Rooms' }));
    await seen(heading(page, 'Log in'));
  });
});

/** What a person does and reads until something is reached. */
type Effort = { clicks: number; typed: number; words: number };

/** Counts presses of the mouse, typed fields, and the words of each page that is stopped at. */
async function measured(page: Page) {
  await page.evaluate(() => {
    const seenOf = { clicks: 0, fields: new Set<EventTarget>() };
    addEventListener('pointerdown', () => (seenOf.clicks += 1), { capture: true });
    addEventListener('input', ({ target }) => target && seenOf.fields.add(target), { capture: true });
    Object.assign(globalThis, { effortOfTest: seenOf });
  });
  let words = 0;
  return {
    /** The person reads what is in the room now. */
    read: async (): Promise<void> => {
      const text = await page.getByRole('main').innerText();
      words += text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
    },
    effort: async (): Promise<Effort> => {
      const counted = await page.evaluate(() => {
        // `measured` put it there.
        const { clicks, fields } = Reflect.get(globalThis, 'effortOfTest') as { clicks: number; fields: Set<unknown> };
        return { clicks, typed: fields.size };
      });
      return { ...counted, words };
    },
  };
}

/** The most that each of the three doors may ask of a person. More words are a sentence too many. */
const most = {
  'own account': { clicks: 3, typed: 3, words: 210 },
  offline: { clicks: 1, typed: 0, words: 95 },
  tester: { clicks: 3, typed: 0, words: 270 },
} satisfies Record<string, Effort>;

describe('the first minute of each person', () => {
  async function begin() {
    const { page } = await launchApp({ userDataDir: await emptyFolder() });
    await seen(page.getByRole('heading', { name: 'Welcome to Llavero' }));
    return { page, ...(await measured(page)) };
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  function hold(person: keyof typeof most, effort: Effort): void {
    console.log(`${person}: ${effort.clicks} clicks, ${effort.typed} fields typed, ${effort.words} words read`);
    const { words, ...exact } = most[person];
    expect(effort).toMatchObject(exact);
    expect(effort.words).toBeLessThanOrEqual(words);
  }

  it('the demo that is found by a search leaves the doors behind, too', async () => {
    const { page } = await begin();
    await page.keyboard.press('ControlOrMeta+K');
    const field = await seen(page.getByRole('combobox', { name: 'Search or run' }));
    await field.fill('demo');
    await field.press('Enter');
    await seen(heading(page, 'Profile'));
  });

  it('the owner of an account is logged in, without a technical word but those of the third door', async () => {
    const foreign = await startForeignServer();
    foreign.accounts.set(ana.email, { id: 7, name: ana.name, password: ana.password });
    const { page, read, effort } = await begin();
    await read();
    await page.getByLabel('Address of the server', { exact: true }).click();
    await page.keyboard.type(`${foreign.host}:${foreign.port}/app`);
    await page.keyboard.press('Enter');
    await seen(heading(page, 'Log in'));
    await read();
    expect(await technicalWords(page, 'en')).toEqual([]);
    await page.getByLabel('Email', { exact: true }).click();
    await page.keyboard.type(ana.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(ana.password);
    await button(page, 'Log in').click();
    await expectProfile(page, ana);
    await read();
    expect(await technicalWords(page, 'en')).toEqual([]);
    hold('own account', await effort());
  });

  it('who wants to see it offline is in the demo', async () => {
    const { page, read, effort } = await begin();
    await read();
    await button(page, 'Start the demo').click();
    await expectProfile(page, { name: 'Alba Demo', email: 'demo@llavero.invalid' });
    hold('offline', await effort());
  });

  it('a tester has a contract run under way', async () => {
    const { page, read, effort } = await begin();
    await read();
    await button(page, 'Open the Workbench').click();
    await page.getByRole('navigation', { name: 'Rooms' }).getByRole('button', { name: 'Contract' }).click();
    await seen(button(page, 'Start'));
    await read();
    await button(page, 'Start').click();
    await seen(page.getByRole('region', { name: 'Progress of the contract run', exact: true }));
    hold('tester', await effort());
    await button(page, 'End the run').click();
    await seen(button(page, 'New run'));
  });
});
