import type { Report, RunOptions, RunEnd, RunPlan, RunProgress } from '../../preload/contract/report.ts';
import type { CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import { defaultInterface } from '../interface/shipped.ts';
import { ApiAdapter } from '../interface/api-adapter.ts';
import type { ReceivedResponse } from '../client/parse-response.ts';
import type { Transport } from '../client/transport.ts';
import { SecretRegistry } from '../client/secrets/secret-registry.ts';
import type { Case } from './case.ts';
import { createCaseRunner } from './case-runner.ts';
import type { TestAccount } from './test-accounts.ts';
import { realClock, type Clock } from './request-sender.ts';
import { isDefaultInterface } from './case-applicability.ts';
import { createReport, redactStrings } from './create-report.ts';
import { planRun, resolveRunOptions, secondsOfGivenFactor, selectCases } from './plan.ts';
import type { TotpSecret } from '../interface/totp.ts';
import { TestClient } from './test-client.ts';
import { Results } from './results.ts';
import type { Observation } from './observation.ts';

export type RunInput = {
  /** The server's own transport. The caller records its calls elsewhere. */
  transport: Pick<Transport, 'send'>;
  /** A value of `parseBaseUrl`. */
  baseUrl: string;
  toolVersion: string;
  options?: Partial<RunOptions>;
  server?: { id: string; name: string; production: boolean };
  /** An existing account, for the cases that need one. */
  account?: TestAccount | undefined;
  /** Of the second factor of that account. */
  totpSecret?: TotpSecret | undefined;
  /** Where the user says that values are in this server's responses. */
  paths?: ReceivedResponse['paths'];
  /** The default is the API type of `interface.md`. */
  adapter?: ApiAdapter;
  /** How long a request to the server usually takes, in milliseconds. */
  msPerCall?: number;
  /** Whether somebody chose the API type: only then is the form of a token a requirement. */
  isInterfaceChosen?: boolean;
  /** It keeps the passwords and tokens of the check for its life. */
  secretRegistry?: SecretRegistry;
  /** Called for each request and each result. */
  onProgress?: (progress: RunProgress) => void;
  /** Ends the check early, and the report says so. */
  signal?: AbortSignal;
  clock?: Clock;
};

export type Run = {
  plan: RunPlan;
  /** Never throws: what could not be tested is in the report. */
  start: () => Promise<Report>;
  /** The report of a check that sends nothing: how it ended, and why no case was tested. */
  reportWithoutRunning: (ended: RunEnd, reason?: NotMeasured) => Promise<Report>;
  /** Tests one case again, with the accounts and results of before, and returns the whole report. */
  rerunCase: (caseId: CaseId, signal?: AbortSignal) => Promise<Report>;
  /** All observations so far, with their secrets, for the mock generator. */
  observations: () => readonly Observation[];
  /** The emails of the accounts whose tokens still work, as far as is known. */
  sessionsLeft: () => string[];
  secretRegistry: SecretRegistry;
  adapter: ApiAdapter;
};

/** A check of one server. */
export function createRun(input: RunInput): Run {
  const { transport, baseUrl, server, account, toolVersion } = input;
  const { adapter = new ApiAdapter(defaultInterface, baseUrl) } = input;
  const { clock = realClock, secretRegistry = new SecretRegistry(), isInterfaceChosen = false, totpSecret } = input;
  const options = resolveRunOptions(input.options ?? {}, adapter);
  const isGiven = account !== undefined;
  const planned = planRun(options, isGiven, adapter, input.msPerCall);
  const plan = { ...planned, seconds: planned.seconds + (totpSecret ? secondsOfGivenFactor : 0) };
  const isDefaultInterfaceChosen = isInterfaceChosen && isDefaultInterface(adapter);
  const results = new Results(isDefaultInterfaceChosen);
  let startedAt = new Date();
  let durationMs = 0;
  let callLimit = 2 * plan.calls;

  const client = new TestClient({
    transport,
    adapter,
    serverId: server?.id ?? '',
    run: options,
    givenAccount: account,
    isDefaultInterfaceChosen,
    totpSecret,
    paths: input.paths,
    callLimit: () => callLimit,
    secretRegistry,
    clock,
    signal: () => runner.signal(),
    onCall: () => runner.reportProgress(),
  });
  const onProgress = ({ result, ...progress }: RunProgress): void =>
    input.onProgress?.({ ...progress, result: result && redactStrings(result, secretRegistry) });
  const runner = createCaseRunner({ client, results, plan, options, isGiven, clock, onProgress });

  function report(ended: RunEnd): Promise<Report> {
    const times = { startedAt: startedAt.toISOString(), endedAt: new Date().toISOString(), durationMs };
    const about = { toolVersion, baseUrl, serverName: server?.name, cleanup: runner.cleanup() };
    return createReport({ client, results, ended, ...about, ...times });
  }

  async function runCases(wanted: readonly Case[], signal: AbortSignal | undefined): Promise<Report> {
    if (server?.production) return reportWithoutRunning({ kind: 'production' });
    const startedMs = clock.now();
    const restoreUntested = results.reset(wanted);
    await runner.run(wanted, signal);
    restoreUntested();
    durationMs += clock.now() - startedMs;
    return report(runner.runEnd(signal?.aborted ?? false));
  }

  function reportWithoutRunning(ended: RunEnd, reason: NotMeasured = { kind: 'run-ended' }): Promise<Report> {
    results.skip(selectCases(options, isGiven, adapter), reason);
    return report(ended);
  }

  return {
    plan,
    observations: client.allObservations,
    sessionsLeft: () => client.sessionsLeft().map((email) => secretRegistry.mask(email)),
    secretRegistry,
    adapter,
    reportWithoutRunning,

    start() {
      startedAt = new Date();
      return runCases(selectCases(options, isGiven, adapter), input.signal);
    },

    rerunCase(caseId, signal) {
      const only = { ...options, only: [caseId] };
      const wanted = casesToRerun(caseId, selectCases(only, isGiven, adapter), client, results);
      callLimit += 2 * planRun(only, isGiven, adapter).calls;
      client.resume();
      return runCases(wanted, signal);
    },
  };
}

/** What succeeded is known, and what did not is tried once more, as is everything where the accounts were deleted. */
const casesToRerun = (caseId: CaseId, selected: readonly Case[], client: TestClient, results: Results): Case[] =>
  selected.filter(({ id }) => id === caseId || client.accounts().length === 0 || !results.succeeded(id));
