import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { launchApp } from '../../support/launch-app.ts';
import { alertText, seen, useServer } from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startOriginal } from '../../prove/doubles.ts';
import en from '../../../renderer/locales/en.json' with { type: 'json' };
import { hostileTexts } from '../../support/report.ts';
import { capsuleWith } from '../../support/capsule.ts';
import { writeCapsule } from '../../../main/capsule/capsule-page.ts';

const { capsule: labels, run } = en;
const room = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string) => room(page).getByRole('button', { name, exact: true });

const willChoose = (app: ElectronApplication, file: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, file);

/** Opens a page in a window of its own, where scripts may run, and returns what came of it. */
const openPage = (app: ElectronApplication, file: string) =>
  app.evaluate(async ({ BrowserWindow, session }, page) => {
    const own = session.fromPartition('capsule-page');
    const asked: string[] = [];
    own.webRequest.onBeforeRequest(({ url }, answer) => {
      asked.push(url);
      answer({});
    });
    const window = new BrowserWindow({ show: false, webPreferences: { session: own, sandbox: true } });
    const opened: string[] = [];
    window.webContents.setWindowOpenHandler(({ url }) => {
      opened.push(url);
      return { action: 'deny' };
    });
    // Everything that a page loads by itself is loaded then. What is counted could run, load or lead away later.
    await window.loadFile(page);
    const acting =
      'script, img, svg, iframe, object, embed, video, audio, form, link, base, meta[http-equiv=refresh i], a:not([href^="#"])';
    const found = await window.webContents.executeJavaScript(
      `({ title: document.title, acting: document.querySelectorAll(${JSON.stringify(acting)}).length })`,
    );
    window.destroy();
    return { asked, opened, ...found };
  }, file);

describe('a capsule', () => {
  it(
    'is saved at a finding, and shows the same in another profile once its server is gone',
    { timeout: 180_000 },
    async () => {
      const original = await startOriginal('wrong:token-outlives-logout');
      const file = path.join(await makeTemporaryFolder(), 'capsule.html');
      const first = await launchApp();
      await willChoose(first.app, file);
      await useServer(first.page, original.baseUrl);
      await first.page.keyboard.press('Control+t');
      await room(first.page).getByLabel(run.rate).fill('100');
      await button(first.page, 'Start').click();
      const finding = room(first.page).locator('[data-line="token-outlives-logout"]');
      await finding.click({ timeout: 60_000 });
      await button(first.page, labels.save).click();
      await seen(room(first.page).getByText(labels.saved));
      await original.close();
      await first.quit();

      const { page, app } = await launchApp({ args: ['--host-resolver-rules=MAP * ~NOTFOUND'] });
      await willChoose(app, file);
      await page.getByRole('navigation').getByRole('button', { name: 'Contract' }).click();
      await button(page, labels.open).click();
      await seen(room(page).getByRole('heading', { level: 2 }));
      await seen(room(page).getByText(original.baseUrl).first());
      await seen(room(page).getByRole('cell', { name: labels.notRun }).first());
      await button(page, labels.run).click();
      await seen(room(page).getByText(labels.same));
      expect(await room(page).getByRole('cell', { name: labels.notRun }).count()).toBe(0);
      expect(await openPage(app, file)).toMatchObject({
        asked: [expect.stringMatching(/^file:/)],
        opened: [],
        acting: 0,
      });

      const other = path.join(path.dirname(file), 'other.html');
      await writeFile(other, (await readFile(file, 'utf8')).replace('"value":"nothing"', '"value":"its-token"'));
      await willChoose(app, other);
      await button(page, labels.open).click();
      await button(page, labels.run).click();
      await seen(room(page).getByText(labels.differs));
      await seen(room(page).getByText(labels.other).first());

      await writeFile(other, (await readFile(file, 'utf8')).slice(0, -2000));
      await button(page, labels.open).click();
      expect(await alertText(page)).toContain(en.error['capsule-refused']['cut-off'].says);
    },
  );

  it('runs nothing and loads nothing in a browser, whatever a server says', async () => {
    const folder = await makeTemporaryFolder();
    const { app } = await launchApp();
    const file = path.join(folder, 'hostile.html');
    await writeFile(file, writeCapsule(capsuleWith(hostileTexts.slice(0, 4).join(' ').slice(0, 450)), 'en'));
    const { asked, opened, acting, title } = await openPage(app, file);
    expect({ asked, opened, acting }).toEqual({ asked: [expect.stringMatching(/^file:/)], opened: [], acting: 0 });
    expect(title).toMatch(/^Capsule: /);
  });
});
