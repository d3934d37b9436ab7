import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { formatPlainText } from '../../../main/check/reports/document.ts';
import {
  CaseId,
  Choice,
  Handling,
  NotMeasured,
  SubjectName,
  Question,
} from '../../../preload/contract/report-cases.ts';
import { FindingId, Severity, RunEnd } from '../../../preload/contract/report.ts';
import en from '../../../preload/contract/locales/reports/en.json' with { type: 'json' };
import es from '../../../preload/contract/locales/reports/es.json' with { type: 'json' };
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { everyError } from '../../support/stub-main/every-error.ts';

type Texts = { [key: string]: string | Texts };

const flat = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );
const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted();
const kinds = (union: { options: readonly { shape: { kind: z.ZodLiteral } }[] }) =>
  union.options.map(({ shape }) => shape.kind.value);

describe('the words of contract reports', () => {
  it.each([
    ['cases', CaseId.options],
    ['questions', Question.options],
    ['subjects', SubjectName.options],
    ['handlings', Handling.options],
    ['choices', Choice.options],
    ['findings', FindingId.options],
    ['severities', Severity.options],
    ['ends', kinds(RunEnd)],
  ] as const)('say every one of the %s, and no other', (part, ids) => {
    expect(new Set(Object.keys(en[part]))).toEqual(new Set(ids));
  });

  it('say every reason for not measuring', () => {
    expect(Object.keys(en.notMeasured).filter((key) => key !== 'throttledFor')).toEqual(
      expect.arrayContaining(kinds(NotMeasured)),
    );
  });

  it('name every line that interface.md leaves open', () => {
    const lines = readFileSync(new URL('../../../main/check/interface.md', import.meta.url), 'utf8').split('\n');
    const open = lines.flatMap((line, at) => (line.includes('not shown') ? [String(at + 1)] : []));
    expect(Object.keys(en.openPoints)).toEqual(open);
  });

  it.each([
    ['en', ['email'], 'rejected, 422 about the field email'],
    ['es', ['email'], 'rechazado, 422 por el campo email'],
    ['es', ['email', 'name'], 'rechazado, 422 por los campos email'],
  ])('name in %s one field as one, and several as several: %j', (language, fields, said) => {
    const parts = createReportFormatter(language).value({ kind: 'reply', handling: 'refused', status: 422, fields });
    expect(formatPlainText(parts, (outside) => outside.filter((each) => typeof each === 'string').join(''))).toContain(
      said,
    );
  });

  it('have the same keys and places in both languages, and no empty text', () => {
    const [english, spanish] = [flat(en), flat(es)];
    expect(spanish.map(([key]) => key)).toEqual(english.map(([key]) => key));
    expect(spanish.map(([, text]) => placeholders(text))).toEqual(english.map(([, text]) => placeholders(text)));
    expect([...english, ...spanish].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it.each(['en', 'es'] as const)('leave no place open in any error (%s)', (language) => {
    const said = everyError.map((error) => createReportFormatter(language).error(error));
    expect(said.flat().filter((part) => typeof part === 'string' && part.includes('{{'))).toEqual([]);
  });
});
