import type { Report, ReportDifference } from '../../preload/contract/contract-report.ts';
import type {
  FaultEvent,
  FaultHistory,
  QuestionHistory,
  RunHistory,
  RunMoment,
  SaidThen,
} from '../../preload/contract/kept-runs.ts';
import { CaseId, type CaseResult } from '../../preload/contract/report-cases.ts';
import { FindingId } from '../../preload/contract/report-findings.ts';
import { hasEnded } from './accepted-faults.ts';
import type { AcceptanceRow } from './acceptance-store.ts';
import { faultsOf } from './faults.ts';
import { severities } from './findings.ts';
import type { RunOfHistory } from './report-lists.ts';

/** What is known of a server when its history is read. */
type Past = {
  /** The oldest is the first. */
  runs: readonly RunOfHistory[];
  /** What stands after all of them; undefined before the first. */
  known: Report | undefined;
  acceptances: readonly AcceptanceRow[];
  /** In UTC. */
  today: string;
};

/**
 * Makes the history of a server out of what each run has changed by meaning, as {@link learn} says it. So a case that
 * was not measured, since the server throttled, was slow or was away, changes nothing here either.
 */
export function historyOf({ runs, known, acceptances, today }: Past): RunHistory {
  const first = runs[0]?.run;
  if (!first || !known) return { runs: runs.length, first, questions: [], faults: [] };
  const measured = firstMeasured(runs);
  const since = (caseId: CaseId): RunMoment => measured.get(caseId) ?? first;
  return {
    runs: runs.length,
    first,
    questions: questionsOf(runs, known, since),
    faults: faultHistories({ runs, known, acceptances, today }, since),
  };
}

/** Returns the run that measured a case first, for the cases that the first run of all did not measure. */
function firstMeasured(runs: readonly RunOfHistory[]): ReadonlyMap<CaseId, RunMoment> {
  const first = new Map<CaseId, RunMoment>();
  for (const { run, comparison } of runs) {
    for (const { caseId, side } of comparison?.unknown ?? []) {
      if (side === 'before' && !first.has(caseId)) first.set(caseId, run);
    }
  }
  return first;
}

/** Returns every difference with its run, in the order of the runs. */
const differencesOf = (runs: readonly RunOfHistory[]): { run: RunMoment; difference: ReportDifference }[] =>
  runs.flatMap(({ run, comparison }) => (comparison?.differences ?? []).map((difference) => ({ run, difference })));

type Asked = Pick<QuestionHistory, 'caseId' | 'question' | 'subject'>;

const keyOf = ({ caseId, question, subject }: Asked): string => `${caseId} ${question} ${subject}`;

function questionsOf(
  runs: readonly RunOfHistory[],
  known: Report,
  since: (caseId: CaseId) => RunMoment,
): QuestionHistory[] {
  const lines = new Map<string, QuestionHistory>();
  const begin = (asked: Asked, said: SaidThen): void => {
    const section = known.cases.find(({ id }) => id === asked.caseId)?.section;
    lines.set(keyOf(asked), { ...asked, section, states: [{ since: since(asked.caseId), said }] });
  };
  for (const { run, difference } of differencesOf(runs)) {
    if (difference.kind === 'finding') continue;
    const { caseId } = difference;
    const asked: Asked =
      difference.kind === 'answer'
        ? { caseId, question: difference.question, subject: difference.subject }
        : { caseId };
    const { before, after } = bothOf(difference);
    if (!lines.has(keyOf(asked))) begin(asked, before);
    lines.get(keyOf(asked))?.states.push({ since: run, said: after });
  }
  for (const result of known.cases) {
    for (const [asked, now] of saidBy(result)) if (!lines.has(keyOf(asked))) begin(asked, now);
  }
  const order = (id: CaseId): number => CaseId.options.indexOf(id);
  return [...lines.values()].toSorted((a, b) => order(a.caseId) - order(b.caseId));
}

function bothOf(difference: Exclude<ReportDifference, { kind: 'finding' }>): { before: SaidThen; after: SaidThen } {
  return difference.kind === 'outcome'
    ? {
        before: { kind: 'outcome', outcome: difference.before },
        after: { kind: 'outcome', outcome: difference.after },
      }
    : { before: { kind: 'answer', value: difference.before }, after: { kind: 'answer', value: difference.after } };
}

/** Returns what a case said: how its rule was kept, if it is one, and its answers. */
function saidBy(result: CaseResult): [Asked, SaidThen][] {
  if (result.outcome === 'not-measured') return [];
  const { id: caseId, kind, outcome, answers } = result;
  return [
    ...(kind === 'stated' ? [[{ caseId }, { kind: 'outcome', outcome }] satisfies [Asked, SaidThen]] : []),
    ...answers.map(({ question, subject, value }): [Asked, SaidThen] => [
      { caseId, question, subject },
      { kind: 'answer', value },
    ]),
  ];
}

type Fault = Pick<FaultHistory, 'fault' | 'caseId' | 'findingId' | 'severity'>;
type Turn = { fault: Fault; run: RunMoment; isNew: boolean };

