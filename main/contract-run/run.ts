import { setImmediate as turn } from 'node:timers/promises';
import {
  CaseId,
  Choice,
  FindingId,
  Question,
  RunOptions,
  Severity,
  type CaseResult,
  type Finding,
  type NotMeasured,
  type Report,
  type RunEnd,
  type RunPlan,
  type RunProgress,
} from '../../preload/contract/contract-report.ts';
import { hideIn } from '../client/hide-secrets.ts';
import type { Answer } from '../client/read-answer.ts';
import type { Transport } from '../client/transport.ts';
import { createSecretReferences, type SecretReferences } from '../calls/secret-references.ts';
import { toStored } from '../calls/stored-call.ts';
import type { Case, Outcome, Raised } from './case.ts';
import { cases } from './cases/all.ts';
import { commandFor } from './evidence.ts';
import { severities } from './findings.ts';
import { realClock, type Clock } from './pace.ts';
import { createProbe, mostAccounts, type Account } from './probe.ts';
import type { Seen } from './seen.ts';

/** For the tokens that are logged out when all is done. */
const cleanUpCalls = 30;
/** After a cancellation they may take no longer. */
const cleanUpMs = 5_000;

export type RunInput = {
  /** The server's own. What else records its calls is the caller's. */
  transport: Pick<Transport, 'send'>;
  /** A value of `parseBaseUrl`. */
  baseUrl: string;
  toolVersion: string;
  /** What is left out has its default. */
  options?: Partial<RunOptions>;
  server?: { id: string; name: string; production: boolean };
  /** One that is there already: cases that need an account use it. */
  account?: Account | undefined;
  /** Where a person says that things are in this server's answers. */
  paths?: Answer['paths'];
  /** Where the passwords and tokens it uses are kept for its life; its own unless given. */
  references?: SecretReferences;
  /** Called for each call and each result. */
  onProgress?: (progress: RunProgress) => void;
  /** Aborting it ends the run; the report says so. */
  signal?: AbortSignal;
  clock?: Clock;
};

export type Run = {
  plan: RunPlan;
  /** Runs every case of the plan. Never throws: what could not be known is in the report. */
  start: () => Promise<Report>;
  /** One case anew, with the accounts and all else that was learned; the report has its new result. */
  again: (caseId: CaseId, signal?: AbortSignal) => Promise<Report>;
};

const shortestHidden = 11;

/** Whatever the password is that was given, these stay what they are. */
const wordsOfReports: ReadonlySet<string> = new Set([
  ...CaseId.options,
  ...FindingId.options,
  ...Question.options,
  ...Choice.options,
  'llavero-report',
  'not-measured',
]);

const neverAborted = new AbortController().signal;

const byId = new Map(cases.map((each) => [each.id, each]));

/** What has to be done before; whether an account was given decides about registering one. */
const needsOf = ({ needs = [], account }: Case, isGiven: boolean): readonly CaseId[] =>
  account === 'own' || (account === 'any' && !isGiven) ? [...needs, 'registration.served'] : needs;

const registers = (id: CaseId): boolean => id.startsWith('registration.');

/** The wanted cases and all that they need, in the order of a report. */
function plannedCases(options: RunOptions, isGiven: boolean): Case[] {
  const wanted = new Set<CaseId>();
  const want = (id: CaseId): void => {
    if (wanted.has(id)) return;
    wanted.add(id);
    const each = byId.get(id);
    if (each) needsOf(each, isGiven).forEach(want);
  };
  (options.only ?? CaseId.options).forEach(want);
  return cases.filter(({ id }) => wanted.has(id));
}

/** Why nobody wants it done, if so. */
function unaskedOf({ id, onlyWith, account }: Case, options: RunOptions, isGiven: boolean): NotMeasured | undefined {
  const isUnasked = onlyWith !== undefined && !options[onlyWith];
  if (isUnasked || (options.variant === 'none' && registers(id))) return { kind: 'not-asked' };
  return options.variant === 'none' && account === 'own' && isGiven ? { kind: 'spares-account' } : undefined;
}

