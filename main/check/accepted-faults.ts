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

/** What holds of each fault of a run, by what was accepted before. */
export type ClassifiedFault = {
  fault: CheckFault;
  acceptance?: AcceptedFault | undefined;
  /** Whether it fails the run. */
  failsCheck: boolean;
};

/** Reads a file of accepted faults. It never throws; `sentence` goes on after the file's name. */
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

/** Writes accepted faults for people who review them: one after the other, sorted. */
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

/**
 * Says of each fault of a run whether it is accepted, and whether it fails the run: a failed requirement always, a finding
 * by its severity.
 */
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

/** Says what a run comes to, by its judged faults. */
export const verdictOfReport = (report: Report, judged: readonly ClassifiedFault[] = []): RunVerdict => {
  const idsOf = (isWanted: (each: ClassifiedFault) => boolean): Set<string> =>
    new Set(judged.filter(isWanted).map(({ fault }) => fault.id));
  return createRunVerdict(report, {
    accepted: idsOf(({ acceptance }) => acceptance !== undefined),
    counted: idsOf(({ failsCheck }) => failsCheck),
  });
};

/** Returns what was accepted and is not there any more, where the case that found it was measured. */
export function findFixedFaults(report: Report, accepted: readonly AcceptedFault[]): AcceptedFault[] {
  const there = new Set(listFaults(report).map(({ id }) => id));
  const measured = new Set(report.cases.filter(({ outcome }) => outcome !== 'not-measured').map(({ id }) => id));
  return accepted.filter((each) => !there.has(each.fault) && measured.has(each.case));
}

/** Says what each acceptance means for a report. None is left out. */
export function listAcceptances(report: Report, accepted: readonly AcceptedFault[]): AcceptanceStatus[] {
  const there = new Set(listFaults(report).map(({ id }) => id));
  const gone = new Set(findFixedFaults(report, accepted));
  return accepted.map((each) => {
    if (there.has(each.fault)) return { ...each, state: 'holds' };
    return { ...each, state: gone.has(each) ? 'gone' : 'unmeasured' };
  });
}

/** Accepts every fault of a run that is not accepted yet, and leaves what was accepted as it is. */
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
