import { setImmediate as turn } from 'node:timers/promises';
import {
  type Report,
  FindingId,
  type RunOptions,
  type RunEnd,
  type RunPlan,
  type RunProgress,
} from '../../preload/contract/report.ts';
import { CaseId, Choice, type NotMeasured, Question } from '../../preload/contract/report-cases.ts';
import { maskStrings } from '../client/secrets/mask-secrets.ts';
import { defaultInterface } from '../interface/shipped.ts';
import { ApiAdapter } from '../interface/api-adapter.ts';
import type { ReceivedResponse } from '../client/parse-response.ts';
import type { Transport } from '../client/transport.ts';
import { SecretRegistry } from '../client/secrets/secret-registry.ts';
import type { Case } from './case.ts';
import { createCaseRunner } from './case-runner.ts';
import type { TestAccount } from './test-accounts.ts';
import { realClock, type Clock } from './request-sender.ts';
import { createReportInterface, isDefaultInterface } from './case-applicability.ts';
import { casesById, resolveRunOptions, selectCases, planRun } from './plan.ts';
import { TestClient } from './test-client.ts';
import { createReproScript } from './repro-script.ts';
import { createResults, type Results } from './results.ts';
import type { Observation } from './observation.ts';

export type RunInput = {
  /** The server's own transport. What else records its calls is the caller's. */
  transport: Pick<Transport, 'send'>;
  /** A value of `parseBaseUrl`. */
  baseUrl: string;
  toolVersion: string;
  /** What is left out has its default. */
  options?: Partial<RunOptions>;
  server?: { id: string; name: string; production: boolean };
  /** An account that exists already. Cases that need an account use it. */
  account?: TestAccount | undefined;
  /** Where a person says that things are in this server's answers. */
  paths?: ReceivedResponse['paths'];
  /** The interface of the server, if it has another than `interface.md`. */
  wire?: ApiAdapter;
  /** How long a call of the server usually takes, in milliseconds, if that is known. */
  msPerCall?: number;
  /** Whether somebody chose that interface. By default the form of a token is no requirement. */
  isChosen?: boolean;
  /** It keeps the passwords and tokens of the run for its life. The run makes its own unless one is given. */
  references?: SecretRegistry;
  /** Called for each call and each result. */
  onProgress?: (progress: RunProgress) => void;
  /** Aborting it ends the run, and the report says so. */
  signal?: AbortSignal;
  clock?: Clock;
};

export type Run = {
  plan: RunPlan;
  /** Runs every case of the plan. It never throws: what could not be known is in the report. */
  start: () => Promise<Report>;
  /** Answers the report of a run that is not begun: how it ended, and why no case was measured. */
  refuse: (ended: RunEnd, reason?: NotMeasured) => Promise<Report>;
  /** Runs one case again, with the accounts and all else that was learned. The report has its new result. */
  again: (caseId: CaseId, signal?: AbortSignal) => Promise<Report>;
  /** Answers all that the run saw so far, secrets included, for what learns from it in memory. */
  everything: () => readonly Observation[];
  /** Answers the emails of the accounts whose tokens still work, as far as is known. */
  sessionsLeft: () => string[];
  /** The secrets of the run. */
  references: SecretRegistry;
  /** The interface that it goes by. */
  wire: ApiAdapter;
};

const shortestHidden = 11;

/** These words stay what they are, whatever the given password is. */
const wordsOfReports: ReadonlySet<string> = new Set([
  ...CaseId.options,
  ...FindingId.options,
  ...Question.options,
  ...Choice.options,
  'llavero-report',
  'not-measured',
]);

/** Hides what got past the redaction of single texts. A short secret might be a word of ours. */
const withoutSecrets = <T>(value: T, references: SecretRegistry): T =>
  maskStrings(value, (text) => (wordsOfReports.has(text) ? text : references.hide(text, shortestHidden)));

/** A report as {@link withoutSecrets} leaves it, one call of it at a turn, so that nothing else waits for all of it. */
async function withoutAnySecret({ evidence, ...rest }: Report, references: SecretRegistry): Promise<Report> {
  const shown: Report['evidence'] = [];
  for (const call of evidence) {
    await turn();
    shown.push(withoutSecrets(call, references));
  }
  // Scripts are written of values that were told apart before. A search in them would find quotes of ours.
  const findings = rest.findings.map((finding) => ({ ...withoutSecrets(finding, references), script: finding.script }));
  return { ...withoutSecrets({ ...rest, findings: [] }, references), findings, evidence: shown };
}

