import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import {
  answerQuestions,
  askAgain,
  questionsOf,
  ana,
  expectText,
  logIn,
  seen,
  useServer,
} from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const open = (page: Page) => page.getByRole('button', { name: 'Open in the browser…', exact: true });

it('the sign-in page of a network is opened in the browser, once the host was shown and agreed to', async () => {
  const foreign = await startForeignServer({
    override: () => ({ status: 511, body: '<html><a href="https://evil.example/">Sign in</a></html>' }),
  });
  const folder = await makeTemporaryFolder();
  const opened = path.join(folder, 'opened');
  // Electron starts this program on Linux to open an address.
  await writeFile(path.join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${opened}'\n`);
  await chmod(path.join(folder, 'xdg-open'), 0o755);
  const { page, app } = await launchApp({ env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` } });
  await useServer(page, foreign.baseUrl);
  await logIn(page, ana);
  await seen(page.getByText('The sign-in page of this network answers instead of the server.'));

  await answerQuestions(app, false);
  await open(page).click();
  const host = `${foreign.host}:${foreign.port}`;
  const question = { message: `Open ${host} in your browser?`, detail: foreign.baseUrl, defaultId: 1, cancelId: 1 };
  await expect.poll(() => questionsOf(app)).toEqual([expect.objectContaining(question)]);

  await askAgain(app);
  await answerQuestions(app, true);
  await open(page).click();
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(`${foreign.baseUrl}\n`);
});

it('where nothing opens addresses, it says so', async () => {
  const foreign = await startForeignServer({ override: () => ({ status: 511, body: '<html></html>' }) });
  const { page, app } = await launchApp({ env: { PATH: await makeTemporaryFolder() } });
  await useServer(page, foreign.baseUrl);
  await logIn(page, ana);
  await answerQuestions(app, true);
  await open(page).click();
  await expectText(
    page.getByRole('status').filter({ hasText: 'No app on this computer' }),
    `No app on this computer opens web addresses. Open ${foreign.baseUrl} in a browser yourself.`,
  );
});
