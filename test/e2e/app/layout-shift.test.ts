import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { layoutShift, nothingMoved } from '../../support/layout-shift.ts';
import {
  ana,
  createAccount,
  eventually,
  expectServer,
  expectProfile,
  heading,
  logIn,
  logOut,
  seen,
  useServer,
} from '../../support/screens.ts';

/** Waits until main has told what it learns after the first frame: the vault, and the address of its service. */
const started = (page: Page) =>
  eventually(async () => {
    const state = await page.evaluate(() => window.api.app.state(undefined));
    if (!state.ok || state.value.locked) throw new Error('There is no state to look at.');
    expect(state.value.vault.state).not.toBe('asking');
    expect(state.value.builtIn.state).toBe('running');
  });

describe('nothing moves that the person did not move', () => {
  it('at the first start', async () => {
    const { page } = await launchApp();
    await seen(heading(page, 'Log in'));
    await started(page);
    expect(await layoutShift(page)).toEqual(nothingMoved);
  });

  it('at a start with another server', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const first = await launchApp({ userDataDir });
    await useServer(first.page, foreign.baseUrl);
    await first.quit();

    const { page } = await launchApp({ userDataDir });
    await seen(heading(page, 'Log in'));
    await started(page);
    expect(await layoutShift(page)).toEqual(nothingMoved);
  });

  it('when a person creates an account, logs out and logs in', async () => {
    const { page } = await launchApp();
    await started(page);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await logOut(page);
    await logIn(page, ana);
    await expectProfile(page, ana);
    expect(await layoutShift(page)).toEqual(nothingMoved);
  });

  it('when a person switches servers', async () => {
    const [one, other] = await Promise.all([startForeignServer(), startForeignServer()]);
    const { page } = await launchApp();
    await started(page);
    // Each key would move the list below the field, as the person means it to.
    const fill = (field: Locator, text: string): Promise<void> => field.fill(text);
    await useServer(page, one.baseUrl, fill);
    await useServer(page, other.baseUrl, fill);
    await page.keyboard.press('Control+1');
    await expectServer(page, 'Built-in');
    expect(await layoutShift(page)).toEqual(nothingMoved);
  });
});
