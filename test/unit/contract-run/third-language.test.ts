import { describe, expect, it, onTestFinished } from 'vitest';
import { markdownReport } from '../../../main/contract-run/reports/markdown.ts';
import { compareReports } from '../../../main/contract-run/compare.ts';
import { markdownComparison } from '../../../main/contract-run/reports/comparison.ts';
import { remarksOf } from '../../../main/double/say-remarks.ts';
import { systemWords } from '../../../main/system-words.ts';
import { languages } from '../../../preload/contract/languages.ts';
import en from '../../../preload/contract/words/en.json' with { type: 'json' };
import { reportWith } from '../../support/report.ts';

type Texts = { [key: string]: string | Texts };

/** Every text with a mark before it, as a language that nobody speaks. */
const marked = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? `ĝ ${text}` : marked(text)]),
  );

describe('a language that has a file and nothing else', () => {
  it('says reports, comparisons, what a double notes and words of the system, and English says what it lacks', () => {
    const { findings: _findings, ...others } = en;
    languages['eo'] = { name: 'Esperanto', reports: marked(others), system: { menu: { file: 'Dosiero' } } };
    onTestFinished(() => void delete languages['eo']);
    const report = reportWith('x');
    expect(markdownReport(report, 'eo')).toContain(`# ĝ ${en.report.title}`);
    expect(markdownReport(report, 'eo')).toContain(en.findings[report.findings[0]!.id].title);
    expect(markdownComparison(compareReports(report, report), 'eo')).toContain(`# ĝ ${en.comparison.title}`);
    const noted = remarksOf({ remarks: [{ kind: 'no-token' }], notMeasured: [{ kind: 'registrations' }] }, 'eo');
    expect(noted).toEqual([`ĝ ${en.model.remarks['no-token']}`, `ĝ ${en.model.remarks.registrations}`]);
    const menu = systemWords('menu', { en: { file: 'File', edit: 'Edit' } })('eo');
    expect(menu).toEqual({ file: 'Dosiero', edit: 'Edit' });
  });
});
