import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { copyForAll } from '../../support/copy-of-project.ts';
import { makeProfile } from '../../support/launch-app.ts';
import { pageHeading, seen } from '../../support/screens.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const project = copyForAll();

/** Runs an npm script as a person or a script does, without a display. */
function runNpm(args: string[]) {
  const { ELECTRON_RUN_AS_NODE: _asNode, DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const child = spawn('npm', args, { cwd: project(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  createInterface(child.stderr).on('line', (line) => said.push(line));
  const lines = createInterface(child.stdout).on('line', (line) => said.push(line));
  const answer = new Promise<{ baseUrl: string }>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.startsWith('{')) resolve(JSON.parse(line));
    });
    void closed.then(() => reject(new Error(`ended early:\n${said.join('\n')}`)));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  onTestFailed(() => console.log(`npm ${args.join(' ')} said:\n${said.join('\n')}`));
  return { child, answer, closed, said };
}

/** Lists the command lines of running processes that mention a text, such as a folder that only this test uses. */
async function processesMentioning(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.map((line) => line.replaceAll('\0', ' ')).filter((line) => line.includes(text));
}

async function expectNoProcess(text: string): Promise<void> {
  await expect.poll(() => processesMentioning(text)).toEqual([]);
}

const register = (baseUrl: string): Promise<Response> =>
  fetch(`${baseUrl}/api/v1/auth/registro`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ name: 'Ana', email: 'ana@example.test', password: 'correct horse battery' }),
  });

describe('npm run serve', () => {
  it('prints its address, answers, and leaves no process after a SIGTERM to npm', async () => {
    const folder = await makeTemporaryFolder();
    const { child, answer, closed } = runNpm(['run', 'serve', '--', '--port', '0', '--data', folder]);
    const { baseUrl } = await answer;
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await register(baseUrl)).status).toBe(201);
    child.kill('SIGTERM');
    await closed;
    await expectNoProcess(folder);
    await expect(fetch(baseUrl)).rejects.toThrow();
  });

  it('ends also when npm itself is killed', async () => {
    const folder = await makeTemporaryFolder();
    const { child, answer } = runNpm(['run', 'serve', '--', '--port', '0', '--data', folder]);
    await answer;
    child.kill('SIGKILL');
    await expectNoProcess(folder);
  });

  it('builds again when a source has changed, and only then', async () => {
    const builtAt = async (): Promise<number> => {
      const { answer, closed } = runNpm(['run', 'serve', '--', '--help']);
      await expect(answer).rejects.toThrow('Usage:');
      await closed;
      return (await stat(path.join(project(), 'dist/cli/cli.js'))).mtimeMs;
    };
    const first = await builtAt();
    expect(await builtAt()).toBe(first);
    await appendFile(path.join(project(), 'preload/contract/models.ts'), '\n');
    expect(await builtAt()).toBeGreaterThan(first);
  });
});

describe('npm start without a display', () => {
  it('opens a virtual one, prints the address, pictures the window, and ends on SIGTERM', async () => {
    const folder = await makeTemporaryFolder();
    const { child, answer, closed, said } = runNpm(['start', '--', `--user-data-dir=${folder}`, '--lang=es']);
    const { baseUrl } = await answer;
    expect((await register(baseUrl)).status).toBe(201);
    expect(said.join('\n')).toContain('no display');
    await expect
      .poll(() =>
        stat(path.join(folder, 'window.png')).then(
          ({ size }) => size,
          () => 0,
        ),
      )
      .toBeGreaterThan(20_000);
    child.kill('SIGTERM');
    await closed;
    await expectNoProcess(folder);
  });
});

describe('npm run dev', () => {
  /** Changes a source as somebody does who works on it. */
  async function change(file: string, from: string, to: string): Promise<void> {
    const source = path.join(project(), file);
    const before = await readFile(source, 'utf8');
    expect(before).toContain(from);
    await writeFile(source, before.replace(from, to));
  }

  // Vite first makes one file of each package, of which a clean clone has none.
  it(
    'shows a changed screen at once with what was typed, and a changed text on the page that is loaded again',
    { timeout: 360_000 },
    async () => {
      const args = [`--user-data-dir=${await makeProfile()}`, '--lang=en', '--remote-debugging-port=0'];
      const { child, answer, closed, said } = runNpm(['run', 'dev', '--', ...args]);
      await answer;
      const [, devTools] = /^DevTools listening on (.*)$/m.exec(said.join('\n')) ?? [];
      const browser = await chromium.connectOverCDP(devTools!);
      const page = browser.contexts()[0]!.pages()[0]!;
      await seen(pageHeading(page, 'Log in'));
      const email = page.getByLabel('Email', { exact: true });
      await email.fill('ana@example.test');

      await change('renderer/components/form-card.tsx', '{title}\n', '{title} changed\n');
      await seen(page.getByRole('heading', { name: 'Log in changed' }));
      expect(await email.inputValue()).toBe('ana@example.test');

      await change('preload/contract/locales/window/en.json', 'No account on this server yet?', 'No account here yet?');
      await seen(page.getByText('No account here yet?'));

      // A source that cannot be built is named, and the application goes on until it is mended.
      await change('main/application.ts', '\n', '\n(;\n');
      // Main is built again for each, which takes most of a minute where other tests run beside it.
      const building = { timeout: 150_000 };
      await expect.poll(() => said.join('\n'), building).toContain('main/application.ts:2:');
      await change('main/application.ts', '\n(;\n', '\n');
      await expect.poll(() => said.filter((text) => text.startsWith('{"baseUrl"')).length, building).toBe(2);
      child.kill('SIGTERM');
      await closed;
    },
  );
});
