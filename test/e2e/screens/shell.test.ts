import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../preload/contract/models.ts';
import { eventually, hasFocus, seen } from '../../support/screens.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import {
  builtInAsked,
  firstStart,
  heldSessions,
  misbehaving,
  production,
  signedIn,
  staging,
} from '../../support/stub-main/states.ts';

openForAll();

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions, session: signedIn };
const simple = { ...several, settings: { ...firstStart.settings, workbench: false } };
const start = (more: Partial<AppState> = {}) => stub.start({ ...several, ...more });

const pages = [
  { name: 'Requests', key: 'Alt+2' },
  { name: 'Checks', key: 'Alt+3', title: 'Checks' },
  { name: 'Built-in server', key: 'Alt+4' },
  { name: 'Servers', key: 'Alt+5' },
  { name: 'Settings', key: 'Alt+6' },
];
const pageHeading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
const rail = () => page.getByRole('navigation', { name: 'Pages' });
const dialog = (name: string) => page.getByRole('dialog', { name });

async function openPalette() {
  await page.keyboard.press('Control+k');
  await seen(dialog('Search or run'));
  return page.getByRole('combobox', { name: 'Search or run' });
}

beforeEach(() => page.setViewportSize({ width: 1200, height: 800 }));

describe('every page', () => {
  it.each(pages)(
    '$name opens by the rail, by $key and by the palette, names the window, and its heading takes the focus',
    async ({ name, key, title = name }) => {
      await start();
      await rail().getByRole('button', { name }).click();
      await hasFocus(pageHeading(title));
      expect(await page.title()).toBe(`${title} – Llavero`);
      await page.keyboard.press('Alt+1');
      await expect.poll(() => page.title()).not.toContain(title);
      await page.keyboard.press(key);
      await hasFocus(pageHeading(title));
      await page.keyboard.press('Alt+1');
      const field = await openPalette();
      await field.fill(name);
      await field.press('Enter');
      await seen(pageHeading(title));
      expect(await rail().getByRole('button', { name }).getAttribute('aria-current')).toBe('page');
    },
  );

  it('of a tester turns Tools on', async () => {
    await stub.start(simple);
    expect(await rail().count()).toBe(0);
    await page.keyboard.press('Control+t');
    await expect.poll(() => stub.callsOf('settings.change')).toEqual([{ workbench: true }]);
  });

  it('has a way back in the Simple face, and the focus goes back to what opened it', async () => {
    await stub.start(simple);
    const gear = page.getByRole('banner').getByRole('button', { name: 'Settings', exact: true });
    await gear.click();
    await seen(pageHeading('Settings'));
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await hasFocus(gear);
  });
});

describe('Tools', () => {
  it('is turned on and off by its button and by Ctrl+J', async () => {
    await stub.start(simple);
    await page.getByRole('button', { name: 'Tools', exact: true }).click();
    await page.keyboard.press('Control+j');
    await expect.poll(() => stub.callsOf('settings.change')).toEqual([{ workbench: true }, { workbench: true }]);
  });

  it('leads to the account when it is turned off in one of its pages', async () => {
    await start();
    await page.keyboard.press('Alt+4');
    await seen(pageHeading('Built-in server'));
    await page.keyboard.press('Control+j');
    await pageHeading('Built-in server').waitFor({ state: 'detached' });
    await expect.poll(() => stub.callsOf('settings.change')).toEqual([{ workbench: false }]);
  });
});

describe('a press outside of the pages that fails', () => {
  const failed = { ok: false, error: { kind: 'file-failed', code: 'ENOSPC' } } as const;
  const outcome = () => page.getByRole('main').getByRole('alert');

  it.each([
    ['a key', 'settings.change', () => page.keyboard.press('Control+j')],
    [
      'the palette',
      'servers.choose',
      async () => {
        const field = await openPalette();
        await field.fill('SHOP.example');
        await field.press('Enter');
      },
    ],
    [
      'the menu of accounts',
      'lock.now',
      async () => {
        await page.getByRole('button', { name: /^Account menu of / }).click();
        await page.getByRole('menuitem', { name: /^Lock now/ }).click();
      },
    ],
  ] as const)('is said above the page, takes the focus and is closed: by %s', async (_by, method, press) => {
    await start();
    await stub.answer(method, failed);
    await press();
    await hasFocus(outcome());
    await page.getByRole('main').getByRole('button', { name: 'Why?' }).click();
    await seen(page.getByRole('main').getByText(/ENOSPC/));
    await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click();
    await outcome().waitFor({ state: 'detached' });
  });
});

