import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { BehaviourChange } from '../../../preload/contract/built-in-server.ts';
import { demoPerson } from '../../../main/service/data/demo-person.ts';
import { peopleOf } from '../../../main/service/data/seeds.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { ana, createAccount, expectProfile, expectServer, logOut, seen } from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const room = (page: Page) => page.getByRole('region', { name: 'Built-in server', exact: true });
const question = (page: Page) => page.getByRole('dialog');
/** It is read out, and stands in the status bar, whatever is shown. */
const mark = (page: Page) => page.getByText('The built-in server misbehaves on purpose.').first();
const built = '127.0.0.1:';

async function inRoom(page: Page, tab: string, act: () => Promise<unknown>): Promise<void> {
  await page.keyboard.press('Control+b');
  await room(page).getByRole('tab', { name: tab, exact: true }).click();
  await act();
  await page.locator('[data-room="account"]').click();
  await room(page).waitFor({ state: 'detached' });
}

/** Replaces everything that the built-in server holds, once the question is answered. */
async function replaceWith(page: Page, people: string, said: string): Promise<void> {
  await room(page).getByRole('radio', { name: people, exact: true }).check();
  await room(page).getByRole('button', { name: 'Replace everything…' }).click();
  await question(page).getByRole('button', { name: 'Replace now' }).click();
  await seen(room(page).getByText(said));
}

const behave = (page: Page, change: BehaviourChange) =>
  page.evaluate((given) => window.api.builtIn.behave(given), change);

describe('the offline demo', () => {
  const offer = (page: Page) => page.getByRole('button', { name: 'Try it offline', exact: true });

  it('shows a made-up person after one press, begins anew, ends, and starts again', async () => {
    const { page, userDataDir, quit } = await launchApp();
    for (let round = 1; round <= 2; round += 1) {
      await (await seen(offer(page))).click();
      await expectProfile(page, demoPerson);
      await seen(page.getByRole('region', { name: 'DEMO' }));
      await page.getByRole('button', { name: 'Reset the demo', exact: true }).click();
      await seen(page.getByText('The demo was reset.'));
      const state = await page.evaluate(() => window.api.app.state(undefined));
      expect(state).toMatchObject({ value: { sessions: [{ isDemo: true }] } });
      await logOut(page);
      expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('');
    }
    await quit();
    expect(await filesContaining(userDataDir, demoPerson.password)).toEqual([]);
  });

  it('is signed out when its session is ended in the room, and its accounts can be replaced and brought back', async () => {
    const { page } = await launchApp();
    await (await seen(offer(page))).click();
    await expectProfile(page, demoPerson);
    await inRoom(page, 'Sessions', async () => {
      await room(page)
        .getByRole('button', { name: /^Expire token \d+ now$/ })
        .click();
      await seen(room(page).getByText(/has expired: the next request/));
    });
    await page.getByRole('button', { name: 'Check again', exact: true }).click();
    await seen(page.getByText(/session has ended/));

    await inRoom(page, 'Data', async () => {
      await replaceWith(page, '500 people', 'Replaced. Accounts now: 500');
      await room(page).getByRole('tab', { name: 'People' }).click();
      await seen(room(page).getByText('1–50 of 500'));
      await room(page).getByRole('tab', { name: 'Data' }).click();
      await room(page).getByRole('button', { name: 'Undo' }).click();
      await seen(room(page).getByText('Undone. Accounts now: 1'));
    });
  });
});

describe('a seeded account', () => {
  const signInAs = async (page: Page, { email }: { email: string }) => {
    await page.keyboard.press('Control+b');
    await room(page).getByRole('tab', { name: 'People', exact: true }).click();
    await room(page)
      .getByRole('button', { name: `Log in as ${email}`, exact: true })
      .click();
    await room(page).waitFor({ state: 'detached' });
  };

  it('is signed in by one press, also after a restart, and its password is in no file', async () => {
    const [first, second] = peopleOf('three', 1);
    const userDataDir = await makeProfile();
    const before = await launchApp({ userDataDir });
    await expectServer(before.page, built);
    await createAccount(before.page, ana);
    await expectProfile(before.page, ana);
    await logOut(before.page);
    await inRoom(before.page, 'Data', async () => {
      await replaceWith(before.page, 'Three people', 'Replaced. Accounts now: 3');
    });
    await signInAs(before.page, first!);
    await expectProfile(before.page, first!);
    await before.quit();

    const { page, quit } = await launchApp({ userDataDir });
    await expectServer(page, built);
    await signInAs(page, second!);
    await expectProfile(page, second!);
    await inRoom(page, 'Data', async () => {
      await room(page).getByRole('button', { name: 'Undo', exact: true }).click();
      await seen(room(page).getByText('Undone. Accounts now: 1'));
      await room(page).getByRole('tab', { name: 'People', exact: true }).click();
      await seen(room(page).getByRole('row').filter({ hasText: ana.email }));
      expect(
        await room(page)
          .getByRole('button', { name: /^Log in as/ })
          .count(),
      ).toBe(0);
    });
    await quit();
    for (const { password } of [first!, second!]) expect(await filesContaining(userDataDir, password)).toEqual([]);
  });
});

describe('misbehaviour that is turned on', () => {
  it('is off at the next start', async () => {
    const userDataDir = await makeProfile();
    const first = await launchApp({ userDataDir });
    await expectServer(first.page, built);
    await behave(first.page, { dialect: 'django', wrong: ['stack-traces'] });
    await seen(mark(first.page));
    await first.quit();
    const { page } = await launchApp({ userDataDir });
    await expectServer(page, built);
    const state = await page.evaluate(() => window.api.app.state(undefined));
    expect(state).toMatchObject({ value: { behaviour: { isOn: false, dialect: null, wrong: [] } } });
    expect(await mark(page).count()).toBe(0);
  });
});
