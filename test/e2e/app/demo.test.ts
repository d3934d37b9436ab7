import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoUser } from '../../../main/service/data/demo-user.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { technicalWords } from '../../support/plain-words.ts';
import {
  ana,
  createAccount,
  eventually,
  expectProfile,
  expectServer,
  pageHeading,
  logOut,
  seen,
} from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

/** A folder in which nothing was ever kept. */
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-first-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

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
    /** The person reads what is in the page now. */
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
  tester: { clicks: 2, typed: 1, words: 270 },
} satisfies Record<string, Effort>;

describe('the first minute of each person', () => {
  async function begin() {
    const running = await launchApp({ userDataDir: await emptyFolder() });
    await seen(running.page.getByRole('heading', { name: 'Welcome to Llavero' }));
    return { ...running, ...(await measured(running.page)) };
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  function hold(person: keyof typeof most, effort: Effort): void {
    console.log(`${person}: ${effort.clicks} clicks, ${effort.typed} fields typed, ${effort.words} words read`);
    const { words, ...exact } = most[person];
    expect(effort).toMatchObject(exact);
    expect(effort.words).toBeLessThanOrEqual(words);
  }

  it('the owner of an account is logged in, without a technical word but those of the third door', async () => {
    const foreign = await startForeignServer();
    foreign.accounts.set(ana.email, { id: 7, name: ana.name, password: ana.password });
    const { page, read, effort } = await begin();
    await read();
    await page.getByLabel('Server address', { exact: true }).click();
    await page.keyboard.type(`${foreign.host}:${foreign.port}/app`);
    await page.keyboard.press('Enter');
    await seen(pageHeading(page, 'Log in'));
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

  it('who pastes the address is asked once, and is told of a dead one before any password', async () => {
    const foreign = await startForeignServer();
    const { app, page } = await begin();
    await app.evaluate(({ dialog }) => {
      const asked: { message: string; answer: (agrees: boolean) => void }[] = [];
      Object.assign(globalThis, { askedOfTest: asked });
      dialog.showMessageBox = (...given: unknown[]) =>
        new Promise((resolve) => {
          const message = String(Reflect.get(Object(given.at(-1)), 'message'));
          asked.push({ message, answer: (agrees) => resolve({ response: agrees ? 0 : 1, checkboxChecked: false }) });
        });
    });
    const messages = () =>
      app.evaluate(() => (Reflect.get(globalThis, 'askedOfTest') as { message: string }[]).map((each) => each.message));
    const answer = (agrees: boolean) =>
      app.evaluate((_electron, said) => {
        const asked = Reflect.get(globalThis, 'askedOfTest') as { answer: (agrees: boolean) => void }[];
        asked.at(-1)!.answer(said);
      }, agrees);
    const field = page.getByLabel('Server address', { exact: true });
    const paste = async (address: string) => {
      await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), address);
      await field.click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('ControlOrMeta+V');
      await button(page, 'Continue').click();
      await seen(page.getByText('Waiting for your answer', { exact: true }));
    };

    await paste(foreign.baseUrl.replace(/app$/, 'nowhere'));
    const origin = `http://${foreign.host}:${foreign.port}`;
    expect(await messages()).toEqual([`Connect to ${origin}?`]);
    await answer(false);
    await seen(page.getByText('Nothing sent: you declined to connect to this address.'));
    expect(foreign.calls).toEqual([]);
    await button(page, 'Continue').click();
    await eventually(async () => expect(await messages()).toHaveLength(2));
    await answer(true);
    await seen(button(page, 'Continue anyway'));
    expect(await pageHeading(page, 'Log in').count()).toBe(0);
    await field.fill(foreign.baseUrl);
    await button(page, 'Continue').click();
    await seen(pageHeading(page, 'Log in'));
    await createAccount(page, ana);
    await expectProfile(page, ana);
    expect(await messages()).toHaveLength(2);
  });

  it('who wants to see it offline is in the demo', async () => {
    const { page, read, effort } = await begin();
    await read();
    await button(page, 'Start the demo').click();
    await expectProfile(page, { name: 'Alba Demo', email: 'demo@llavero.invalid' });
    hold('offline', await effort());
  });

  it('the demo starts over, leaves its password in no file, and neither the doors nor what misbehaved come back', async () => {
    const { page, userDataDir, quit } = await begin();
    const demo = page.getByRole('region', { name: 'DEMO' });
    await button(page, 'Start the demo').click();
    await seen(demo);
    await demo.getByRole('button', { name: 'Reset the demo', exact: true }).click();
    await seen(page.getByText('Demo reset.'));
    await logOut(page);
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('');
    await page.evaluate(() => window.api.builtIn.setBehaviour({ dialect: 'django', defects: ['stack-traces'] }));
    await seen(page.getByText('Simulated faults are active.').first());
    await quit();
    expect(await filesContaining(userDataDir, demoUser.password)).toEqual([]);

    const next = await launchApp({ userDataDir });
    await seen(pageHeading(next.page, 'Log in'));
    await expectServer(next.page, '127.0.0.1:');
    const state = await next.page.evaluate(() => window.api.app.state(undefined));
    expect(state).toMatchObject({ value: { behaviour: { isOn: false, dialect: null, defects: [] } } });
  });

  it('a tester has a check under way', async () => {
    const foreign = await startForeignServer();
    const { page, read, effort } = await begin();
    await read();
    await page.getByLabel('Address to test', { exact: true }).click();
    await page.keyboard.type(`${foreign.host}:${foreign.port}/app`);
    await page.keyboard.press('Enter');
    await seen(button(page, 'Start'));
    await read();
    await button(page, 'Start').click();
    await seen(page.getByRole('region', { name: 'Progress of the check', exact: true }));
    hold('tester', await effort());
    await button(page, 'End check').click();
    await seen(button(page, 'New check'));
  });
});