describe('the palette', () => {
  it('finds servers by name and address without regard to case, and switches with Enter', async () => {
    await start();
    const field = await openPalette();
    await field.fill('SHOP.example');
    expect(await page.getByRole('option').allInnerTexts()).toHaveLength(1);
    expect(await page.getByRole('option').locator('mark').allInnerTexts()).toEqual(['shop.example']);
    await field.press('Enter');
    await expect.poll(() => stub.callsOf('servers.choose')).toEqual([{ id: production.id }]);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('logs out of the session that is shown for those words, and not everywhere', async () => {
    await start();
    const field = await openPalette();
    await field.fill('log out');
    await field.press('Enter');
    await expect.poll(() => stub.callsOf('sessions.logout')).toHaveLength(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('tells which line is chosen, and moves it with the arrows', async () => {
    await start();
    const field = await openPalette();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator(`[id="${await field.getAttribute('aria-controls')}"]`).getAttribute('role')).toBe(
      'listbox',
    );
    const chosen = async () => page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`).innerText();
    await field.press('ArrowDown');
    expect(await chosen()).toContain('Account');
    await field.press('ArrowDown');
    expect(await chosen()).toContain('Requests');
  });

  it('turns the view for an audience on, found by what it does', async () => {
    await start();
    const field = await openPalette();
    await field.fill('emails masked');
    expect(await page.getByRole('option').allInnerTexts()).toHaveLength(1);
    await field.press('Enter');
    await expect.poll(() => stub.callsOf('settings.change')).toEqual([{ presenting: true }]);
  });

  it('keeps the focus when a page comes after it was opened, and leaves it to the page once it is closed', async () => {
    await start();
    await openPalette();
    await page.keyboard.press('Escape');
    const release = await stub.holdScripts();
    await page.keyboard.press('Alt+5');
    const field = await openPalette();
    await field.pressSequentially('ever');
    await release();
    await seen(page.getByRole('main').getByText('Servers', { exact: true }).first());
    await field.pressSequentially('ywhere');
    expect(await field.inputValue()).toBe('everywhere');
    await hasFocus(field);
    await page.keyboard.press('Escape');
    await hasFocus(pageHeading('Servers'));
  });

  it('says that nothing matches, and Escape gives the focus back', async () => {
    await start();
    const before = rail().getByRole('button', { name: 'Account' });
    await before.focus();
    const field = await openPalette();
    await field.fill('nothing has this name');
    await seen(page.getByText('No matches.'));
    await field.press('Escape');
    await hasFocus(before);
  });
});

describe('the sheet of keys', () => {
  it.each(['Control+/', 'F1', 'Shift+?'])('opens with %s', async (keys) => {
    await start();
    await page.keyboard.press(keys);
    await seen(dialog('Keyboard shortcuts').getByText('Next section'));
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('stays away while a question mark is typed into a field', async () => {
    await stub.start({});
    const email = page.getByLabel('Email', { exact: true });
    await email.press('Shift+?');
    expect(await email.inputValue()).toBe('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('what is opened while a log-in is under way', () => {
  const logInHeld = async () => {
    await stub.start(simpleStart);
    await page.getByLabel('Email', { exact: true }).fill('ana@example.test');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await stub.answer('session.login', 'hold');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect.poll(() => stub.callsOf('session.login')).toHaveLength(1);
    return () => stub.release('session.login', { state: { ...firstStart, ...simpleStart, ...several } });
  };
  const simpleStart = { servers: several.servers };

  it('keeps the focus in the field of the servers, and leaves it to the profile once it is closed', async () => {
    const release = await logInHeld();
    await page.getByRole('button', { name: /^Server:/ }).click();
    const field = page.getByLabel('Search or type an address', { exact: true });
    await hasFocus(field);
    await release();
    await seen(pageHeading('Ana Prueba'));
    await hasFocus(field);
    await page.keyboard.press('Escape');
    await hasFocus(pageHeading('Ana Prueba'));
  });

  it('keeps the focus in a menu', async () => {
    const release = await logInHeld();
    await page.getByRole('button', { name: 'Accounts', exact: true }).focus();
    await page.keyboard.press('Enter');
    const menu = await seen(page.getByRole('menu').first());
    await eventually(async () => expect(await menu.locator(':focus').count()).toBe(1));
    await release();
    await seen(pageHeading('Ana Prueba'));
    await eventually(async () => expect(await menu.locator(':focus').count()).toBe(1));
  });
});

it('F6 goes from one part of the window to the next, and around again', async () => {
  await start();
  await page.keyboard.press('Alt+5');
  await hasFocus(pageHeading('Servers'));
  const part = () =>
    page.evaluate(() => document.activeElement?.closest('[data-region]')?.tagName.toLowerCase() ?? 'none');
  const parts: string[] = [];
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press('F6');
    parts.push(await part());
  }
  expect(parts).toEqual(['footer', 'header', 'nav', 'main']);
});

describe('the status bar', () => {
  const bar = () => page.getByRole('contentinfo');
  const chip = (name: string) => bar().getByRole('button', { name, exact: true });

  it('says that a connection is not encrypted, and about files until a person hides it', async () => {
    await start({
      activeServerId: staging.id,
      files: [{ file: 'config.json', problem: 'restored', quarantinedAs: 'config.json.broken' }],
    });
    await seen(chip('Not encrypted'));
    await chip('Files').click();
    await seen(page.getByRole('dialog').getByText(/config\.json\.broken/));
    await page.getByRole('dialog').getByRole('button', { name: 'Hide this message' }).click();
    await chip('Files').waitFor({ state: 'detached' });
  });

  it('has its chips side by side, yellow where something can be done and grey where nothing can', async () => {
    await start({ activeServerId: staging.id, electron: { version: '42.0.0', thirdParty: true } });
    await seen(chip('Development build'));
    const chips = await bar().locator('button[data-tone]').all();
    const tones = await Promise.all(chips.map((each) => each.getAttribute('data-tone')));
    expect(tones).toEqual(['warn', 'warn', 'plain']);
    const boxes = await Promise.all(chips.map(async (each) => (await each.boundingBox())!));
    expect(boxes.slice(1).map(({ x }, at) => Math.round(x - boxes[at]!.x - boxes[at]!.width))).toEqual([6, 6]);
  });

  it('puts a warning that comes behind those that are there', async () => {
    await start({ sessions: [], electron: { version: '42.0.0', thirdParty: true } });
    await seen(chip('Development build'));
    const before = await chip('Development build').boundingBox();
    await stub.change({ sessions: heldSessions });
    await seen(bar().locator('button[data-tone=warn]'));
    expect(await chip('Development build').boundingBox()).toEqual(before);
  });

  it('asks the keyring again', async () => {
    await start({ vault: { state: 'locked' } });
    await chip('Memory only').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => stub.callsOf('vault.retry')).toHaveLength(1);
  });

  it('has one chip for all where there is no room for each', async () => {
    await page.setViewportSize({ width: 480, height: 640 });
    await start({ behaviour: misbehaving, activeServerId: staging.id });
    const all = bar().getByRole('button', { name: /^Warnings: \d$/ });
    await all.click();
    await seen(page.getByRole('dialog').getByText('Not encrypted', { exact: true }));
    await seen(page.getByRole('dialog').getByText('Faults active', { exact: true }));
  });

  it('keeps its one line at every width', async () => {
    for (const width of [1600, 1200, 800, 480, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await start({ behaviour: misbehaving, activeServerId: production.id, vault: { state: 'locked' } });
      expect((await bar().boundingBox())?.height).toBe(28);
    }
  });
});

it('a frame is drawn at production alone', async () => {
  const framed = () =>
    page
      .locator('div[aria-hidden=true]:empty')
      .evaluateAll((all) =>
        all
          .filter((each) => getComputedStyle(each).position === 'fixed')
          .map((each) => getComputedStyle(each).borderWidth),
      );
  await start({ activeServerId: staging.id });
  await seen(page.getByRole('contentinfo'));
  expect(await framed()).toEqual([]);
  await start({ activeServerId: production.id });
  await expect.poll(framed).toEqual(['4px']);
});

it('an owner is shown no milliseconds of a server, neither in the header nor in the menu', async () => {
  for (const [state, expected] of [
    [several, /139 ms/],
    [simple, /^(?!.* ms\b)/s],
  ] as const) {
    await stub.start({ ...state, servers: [builtInAsked, staging] });
    const chip = page.getByRole('button', { name: /^Server:/ });
    expect(await chip.innerText()).toMatch(expected);
    await chip.click();
    expect(await page.getByRole('option', { name: 'Built-in' }).innerText()).toMatch(expected);
  }
});

it('the name of a production server is seen beside the word in the narrowest window, in both faces', async () => {
  await page.setViewportSize({ width: 320, height: 400 });
  for (const state of [several, simple]) {
    await stub.start({ ...state, activeServerId: production.id });
    const chip = page.getByRole('button', { name: /^Server:/ });
    const [around, name, word] = await Promise.all(
      [chip, chip.getByText('Shop', { exact: true }), chip.getByText(/production/i)].map((each) => each.boundingBox()),
    );
    expect(name!.width).toBeGreaterThan(30);
    expect(word!.x).toBeGreaterThanOrEqual(name!.x + name!.width);
    expect(around!.x + around!.width).toBeGreaterThan(word!.x + word!.width);
    expect(around!.x + around!.width).toBeLessThanOrEqual(320);
  }
});

it('the chip says the host of a server once, also where it is its name', async () => {
  const named = { ...staging, name: 'staging.example.test', baseUrl: 'https://staging.example.test' };
  await start({ servers: [...firstStart.servers, named], activeServerId: named.id });
  const chip = page.getByRole('button', { name: /^Server:/ });
  await seen(chip);
  expect((await chip.innerText()).match(/staging\.example\.test/g)).toHaveLength(1);
});

it('production is written out in the chip of the server and in the menu', async () => {
  await start({ activeServerId: production.id });
  const chip = page.getByRole('button', { name: /^Server:/ });
  expect(await chip.innerText()).toMatch(/production/i);
  await chip.click();
  expect(await page.getByRole('option').filter({ hasText: 'Shop' }).innerText()).toMatch(/production/i);
});
