import { layoutShift, nothingMoved } from '../../../support/layout-shift.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { callsPage, withSeveralServers } from '../../../support/calls-page.ts';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { someCalls } from '../../../support/stub-main/calls.ts';
import { production } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const { region, list, options, option, button, search, details, heading, part, openWith } = callsPage(() => stub);

describe('the page of calls', () => {
  it('is opened by its shortcut and left by Escape, which gives the focus back to where it was', async () => {
    await stub.start(withSeveralServers, someCalls);
    const email = page.getByLabel('Email', { exact: true });
    await email.focus();
    await page.keyboard.press('Control+e');
    await hasFocus(heading());
    expect(await heading().innerText()).toBe('Requests');
    await page.keyboard.press('Escape');
    await hasFocus(page.getByRole('heading', { level: 1 }));
    expect(await region().count()).toBe(0);
  });

  it('gives the focus to its search with Ctrl+F', async () => {
    await openWith();
    await page.keyboard.press('Control+f');
    await hasFocus(search());
    expect(await search().getAttribute('placeholder')).toBe('Search requests');
  });

  it('stays closed while a dialog is open', async () => {
    await stub.start(withSeveralServers, [{ summary: { ...someCalls[0]!.summary } }]);
    await page.keyboard.press('Control+e');
    await button('Export, clear').click();
    await page.getByRole('menuitem', { name: 'Clear…', exact: true }).click();
    await seen(page.getByRole('dialog'));
    await page.keyboard.press('Control+f');
    expect(await search().evaluate((node) => node === document.activeElement)).toBe(false);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await region().count()).toBe(1);
  });

  it('is not loaded before it is opened', async () => {
    await stub.start(withSeveralServers, someCalls);
    const loaded = () => page.evaluate(() => document.querySelectorAll('link[href*="calls-page"]').length);
    expect(await loaded()).toBe(0);
    await expectNotAsked('calls.list');
    await page.keyboard.press('Control+e');
    await region().waitFor();
    expect(await loaded()).toBeGreaterThan(0);
  });

  it('shows the list and one call after the other where it is narrow, with its filters behind one button', async () => {
    await page.setViewportSize({ width: 800, height: 700 });
    await openWith();
    expect(await page.getByRole('combobox', { name: 'Outcome', exact: true }).count()).toBe(0);
    await button('Filters').click();
    await page.getByRole('combobox', { name: 'Outcome', exact: true }).selectOption('failed');
    await page.keyboard.press('Escape');
    await hasFocus(button('Filters on: 1'));
    await eventually(async () => expect(await options().count()).toBe(1));
    await options().first().click();
    await seen(details());
    expect(await list().isVisible()).toBe(false);
    await button('Back to the list').click();
    await hasFocus(list());
    expect(await details().count()).toBe(0);
    await page.setViewportSize({ width: 1000, height: 700 });
  });
});

describe('the dock of calls', () => {
  const dock = () => page.getByRole('region', { name: 'Requests', exact: true });
  const openWide = async () => {
    await page.setViewportSize({ width: 1400, height: 800 });
    await stub.start({ ...withSeveralServers, activeServerId: production.id }, someCalls);
  };
  afterEach(() => page.setViewportSize({ width: 1000, height: 700 }));

  it('stands beside the account once the person wants it there, also the next time, and lists the calls of this server', async () => {
    await openWide();
    const email = page.getByLabel('Email', { exact: true });
    await email.focus();
    await page.keyboard.press('Control+e');
    await seen(dock());
    await eventually(async () => expect(await options().count()).toBe(1));
    expect((await dock().boundingBox())?.width).toBe(432);
    await page.reload();
    await seen(dock());
    await eventually(async () => expect(await options().count()).toBe(1));
    await email.focus();
    await page.keyboard.press('Control+e');
    await dock().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+e');
    await seen(dock());
    await button('Undock requests (Ctrl+E)').click();
    await hasFocus(email);
    expect(await dock().count()).toBe(0);
  });

  it('holds its place from the first frame on', async () => {
    await openWide();
    await page.keyboard.press('Control+e');
    await seen(dock());
    await page.reload();
    await eventually(async () => expect(await options().count()).toBe(1));
    expect(await layoutShift(page)).toEqual(nothingMoved);
  });

  it('shows one call below the list, and leads with it into the page', async () => {
    await openWide();
    await page.keyboard.press('Control+e');
    await option('/auth/login').click();
    await expectText(await part('Summary'), /datos\.access_token/);
    expect(await details().getByRole('button', { name: 'Copy as', exact: true }).count()).toBe(0);
    await button('Open Requests').click();
    await eventually(async () => expect(await heading().innerText()).toBe('Requests'));
    await hasFocus(details().getByRole('heading', { level: 2 }));
  });

  it('is away on other pages, where its shortcut opens the page', async () => {
    await openWide();
    await page.keyboard.press('Control+e');
    await seen(dock());
    await page.keyboard.press('Control+,');
    await dock().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+e');
    await eventually(async () => expect(await heading().innerText()).toBe('Requests'));
  });
});
