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
        'code-of-another-accepted',
        'codes-not-throttled',
        'old-password-accepted',
        'old-tls',
        'password-echoed',
        'password-hash-shown',
        'plain-http',
        'profile-before-second-factor',
        'profile-of-another',
        'profile-without-token',
        'recovery-code-accepted-twice',
        'second-factor-skipped',
        'server-killed',
        'token-outlives-account',
        'token-outlives-logout',
        'token-unverified',
        'tokens-guessable',
        'wrong-password-accepted',
      ],
      medium: [
        'account-deleted-without-password',
        'any-origin-with-credentials',
        'certificate-ends-soon',
        'code-accepted-twice',
        'current-password-ignored',
        'email-registered-twice',
        'guessing-not-throttled',
        'http-broken',
        'pending-login-reusable',
        'server-fault-on-refusal',
        'stack-traces',
        'token-outlives-password',
        'unknown-email-by-body',
        'unknown-email-by-resend',
        'unknown-email-by-reset',
        'unknown-email-by-time',
        'weak-password-accepted',
      ],
      low: [
        'cpassword-ignored',
        'debug-page',
        'old-codes-accepted',
        'password-cut',
        'server-fault-on-input',
        'token-cacheable',
      ],
      info: ['server-clock-off', 'software-version-shown', 'token-format'],
    });
  });

  it('rest on lines of the interface that say something, in the section they name', () => {
    const wrong = cases.filter(
      ({ section, lines: numbers }) =>
        section !== 10 &&
        (numbers.some((number) => (lines[number - 1] ?? '').trim() === '') ||
          !numbers.some((number) => sectionOf(number) === section)),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('rest on no line where only an API description has the call', () => {
    const groups = new Set(['second-factor', 'password', 'deletion', 'forgot-password', 'resend-confirmation']);
    const described = cases.filter(({ section }) => section === 10);
    expect(described.filter(({ lines: numbers }) => numbers.length > 0)).toEqual([]);
    expect(described.map(({ id }) => id)).toEqual(CaseId.options.filter((id) => groups.has(id.split('.', 1)[0] ?? '')));
    expect(described).toHaveLength(22);
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
