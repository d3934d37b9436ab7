import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WindowState } from '../../../preload/contract/models.ts';
import { methodNames } from '../../../preload/contract/channels.ts';
import { proveIpc } from '../../prove/ipc.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { fixedSeed } from '../../support/fixed-seeds.ts';

describe('the methods between page and main', () => {
  // This is a small part of `npm run prove -- ipc`, which makes 10 000 calls.
  it('take any shape without a crash, a fault or a change', async () => {
    const summary = await proveIpc({ calls: 300, seed: fixedSeed, folder: await makeProfile() });
    expect(summary).toMatchObject({
      calls: 300,
      crashes: 0,
      unhandled: 0,
      stateChanges: 0,
      findings: [],
      seed: fixedSeed,
    });
    expect(summary.refused).toBeGreaterThan(100);
  });

  it('are answered after what main told before, also where the page takes both late', async () => {
    const { page } = await launchApp();
    const answeredFirst = await page.evaluate(async () => {
      let told = 0;
      window.events['app.changed']((state: WindowState) => (told = state.settings.callsPerSecond));
      const early: number[] = [];
      const ask = async (number: number): Promise<void> => {
        await window.api.settings.change({ callsPerSecond: number });
        if (told < number) early.push(number);
      };
      for (let first = 1; first <= 100; first += 4) {
        const answered = [0, 1, 2, 3].map((more) => ask(first + more));
        // Electron mixes up what waits for the page.
        for (const end = performance.now() + 20; performance.now() < end;);
        await Promise.all(answered);
      }
      return early;
    });
    expect(answeredFirst).toEqual([]);
  });

  // The libraries that read these are bundled, which once left them without a parser.
  it('find an interface in a file of every format, on the thread of the built application', async () => {
    const { page } = await launchApp();
    const folder = path.resolve(import.meta.dirname, '../../fixtures/import');
    const unfound: string[] = [];
    const files = readdirSync(folder);
    for (const file of files) {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const found = await page.evaluate((pasted) => window.api.interfaces.find({ text: pasted }), text);
      if (!found.ok || found.value.kind !== 'found') unfound.push(file);
    }
    expect(files.length).toBeGreaterThan(8);
    expect(unfound).toEqual([]);
  });

  it('are those of the contract and no others, and only from the main frame of the own page', async () => {
    const { app, page } = await launchApp();
    const heard = () =>
      app.evaluate(({ ipcMain }) => {
        // Electron keeps the handlers there, has no way to ask for them, and adds one of its own.
        const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, unknown> };
        const own = [...handlers.keys()].filter((name) => name !== 'IMPORT_SHARED_TEXTURE_RELEASE_RENDERER_TO_MAIN');
        return { methods: own.toSorted(), listeners: ipcMain.eventNames() };
      });
    // The window is there before the application is read.
    // Electron listens to that one name itself, so that nothing is thrown where a page sends it.
    await expect.poll(heard).toEqual({ methods: methodNames.toSorted(), listeners: ['error'] });

    // The page reaches main by these functions alone.
    const reachable = await page.evaluate(() => ({
      api: Object.entries(window.api).flatMap(([group, methods]) =>
        Object.keys(methods).map((method) => `${group}.${method}`),
      ),
      others: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron', 'global'].filter(
        (name) => name in window,
      ),
    }));
    expect(reachable.api.toSorted()).toEqual(methodNames.toSorted());
    expect(reachable.others).toEqual([]);

    // Another window with the same preload, and this one on another page, are told nothing.
    const refused = await app.evaluate(
      async ({ BrowserWindow }, preload) => {
        const [own] = BrowserWindow.getAllWindows();
        const ask = `window.api.app.state().then(() => 'answered', (error) => error.message)`;
        const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
        await other.loadURL('app://llavero/');
        const fromOther: unknown = await other.webContents.executeJavaScript(ask);
        other.destroy();
        await own!.webContents.loadURL('data:text/html,elsewhere').catch(() => undefined);
        await own!.webContents.loadURL('about:blank');
        const fromElsewhere: unknown = await own!.webContents.executeJavaScript(ask);
        return [fromOther, fromElsewhere];
      },
      path.resolve(import.meta.dirname, '../../../dist/preload/index.cjs'),
    );
    expect(refused).toEqual([expect.stringContaining('refused'), expect.stringContaining('refused')]);
  });
});
