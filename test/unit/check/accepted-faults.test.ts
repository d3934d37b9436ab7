import { describe, expect, it } from 'vitest';
import {
  acceptAll,
  classifyFaults,
  findFixedFaults,
  readAcceptedFaults,
  formatAcceptedFaults,
} from '../../../main/check/accepted-faults.ts';
import type { AcceptedFault } from '../../../preload/contract/report.ts';
import { listFaults } from '../../../main/check/check-faults.ts';
import { renderJunitReport } from '../../../main/check/reports/junit-report.ts';
import { reportWith } from '../../support/report.ts';

const report = { ...reportWith('x'), startedAt: '2026-11-22T23:59:59.000Z' };
const faults = listFaults(report);
const first = faults.find(({ what }) => what.kind === 'rule')!;

const accept = (more: Partial<AcceptedFault> = {}): AcceptedFault => ({
  fault: first.id,
  case: first.caseId,
  reason: 'is mended in May',
  accepted: '2026-11-01',
  ...more,
});

describe('what is accepted', () => {
  it('is a broken rule or a finding, and no note', () => {
    expect(faults.some(({ what }) => what.kind === 'rule')).toBe(true);
    expect(faults.some(({ what }) => what.kind === 'finding')).toBe(true);
    expect(faults.filter(({ severity }) => severity === 'info')).toEqual([]);
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  });

  it('is written with reason and day, keeps what was there, and is read as it was', () => {
    const before = accept({ reason: 'an older reason' });
    const accepted = acceptAll(report, [before], 'until the release');
    expect(classifyFaults(report, accepted).every((each) => each.acceptance)).toBe(true);
    expect(classifyFaults(report, accepted, ['high', 'medium', 'low']).filter(({ failsCheck }) => failsCheck)).toEqual(
      [],
    );
    expect(accepted.find(({ fault }) => fault === first.id)).toEqual(before);
    const read = readAcceptedFaults(formatAcceptedFaults(accepted));
    expect(read).toEqual({ ok: true, accepted: accepted.toSorted((a, b) => (a.fault < b.fault ? -1 : 1)) });
    expect(read.ok && read.accepted.find(({ fault }) => fault !== first.id)).toMatchObject({
      reason: 'until the release',
      accepted: '2026-11-22',
    });
  });

  it('is said to be gone only where the case that found it was measured', () => {
    const unmeasured = report.cases.find(({ outcome }) => outcome === 'not-measured')!;
    const passed = report.cases.find(({ outcome }) => outcome === 'passed')!;
    const gone = accept({ fault: `rule:${passed.id}`, case: passed.id });
    const unknown = accept({ fault: `rule:${unmeasured.id}`, case: unmeasured.id });
    expect(findFixedFaults(report, [accept(), gone, unknown])).toEqual([gone]);
  });

  it('is a test that was left out in JUnit, with its reason', () => {
    const failures = (xml: string) => xml.match(/<failure /g)?.length ?? 0;
    const judged = classifyFaults(report, [accept({ reason: 'a <reason>' })], []);
    const [before, after] = [renderJunitReport(report, 'en'), renderJunitReport(report, 'en', judged)];
    expect(failures(after)).toBe(failures(before) - 1);
    expect(after).toContain('(a &lt;reason&gt;)');
  });
});

describe('a file of what is accepted', () => {
  const file = (accepted: unknown, more: object = {}) =>
    JSON.stringify({ schema: 'llavero-accepted-faults', version: 1, accepted, ...more });
  it.each([
    ['nothing', '', /JSON/],
    ['half of it', file([accept()]).slice(0, 90), /JSON/],
    ['another file', '{"schema":"llavero-report"}', /no(?:t a)? list of accepted faults/],
    ['another version', file([], { version: 2 }), /another version of Llavero/],
    ['an unknown fault', file([accept({ fault: 'finding:of-tomorrow' })]), /"finding:of-tomorrow", which is no fault/],
    ['a fault called __proto__', file([accept({ fault: '__proto__' })]), /"__proto__", which is no fault/],
    ['one fault twice', file([accept(), accept()]), /twice/],
    ['no reason', file([accept({ reason: ' ' })]), /accepted\.0\.reason/],
    ['a day that does not exist', file([accept({ accepted: '2026-02-30' })]), /accepted\.0\.accepted/],
  ])('that holds %s is refused in one sentence', (_what, text, sentence) => {
    const read = readAcceptedFaults(text);
    expect(read.ok ? '' : read.sentence).toMatch(sentence);
  });
});
