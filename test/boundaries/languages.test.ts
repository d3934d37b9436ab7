import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runnerImport } from 'vite';
import { expect, it, onTestFinished } from 'vitest';
import { windowTexts } from '../../scripts/window-texts.mjs';
import en from '../../preload/contract/locales/window/en.json' with { type: 'json' };
import es from '../../preload/contract/locales/window/es.json' with { type: 'json' };

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
  expect(await built(path.join(copy, 'locales/window/qq.json'))).toMatchObject({
    language: 'Made up',
    app: { cancel: en.app.cancel },
    rail: { calls_other: en.rail.calls_other },
  });
  const { systemTexts } = await module('locales/system-texts.ts');
  expect([systemTexts('qq')('menu.file'), systemTexts('qq')('menu.quit')]).toEqual(['Qq file', 'Quit Llavero']);
  const { reportFiles } = await module('locales/report-files.ts');
  expect(Object.keys(reportFiles)).toEqual(['en', 'es', 'qq']);
});

it('a text of the window has every plural form of its language', async () => {
  const texts = await built(path.join(root, 'preload/contract/locales/window/es.json'));
  expect(texts).toMatchObject({ rail: { calls_many: es.rail.calls_other } });
});

/** The texts of a language as the build writes them. */
async function built(file: string): Promise<object> {
  const { module } = await runnerImport<{ default: object }>(file, { configFile: false, plugins: [windowTexts()] });
  return module.default;
}
