import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { judgeFaults } from '../../../main/contract-run/accepted-faults.ts';
import { faultsOf } from '../../../main/contract-run/faults.ts';
import { sarifReport } from '../../../main/contract-run/reports/sarif.ts';
import { hostileTexts, reportWith } from '../../support/report.ts';

const text = z.strictObject({ text: z.string().min(1) });
const level = z.enum(['none', 'note', 'warning', 'error']);

/** What SARIF 2.1.0 says of the properties that we write (sections 3.13 to 3.58); it knows many more. */
const Sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string(),
          semanticVersion: z.string(),
          rules: z.array(
            z.strictObject({
              id: z.string(),
              shortDescription: text,
              fullDescription: text,
              defaultConfiguration: z.strictObject({ level }),
              properties: z.strictObject({ tags: z.array(z.string()), 'security-severity': z.string() }),
            }),
          ),
        }),
      }),
      automationDetails: z.strictObject({ id: z.string().endsWith('/') }),
      originalUriBaseIds: z.strictObject({ SERVER: z.strictObject({ uri: z.url().endsWith('/') }) }),
      columnKind: z.literal('utf16CodeUnits'),
      invocations: z.tuple([
        z.strictObject({
          executionSuccessful: z.boolean(),
          startTimeUtc: z.iso.datetime(),
          endTimeUtc: z.iso.datetime(),
          toolExecutionNotifications: z.array(z.strictObject({ level, message: text })),
        }),
      ]),
      properties: z.strictObject({ extraHeaders: z.array(z.string()) }),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int(),
          level,
          message: text,
          locations: z.tuple([
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({
                  // A relative reference that stays below the server, as RFC 3986 writes it.
                  uri: z.string().regex(/^(?![/.])[\w\-.~%!$&'()*+,;=:@/]*$/),
                  uriBaseId: z.literal('SERVER'),
                }),
                region: z.strictObject({ startLine: z.literal(1), endLine: z.literal(1) }),
              }),
              logicalLocations: z.tuple([z.strictObject({ name: z.string(), kind: z.literal('function') })]),
            }),
          ]),
          partialFingerprints: z.strictObject({ 'llavero/v1': z.string() }),
          suppressions: z.array(
            z.strictObject({ kind: z.literal('external'), status: z.literal('accepted'), justification: z.string() }),
          ),
        }),
      ),
    }),
  ]),
});

const sarifOf = (...args: Parameters<typeof sarifReport>) => Sarif.parse(JSON.parse(sarifReport(...args))).runs[0];

describe('a report as SARIF', () => {
  it.each(hostileTexts)('has the form of version 2.1.0 whatever a server says: %j', (hostile) => {
    for (const language of ['en', 'es']) {
      const { error } = Sarif.safeParse(JSON.parse(sarifReport(reportWith(hostile), language)));
      expect(error).toBeUndefined();
    }
  });

  it('has a result and a rule for each fault, and the result points to its rule', () => {
    const report = reportWith('x');
    const { results, tool } = sarifOf(report, 'en');
    const ids = faultsOf(report).map(({ id }) => id);
    expect(results.map(({ ruleId }) => ruleId)).toEqual(ids);
    expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]?.id)).toEqual(ids);
    expect(new Set(results.map((each) => each.level))).toEqual(new Set(['error', 'warning', 'note']));
  });

  it('tells what was not measured, and a run that was ended', () => {
    const report = reportWith('x');
    const unmeasured = report.cases.filter(({ outcome }) => outcome === 'not-measured').length;
    const [invocation] = sarifOf({ ...report, ended: { kind: 'cancelled' } }, 'en').invocations;
    expect(invocation.executionSuccessful).toBe(false);
    expect(invocation.toolExecutionNotifications).toHaveLength(unmeasured + 1);
  });

  it('suppresses what was accepted, with the reason, and nothing else', () => {
    const report = reportWith('x');
    const [{ id, caseId }] = faultsOf(report) as [ReturnType<typeof faultsOf>[number]];
    const accepted = [{ fault: id, case: caseId, reason: 'known\u202e', accepted: '2026-01-01' }];
    const { results } = sarifOf(report, 'en', judgeFaults(report, accepted));
    expect(results.filter(({ suppressions }) => suppressions.length > 0)).toMatchObject([
      { ruleId: id, suppressions: [{ justification: 'known\\u{202e}' }] },
    ]);
  });
});
