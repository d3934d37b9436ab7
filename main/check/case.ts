import type { CaseAnswer, CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { FindingId, Severity } from '../../preload/contract/report.ts';
import type { TestClient } from './test-client.ts';
import { isEndpointMissing, type Observation } from './observation.ts';

/** Something unsafe that was seen, with the calls that show it. The telling one is the last. */
export type DetectedFinding = {
  id: FindingId;
  seen: readonly Observation[];
  details?: CaseAnswer[] | undefined;
  /** In the place of the one in `findings.ts`. */
  severity?: Severity;
};

type Measured = { answers?: CaseAnswer[]; findings?: DetectedFinding[] };
export type UntestedOutcome = { notMeasured: NotMeasured; findings?: DetectedFinding[] };

type StatedOutcome =
  /** A broken rule may still have given what others need: one of two paths works. */
  (Measured & { passed: boolean; isEnough?: boolean }) | UntestedOutcome;
type ObservedOutcome = Measured | UntestedOutcome;
export type CaseOutcome = StatedOutcome | ObservedOutcome;

type AboutCase = {
  id: CaseId;
  /** The section and the lines of `interface.md` that it rests on. */
  section: number;
  lines: readonly number[];
  /** The cases that must have passed, or been answered, before. */
  needs?: readonly CaseId[];
  /**
   * Which account it needs that can be logged in to. With `any` the one that was given will do. `own` is for what could
   * lock an account, so that it meets only those that the run made.
   */
  account?: 'any' | 'own';
  /** The most calls that it sends. */
  calls: number;
  /** The number of accounts that it makes at a server that keeps rules like ours. */
  accounts?: number;
  /** Whether it comes after all others (`last`), or looks at all that was seen when nothing more is sent. */
  when?: 'last' | 'at-end';
  /** Whether what looked wrong is tried only once: a second try would make accounts, or spoil its test of chance. */
  once?: true;
  /** Whether each of its calls has an answer of its own, so that it goes on without one that ends the server. */
  hasIndependentCalls?: true;
  /** Whether its calls are as the interface describes them. A fault in them is no fault on wrong input. */
  sendsValidRequests?: true;
  /** Whether it is a requirement only where somebody chose the interface. By default it is an observation. */
  requiredIfChosen?: true;
  /** The option without which the case is not done. */
  onlyWith?: 'throttling' | 'races';
};

/**
 * One case as data. A run calls `run` with the probe; whenever one of its calls gets no whole answer, the case is "not
 * measured" whatever it returns, so that cases need not look after failures. A stated one answers only where its sentence
 * is one of `interface.md`, and the server has another interface.
 */
export type Case =
  | (AboutCase & { kind: 'stated'; run: (probe: TestClient) => CaseOutcome | Promise<CaseOutcome> })
  | (AboutCase & { kind: 'observed'; run: (probe: TestClient) => ObservedOutcome | Promise<ObservedOutcome> });

/** Says whether an answer comes from no API, or from one that is out of order. A page may also say that nothing is there. */
export const isFaultOrPage = (seen: Observation): boolean =>
  (seen.handling === 'fault' || seen.handling === 'page') && !isEndpointMissing(seen);

/**
 * Judges an answer by a sentence of the interface. A server that is out of order, or something else that answered in
 * its place, has not broken the interface.
 */
export function createStatedOutcome(seen: Observation, passed: boolean, more: Measured = {}): StatedOutcome {
  if (seen.failed) return { notMeasured: seen.failed };
  if (!passed && isFaultOrPage(seen) && seen.error) {
    return { notMeasured: { kind: 'unreadable', error: seen.error } };
  }
  return { passed, ...more };
}

/** Says that an answer proves nothing: a server may say it to any call. */
export const createInconclusiveOutcome = ({ status }: Observation): UntestedOutcome => ({
  notMeasured: { kind: 'says-nothing', status },
});

/** Returns the finding if it holds. */
export const findingIf = (
  holds: boolean,
  id: FindingId,
  seen: readonly Observation[],
  details?: CaseAnswer[],
): DetectedFinding[] => (holds ? [{ id, seen, details }] : []);

/** Says that this case can say nothing without that one. */
export const createUnmetDependency = (caseId: CaseId): UntestedOutcome => ({ notMeasured: { kind: 'needs', caseId } });
