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
  adapter?: ApiAdapter;
  /** How long a call of the server usually takes, in milliseconds, if that is known. */
  msPerCall?: number;
  /** Whether somebody chose that interface. By default the form of a token is no requirement. */
  isInterfaceChosen?: boolean;
  /** It keeps the passwords and tokens of the run for its life. The run makes its own unless one is given. */
  secretRegistry?: SecretRegistry;
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
  reportWithoutRunning: (ended: RunEnd, reason?: NotMeasured) => Promise<Report>;
  /** Runs one case again, with the accounts and all else that was learned. The report has its new result. */
  rerunCase: (caseId: CaseId, signal?: AbortSignal) => Promise<Report>;
  /** Answers all that the run saw so far, secrets included, for what learns from it in memory. */
  observations: () => readonly Observation[];
  /** Answers the emails of the accounts whose tokens still work, as far as is known. */
  sessionsLeft: () => string[];
  /** The secrets of the run. */
  secretRegistry: SecretRegistry;
  /** The interface that it goes by. */
  adapter: ApiAdapter;
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
const withoutSecrets = <T>(value: T, secretRegistry: SecretRegistry): T =>
  maskStrings(value, (text) => (wordsOfReports.has(text) ? text : secretRegistry.mask(text, shortestHidden)));

/** A report as {@link withoutSecrets} leaves it, one call of it at a turn, so that nothing else waits for all of it. */
async function withoutAnySecret({ evidence, ...rest }: Report, secretRegistry: SecretRegistry): Promise<Report> {
  const shown: Report['evidence'] = [];
  for (const call of evidence) {
    await turn();
    shown.push(withoutSecrets(call, secretRegistry));
  }
  // Scripts are written of values that were told apart before. A search in them would find quotes of ours.
  const findings = rest.findings.map((finding) => ({
    ...withoutSecrets(finding, secretRegistry),
    script: finding.script,
  }));
  return { ...withoutSecrets({ ...rest, findings: [] }, secretRegistry), findings, evidence: shown };
}

/** A run of the contract's cases against one server. */
export function createRun(input: RunInput): Run {
  const { transport, baseUrl, adapter = new ApiAdapter(defaultInterface, baseUrl), server, account, paths } = input;
  const { clock = realClock, secretRegistry = new SecretRegistry(), isInterfaceChosen = false } = input;
  const options = resolveRunOptions(input.options ?? {}, adapter);
  const isGiven = account !== undefined;
  const plan = planRun(options, isGiven, adapter, input.msPerCall);
  const results = createResults(isInterfaceChosen && isDefaultInterface(adapter));
  let startedAt = new Date();
  let durationMs = 0;
  let callLimit = 2 * plan.calls;

  const probe = new TestClient({
    transport,
    adapter,
    serverId: server?.id ?? '',
    run: options,
    given: account,
    isOwnChosen: isInterfaceChosen && isDefaultInterface(adapter),
    paths,
    callLimit: () => callLimit,
    secretRegistry,
    clock,
    signal: () => sequence.signal(),
    onCall: () => sequence.tell(),
  });
  const onProgress = ({ result, ...progress }: RunProgress): void =>
    input.onProgress?.({ ...progress, result: result && withoutSecrets(result, secretRegistry) });
  const sequence = createCaseRunner({ probe, results, plan, options, isGiven, clock, onProgress });

  async function report(ended: RunEnd): Promise<Report> {
    const times = { startedAt: startedAt.toISOString(), endedAt: new Date().toISOString(), durationMs };
    return withoutAnySecret(
      reportOf({ ...input, adapter, options, secretRegistry, probe, results, ended, times }),
      secretRegistry,
    );
  }

  async function measureAll(wanted: readonly Case[], wish: AbortSignal | undefined): Promise<Report> {
    const startedMs = clock.now();
    const putBack = results.reset(wanted);
    await sequence.run(wanted, wish);
    putBack();
    durationMs += clock.now() - startedMs;
    return report(sequence.runEnd(wish?.aborted ?? false));
  }

  function reportWithoutRunning(ended: RunEnd, reason: NotMeasured = { kind: 'run-ended' }): Promise<Report> {
    for (const [at, id] of plan.cases.entries()) {
      const each = casesById.get(id);
      const notMeasured: NotMeasured = at === 0 ? reason : { kind: 'run-ended' };
      if (each) results.put(each, { outcome: { notMeasured }, seen: [] }, 0);
    }
    return report(ended);
  }

  return {
    plan,
    observations: probe.allObservations,
    sessionsLeft: () => probe.sessionsLeft().map((email) => secretRegistry.mask(email)),
    secretRegistry,
    adapter,
    reportWithoutRunning,

    start() {
      startedAt = new Date();
      if (server?.production) return reportWithoutRunning({ kind: 'production' });
      return measureAll(selectCases(options, isGiven), input.signal);
    },

    rerunCase(caseId, wish) {
      if (server?.production) return reportWithoutRunning({ kind: 'production' });
      const only = { ...options, only: [caseId] };
      // What succeeded is known, and what did not is tried once more.
      const wanted = selectCases(only, isGiven).filter(({ id }) => id === caseId || !results.succeeded(id));
      callLimit += 2 * planRun(only, isGiven, adapter).calls;
      probe.resume();
      return measureAll(wanted, wish);
    },
  };
}

function reportOf({
  toolVersion,
  baseUrl,
  adapter,
  server,
  account,
  secretRegistry,
  options,
  probe,
  results,
  ended,
  times,
}: Pick<RunInput, 'toolVersion' | 'baseUrl' | 'server' | 'account'> & {
  adapter: ApiAdapter;
  secretRegistry: SecretRegistry;
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
    ...(!isDefaultInterface(adapter) && { interface: createReportInterface(adapter) }),
    ...times,
    durationMs: Math.round(times.durationMs),
    options,
    ended,
    calls: probe.calls(),
    accounts: [...probe.createdAccounts()],
    throttlings: throttlings.length > 0 ? [...throttlings] : undefined,
    // The password of the account may be a part of it.
    givenAccount: account && secretRegistry.mask(account.email),
    extraHeaders: probe.extraHeaders().length > 0 ? probe.extraHeaders() : undefined,
    cases: results.all(),
    findings: results.findings((telling, id) =>
      createReproScript(telling, probe.observations(), {
        adapter,
        given: account,
        isAboutTokens: id === 'tokens-guessable',
      }),
    ),
    evidence: [...probe.recordedCalls().values()],
  };
}
