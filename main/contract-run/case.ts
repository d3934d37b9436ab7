import type { CaseAnswer, CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { FindingId } from '../../preload/contract/report-findings.ts';
import type { Probe } from './probe.ts';
import type { Seen } from './seen.ts';

/** Something unsafe that was seen, with the calls that show it, the telling one last. */
export type Raised = { id: FindingId; seen: readonly Seen[]; details?: CaseAnswer[] };

type Measured = { answers?: CaseAnswer[]; raised?: Raised[] };
export type Unmeasured = { notMeasured: NotMeasured };

type StatedOutcome = (Measured & { passed: boolean }) | Unmeasured;
type ObservedOutcome = Measured | Unmeasured;
export type Outcome = StatedOutcome | ObservedOutcome;

type AboutCase = {
  id: CaseId;
  /** Section and lines of `interface.md` that it rests on. */
  section: number;
  lines: readonly number[];
  /** Cases that must have passed, or been answered, before. */
  needs?: readonly CaseId[];
  /**
   * It needs an account that can be logged in to: of `any`, the one that was given will do. `own` does what could lock
   * an account, and is for those that the run made.
   */
  account?: 'any' | 'own';
  /** How many it sends at most. */
  calls: number;
  /** How many accounts it makes at a server that keeps rules like ours. */
  accounts?: number;
  /** After all others; or at the very end, when nothing more is sent but all that was seen is looked at. */
  when?: 'last' | 'at-end';
  /** What looked wrong is not tried a second time: it would make accounts, or has its own test of chance. */
  once?: true;
  /** Done only when the options ask for it. */
  onlyWith?: 'throttling';
};

/**
 * One case as data. A run calls `run` with the probe; whenever one of its calls gets no whole answer, the case is "not
 * measured" whatever it returns, so that cases need not look after failures.
 */
export type Case =
  | (AboutCase & { kind: 'stated'; run: (probe: Probe) => StatedOutcome | Promise<StatedOutcome> })
  | (AboutCase & { kind: 'observed'; run: (probe: Probe) => ObservedOutcome | Promise<ObservedOutcome> });

/**
 * What a sentence of the interface makes of an answer. A server that is out of order, or something else that answered
 * in its place, has not broken the interface.
 */
export function judged(seen: Seen, passed: boolean, more: Measured = {}): StatedOutcome {
  if (!passed && seen.handling === 'fault' && seen.error) {
    return { notMeasured: { kind: 'unreadable', error: seen.error } };
  }
  return { passed, ...more };
}

/** A finding if it is one. */
export const raisedIf = (holds: boolean, id: FindingId, seen: readonly Seen[], details?: CaseAnswer[]): Raised[] =>
  holds ? [{ id, seen, ...(details && { details }) }] : [];

/** Without that case this one can say nothing. */
export const needs = (caseId: CaseId): Unmeasured => ({ notMeasured: { kind: 'needs', caseId } });