/** Whether it, or what it needs, registers somebody. */
export const needsRegistration = (caseId: CaseId, isGiven: boolean): boolean =>
  plannedCases(RunOptions.parse({ only: [caseId] }), isGiven).some(({ id }) => registers(id));

/**
 * How much a run will send, and how long that takes at its pace.
 * @param isGiven whether it is given an account
 */
export function planRun(input: Partial<RunOptions> = {}, isGiven = false): RunPlan {
  const options = RunOptions.parse(input);
  const planned = plannedCases(options, isGiven);
  const asked = planned.filter((each) => !unaskedOf(each, options, isGiven));
  const sum = (numberOf: (each: Case) => number): number => asked.reduce((total, each) => total + numberOf(each), 0);
  const calls = sum((each) => each.calls) + cleanUpCalls;
  return {
    cases: planned.map(({ id }) => id),
    calls,
    // A server that accepts what it should refuse makes more than are planned.
    accounts: options.variant !== 'none' && asked.some((each) => (each.accounts ?? 0) > 0) ? mostAccounts : 0,
    seconds: Math.ceil(calls / options.callsPerSecond),
  };
}

export const startRun = (input: RunInput): Promise<Report> => createRun(input).start();

/** A run of the contract's cases against one server. */
export function createRun(input: RunInput): Run {
  const { transport, baseUrl, toolVersion, server, account, onProgress, clock = realClock } = input;
  const { references = createSecretReferences() } = input;
  const options = RunOptions.parse(input.options ?? {});
  const isGiven = account !== undefined;
  const plan = planRun(options, isGiven);
  const results = new Map<CaseId, CaseResult>();
  const raised = new Map<CaseId, Raised[]>();
  let signal = neverAborted;
  let bailed: CaseId | undefined;
  let current: CaseId | undefined;
  let startedAt = new Date();
  let durationMs = 0;
  let callLimit = 2 * plan.calls;

  const probe = createProbe({
    transport,
    baseUrl,
    serverId: server?.id ?? '',
    run: options,
    given: account,
    paths: input.paths,
    callLimit: () => callLimit,
    references,
    clock,
    signal: () => signal,
    onCall: () => tell(),
  });

  function tell(result?: CaseResult): void {
    const left = plan.cases.filter((id) => !results.has(id)).flatMap((id) => byId.get(id) ?? []);
    const callsLeft = left.reduce(
      (sum, each) => sum + (unaskedOf(each, options, isGiven) ? 0 : each.calls),
      cleanUpCalls,
    );
    const waitingUntil = probe.waitingUntil();
    const waitMs = waitingUntil === undefined ? 0 : Math.max(0, waitingUntil - Date.now());
    const perCallMs = Math.max(1000 / options.callsPerSecond, probe.millisecondsPerCall());
    onProgress?.({
      ...(current && { current }),
      casesDone: results.size,
      casesPlanned: plan.cases.length,
      callsMade: probe.calls(),
      callsPlanned: plan.calls,
      secondsLeft: left.length === 0 ? 0 : Math.ceil((waitMs + callsLeft * perCallMs) / 1000),
      ...(waitingUntil !== undefined && { waitingUntil: new Date(waitingUntil).toISOString() }),
      ...(result && { result: withoutSecrets(result) }),
    });
  }

  /** Whatever got past the redaction of single texts. A short one might be a word of ours. */
  function withoutSecrets<T>(value: T): T {
    return hideIn(value, (text) => (wordsOfReports.has(text) ? text : references.hide(text, shortestHidden)));
  }

  const mayGoOn = (): boolean => !signal.aborted && bailed === undefined && probe.stopped() === undefined;

  /** Why a case is not to be tried. */
  function obstacleOf(each: Case): NotMeasured | undefined {
    const unasked = unaskedOf(each, options, isGiven);
    if (unasked) return unasked;
    if (!mayGoOn() && each.when !== 'at-end') return { kind: 'run-ended' };
    const missing = needsOf(each, isGiven).find((id) => {
      const outcome = results.get(id)?.outcome;
      return outcome !== 'passed' && outcome !== 'answered';
    });
    return missing && { kind: 'needs', caseId: missing };
  }

  /** Once, or twice where it looked wrong: a server that changes its mind is not to be blamed for the first time. */
  async function measure(each: Case): Promise<{ outcome: Outcome; seen: Seen[] }> {
    const once = async () => {
      const { value, seen, problem } = await probe.within(each.id, () => each.run(probe));
      return { outcome: problem ? { notMeasured: problem } : value, seen };
    };
    const first = await once();
    const isWrong = (outcome: Outcome): boolean =>
      !('notMeasured' in outcome) && (('passed' in outcome && !outcome.passed) || (outcome.raised ?? []).length > 0);
    if (!isWrong(first.outcome) || each.once || each.calls === 0) return first;
    const second = await once();
    const seen = [...first.seen, ...second.seen];
    return gist(first.outcome) === gist(second.outcome)
      ? { outcome: second.outcome, seen }
      : { outcome: 'notMeasured' in second.outcome ? second.outcome : { notMeasured: { kind: 'unstable' } }, seen };
  }

  async function runCase(each: Case): Promise<void> {
    const startedMs = clock.now();
    const obstacle = obstacleOf(each);
    let measured: { outcome: Outcome; seen: Seen[] };
    if (obstacle) {
      measured = { outcome: { notMeasured: obstacle }, seen: [] };
    } else {
      current = each.id;
      tell();
      try {
        measured = await measure(each);
      } catch (error) {
        // A fault of ours must not take the rest of the run with it.
        const message = error instanceof Error ? error.message : String(error);
        measured = { outcome: { notMeasured: { kind: 'bug', message } }, seen: [] };
      }
      current = undefined;
    }
    const { outcome, seen } = measured;
    const about = {
      id: each.id,
      section: each.section,
      lines: [...each.lines],
      exchanges: idsOf(seen),
      durationMs: Math.round(clock.now() - startedMs),
    };
    raised.set(each.id, 'notMeasured' in outcome ? [] : (outcome.raised ?? []));
    const result: CaseResult =
      'notMeasured' in outcome
        ? { ...about, kind: each.kind, outcome: 'not-measured', reason: outcome.notMeasured }
        : 'passed' in outcome
          ? { ...about, kind: 'stated', outcome: outcome.passed ? 'passed' : 'failed', answers: outcome.answers ?? [] }
          : { ...about, kind: 'observed', outcome: 'answered', answers: outcome.answers ?? [] };
    results.set(each.id, result);
    if (result.outcome === 'failed' && options.bail) bailed ??= each.id;
    tell(result);
  }

  /** What a case needs comes before it; then those that look back. */
  async function runAll(wanted: readonly Case[]): Promise<void> {
    const done = new Set<CaseId>();
    const visit = async (each: Case): Promise<void> => {
      if (done.has(each.id)) return;
      done.add(each.id);
      for (const id of needsOf(each, isGiven)) {
        const needed = wanted.find((one) => one.id === id);
        if (needed) await visit(needed);
      }
      await runCase(each);
    };
    for (const when of [undefined, 'last', 'at-end'] as const) {
      for (const each of wanted) if (each.when === when) await visit(each);
      if (when === 'last') await logOutAll();
    }
  }

  /** Every token that still works, as far as the server lets it be ended. */
  async function logOutAll(): Promise<void> {
    if (probe.stopped()?.kind === 'unreachable') return;
    if (signal.aborted) signal = AbortSignal.timeout(cleanUpMs);
    await probe.cleanUp(cleanUpCalls);
  }

  function endOf(cancelled: boolean): RunEnd {
    if (bailed !== undefined) return { kind: 'bail', caseId: bailed };
    if (cancelled) return { kind: 'cancelled' };
    return probe.stopped() ?? { kind: 'complete' };
  }

  function findings(): Finding[] {
    const found = new Map<FindingId, Finding>();
    for (const { id: caseId } of cases) {
      for (const { id, seen, details = [] } of raised.get(caseId) ?? []) {
        const exchanges = idsOf(seen);
        // A server is told of one thing once, by the first case that saw it.
        if (found.has(id) || exchanges.length === 0) continue;
        const command = commandFor(probe.recorded().get(exchanges.at(-1) ?? ''));
        found.set(id, { id, severity: severities[id], caseId, exchanges, command, details });
      }
    }
    return [...found.values()].toSorted(
      (a, b) => Severity.options.indexOf(a.severity) - Severity.options.indexOf(b.severity),
    );
  }

  async function report(end: RunEnd): Promise<Report> {
    // So that nothing else waits for all of it.
    await turn();
    return withoutSecrets<Report>({
      schema: 'llavero-report',
      version: isGiven || options.variant === 'none' ? 2 : 1,
      toolVersion,
      baseUrl,
      ...(server && { environmentName: server.name }),
      startedAt: startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      durationMs: Math.round(durationMs),
      options,
      ended: end,
      calls: probe.calls(),
      accounts: [...probe.made()],
      // Its password may be a part of it.
      ...(account && { givenAccount: references.hide(account.email) }),
      cases: cases.flatMap(({ id }) => results.get(id) ?? []),
      findings: findings(),
      evidence: [...probe.recorded().values()].map(toStored),
    });
  }

  /** Runs cases until they end or `wish` is aborted. */
  async function until(wish: AbortSignal | undefined, wanted: readonly Case[]): Promise<Report> {
    const startedMs = clock.now();
    const before = wanted.map(({ id }) => ({ id, result: results.get(id), raised: raised.get(id) }));
    for (const { id } of wanted) results.delete(id);
    signal = wish ?? neverAborted;
    await runAll(wanted);
    // What was known stays known when it was not tried again after all.
    for (const { id, result, raised: found = [] } of before) {
      const now = results.get(id);
      if (result && now?.outcome === 'not-measured' && now.reason.kind === 'run-ended') {
        results.set(id, result);
        raised.set(id, found);
      }
    }
    durationMs += clock.now() - startedMs;
    return report(endOf(wish?.aborted ?? false));
  }

  const refuseAll = (): Promise<Report> => {
    for (const id of plan.cases) {
      const each = byId.get(id);
      if (!each) continue;
      const { kind, section, lines } = each;
      const reason = { kind: 'run-ended' } as const;
      results.set(id, {
        id,
        kind,
        section,
        lines: [...lines],
        exchanges: [],
        durationMs: 0,
        outcome: 'not-measured',
        reason,
      });
    }
    return report({ kind: 'production' });
  };

  return {
    plan,

    start() {
      startedAt = new Date();
      if (server?.production) return refuseAll();
      return until(input.signal, plannedCases(options, isGiven));
    },

    again(caseId, wish) {
      if (server?.production) return refuseAll();
      // What did succeed is known; what did not is tried once more.
      const wanted = plannedCases({ ...options, only: [caseId] }, isGiven).filter(({ id }) => {
        const outcome = results.get(id)?.outcome;
        return id === caseId || (outcome !== 'passed' && outcome !== 'answered');
      });
      bailed = undefined;
      callLimit += 2 * planRun({ ...options, only: [caseId] }, isGiven).calls;
      probe.goOn();
      return until(wish, wanted);
    },
  };
}

const idsOf = (seen: readonly Seen[]): string[] => seen.flatMap(({ call }) => (call ? [call.id] : []));

/** What two runs of a case must have in common to say the same. */
const gist = (outcome: Outcome): string =>
  JSON.stringify(
    'notMeasured' in outcome
      ? ['not-measured']
      : ['passed' in outcome ? outcome.passed : null, (outcome.raised ?? []).map(({ id }) => id).toSorted()],
  );
