import { describe, expect, it } from 'vitest';
import { openSettings, setPin, signedIn, toAccount, unlock } from '../../support/lock.ts';
import { openAtServer } from '../../support/open-at-server.ts';
import { ana, createAccount, expectProfile, heading, logIn, seen } from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

describe('the lock', () => {
  it('after five wrong PINs, over a restart, drops the sessions from this computer', async () => {
    const { page, quit, open, userDataDir, foreign } = await signedIn();
    await setPin(page);
    await openSettings(page);
    await page.getByRole('button', { name: 'Lock now', exact: true }).click();
    for (const left of [4, 3]) {
      await unlock(page, 'wrong');
      await seen(page.getByRole('alert').getByText(`: ${left}`));
    }
    await quit();
    const next = await open();
    for (const left of [2, 1]) {
      await unlock(next.page, 'wrong');
      await seen(next.page.getByRole('alert').getByText(`: ${left}`));
    }
    await unlock(next.page, 'wrong');
    await seen(heading(next.page, 'Log in'));
    await seen(next.page.getByText(/The PIN was wrong five times/));
    expect(await filesContaining(userDataDir, '"sealed"')).toEqual([]);
    await logIn(next.page, ana);
    await expectProfile(next.page, ana);
    expect(foreign.tokens.size).toBe(2);
  });

  it('without a PIN, on the screen lock and on sleep if it is to, opens with a press', async () => {
    const { page, app } = await signedIn();
    const say = (event: string) => app.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), event);
    await say('lock-screen');
    await say('suspend');
    await expectProfile(page, ana);
    await openSettings(page);
    await page.getByText('Lock with the screen', { exact: true }).click();
    await page.getByText('Lock before sleep', { exact: true }).click();
    await toAccount(page);
    for (const [event, words] of [
      ['lock-screen', 'Llavero locked itself with the screen.'],
      ['suspend', 'Llavero locked itself because the computer went to sleep.'],
    ] as const) {
      await say(event);
      await seen(page.getByText(words));
      await page.getByRole('button', { name: 'Unlock', exact: true }).click();
      await expectProfile(page, ana);
    }
  });
});

describe('sessions that are not to be stored', () => {
  it('leave no token in a file of the profile, and none at the next start, when a person is not to be remembered', async () => {
    const { page, quit, open, foreign, userDataDir } = await openAtServer();
    await page.getByRole('link', { name: 'Create account', exact: true }).click();
    await page.getByLabel('Remember me on this computer').uncheck();
    await createAccount(page, ana);
    await expectProfile(page, ana);
    const [token] = foreign.tokens.keys();
    const nowhere = async () => {
      for (const secret of [token!, token!.split('|')[1]!, ana.password, '"sealed"'])
        expect(await filesContaining(userDataDir, secret)).toEqual([]);
    };
    await nowhere();
    await quit();
    await nowhere();
    const next = await open();
    await seen(heading(next.page, 'Log in'));
    expect(await next.page.getByLabel('Email', { exact: true }).inputValue()).toBe('');
  });

  it('are taken out of the files at once when every session is to be forgotten at the end', async () => {
    const { page, app, open, userDataDir } = await signedIn();
    await expect.poll(() => filesContaining(userDataDir, '"sealed"')).not.toEqual([]);
    await openSettings(page);
    await page.getByText('Forget every session when Llavero quits', { exact: true }).click();
    await expect.poll(() => filesContaining(userDataDir, '"sealed"')).toEqual([]);
    await toAccount(page);
    await expectProfile(page, ana);
    // The application is killed, so that it could tidy up nothing.
    const ended = new Promise<void>((resolve) => app.once('close', () => resolve()));
    app.process().kill('SIGKILL');
    await ended;
    const next = await open();
    await seen(heading(next.page, 'Log in'));
  });
});
