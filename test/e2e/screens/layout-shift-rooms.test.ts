import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MethodName } from '../../../preload/contract/contract.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { layoutShift } from '../../support/layout-shift.ts';
import { someCalls } from '../../support/stub-main/calls.ts';
import { withReport } from '../../support/stub-main/contract-runs.ts';
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

/** A room, or a menu or a question in one, that a person opens. */
interface Opened {
  open: () => Promise<void>;
  /** What main is asked for it; each is answered late and by itself. The last one is asked by the press itself. */
  asks: MethodName[];
  state?: Partial<AppState>;
}

const enter = (room: string) => page.locator(`[data-room="${room}"]`).click();
const openBuiltInServer = async (tab: number) => {
  await page.keyboard.press('Control+b');
  await page.getByRole('tab').nth(tab).click();
};
const openCall = async () => {
  await page.keyboard.press('Control+e');
  await stub.release('calls.list');
  await page.locator('#calls [role=option]').first().click();
};

/** The room counts what is in it when it is entered, and when a tab is chosen. */
const builtIn: MethodName[] = ['builtIn.choices', 'builtIn.counts'];

const opened: Record<string, Opened> = {
  'the settings': {
    open: () => page.keyboard.press('Control+,'),
    asks: ['storage.overview', 'calls.limits', 'app.about'],
  },
  'the behaviour of the built-in server': { open: () => page.keyboard.press('Control+b'), asks: builtIn },
  'its people': { open: () => openBuiltInServer(1), asks: [...builtIn, 'builtIn.counts', 'builtIn.accounts'] },
  'its sessions': { open: () => openBuiltInServer(2), asks: [...builtIn, 'builtIn.counts', 'builtIn.sessions'] },
  'its requests': {
    open: () => openBuiltInServer(3),
    asks: [...builtIn, 'builtIn.counts', 'builtIn.requests', 'builtIn.clientReport'],
  },
  'its data': { open: () => openBuiltInServer(4), asks: [...builtIn, 'builtIn.counts', 'builtIn.data'] },
  'the contract': {
    open: () => page.keyboard.press('Alt+3'),
    asks: ['contractRun.plan', 'contractRun.state'],
  },
  'a contract report': {
    open: async () => {
      await stub.runs(withReport);
      await page.keyboard.press('Alt+3');
    },
    asks: ['contractRun.state'],
    state: { activeServerId: staging.id },
  },
  'the calls': { open: () => page.keyboard.press('Control+e'), asks: ['calls.list'] },
  'a call': { open: openCall, asks: ['calls.get'] },
  'the ways to replay a call': {
    open: async () => {
      await openCall();
      await stub.release('calls.get');
      await page.locator('article header [aria-haspopup=menu]').first().click();
    },
    asks: ['calls.replayChanges'],
  },
};

const banner = () => page.getByRole('banner').getByRole('button');
/** These show the state, and nothing that comes later. */
const askNothing: Record<string, () => Promise<void>> = {
  'the menu of the servers': () => page.locator('header [aria-haspopup=listbox]').click(),
  'the menu of the account': () => banner().last().click(),
  'the sessions': async () => {
    await banner().last().click();
    await page.getByRole('menuitem', { name: 'All sessions' }).click();
  },
  'the servers': () => enter('servers'),
  'the account': () => enter('account'),
};

/** Answers the oldest question once it has come, and gives its name when what it brings is on the screen. */
async function answerNext(): Promise<string> {
  const name = await vi.waitUntil(() => stub.releaseOldest(), { timeout: 30_000, interval: 20 });
  await drawn();
  return name;
}

/** Waits until what was rendered is on the screen. */
const drawn = () =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
  });

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
    // What the press itself has moved is there once the room has asked, and is not counted.
    await vi.waitUntil(async () => (await stub.callsOf(asks.at(-1)!)).length > 0, { timeout: 30_000, interval: 20 });
    await drawn();
    const moved = await layoutShift(page);
    const answered: string[] = [];
    for (const _ of asks) answered.push(await answerNext());
    expect(answered.toSorted()).toEqual(asks.toSorted());
    expect(await stub.releaseOldest()).toBeUndefined();
    expect(await layoutShift(page)).toEqual(moved);
  });
});

it.each(Object.entries(askNothing))('main is asked nothing for %s', async (_name, open) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await stub.start(several);
  await stub.holdEverything();
  await open();
  await layoutShift(page);
  expect(await stub.releaseOldest()).toBeUndefined();
});
