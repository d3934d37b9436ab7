import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import reports from '../../../preload/contract/locales/reports/en.json' with { type: 'json' };
import { reportWith } from '../../support/report.ts';

type Texts = { [key: string]: string | Texts };

/** Every text with a mark before it, as a language that nobody speaks. */
const marked = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? `ĝ ${text}` : marked(text)]),
  );

const root = path.resolve(import.meta.dirname, '../../..');

/** Runs a module of a copy of the sources to which a language was added, and returns what it exports as `said`. */
async function saidWith(files: Record<string, object>, source: string): Promise<unknown> {
  const copy = await mkdtemp(path.join(tmpdir(), 'llavero-language-'));
  onTestFinished(() => rm(copy, { recursive: true }));
  for (const folder of ['main', 'preload', 'package.json']) {
    await cp(path.join(root, folder), path.join(copy, folder), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  for (const [group, texts] of Object.entries(files)) {
    await writeFile(path.join(copy, `preload/contract/locales/${group}/eo.json`), JSON.stringify(texts));
  }
  const at = (file: string): string => pathToFileURL(path.join(copy, file)).href;
  const module = `${source.replaceAll(/'(main|preload)\//g, (_, folder) => `'${at(folder)}/`)}\nconsole.log(JSON.stringify(said));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', module], {
    cwd: copy,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    maxBuffer: 10_000_000,
  });
  return JSON.parse(stdout);
}

it('a language is a file of each group and nothing else: it says reports and the system, and English says what it lacks', async () => {
  const { findings, ...others } = reports;
  const report = reportWith('x');
  const files = {
    window: { language: 'Esperanto' },
    system: { menu: { file: 'Dosiero' }, names: { mock: 'Duoblo de {{name}}' } },
    reports: marked(others),
  };
  const said = await saidWith(
    files,
    `import { renderMarkdownReport } from 'main/check/reports/markdown-report.ts';
    import { compareReports } from 'main/check/compare-reports.ts';
    import { renderMarkdownComparison } from 'main/check/reports/markdown-comparison.ts';
    import { formatRemarks } from 'main/check/mock-generator/format-remarks.ts';
    import { systemTexts } from 'preload/contract/locales/system-texts.ts';
    import { languageNames } from 'preload/contract/locales/languages.ts';
    const report = ${JSON.stringify(report)};
    const t = systemTexts('eo');
    const said = {
      name: languageNames.eo,
      report: renderMarkdownReport(report, 'eo'),
      comparison: renderMarkdownComparison(compareReports(report, report), 'eo'),
      remarks: formatRemarks({ remarks: [{ kind: 'no-token' }], notMeasured: [{ kind: 'registrations' }] }, 'eo'),
      system: [t('menu.file'), t('menu.edit'), t('names.mock', { name: '{{name}} $t(menu.edit)' })],
    };`,
  );
  expect(said).toEqual({
    name: 'Esperanto',
    report: expect.stringContaining(`# ĝ ${reports.report.title}`),
    comparison: expect.stringContaining(`# ĝ ${reports.comparison.title}`),
    remarks: [`ĝ ${reports.model.remarks['no-token']}`, `ĝ ${reports.model.remarks.registrations}`],
    system: ['Dosiero', 'Edit', 'Duoblo de {{name}} $t(menu.edit)'],
  });
  expect(said).toMatchObject({ report: expect.stringContaining(findings[report.findings[0]!.id].title) });
});