const ofFinding = (id: FindingId, caseId: CaseId): Fault => ({
  fault: `finding:${id}`,
  caseId,
  findingId: id,
  severity: severities[id],
});
const ofRule = (caseId: CaseId): Fault => ({ fault: `rule:${caseId}`, caseId, severity: 'high' });

/** Returns when faults came and went, in the order of the runs. */
function turnsOf(runs: readonly RunOfHistory[]): Turn[] {
  return differencesOf(runs).flatMap(({ run, difference }): Turn[] => {
    if (difference.kind === 'finding') {
      return [{ fault: ofFinding(difference.id, difference.caseId), run, isNew: difference.change === 'new' }];
    }
    const isRule = difference.kind === 'outcome' && [difference.before, difference.after].includes('failed');
    return isRule ? [{ fault: ofRule(difference.caseId), run, isNew: difference.after === 'failed' }] : [];
  });
}

/** Returns the faults that stand, notes among them. */
const standing = (known: Report): Fault[] => [
  ...faultsOf(known).flatMap(({ what, caseId }) => (what.kind === 'rule' ? [ofRule(caseId)] : [])),
  ...known.findings.map(({ id, caseId }) => ofFinding(id, caseId)),
];

const order: readonly FaultHistory['state'][] = ['open', 'accepted', 'gone'];

function faultHistories({ runs, known, acceptances, today }: Past, since: (caseId: CaseId) => RunMoment) {
  const turns = turnsOf(runs);
  const there = known ? standing(known) : [];
  const faults = new Map(
    [...there, ...turns.map(({ fault }) => fault), ...acceptances.flatMap(faultOf)].map((each) => [each.fault, each]),
  );
  return [...faults.values()]
    .map((fault): FaultHistory => {
      const { fault: id, caseId, findingId, severity } = fault;
      const own = acceptances.filter((each) => each.fault === id);
      const isThere = there.some((each) => each.fault === id);
      const holds = own.some((each) => each.withdrawnAt === undefined && !hasEnded(each, today));
      const seen = seenEvents(
        fault,
        turns.filter((turn) => turn.fault.fault === id),
        isThere,
        since,
      );
      return {
        fault: id,
        caseId,
        findingId,
        severity,
        state: !isThere ? 'gone' : holds ? 'accepted' : 'open',
        events: merged(seen, acceptanceEvents(own, today)),
      };
    })
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

/** Returns the fault that was accepted, if this version knows it. */
function faultOf({ fault, case: caseId }: AcceptanceRow): Fault[] {
  if (fault.startsWith('rule:')) return [ofRule(caseId)];
  const id = FindingId.safeParse(fault.slice('finding:'.length));
  return id.success ? [ofFinding(id.data, caseId)] : [];
}

type SeenEvent = Extract<FaultEvent, { run: RunMoment }>;

/** Says when a fault was there. What nobody saw come was there when its case was measured first. */
function seenEvents(
  { caseId }: Fault,
  turns: readonly Turn[],
  isThere: boolean,
  since: (caseId: CaseId) => RunMoment,
): SeenEvent[] {
  const wasThere = turns[0] ? !turns[0].isNew : isThere;
  const events: SeenEvent[] = wasThere ? [{ kind: 'opened', run: since(caseId) }] : [];
  for (const { isNew, run } of turns) {
    events.push({ kind: !isNew ? 'gone' : events.length === 0 ? 'opened' : 'back', run });
  }
  return events;
}

type GivenEvent = Extract<FaultEvent, { at: string }>;

/** Says what was accepted, until when, and what was withdrawn. What was accepted anew is not withdrawn. */
const acceptanceEvents = (rows: readonly AcceptanceRow[], today: string): GivenEvent[] =>
  rows
    .flatMap((row, at): GivenEvent[] => {
      const { reason, until, acceptedAt, withdrawnAt } = row;
      const withdrawnDay = withdrawnAt?.slice(0, 10);
      const ended = hasEnded(row, withdrawnDay ?? today) ? until : undefined;
      const next = rows[at + 1];
      // One that comes from a file is older than the moment at which it took the place of this one.
      const isReplaced = next !== undefined && withdrawnAt !== undefined && next.acceptedAt <= withdrawnAt;
      return [
        { kind: 'accepted', at: acceptedAt, reason, until },
        ...(ended === undefined ? [] : [{ kind: 'ended', at: `${ended}T23:59:59.999Z` } as const]),
        ...(withdrawnAt === undefined || isReplaced ? [] : [{ kind: 'withdrawn', at: withdrawnAt } as const]),
      ];
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

/** Puts what a person did among the runs by its time. Runs stay in their own order, also where a clock went back. */
function merged(seen: readonly SeenEvent[], given: readonly GivenEvent[]): FaultEvent[] {
  const left = [...given];
  const before = (at: string): GivenEvent[] => left.splice(0, left.findLastIndex((each) => each.at < at) + 1);
  return [...seen.flatMap((event): FaultEvent[] => [...before(event.run.startedAt), event]), ...left];
}
