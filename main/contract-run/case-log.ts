import type { CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { RecordedCall } from '../../preload/contract/calls.ts';
import { recordAside } from '../calls/recording-job.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import type { Call } from '../client/call.ts';
import type { Answer } from '../client/read-answer.ts';
import { cut } from './evidence.ts';
import type { Seen } from './seen.ts';

/** Characters of a body that are kept for cases that look back at it. */
const keptCharacters = 64 * 1024;

export type CaseLog = ReturnType<typeof createCaseLog>;

/** Returns as much of a call as cases may look at. What was understood holds the whole body, so it goes. */
const asKept = (call: Call): Call => ({
  ...call,
  understood: undefined,
  response: call.response && {
    ...call.response,
    body: call.response.body.slice(0, keptCharacters),
    bodyBytes: new Uint8Array(),
  },
});

/** Keeps all that a run has seen: by case, in its order, and as evidence without secrets. */
export function createCaseLog(serverId: string, references: SecretReferences, paths: Answer['paths']) {
  const everything: Seen[] = [];
  const recorded = new Map<string, RecordedCall>();
  const byCase = new Map<CaseId, Seen[]>();
  /** The calls that ended the server. */
  const deadly: { caseId: CaseId; seen: Seen }[] = [];
  let current: { caseId: CaseId; seen: Seen[]; problem: NotMeasured | undefined; standsAlone: boolean } | undefined;

  /** Says why the case under way cannot be measured. It sends no further call. */
  function spoil(problem: NotMeasured): void {
    if (current) current.problem ??= problem;
  }

  return {
    spoil,

    /** Why the case under way cannot be measured, if so. */
    problem: (): NotMeasured | undefined => current?.problem,
    currentCase: (): CaseId | undefined => current?.caseId,

    /** Adds a call to what was seen. A failed call spoils its case, unless the case may do without an answer. */
    note(seen: Seen, spoils: boolean): Seen {
      const isLeftOut = seen.failed?.kind === 'ends-server' && current?.standsAlone;
      if (seen.failed && spoils && !isLeftOut) spoil(seen.failed);
      if (seen.call) {
        current?.seen.push(seen);
        everything.push(seen);
      }
      return seen;
    },

    /** Takes note of a call that ended the server. */
    noteDeadly: (seen: Seen): void => {
      if (current) deadly.push({ caseId: current.caseId, seen });
    },

    /** Counts a call for the case under way, although an earlier one sent it. */
    countAgain: (seen: Seen): void => {
      if (seen.call) current?.seen.push(seen);
    },

    /** Records a call without secrets. Of the rest it answers only as much as cases may look at. */
    async keep(call: Call, signal: AbortSignal): Promise<Call> {
      const { recorded: kept } = await recordAside(serverId, call, references, paths, signal);
      recorded.set(call.id, cut(kept));
      return asKept(call);
    },

    /** Runs one case, and answers the calls that it made, those that ever ended the server, and what spoilt it. */
    within: async <T>(
      caseId: CaseId,
      body: () => T | Promise<T>,
      standsAlone = false,
    ): Promise<{ value: T; seen: Seen[]; deadly: Seen[]; problem: NotMeasured | undefined }> => {
      const mine = { caseId, seen: [] as Seen[], problem: undefined as NotMeasured | undefined, standsAlone };
      current = mine;
      try {
        const value = await body();
        const ofThis = deadly.filter((each) => each.caseId === caseId).map(({ seen }) => seen);
        return { value, seen: mine.seen, deadly: ofThis, problem: mine.problem };
      } finally {
        byCase.set(caseId, mine.seen);
        current = undefined;
      }
    },

    /** Answers the calls of a case that ran, in their order. */
    ofCase: (caseId: CaseId): readonly Seen[] => byCase.get(caseId) ?? [],
    everything: (): readonly Seen[] => everything,
    /** Answers every call as evidence, by its id. */
    recorded: (): ReadonlyMap<string, RecordedCall> => recorded,
  };
}
