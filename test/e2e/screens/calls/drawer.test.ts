import { afterEach, describe, expect, it } from 'vitest';
import { callsDrawer, several } from '../../../support/calls-drawer.ts';
import { eventually, expectNoComplaints, hasFocus } from '../../../support/screens.ts';
import { someCalls } from '../../../support/stub-main/calls.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const { drawer, button, search, openWith } = callsDrawer(() => stub);

describe('the drawer', () => {
  it('is opened and closed by its shortcut, and gives the focus back to where it was', async () => {
    await stub.start(several, someCalls);
    const email = page.getByLabel('Email', { exact: true });
    await email.focus();
    await page.keyboard.press('Control+e');
    await hasFocus(search());
    await page.keyboard.press('Control+e');
    await hasFocus(email);
    expect(await drawer().count()).toBe(0);
  });

  it('is opened by its button, which Escape gives the focus back to', async () => {
    await stub.start(several, someCalls);
    await button('Calls').click();
    await hasFocus(search());
    expect(await button('Calls').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Escape');
    await hasFocus(button('Calls'));
    expect(await drawer().count()).toBe(0);
  });

  it('stays closed while a dialog is open', async () => {
    await stub.start(several, someCalls);
    await button('Servers').click();
    await page.getByRole('menuitem').first().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+e');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await drawer().count()).toBe(0);
  });

  it('can be resized with the keys and the pointer, and is there again, as high, when the window is', async () => {
    await openWith();
    const edge = page.getByRole('separator', { name: 'Height of the calls' });
    const height = async () => (await drawer().boundingBox())?.height ?? 0;
    expect(await height()).toBe(320);
    await edge.press('ArrowUp');
    await eventually(async () => expect(await height()).toBe(344));
    expect(await edge.getAttribute('aria-valuenow')).toBe('344');

    const box = (await edge.boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 4);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 54, { steps: 3 });
    await page.mouse.up();
    await eventually(async () => expect(await height()).toBe(294));
    await page.reload();
    await drawer().waitFor();
    expect(await height()).toBe(294);
    await hasFocus(page.getByLabel('Email', { exact: true }));

    await edge.press('End');
    await eventually(async () => expect(await height()).toBe(420));
    await edge.press('Home');
    await eventually(async () => expect(await height()).toBe(140));
  });

  it('is not loaded before it is opened', async () => {
    await stub.start(several, someCalls);
    const loaded = () => page.evaluate(() => document.querySelectorAll('link[href*="calls-drawer"]').length);
    expect(await loaded()).toBe(0);
    expect(await stub.callsOf('calls.list')).toEqual([]);
    await page.keyboard.press('Control+e');
    await drawer().waitFor();
    expect(await loaded()).toBeGreaterThan(0);
  });
});
