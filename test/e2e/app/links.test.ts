import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import {
  ana,
  answerQuestions,
  askAgain,
  expectServer,
  expectText,
  pageHeading,
  logIn,
  questionsOf,
  seen,
  enterServer,
} from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../..');

/** Starts the application once more with a link, as the system does when a person follows one. It ends by itself. */
async function follow(link: string, userDataDir: string): Promise<void> {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...env } = process.env;
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [projectRoot, ...asRoot, '--disable-gpu', `--user-data-dir=${userDataDir}`, link];
  const [code] = (await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit')) as [number | null];
  expect(code).toBe(0);
}

it('a link switches to a server once the dialog with its address was agreed to, and no other link does anything', async () => {
  const foreign = await startForeignServer();
  const { page, app, userDataDir } = await launchApp();
  await enterServer(page, foreign.baseUrl);
  await expectServer(page, foreign.host);

  await answerQuestions(app, false);
  await follow('llavero://server/built-in', userDataDir);
  await expect.poll(() => questionsOf(app)).toHaveLength(1);
  const [{ message, detail } = { message: '', detail: '' }] = await questionsOf(app);
  expect(message).toBe('Switch to built-in?');
  expect(detail).toMatch(/^A link asks for this server\. Address: http:\/\/127\.0\.0\.1:\d+$/);
  await expectServer(page, foreign.host);

  await answerQuestions(app, true);
  await page.keyboard.press('Control+,');
  await follow('llavero://server/built-in', userDataDir);
  await expectServer(page, 'Built-in');
  await seen(pageHeading(page, 'Log in'));

  await answerQuestions(app, true);
  await follow('llavero://server/built-in?token=1%7Csecret', userDataDir);
  await expect.poll(() => questionsOf(app)).toHaveLength(1);
  await follow('llavero://server/Nowhere', userDataDir);
  await expect.poll(() => questionsOf(app)).toHaveLength(2);
  expect((await questionsOf(app)).map((said) => said.message)).toEqual([
    'This link is not valid. Llavero only follows links to a server by its name.',
    'A link asks for the server “Nowhere”. Llavero has no server with this name.',
  ]);
  await expectServer(page, 'Built-in');
});

it('the sign-in page of a network is opened in the browser, once the host was shown and agreed to', async () => {
  const foreign = await startForeignServer({
    override: () => ({ status: 511, body: '<html><a href="https://evil.example/">Sign in</a></html>' }),
  });
  const folder = await makeTemporaryFolder();
  const { page, app } = await launchApp({ env: { PATH: folder } });
  const open = page.getByRole('button', { name: 'Open in the browser…', exact: true });
  await enterServer(page, foreign.baseUrl);
  await logIn(page, ana);
  await seen(page.getByText('The login page of this network responds instead of the server.'));

  await answerQuestions(app, false);
  await open.click();
  const host = `${foreign.host}:${foreign.port}`;
  const question = { message: `Open ${host} in your browser?`, detail: foreign.baseUrl, defaultId: 1, cancelId: 1 };
  await expect.poll(() => questionsOf(app)).toEqual([expect.objectContaining(question)]);

  await askAgain(app);
  await answerQuestions(app, true);
  await open.click();
  const said = page.getByRole('status').filter({ hasText: 'No app on this computer' });
  await expectText(said, `No app on this computer opens web addresses. Open ${foreign.baseUrl} in a browser.`);

  // Electron starts this program on Linux to open an address.
  const opened = path.join(folder, 'opened');
  await writeFile(path.join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${opened}'\n`);
  await chmod(path.join(folder, 'xdg-open'), 0o755);
  await open.click();
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(`${foreign.baseUrl}\n`);
});
