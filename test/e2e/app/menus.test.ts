import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication } from 'playwright-core';
import { expect, it } from 'vitest';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { seen } from '../../support/screens.ts';

/** Returns the menus with the labels of their items, without separators and what is hidden. */
const menusOf = (app: ElectronApplication): Promise<Record<string, string[]>> =>
  app.evaluate(({ Menu }) =>
    Object.fromEntries(
      (Menu.getApplicationMenu()?.items ?? []).map(({ label, submenu }) => [
        label,
        (submenu?.items ?? []).filter(({ type, visible }) => visible && type !== 'separator').map((item) => item.label),
      ]),
    ),
  );

const press = (app: ElectronApplication, id: string) =>
  app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);

it('the native menus are in the language of the window, and lead to what the window does', async () => {
  const { page, app } = await launchApp();
  await seen(page.getByRole('heading', { name: 'Log in' }));
  const english = await menusOf(app);
  expect(Object.keys(english)).toEqual(['File', 'Edit', 'View', 'Help']);
  expect(english['Help']).toEqual(['All keys', 'About Llavero']);

  await press(app, 'room-servers');
  await seen(page.getByRole('heading', { name: 'Servers', exact: true }));
  await press(app, 'about');
  await expect.poll(() => page.getByRole('button', { name: 'About' }).getAttribute('aria-current')).toBe('true');
  await press(app, 'keys');
  await seen(page.getByRole('dialog', { name: 'All keys' }));
  await page.keyboard.press('Escape');

  await page.getByRole('radio', { name: 'Español' }).click();
  await expect.poll(async () => Object.keys(await menusOf(app))).toEqual(['Archivo', 'Edición', 'Ver', 'Ayuda']);
  const labels = Object.values(await menusOf(app)).flat();
  // What is the same in both languages is no word of a language.
  expect(labels.filter((label) => Object.values(english).flat().includes(label))).toEqual([]);
});

it('the size of the page, and that of the window, are as they were at the next start', async () => {
  const userDataDir = await makeProfile();
  const { page, app, quit } = await launchApp({ userDataDir });
  await seen(page.getByRole('heading', { name: 'Log in' }));
  const widthOf = () => page.evaluate(() => window.innerWidth);
  const before = await widthOf();
  await press(app, 'zoom-in');
  await press(app, 'zoom-in');
  await expect.poll(widthOf).toBeLessThan(before * 0.85);
  const config = path.join(userDataDir, 'config.json');
  await expect.poll(async () => JSON.parse(await readFile(config, 'utf8'))).toMatchObject({ zoom: 1.25 });
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 20, y: 10, width: 700, height: 600 }),
  );
  await quit();

  const next = await launchApp({ userDataDir });
  await seen(next.page.getByRole('heading', { name: 'Log in' }));
  expect(await next.page.evaluate(() => window.innerWidth)).toBe(Math.floor(700 / 1.25));
  await press(next.app, 'zoom-reset');
  await expect.poll(() => next.page.evaluate(() => window.innerWidth)).toBe(700);
  await next.page.evaluate(() => window.api.settings.change({ presenting: true }));
  await expect.poll(() => next.page.evaluate(() => window.innerWidth)).toBe(Math.floor(700 / 1.25));
});
