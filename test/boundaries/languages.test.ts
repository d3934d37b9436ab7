import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

it('no source chooses by the code of a language', () => {
  const sources = globSync(['main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.{ts,tsx}'], { cwd: root });
  expect(sources.length).toBeGreaterThan(500);
  const choosing = sources.filter((file) => /[!=]==? '(?:en|es)'/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(choosing).toEqual([]);
});

it('a third language is a file of each and nothing else', async () => {
  // The copy is below the project, so that it finds its packages.
  const copy = path.join(root, `node_modules/.cache/third-language-${process.pid}`);
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(path.join(root, 'preload/contract'), copy, { recursive: true });
  const add = (group: string, texts: object) =>
    writeFileSync(path.join(copy, `locales/${group}/qq.json`), JSON.stringify(texts));
  add('window', { language: 'Made up' });
  add('system', { menu: { file: 'Qq file' } });
  add('reports', { cases: { 'headers.cors': 'Qq origins' } });
  const module = (file: string) => import(/* @vite-ignore */ pathToFileURL(path.join(copy, file)).href);

  const { languageNames } = await module(globSync('**/languages.ts', { cwd: copy })[0]!);
  expect(languageNames).toEqual({ en: 'English', es: 'Español', qq: 'Made up' });
  const { Language, Settings } = await module('settings.ts');
  expect(Language.options).toContain('qq');
  expect(Settings.shape.language.options).toContain('qq');
  const { systemTexts } = await module('locales/system-texts.ts');
  expect([systemTexts('qq')('menu.file'), systemTexts('qq')('menu.quit')]).toEqual(['Qq file', 'Quit Llavero']);
  const { reportFiles } = await module('locales/report-files.ts');
  expect(Object.keys(reportFiles)).toEqual(['en', 'es', 'qq']);
});
