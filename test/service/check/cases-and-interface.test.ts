import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { FindingId } from '../../../preload/contract/report.ts';
import { cases } from '../../../main/check/cases/all.ts';
import { findingSeverities } from '../../../main/check/finding-severities.ts';

const lines = readFileSync(path.resolve(import.meta.dirname, '../../../main/check/interface.md'), 'utf8').split('\n');
const numbered = lines.map((text, at) => ({ number: at + 1, text }));

/** Returns the section that a line is in. The beginning counts to the first one. */
function sectionOf(number: number): number {
  const heading = lines.slice(0, number).findLast((text) => /^## \d/.test(text));
  return Number(heading?.match(/\d/)?.[0] ?? 1);
}

describe('the cases', () => {
  it('are those of the contract, each once', () => {
    expect(cases.map(({ id }) => id)).toEqual(CaseId.options);
    expect(Object.keys(findingSeverities)).toEqual(expect.arrayContaining([...FindingId.options]));
  });

  it('find what weighs as the sources of each say, which a build fails by', () => {
    const bySeverity = Object.groupBy(FindingId.options, (id) => findingSeverities[id]);
    expect(Object.fromEntries(Object.entries(bySeverity).map(([each, ids]) => [each, ids.toSorted()]))).toEqual({
      high: [
        'account-doubled',
        'old-tls',
        'password-echoed',
        'password-hash-shown',
        'plain-http',
        'profile-of-another',
        'profile-without-token',
        'server-killed',
        'token-outlives-logout',
        'token-unverified',
        'tokens-guessable',
        'wrong-password-accepted',
      ],
      medium: [
        'any-origin-with-credentials',
        'certificate-ends-soon',
        'email-registered-twice',
        'guessing-not-throttled',
        'http-broken',
        'server-fault-on-refusal',
        'stack-traces',
        'unknown-email-by-body',
        'unknown-email-by-time',
        'weak-password-accepted',
      ],
      low: ['cpassword-ignored', 'debug-page', 'password-cut', 'server-fault-on-input', 'token-cacheable'],
      info: ['software-version-shown', 'token-format'],
    });
  });

  it('rest on lines of the interface that say something, in the section they name', () => {
    const wrong = cases.filter(
      ({ section, lines: numbers }) =>
        numbers.some((number) => (lines[number - 1] ?? '').trim() === '') ||
        !numbers.some((number) => sectionOf(number) === section),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('ask about every line that says "not shown"', () => {
    const open = numbered.filter(({ text }) => text.includes('not shown')).map(({ number }) => number);
    const observed = cases.filter(({ kind }) => kind === 'observed');
    const asked = (number: number): string[] =>
      observed.filter((each) => each.lines.includes(number)).map(({ id }) => id);
    expect(open).toHaveLength(14);
    expect(open.filter((number) => asked(number).length === 0)).toEqual([]);
  });

  it('hold the server to every operation, to the form of tokens and to the one version', () => {
    const stated = new Set(cases.filter(({ kind }) => kind === 'stated').flatMap((each) => each.lines));
    const said = numbered
      .filter(({ text }) => /^\d\. |^\| .*(?:POST|GET|string)|textual shape|The only version/.test(text))
      .filter(({ text }) => !text.includes('not shown'))
      .map(({ number }) => number);
    expect(said).toHaveLength(18);
    expect(said.filter((number) => !stated.has(number))).toEqual([]);
  });

  it('are stated only where the interface says something', () => {
    const open = cases.filter(
      ({ kind, lines: numbers }) =>
        kind === 'stated' && numbers.some((number) => lines[number - 1]?.includes('not shown')),
    );
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});
