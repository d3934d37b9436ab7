import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import reports from '../../../preload/contract/words/en.json' with { type: 'json' };
import { launchApp } from '../../support/launch-app.ts';
import { seen } from '../../support/screens.ts';

const root = path.resolve(import.meta.dirname, '../../..');

type Texts = { [key: string]: string | Texts };

/** Every text with marks around it, as a language that nobody speaks. What stands for values stays. */
const marked = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? `ĝ ${text} ĉ` : marked(text)]),
  );

/** Makes a copy of the project that has one more file, and builds it. */
async function buildWith(locale: object): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'llavero-language-'));
  onTestFinished(() => rm(copy, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const parts = [
    'main',
    'preload',
    'renderer',
    'scripts',
    'build',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vite.config.ts',
    'LICENSE',
  ];
  for (const part of parts) await cp(path.join(root, part), path.join(copy, part), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  await mkdir(path.join(copy, 'test'));
  await writeFile(path.join(copy, 'renderer/locales/eo.json'), JSON.stringify(locale));
  // It is a process of its own: the build renders with React, of which this one may have loaded the other form.
  const build = "await (await import('./scripts/build.mjs')).build();";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', build], {
    cwd: copy,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  return copy;
}

it('a third language is one file: window, menus, reports and settings speak it, and English says what it lacks', async () => {
  const en: Texts = JSON.parse(await readFile(path.join(root, 'renderer/locales/en.json'), 'utf8'));
  const { app, register: _register, ...others } = en;
  const { cancel: _cancel, ...someOfApp } = app as Texts;
  const copy = await buildWith({
    ...marked({ ...others, app: someOfApp }),
    language: 'Esperanto',
    system: {
      menu: { file: 'Dosiero' },
      files: { settings: 'Agordoj' },
      questions: { erase: 'Ĉu forviŝi ĉion?', 'erase-agree': 'Forviŝi' },
    },
    reports: { report: marked({ title: reports.report.title }) },
  });

  const { page, app: running } = await launchApp({ root: copy, args: ['--lang=eo'] });
  await seen(page.getByRole('heading', { name: 'ĝ Log in ĉ', exact: true }));
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('eo');
  // The page that its file does not have is in English.
  await page.getByRole('link').first().click();
  await seen(page.getByText('Already have an account?'));
  const labels = await running.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
  expect(labels[0]).toBe('Dosiero');
  expect(labels).toContain('Edit');
  await page.keyboard.press('ControlOrMeta+,');
  // The system's own questions are said by the same file, and in English where it lacks one.
  await running.evaluate(({ dialog }) => {
    dialog.showMessageBox = async (...args: unknown[]) => {
      Object.assign(globalThis, { asked: args.at(-1) });
      return { response: 1, checkboxChecked: false };
    };
  });
  await page.getByRole('button', { name: 'ĝ Erase everything… ĉ', exact: true }).click();
  await expect
    .poll(() => running.evaluate(() => (globalThis as { asked?: unknown }).asked))
    .toMatchObject({
      message: 'Ĉu forviŝi ĉion?',
      detail: expect.stringContaining('This cannot be undone.'),
      buttons: ['Forviŝi', 'Cancel'],
    });
  await page.getByRole('radio', { name: 'Español', exact: true }).click();
  expect(await page.getByRole('radio', { name: 'Esperanto', exact: true }).count()).toBe(1);
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('es');

  const help = await promisify(execFile)(
    process.execPath,
    [path.join(copy, 'dist/main/check.js'), 'http://127.0.0.1:9', '--lang', 'xx'],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    },
  ).catch((error: { stderr: string }) => error);
  expect(help.stderr).toContain('en or eo or es');
}, 180_000);
