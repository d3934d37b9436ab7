import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../preload/contract/models.ts';
import { layoutShift } from '../../support/layout-shift.ts';
import { someCalls } from '../../support/stub-main/calls.ts';
import { withReport } from '../../support/stub-main/contract-runs.ts';
import { seen } from '../../support/screens.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import {
  firstStart,
  heldSessions,
  misbehaving,
  production,
  signedIn,
  staging,
} from '../../support/stub-main/states.ts';

openForAll();
beforeAll(() => page.emulateMedia({ reducedMotion: 'no-preference' }));

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions, session: signedIn };

/** A dialog, drawer or menu that a person opens. */
interface Opened {
  open: () => Promise<void>;
  /** What main is asked for it, in this order; each is answered late and by itself. */
  asks: string[];
  state?: Partial<AppState>;
}

const chooseInMenu = async (button: number, item: number) => {
  await page.getByRole('banner').getByRole('button').nth(button).click();
  await page.getByRole('menuitem').nth(item).click();
};
const openBuiltInServer = async (tab: number) => {
  await page.keyboard.press('Control+b');
  await page.getByRole('tab').nth(tab).click();
};

const opened: Record<string, Opened> = {
  'what is stored': { open: () => chooseInMenu(-1, 1), asks: ['storage.overview', 'calls.limits'] },
  'the behaviour of the built-in server': { open: () => openBuiltInServer(0), asks: ['builtIn.choices'] },
  'its accounts': { open: () => openBuiltInServer(1), asks: ['builtIn.choices', 'builtIn.accounts'] },
  'its sessions': { open: () => openBuiltInServer(2), asks: ['builtIn.choices', 'builtIn.sessions'] },
  'its requests': { open: () => openBuiltInServer(3), asks: ['builtIn.choices', 'builtIn.requests'] },
  'its data': { open: () => openBuiltInServer(4), asks: ['builtIn.choices', 'builtIn.data'] },
  'the contract run': {
    open: () => page.keyboard.press('Control+t'),
    asks: ['contractRun.state', 'contractRun.plan'],
  },
  'a contract report': {
    open: async () => {
      await stub.runs(withReport);
      await page.keyboard.press('Control+t');
    },
    asks: ['contractRun.state'],
    state: { activeServerId: staging.id },
  },
  'the calls': { open: () => page.keyboard.press('Control+e'), asks: ['calls.list'] },
  'a call': {
    open: async () => {
      await page.keyboard.press('Control+e');
      await stub.release('calls.list');
      await page.locator('#calls [role=option]').first().click();
    },
    asks: ['calls.get'],
  },
  'the ways to replay a call': {
    open: async () => {
      await page.keyboard.press('Control+e');
      await stub.release('calls.list');
      await page.locator('#calls [role=option]').first().click();
      await stub.release('calls.get');
      await page.locator('article button').first().click();
    },
    asks: ['calls.replayChanges'],
  },
};

const banner = () => page.getByRole('banner').getByRole('button');
/** These show the state, and nothing that comes later. */
const askNothing: Record<string, () => Promise<void>> = {
  'the menu of the servers': () => banner().first().click(),
  'the servers': () => chooseInMenu(0, 0),
  'the sessions': () => chooseInMenu(0, 1),
  'the settings': () => banner().last().click(),
  'the lock and the PIN': () => chooseInMenu(-1, 0),
  'the accounts of the profile': () => page.getByRole('main').getByRole('button').first().click(),
};

/** Answers the oldest question once it has come, and gives its name when what it brings is on the screen. */
async function answerNext(): Promise<string> {
  const name = await vi.waitUntil(() => stub.releaseOldest(), { timeout: 10_000, interval: 20 });
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
  });
  return name;
}

/** Each size and each language once: the four together take half a minute, and found the same when they were tried. */
const places = [
  { width: 1200, height: 800, language: 'en' },
  { width: 480, height: 640, language: 'es' },
] as const;

describe.each(places)('nothing moves in a window of $width × $height in $language', ({ width, height, language }) => {
  beforeEach(() => page.setViewportSize({ width, height }));

  it.each(Object.entries(opened))('when main answers late for %s', async (_name, { open, asks, state }) => {
    await stub.start({ language, ...several, behaviour: misbehaving, ...state }, someCalls);
    await stub.holdEverything();
    await open();
    const moved = await layoutShift(page);
    for (const name of asks) expect(await answerNext()).toBe(name);
    expect(await stub.releaseOldest()).toBeUndefined();
    expect(await layoutShift(page)).toEqual(moved);
  });
});

it.each(Object.entries(askNothing))('main is asked nothing for %s', async (_name, open) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await stub.start(several);
  await stub.holdEverything();
  await open();
  await seen(page.locator('[role=dialog], [role=menu]').last());
  await layoutShift(page);
  expect(await stub.releaseOldest()).toBeUndefined();
});
