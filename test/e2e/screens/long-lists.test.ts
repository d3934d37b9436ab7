import type { Locator } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../preload/contract/models.ts';
import { callsPage } from '../../support/calls-page.ts';
import { layoutShift } from '../../support/layout-shift.ts';
import { eventually, expectNoComplaints, hasFocus, openServers, seen } from '../../support/screens.ts';
import { manyCalls } from '../../support/stub-main/calls.ts';
import { accountsOfServer, longReport, manyServers, manySessions } from '../../support/stub-main/many.ts';
import { firstStart, signedIn } from '../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const main = () => page.getByRole('main');
const rows = () => main().locator('[data-line]');
const servers = manyServers.slice(0, 10);
const ofSessions: Partial<AppState> = {
  servers,
  activeServerId: 'server-0',
  sessions: manySessions,
  session: { ...signedIn, sessionId: 'session-0' },
};
const ofServers: Partial<AppState> = { servers: manyServers, activeServerId: 'server-0' };

/** Far fewer than there are: a few more than fit into the window. */
const mostRows = 30;
const mostElements = 1000;
const elements = () => page.evaluate(() => document.querySelectorAll('*').length);

/** Fails where a part of the list that is in the window has no row. */
async function expectNoHole(list: Locator): Promise<void> {
  expect(
    await list.locator('[aria-hidden][style*=height], :scope > [style*=height]').evaluateAll((gaps) =>
      gaps.filter((gap) => {
        const { top, bottom } = gap.getBoundingClientRect();
        return bottom - top > 1 && bottom > 0 && top < window.innerHeight;
      }),
    ),
  ).toEqual([]);
}

async function openSessions(): Promise<void> {
  await stub.start(ofSessions);
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: /^All sessions/ }).click();
  await hasFocus(page.getByRole('heading', { name: 'All sessions', exact: true }));
  await rows().first().waitFor();
}

describe('200 sessions', () => {
  const scroller = () => main().locator('[class*=scroll]').first();
  const topOf = async (number: number): Promise<number> =>
    (await row(number).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top)))[0] ?? NaN;
  /** Scrolls to the end, which moves on while rows are higher than those before. */
  const toEnd = () =>
    eventually(async () => {
      await scroller().evaluate(async (element) => {
        element.scrollTo(0, element.scrollHeight);
        for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
      });
      expect(await topOf(199)).toBeLessThan(700);
    });
  const row = (number: number) => main().locator(`[data-line=session-${number}]`);

  it('are rendered where they are seen, and say how many there are', async () => {
    await openSessions();
    expect(await rows().count()).toBeLessThan(mostRows);
    expect(await elements()).toBeLessThan(mostElements);
    expect(await row(0).getAttribute('aria-setsize')).toBe(String(accountsOfServer));
    expect(await row(1).getAttribute('aria-posinset')).toBe('2');
    await scroller().evaluate((element) => element.scrollTo(0, 6000));
    await eventually(async () => expect(await row(0).isVisible()).toBe(true));
    await eventually(async () => expect(await rows().count()).toBeLessThan(mostRows));
    await eventually(() => expectNoHole(main()));
    await toEnd();
    await eventually(() => expectNoHole(main()));
  });

  it('do not jump while they are scrolled upwards to rows that were never there', async () => {
    await page.setViewportSize({ width: 480, height: 700 });
    await openSessions();
    await toEnd();
    const { sum } = await layoutShift(page);
    const box = await scroller().boundingBox();
    await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 300);
    for (let turn = 0; turn < 8; turn += 1) {
      const before = await topOf(198 - turn);
      await page.mouse.wheel(0, -120);
      // The browser keeps what is read on whole pixels.
      await eventually(async () => expect(Math.abs((await topOf(198 - turn)) - before - 120)).toBeLessThan(1));
    }
    expect((await layoutShift(page)).sum).toBe(sum);
    await page.setViewportSize({ width: 1120, height: 700 });
  });

  it('are walked through with the Tab key in their order, from the first one and, backwards, from the last one', async () => {
    await openSessions();
    await page.getByRole('button', { name: 'Log out of all accounts here' }).focus();
    const reached: string[] = [];
    for (let press = 0; press < 90; press += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => document.activeElement?.closest('[data-line]')?.getAttribute('data-line') ?? ''),
      );
    }
    const inOrder = [...new Set(reached)].filter((each) => each !== '');
    expect(inOrder.length).toBeGreaterThan(28);
    expect(inOrder).toEqual(inOrder.map((_, at) => `session-${at}`));
    expect(await rows().count()).toBeLessThan(mostRows);
    // What has the focus stays, wherever the page is scrolled to.
    await toEnd();
    await hasFocus(main().locator(`[data-line=${inOrder.at(-1)}] button:focus`));
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await hasFocus(main().locator(`[data-line=${inOrder.at(-2)}] button:focus`));
    await row(199).getByRole('button').last().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await hasFocus(row(199).getByRole('button').last());
  });

  it('give the focus to the next one when one is gone', async () => {
    await openSessions();
    await scroller().evaluate((element) => element.scrollTo(0, 6000));
    let [id, next]: (string | undefined)[] = [];
    await eventually(async () => {
      const shown = await rows().evaluateAll((all) => all.map((each) => each.dataset['line']));
      [id, next] = shown.slice(4);
      expect(Number(id?.replace('session-', ''))).toBeGreaterThan(20);
    });
    const firstButton = (line = '') => main().locator(`[data-line="${line}"]`).getByRole('button').first();
    await firstButton(id).focus();
    await stub.change({ sessions: manySessions.filter((each) => each.id !== id) });
    await hasFocus(firstButton(next));
  });
});

