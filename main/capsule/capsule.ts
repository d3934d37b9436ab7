import { z } from 'zod';
import { Report } from '../../preload/contract/contract-report.ts';
import { CaseId, type CaseResult } from '../../preload/contract/report-cases.ts';
import { FindingId } from '../../preload/contract/report-findings.ts';
import { ServerModel } from '../service/double/model.ts';

/**
 * One case or finding of a contract run, with all that a colleague needs to see it again without the server. It holds no
 * secret: neither its report nor its model has one.
 */
export const Capsule = z.strictObject({
  schema: z.literal('llavero-capsule'),
  version: z.literal(1),
  /** The version of Llavero that made it. */
  toolVersion: z.string().max(50),
  /** The case that it is about, which is the only one of its report. */
  caseId: CaseId,
  /** What that case found, where the capsule is about a finding. */
  findingId: FindingId.optional(),
  /** What is left of the report: one case, what it found, and the calls that show it. */
  report: Report,
  /** What other cases of the run found, so that it is no news when this case finds it alone. */
  foundElsewhere: z.array(FindingId).max(FindingId.options.length),
  model: ServerModel,
});
export type Capsule = z.infer<typeof Capsule>;

/** A capsule is about a case, or about something that a case found. */
export type CapsuleSubject = { caseId: CaseId; findingId?: FindingId | undefined };

/** A case with many calls shows no more of them. */
export const mostCalls = 100;

export const LARGEST_CAPSULE_BYTES = 10 * 1024 * 1024;

/** Makes the JSON Schema 2020-12 of a capsule from the types. `capsule.schema.json` is a copy for others. */
export function capsuleSchema(): object {
  return {
    ...z.toJSONSchema(Capsule, { target: 'draft-2020-12', reused: 'ref' }),
    $id: 'https://llavero.app/schemas/capsule-1.json',
    title: 'Capsule of Llavero, version 1',
  };
}

/** Returns of a report what one case saw. Of many calls, the last one tells most. */
export function ofCase(report: Report, caseId: CaseId): Report {
  const findings = report.findings.filter((each) => each.caseId === caseId);
  const result = report.cases.find(({ id }) => id === caseId);
  const wanted = [...(result?.calls ?? []), ...findings.flatMap(({ calls }) => calls)];
  const telling = new Set([...findings.flatMap(({ calls }) => calls.at(-1) ?? []), ...(result?.calls.slice(-1) ?? [])]);
  const kept = new Set([...telling, ...wanted].slice(0, mostCalls));
  const keptOf = (ids: readonly string[]): string[] => ids.filter((id) => kept.has(id));
  const { schema, version, toolVersion, baseUrl, serverName, startedAt, endedAt, durationMs } = report;
  const { options, ended, givenAccount, extraHeaders } = report;
  const cases: CaseResult[] = result ? [{ ...result, calls: keptOf(result.calls) }] : [];
  const evidence = report.evidence.filter(({ id }) => kept.has(id));
  return {
    schema,
    version,
    toolVersion,
    baseUrl,
    serverName,
    startedAt,
    endedAt,
    durationMs,
    options,
    ended,
    givenAccount,
    extraHeaders,
    calls: evidence.length,
    accounts: [],
    cases,
    findings: findings.map(({ calls, ...finding }) => Object.assign(finding, { calls: keptOf(calls) })),
    evidence,
  };
}
