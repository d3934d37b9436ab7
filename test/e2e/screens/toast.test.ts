import { afterEach, describe, expect, it } from 'vitest';
import { expectNoComplaints } from '../../support/screens.ts';
import { firstStart, signedIn } from '../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const copied = () => page.getByRole('status').filter({ hasText: 'Copied: Email' });

/** Copies the email of the profile, which a toast confirms. */
async function copyEmail(): Promise<void> {
  await stub.answer('profile.copy', { ok: true, value: { copied: true } });
  await button('Copy: Email').click();
  await copied().waitFor();
}

describe('a toast', () => {
  it('is closed by its button; the next one goes by itself', async () => {
    await stub.start({ session: signedIn });
    await copyEmail();
    await button('Close').press('Enter');
    await copied().waitFor({ state: 'detached' });
    await copyEmail();
    await copied().waitFor({ state: 'detached' });
    expect(await button('Close').count()).toBe(0);
  });

  it('stays while the pointer is on it', async () => {
    await stub.start({ session: signedIn });
    await page.clock.install();
    await copyEmail();
    await copied().hover();
    await page.clock.fastForward(60_000);
    expect(await copied().count()).toBe(1);
    await page.mouse.move(0, 0);
    await page.clock.fastForward(7000);
    await copied().waitFor({ state: 'detached' });
  });

  it('goes with the presenter’s view, as it may name an account', async () => {
    await stub.start({ session: signedIn });
    await copyEmail();
    await stub.change({ settings: { ...firstStart.settings, presenting: true } });
    await page.locator('html[data-presenting]').waitFor();
    expect(await copied().count()).toBe(0);
  });
});