describe('20 accounts of a server', () => {
  it.each(['en', 'es'] as const)('are five above the form and a way to the others in %s', async (language) => {
    await stub.start({
      ...ofSessions,
      session: { step: 'signed-out' },
      language,
      settings: { ...firstStart.settings, language },
    });
    const title = { en: 'All sessions', es: 'Todas las sesiones' }[language];
    const rest = main().getByRole('button', { name: title, exact: true });
    await seen(rest);
    expect(
      await main()
        .getByRole('button', { name: /person-\d+@example\.test$/ })
        .count(),
    ).toBe(5);
    await rest.click();
    await hasFocus(page.getByRole('heading', { name: title, exact: true }));
  });

  it('are all there where they are five', async () => {
    await stub.start({ ...ofSessions, session: { step: 'signed-out' }, sessions: manySessions.slice(0, 5) });
    await seen(page.getByRole('heading', { name: 'Log in', exact: true }));
    expect(
      await main()
        .getByRole('button', { name: /person-\d+@example\.test$/ })
        .count(),
    ).toBe(5);
    expect(await main().getByRole('button', { name: 'All sessions', exact: true }).count()).toBe(0);
  });
});

describe('200 servers', () => {
  const list = () => main().getByRole('listbox', { name: 'Servers', exact: true });
  const option = (number: number) => list().getByRole('option', { name: new RegExp(`^Server ${number}\\b`) });

  it('are rendered where they are seen, and the keys reach the last one', async () => {
    await stub.start(ofServers);
    await page.keyboard.press('Alt+5');
    await option(1).waitFor();
    expect(await list().getByRole('option').count()).toBeLessThan(mostRows);
    expect(await elements()).toBeLessThan(mostElements);
    expect(await option(1).getAttribute('aria-setsize')).toBe('200');
    await list().focus();
    for (const [key, number] of [
      ['End', 199],
      ['ArrowUp', 198],
      ['Home', 0],
      ['ArrowDown', 1],
    ] as const) {
      await page.keyboard.press(key);
      await eventually(async () => expect(await option(number).getAttribute('aria-selected')).toBe('true'));
      expect(await list().getAttribute('aria-activedescendant')).toBe(await option(number).getAttribute('id'));
      expect(await option(number).getAttribute('aria-posinset')).toBe(String(number + 1));
      await eventually(async () => {
        const { y = -1 } = (await option(number).boundingBox()) ?? {};
        expect(y > 0 && y < 700).toBe(true);
      });
      await eventually(() => expectNoHole(list()));
    }
    expect(await list().getByRole('option').count()).toBeLessThan(mostRows);
  });

  it('are a menu that is searched, and the keys reach every one', async () => {
    await stub.start(ofServers);
    const inMenu = page.getByRole('listbox', { name: 'Servers', exact: true }).getByRole('option');
    expect(await elements()).toBeLessThan(mostElements);
    const search = await openServers(page);
    await inMenu.nth(3).waitFor();
    expect(await inMenu.count()).toBeLessThan(mostRows);
    expect(await inMenu.last().getAttribute('aria-posinset')).toBe('202');
    const active = async () => page.locator(`[id="${await search.getAttribute('aria-activedescendant')}"]`).innerText();
    await search.press('ArrowUp');
    expect(await active()).toContain('All servers');
    await search.press('ArrowUp');
    expect(await active()).toContain('Server 199');
    const { y = -1 } = (await inMenu.filter({ hasText: 'Server 199' }).boundingBox()) ?? {};
    expect(y > 0 && y < 700).toBe(true);
    await search.fill('server-15');
    await eventually(async () => expect(await inMenu.last().getAttribute('aria-setsize')).toBe('13'));
    await search.press('ArrowDown');
    await search.press('ArrowDown');
    expect(await active()).toContain('Server 15');
    await search.press('Enter');
    await expect.poll(() => stub.callsOf('servers.choose')).toEqual([{ id: 'server-15' }]);
  });
});

describe('5000 calls', () => {
  const { options, openWith } = callsPage(() => stub);

  it('are rendered where they are seen', async () => {
    await openWith(manyCalls(5000));
    await options().first().waitFor();
    expect(await options().count()).toBeLessThan(mostRows);
    expect(await elements()).toBeLessThan(mostElements);
    expect(await options().first().getAttribute('aria-setsize')).toBe('5000');
  });
});

describe('a report of 150 calls', () => {
  it('renders the results that are seen, and the keys reach the last one', async () => {
    await stub.start(ofServers);
    await stub.runs(longReport);
    await page.keyboard.press('Alt+3');
    const results = main().getByRole('region', { name: 'Results', exact: true });
    const lines = results.locator('[data-line]');
    await lines.first().waitFor();
    expect(await lines.count()).toBeLessThan(mostRows);
    expect(await elements()).toBeLessThan(mostElements);
    await lines.first().focus();
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('ArrowDown');
    const place = () => page.evaluate(() => document.activeElement?.getAttribute('data-index'));
    // There was one heading on the way.
    expect(Number(await place())).toBeGreaterThanOrEqual(61);
    await eventually(() => expectNoHole(results));
    await page.keyboard.press('End');
    await hasFocus(lines.last());
    await page.keyboard.press('Home');
    await hasFocus(lines.first());
    expect(await lines.count()).toBeLessThan(mostRows);
  });
});
