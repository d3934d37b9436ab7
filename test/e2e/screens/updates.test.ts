import { beforeEach, describe, expect, it } from 'vitest';
import type { Update } from '../../../preload/contract/about.ts';
import { layoutShift, nothingMoved } from '../../support/layout-shift.ts';
import { expectText, hasFocus, seen } from '../../support/screens.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { announced, firstStart } from '../../support/stub-main/states.ts';

openForAll();
beforeEach(() => page.setViewportSize({ width: 1000, height: 700 }));

const simple = { settings: { ...firstStart.settings, workbench: false } };
const available = (some: Partial<Update> = {}) =>
  ({ updates: { state: 'available', update: { ...announced, ...some } } }) as const;
const region = () => page.getByRole('region', { name: 'Updates', exact: true });
const button = (name: string | RegExp) => region().getByRole('button', { name });
const chip = () => page.getByRole('contentinfo').getByRole('button', { name: 'New version' });

async function open(state: Parameters<typeof stub.start>[0]) {
  await stub.start(state);
  await page.keyboard.press('ControlOrMeta+,');
  await seen(region());
}

describe('updates', () => {
  it('that are off have one sentence and nothing to press', async () => {
    await open({});
    await expectText(region().getByRole('status'), 'This copy does not check for updates.');
    expect(await region().getByRole('button').count()).toBe(0);
    expect(await region().getByRole('switch').count()).toBe(0);
    await stub.change({ updates: { state: 'off', why: 'managed' } });
    await expectText(region().getByRole('status'), 'The administrator of this computer manages updates');
  });

  it('that a file of an administrator spoils name it with Tools alone', async () => {
    const updates = { state: 'off', why: 'unusable', file: '/etc/llavero/updates.json' } as const;
    await open({ updates, ...simple });
    await expectText(region().getByRole('status'), 'Contact the administrator of this computer.');
    expect(await region().innerText()).not.toContain('/etc/');
    await stub.change({ settings: firstStart.settings });
    await expectText(region().getByRole('status'), 'Configuration file: /etc/llavero/updates.json.');
  });

  it('are looked for with a button, downloaded, stopped and installed by one, and switched off', async () => {
    await open({ updates: { state: 'not-checked' } });
    /** The next step can be taken once main has answered the one before. */
    const press = (name: RegExp | string) => button(name).and(page.locator('[aria-busy=false]')).click();
    await button('Check for updates').click();
    await stub.change(available());
    await seen(region().getByText('Faster log in.'));
    await press(/^Download \(118/);
    await stub.change({ updates: { state: 'downloading', update: announced, percent: 40 } });
    expect(await region().getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
    await press('Stop');
    await stub.change({ updates: { state: 'ready', update: announced } });
    await press('Install and restart');
    await region().getByText('Check for updates automatically').click();
    for (const method of ['check', 'download', 'cancel', 'install'] as const)
      await expect.poll(() => stub.callsOf(`updates.${method}`)).toHaveLength(1);
    await expect.poll(() => stub.callsOf('settings.change')).toEqual([{ lookForUpdates: false }]);
  });

  it('that failed say why, and so does what main refuses', async () => {
    await open({ updates: { state: 'failed', at: '2026-11-22T10:00:00.000Z', problem: 'damaged' } });
    await expectText(region().getByRole('status'), 'The update information is damaged or incomplete and was not used.');
    await stub.fails('updates.check', { kind: 'not-now' });
    await button('Check for updates').click();
    await expectText(region().getByRole('alert'), 'Llavero cannot do this right now.');
  });

  it('of a package of the system are told, with nothing to press', async () => {
    await open(available({ by: 'system', bytes: undefined }));
    await seen(region().getByText('Get the new package where you got this one', { exact: false }));
    await seen(region().getByText('Faster log in.'));
    expect(await region().getByRole('button').count()).toBe(0);
  });

  it.each([1200, 800, 480])(
    'are announced in a window of %s without a move of anything or of the focus',
    async (width) => {
      await page.setViewportSize({ width, height: 700 });
      await stub.start({ updates: { state: 'not-checked' } });
      const email = page.locator('input[name=email]');
      await email.fill('ana');
      await layoutShift(page);
      await stub.change(available());
      await seen(chip());
      await hasFocus(email);
      expect(await layoutShift(page)).toEqual(nothingMoved);
      await seen(page.getByRole('contentinfo').getByRole('status').filter({ hasText: 'Llavero 0.2.0 is available.' }));
      await chip().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
      await seen(region().getByText('Faster log in.'));
      await hasFocus(page.getByRole('heading', { name: 'Updates', exact: true }));
    },
  );

  it('show what a feed says as text, whatever it looks like', async () => {
    await open(available({ notes: '<img src=x onerror=alert(1)> <b>bold</b>' }));
    await seen(region().getByText('<img src=x onerror=alert(1)> <b>bold</b>'));
    expect(await region().locator('img, b').count()).toBe(0);
  });
});
