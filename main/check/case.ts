import type { CaseAnswer, CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { FindingId, Severity } from '../../preload/contract/report.ts';
import type { TestClient } from './test-client.ts';
import { isEndpointMissing, isLeftOutForAccounts, type Observation } from './observation.ts';

/** A finding with the observations that prove it, the decisive one last. */
export type DetectedFinding = {
  id: FindingId;
  seen: readonly Observation[];
  details?: CaseAnswer[] | undefined;
  /** Replaces the one in `finding-severities.ts`. */
  severity?: Severity;
};

type Tested = { answers?: CaseAnswer[]; findings?: DetectedFinding[] };
export type UntestedOutcome = { notMeasured: NotMeasured; findings?: DetectedFinding[] };

type StatedOutcome =
  /** `isEnough`: it failed, but gave what others need, as where one of two paths works. */
  (Tested & { passed: boolean; isEnough?: boolean }) | UntestedOutcome;
type ObservedOutcome = Tested | UntestedOutcome;
export type CaseOutcome = StatedOutcome | ObservedOutcome;

type CaseProperties = {
  id: CaseId;
  /** The section and the lines of `interface.md` that it rests on; section 10, without lines, is the API description. */
  section: number;
  lines: readonly number[];
  /** Cases that must have passed, or been answered, before. */
  needs?: readonly CaseId[];
  /**
   * The account that it logs in to: `any` uses the given one. `own` is for what could lock an account, so that only created
   * accounts are locked.
   */
  account?: 'any' | 'own';
  /** The most requests that it sends. */
  calls: number;
  /** The accounts that it creates at a server with rules like ours. */
  accounts?: number;
  /** Seconds that it waits at most, beside those of its requests: a code is sent once, and then the next one is waited for. */
  waits?: number;
  /**
   * `last` runs after all others; `account` after those, since it changes and deletes accounts; `at-end` sends nothing and
   * looks at all observations.
   */
  when?: 'last' | 'account' | 'at-end';
  /** A suspicious result is not tested twice: that would create accounts, or distort its statistics. */
  once?: true;
  /** The requests are independent: if one crashes the server, the case goes on with the others. */
  hasIndependentCalls?: true;
  /** All requests are as the API type describes them, so that a server fault is no fault on invalid input. */
  sendsValidRequests?: true;
  /** A requirement only if somebody chose the API type, else an observation. */
  requiredIfChosen?: true;
  /** The option that it needs. */
  onlyWith?: 'throttling' | 'races';
};

/**
 * One case as data. If a request of `run` gets no response, the case is not tested whatever `run` returns, so cases need not
 * handle failures. A stated case whose sentence is one of `interface.md` alone is skipped for other API types.
 */
export type Case =
  | (CaseProperties & { kind: 'stated'; run: (client: TestClient) => CaseOutcome | Promise<CaseOutcome> })
  | (CaseProperties & { kind: 'observed'; run: (client: TestClient) => ObservedOutcome | Promise<ObservedOutcome> });

/** True for the response of a broken API, or of none. A page may also say that the endpoint is missing. */
export const isFaultOrPage = (seen: Observation): boolean =>
  (seen.handling === 'fault' || seen.handling === 'page') && !isEndpointMissing(seen);

/** A requirement is not broken by a server that is out of order, or by what responds in its place. */
export function createStatedOutcome(seen: Observation, passed: boolean, more: Tested = {}): StatedOutcome {
  if (seen.failed) return { notMeasured: seen.failed };
  if (!passed && isFaultOrPage(seen) && seen.error) {
    return { notMeasured: { kind: 'unreadable', error: seen.error } };
  }
  return { passed, ...more };
}

/** For a response that the server may give to any request. */
export const createInconclusiveOutcome = ({ status }: Observation): UntestedOutcome => ({
  notMeasured: { kind: 'says-nothing', status },
});

/** For a call that the description has and the server does not serve. */
export const createNotServedOutcome = ({ status }: Observation): UntestedOutcome => ({
  notMeasured: { kind: 'not-served', status },
});

export const findingIf = (
  isPresent: boolean,
  id: FindingId,
  seen: readonly Observation[],
  details?: CaseAnswer[],
): DetectedFinding[] => (isPresent ? [{ id, seen, details }] : []);

export const createUnmetDependency = (caseId: CaseId): UntestedOutcome => ({ notMeasured: { kind: 'needs', caseId } });

/** A case of which nothing could be tried has no answer. */
export const createOutcome = (answers: CaseAnswer[], findings: DetectedFinding[] = []): CaseOutcome =>
  answers.every(isLeftOutForAccounts) ? { notMeasured: { kind: 'account-limit' } } : { answers, findings };
