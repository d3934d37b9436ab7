import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeReadOnly } from '../../support/disks.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import {
  ana,
  createAccount,
  expectProfile,
  expectServer,
  pageHeading,
  logOut,
  seen,
  enterServer,
} from '../../support/screens.ts';

it('the application starts on damaged files, says which, keeps them, and shows the servers of the last good copy', async () => {
  const foreign = await startForeignServer();
  const userDataDir = await makeProfile();
  const first = await launchApp({ userDataDir });
  await enterServer(first.page, foreign.baseUrl);
  await createAccount(first.page, ana);
  await expectProfile(first.page, ana);
  await logOut(first.page);
  await first.quit();
  const copy = path.join(userDataDir, 'config.json.last-good');
  expect(await readFile(copy, 'utf8')).toContain(foreign.baseUrl);
  // What was changed last, and its copy, are waited for at the end.
  expect(await readFile(copy, 'utf8')).toBe(await readFile(path.join(userDataDir, 'config.json'), 'utf8'));
  // Nothing that was written on the way is taken for damage.
  const second = await launchApp({ userDataDir });
  await seen(pageHeading(second.page, 'Log in'));
  expect(await second.page.getByText('last good copy').count()).toBe(0);
  await second.quit();

  await writeFile(path.join(userDataDir, 'config.json'), '{"servers":');
  await writeFile(path.join(userDataDir, 'calls.sqlite'), 'no database');
  const { page } = await launchApp({ userDataDir });
  const said = await seen(page.getByRole('status').filter({ hasText: 'restored them from their last good copy' }));
  const [kept] = /config\.json\.broken-\S+Z/.exec(await said.innerText()) ?? [];
  expect(await readFile(path.join(userDataDir, kept!), 'utf8')).toBe('{"servers":');
  await expectServer(page, foreign.host);
  const files = page.getByRole('contentinfo').getByRole('button', { name: 'Files', exact: true });
  await files.click();
  await seen(page.getByRole('dialog').getByText(kept!));
  await seen(page.getByRole('dialog').getByText('stored requests were damaged'));
  await page.getByRole('button', { name: 'Hide this message' }).click();
  await files.waitFor({ state: 'detached' });
  await said.waitFor({ state: 'detached' });
  expect((await readdir(userDataDir)).filter((name) => name.startsWith('calls.sqlite.broken-'))).toHaveLength(1);
});

it('the application starts on settings that are damaged together with their copy, before anything validated them', async () => {
  const userDataDir = await makeProfile();
  // The built-in server is missing, without which the page cannot be rendered.
  const damaged = JSON.stringify({ version: 1, settings: { welcomed: true }, servers: [{ id: 'a', baseUrl: 7 }] });
  for (const name of ['config.json', 'config.json.last-good']) await writeFile(path.join(userDataDir, name), damaged);
  const { page } = await launchApp({ userDataDir });
  await seen(pageHeading(page, 'Log in'));
  await seen(page.getByRole('status').filter({ hasText: 'could only be read in part' }));
});

it('the application starts on a profile that nobody can write to, and says what is not kept', async (context) => {
  const source = await makeProfile();
  const first = await launchApp({ userDataDir: source });
  await seen(pageHeading(first.page, 'Log in'));
  await first.quit();
  const userDataDir = await makeReadOnly(context, source);
  const { page } = await launchApp({ userDataDir });
  await seen(pageHeading(page, 'Log in'));
  await page.evaluate(() => window.api.settings.change({ theme: 'dark' }));
  await seen(page.getByRole('status').filter({ hasText: 'could not be saved' }));
});
