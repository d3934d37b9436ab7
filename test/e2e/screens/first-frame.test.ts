import { expect, describe, it } from 'vitest';
import type { Server } from '../../../preload/contract/models.ts';
import { layoutShift, nothingMoved } from '../../support/layout-shift.ts';
import { firstStart, staging } from '../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();

const elsewhere: Server = {
  ...staging,
  id: 'acme',
  name: 'Acme',
  colour: 'teal',
  baseUrl: 'https://acme.example.test/api',
};
const byHost: Server = { ...elsewhere, name: 'acme.example.test/api' };
const hostile: Server = { ...elsewhere, name: '"><img src=x onerror=alert(1)>' };
const builtIn = firstStart.servers[0]!;
const starting: Server = { ...builtIn, baseUrl: '' };

/** Starts as main does for a person who is not logged in. */
const start = (
  server: Server = builtIn,
  email = '',
  language: 'en' | 'es' = 'en',
  scheme: 'light' | 'dark' = 'light',
  comes?: { slowly: boolean },
) =>
  stub.startWithFrame(
    { server: { ...server, email }, language, scheme, version: '0.1.0' },
    {
      language,
      settings: { ...firstStart.settings, workbench: false, language, theme: scheme },
      electron: { version: '42.0.0', thirdParty: false },
      servers: [starting, ...(server === builtIn ? [] : [server])],
      activeServerId: server.id,
      builtIn: { state: 'starting' },
      vault: { state: 'asking' },
      session: { step: 'signed-out', email: email || undefined },
    },
    comes,
  );

const email = () => page.locator('input[name=email]');
const password = () => page.locator('input[name=password]');
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));

/** What is on the screen, box by box, without what only code and listeners see. */
const boxes = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('header *, main *, footer *')]
      .filter((element) => element.getClientRects().length > 0)
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { color, backgroundColor, fontSize, fontWeight, borderColor } = getComputedStyle(element);
        return [element.localName, x, y, width, height, color, backgroundColor, fontSize, fontWeight, borderColor].join(
          ' ',
        );
      }),
  );

describe.each([
  ['en', 'light', 1000, 700],
  ['es', 'dark', 480, 640],
] as const)('the first frame of the log-in form in %s and %s', (language, scheme, width, height) => {
  it.each([
    ['the built-in server', builtIn],
    ['another server', elsewhere],
    ['a server that is named after its host', byHost],
    ['a server whose name is markup', hostile],
  ])('at %s is replaced by the same, to the pixel', async (_what, server) => {
    await page.setViewportSize({ width, height });
    stub.complaints.splice(0);
    await start(server, '"ana"@example.test', language, scheme);
    const before = await boxes();
    expect(await email().inputValue()).toBe('"ana"@example.test');
    await expect.poll(focused).toBe('email');
    await stub.giveScripts();
    expect(await boxes()).toEqual(before);
    expect(await email().inputValue()).toBe('"ana"@example.test');
    await expect.poll(focused).toBe('email');
    expect(await layoutShift(page)).toEqual(nothingMoved);
    expect(stub.complaints).toEqual([]);
  });
});

it('the first frame is shown once it is whole, also when it comes in pieces', async () => {
  await page.setViewportSize({ width: 480, height: 640 });
  await start(hostile, '"ana"@example.test', 'es', 'dark', { slowly: true });
  await page.waitForLoadState('domcontentloaded');
  expect(await layoutShift(page)).toEqual(nothingMoved);
  await stub.giveScripts();
  expect(await layoutShift(page)).toEqual(nothingMoved);
});

describe('what a person does on the first frame', () => {
  it('is kept: what was typed, the place of the caret, the tick', async () => {
    await start();
    await page.keyboard.type('ana@example.test');
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.locator('input[type=checkbox]').uncheck();
    await email().focus();
    await stub.giveScripts();
    await expect.poll(focused).toBe('email');
    expect(await email().evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd])).toEqual([
      10, 11,
    ]);
    await page.keyboard.type('-');
    await password().fill('a long password');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => stub.callsOf('session.login'))
      .toEqual([{ email: 'ana@exampl-.test', password: 'a long password', remember: false }]);
  });

  it('keeps the focus in the password', async () => {
    await start(builtIn, 'ana@example.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type('a long');
    await stub.giveScripts();
    await page.keyboard.type(' password');
    await expect.poll(focused).toBe('password');
    expect(await password().inputValue()).toBe('a long password');
  });

  it('is sent once the scripts are there when Enter was pressed, and not twice', async () => {
    await start(builtIn, 'ana@example.test');
    await password().fill('a long password');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await stub.giveScripts();
    await expect
      .poll(() => stub.callsOf('session.login'))
      .toEqual([{ email: 'ana@example.test', password: 'a long password', remember: true }]);
  });

  it('is done once the scripts are there when something was pressed', async () => {
    await start(builtIn, 'ana@example.test');
    await page.getByText('Create account').click();
    await stub.giveScripts();
    await page.getByRole('heading', { name: 'Create account' }).waitFor();
    expect(await email().inputValue()).toBe('ana@example.test');
    expect(page.url()).toBe('app://llavero/');
  });

  it('is not taken away in the middle of a composed character', async () => {
    await start();
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    const given = stub.giveScripts();
    await expect.poll(() => stub.callsOf('app.state')).toHaveLength(1);
    expect(await page.locator('#first-frame').count()).toBe(1);
    await devTools.send('Input.insertText', { text: '日本' });
    await given;
    expect(await email().inputValue()).toBe('日本');
    await devTools.detach();
  });
});
