import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { ana, createAccount, expectProfile, expectServer, heading, seen, typeInto } from '../../support/screens.ts';

/** A folder in which nothing was ever kept. */
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-first-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

describe('the first minute', () => {
  it('leads from the first start to the signed-in demo by one press, and is not shown again', async () => {
    const userDataDir = await emptyFolder();
    const first = await launchApp({ userDataDir });
    await seen(first.page.getByRole('heading', { name: 'Welcome to Llavero' }));
    await first.page.getByRole('button', { name: 'Start the demo' }).click();
    await expectProfile(first.page, { name: 'Alba Demo', email: 'demo@llavero.invalid' });
    await seen(first.page.getByRole('region', { name: 'DEMO' }));
    await first.quit();

    const { page } = await launchApp({ userDataDir });
    await seen(heading(page, 'Log in'));
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('leads from an address to an account there, and comes again as long as nobody went through a door', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await emptyFolder();
    const first = await launchApp({ userDataDir });
    await seen(first.page.getByRole('heading', { name: 'Welcome to Llavero' }));
    await first.quit();

    const { page } = await launchApp({ userDataDir });
    const address = await seen(page.getByLabel('Address of the server', { exact: true }));
    await typeInto(address, 'a b c');
    await address.press('Enter');
    await seen(page.getByRole('alert'));
    await typeInto(address, `${foreign.host}:${foreign.port}/app/`);
    await address.press('Enter');
    await seen(heading(page, 'Log in'));
    await expectServer(page, `${foreign.host}:${foreign.port}`);
    await createAccount(page, ana);
    await expectProfile(page, ana);
  });

  it('leads to the Workbench', async () => {
    const { page } = await launchApp({ userDataDir: await emptyFolder() });
    await (await seen(page.getByRole('button', { name: 'Open the Workbench' }))).click();
    await seen(page.getByRole('navigation', { name: 'Rooms' }));
    await seen(heading(page, 'Log in'));
  });
});