/** A run of the contract's cases against one server. */
export function createRun(input: RunInput): Run {
  const { transport, baseUrl, wire = new ApiAdapter(defaultInterface, baseUrl), server, account, paths } = input;
  const { clock = realClock, references = new SecretRegistry(), isChosen = false } = input;
  const options = resolveRunOptions(input.options ?? {}, wire);
  const isGiven = account !== undefined;
  const plan = planRun(options, isGiven, wire, input.msPerCall);
  const results = createResults(isChosen && isDefaultInterface(wire));
  let startedAt = new Date();
  let durationMs = 0;
  let callLimit = 2 * plan.calls;

  const probe = new TestClient({
    transport,
    wire,
    serverId: server?.id ?? '',
    run: options,
    given: account,
    isOwnChosen: isChosen && isDefaultInterface(wire),
    paths,
    callLimit: () => callLimit,
    references,
    clock,
    signal: () => sequence.signal(),
    onCall: () => sequence.tell(),
  });
  const onProgress = ({ result, ...progress }: RunProgress): void =>
    input.onProgress?.({ ...progress, result: result && withoutSecrets(result, references) });
  const sequence = createCaseRunner({ probe, results, plan, options, isGiven, clock, onProgress });

  async function report(ended: RunEnd): Promise<Report> {
    const times = { startedAt: startedAt.toISOString(), endedAt: new Date().toISOString(), durationMs };
    return withoutAnySecret(
      reportOf({ ...input, wire, options, references, probe, results, ended, times }),
      references,
    );
  }

  async function measureAll(wanted: readonly Case[], wish: AbortSignal | undefined): Promise<Report> {
    const startedMs = clock.now();
    const putBack = results.forget(wanted);
    await sequence.run(wanted, wish);
    putBack();
    durationMs += clock.now() - startedMs;
    return report(sequence.end(wish?.aborted ?? false));
  }

  function refuse(ended: RunEnd, reason: NotMeasured = { kind: 'run-ended' }): Promise<Report> {
    for (const [at, id] of plan.cases.entries()) {
      const each = casesById.get(id);
      const notMeasured: NotMeasured = at === 0 ? reason : { kind: 'run-ended' };
      if (each) results.put(each, { outcome: { notMeasured }, seen: [] }, 0);
    }
    return report(ended);
  }

  return {
    plan,
    everything: probe.everythingSent,
    sessionsLeft: () => probe.sessionsLeft().map((email) => references.hide(email)),
    references,
    wire,
    refuse,

    start() {
      startedAt = new Date();
      if (server?.production) return refuse({ kind: 'production' });
      return measureAll(selectCases(options, isGiven), input.signal);
    },

    again(caseId, wish) {
      if (server?.production) return refuse({ kind: 'production' });
      const only = { ...options, only: [caseId] };
      // What succeeded is known, and what did not is tried once more.
      const wanted = selectCases(only, isGiven).filter(({ id }) => id === caseId || !results.succeeded(id));
      callLimit += 2 * planRun(only, isGiven, wire).calls;
      probe.goOn();
      return measureAll(wanted, wish);
    },
  };
}

function reportOf({
  toolVersion,
  baseUrl,
  wire,
  server,
  account,
  references,
  options,
  probe,
  results,
  ended,
  times,
}: Pick<RunInput, 'toolVersion' | 'baseUrl' | 'server' | 'account'> & {
  wire: ApiAdapter;
  references: SecretRegistry;
  options: RunOptions;
  probe: TestClient;
  results: Results;
  ended: RunEnd;
  times: Pick<Report, 'startedAt' | 'endedAt' | 'durationMs'>;
}): Report {
  const throttlings = probe.throttlings();
  return {
    schema: 'llavero-report',
    version: 1,
    toolVersion,
    baseUrl,
    serverName: server?.name,
    ...(!isDefaultInterface(wire) && { interface: createReportInterface(wire) }),
    ...times,
    durationMs: Math.round(times.durationMs),
    options,
    ended,
    calls: probe.calls(),
    accounts: [...probe.made()],
    throttlings: throttlings.length > 0 ? [...throttlings] : undefined,
    // The password of the account may be a part of it.
    givenAccount: account && references.hide(account.email),
    extraHeaders: probe.extraHeaders().length > 0 ? probe.extraHeaders() : undefined,
    cases: results.all(),
    findings: results.findings((telling, id) =>
      createReproScript(telling, probe.everything(), {
        wire,
        given: account,
        isAboutTokens: id === 'tokens-guessable',
      }),
    ),
    evidence: [...probe.recorded().values()],
  };
}
