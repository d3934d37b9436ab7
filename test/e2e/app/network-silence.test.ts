import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp, type RunningApp } from '../../support/launch-app.ts';
import { ana, createAccount, expectProfile, pageHeading, logOut, seen, enterServer } from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** Runs the application while Chromium itself records its network, and answers every URL and address in the record. */
async function reachedDuring(use: (running: RunningApp) => Promise<void>): Promise<string[]> {
  const file = path.join(await makeTemporaryFolder(), 'net-log.json');
  const running = await launchApp({ args: [`--log-net-log=${file}`, '--net-log-capture-mode=Everything'] });
  await use(running);
  await running.quit();
  const { events } = JSON.parse(await readFile(file, 'utf8')) as { events: { params?: Record<string, unknown> }[] };
  const named = events.flatMap(({ params = {} }) => [params['url'], params['host'], params['address']]);
  return [...new Set(named.filter((value): value is string => typeof value === 'string' && value !== ''))];
}

describe('what leaves the computer', () => {
  it('is nothing of Chromium: no dictionary, no update, no probe, over a start and a whole journey', async () => {
    const foreign = await startForeignServer();
    const reached = await reachedDuring(async ({ page }) => {
      await enterServer(page, foreign.baseUrl);
      await createAccount(page, ana);
      await expectProfile(page, ana);
      await logOut(page);
    });
    expect(reached).toEqual([]);
    // Main's own calls are Node's; they went to the one server that was chosen.
    expect(foreign.calls.map(({ path: called }) => called.split('/').at(-1))).toEqual([
      // An address that was typed is tested first.
      'perfil',
      'registro',
      'login',
      'perfil',
      'salir',
    ]);
  });

  it('would be in the record if there were anything', async () => {
    const foreign = await startForeignServer();
    const reached = await reachedDuring(async ({ app, page }) => {
      await seen(pageHeading(page, 'Log in'));
      // This session lacks our rules, and its dictionary is not switched off either.
      await app.evaluate(
        ({ session }, url) =>
          session
            .fromPartition('other')
            .fetch(url)
            .then(() => true),
        foreign.baseUrl,
      );
    });
    expect(reached).toContain(foreign.baseUrl);
  });
});
