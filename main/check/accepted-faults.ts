import { z } from 'zod';
import {
  AcceptedFault,
  type RunVerdict,
  type Severity,
  type AcceptanceStatus,
  type Report,
} from '../../preload/contract/report.ts';
import { createRunVerdict } from '../../preload/contract/run-verdict.ts';
import { faultIds, listFaults, type CheckFault } from './check-faults.ts';

const AcceptedFaults = z.object({
  schema: z.literal('llavero-accepted-faults'),
  version: z.literal(1),
  accepted: z.array(AcceptedFault).max(10_000),
});

/** A fault of a check with its acceptance, if there is one. */
export type ClassifiedFault = {
  fault: CheckFault;
  acceptance?: AcceptedFault | undefined;
  /** Whether it fails the check. */
  failsCheck: boolean;
};

/** Parses a file of accepted faults. Never throws; `sentence` follows the file's name. */
export function readAcceptedFaults(
  text: string,
): { ok: true; accepted: AcceptedFault[] } | { ok: false; sentence: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { ok: false, sentence: 'is not JSON.' };
  }
  const version = z.looseObject({ schema: AcceptedFaults.shape.schema, version: z.int().min(1) }).safeParse(parsed);
  if (!version.success) return { ok: false, sentence: 'is not a list of accepted faults.' };
  if (version.data.version !== 1) return { ok: false, sentence: 'was written by another version of Llavero.' };
  const read = AcceptedFaults.safeParse(parsed);
  if (!read.success) {
    return { ok: false, sentence: `is not as it should be, at ${read.error.issues[0]?.path.join('.') ?? 'its top'}.` };
  }
  const ids = read.data.accepted.map(({ fault }) => fault);
  const unknown = ids.find((id) => !faultIds.has(id));
  if (unknown !== undefined) return { ok: false, sentence: `accepts "${unknown}", which is no fault that is known.` };
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return { ok: false, sentence: `accepts "${twice}" twice.` };
  return { ok: true, accepted: read.data.accepted };
}

/** Formats accepted faults as JSON, sorted by id, so that a review shows what changed. */
export const formatAcceptedFaults = (accepted: readonly AcceptedFault[]): string =>
  `${JSON.stringify(
    {
      schema: 'llavero-accepted-faults',
      version: 1,
      accepted: accepted.toSorted((a, b) => (a.fault < b.fault ? -1 : 1)),
    } satisfies z.infer<typeof AcceptedFaults>,
    undefined,
    2,
  )}\n`;

const dayOf = (report: Report): string => report.startedAt.slice(0, 10);

/** The faults of a report. One that is not accepted fails the check: a failed requirement always, a finding by severity. */
export const classifyFaults = (
  report: Report,
  accepted: readonly AcceptedFault[],
  failOn: readonly Severity[] = ['high'],
): ClassifiedFault[] =>
  listFaults(report).map((fault) => {
    const acceptance = accepted.find((each) => each.fault === fault.id);
    return {
      fault,
      acceptance,
      failsCheck: !acceptance && (fault.what.kind === 'rule' || failOn.includes(fault.severity)),
    };
  });

export const verdictOfReport = (report: Report, classified: readonly ClassifiedFault[] = []): RunVerdict => {
  const idsOf = (matches: (each: ClassifiedFault) => boolean): Set<string> =>
    new Set(classified.filter(matches).map(({ fault }) => fault.id));
  return createRunVerdict(report, {
    accepted: idsOf(({ acceptance }) => acceptance !== undefined),
    counted: idsOf(({ failsCheck }) => failsCheck),
  });
};

/** The acceptances whose fault is fixed, if the test that found it was run. */
export function findFixedFaults(report: Report, accepted: readonly AcceptedFault[]): AcceptedFault[] {
  const present = new Set(listFaults(report).map(({ id }) => id));
  const measured = new Set(report.cases.filter(({ outcome }) => outcome !== 'not-measured').map(({ id }) => id));
  return accepted.filter((each) => !present.has(each.fault) && measured.has(each.case));
}

/** The state of every acceptance in a report. */
export function listAcceptances(report: Report, accepted: readonly AcceptedFault[]): AcceptanceStatus[] {
  const present = new Set(listFaults(report).map(({ id }) => id));
  const fixed = new Set(findFixedFaults(report, accepted));
  return accepted.map((each) => {
    if (present.has(each.fault)) return { ...each, state: 'holds' };
    return { ...each, state: fixed.has(each) ? 'gone' : 'unmeasured' };
  });
}

/** Accepts every fault that is not accepted yet; earlier acceptances keep their reason and day. */
export function acceptAll(report: Report, accepted: readonly AcceptedFault[], reason: string): AcceptedFault[] {
  const added = classifyFaults(report, accepted)
    .filter(({ acceptance }) => !acceptance)
    .map(({ fault }): AcceptedFault => ({
      fault: fault.id,
      case: fault.caseId,
      reason,
      accepted: dayOf(report),
    }));
  return [...accepted, ...added];
}
