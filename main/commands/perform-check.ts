import type { CompletedRun } from '../check/mock-generator/mock-inference.ts';
import { addAbortSignal, type Readable } from 'node:stream';
import { ConnectionSettings } from '../../preload/contract/connection.ts';
import type { Report, RunProgress } from '../../preload/contract/report.ts';
import type { CaseResult } from '../../preload/contract/report-cases.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { reservedDomains } from '../../preload/contract/names.ts';
import { createReportFormatter, type ReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { isBelow, isSecretAt } from '../client/extra-headers.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import { createTransport, type Transport } from '../client/transport.ts';
import { maxWrongPasswords, type TestAccount } from '../check/test-accounts.ts';
import { unsentErrorKinds } from '../check/test-client.ts';
import { verdictOfReport } from '../check/accepted-faults.ts';
import { deletionMs } from '../check/case-runner.ts';
import { deletesAccounts } from '../check/plan.ts';
import { createRun, type Run, type RunInput } from '../check/run.ts';
import { parseTotpSecret } from '../interface/totp.ts';
import { SecretRegistry } from '../client/secrets/secret-registry.ts';
import { loadInterface } from './load-interface.ts';
import { LONGEST_PASSWORD, passwordProblem, PROXY_PASSWORD_VARIABLE, type RunArguments } from './run-arguments.ts';
import { sanitizeForTerminal } from './option-parser.ts';
import { resolveServer } from './resolve-server.ts';
import type { CommandIo } from './run-command.ts';

export type CheckIo = CommandIo & { toolVersion: string };

const connectSeconds = 10;
const firstByteSeconds = 20;
/** A server that takes longer is slow, and not unreachable. */
const reachabilityMs = 2_000;

/** The account with its password, which may be on standard input. */
export async function readAccount(
  { account, language }: RunArguments,
  { input, stop, err }: CheckIo,
): Promise<{ ok: true; account: TestAccount | undefined } | { ok: false; code: 1 | 2; sentence: string }> {
  if (!account) return { ok: true, account };
  if (account.password === undefined) err(`${createReportFormatter(language).t('command.readsPassword')}\n`);
  const { email, password = await firstLine(input(), stop) } = account;
  if (password === undefined) {
    return { ok: false, code: 1, sentence: 'Stopped before a password arrived on standard input.' };
  }
  const problem = passwordProblem(password);
  return problem === undefined ? { ok: true, account: { email, password } } : { ok: false, code: 2, sentence: problem };
}

/** The first line, without its line break. Undefined when `stop` was aborted before. */
async function firstLine(input: Readable, stop: AbortSignal): Promise<string | undefined> {
  let text = '';
  try {
    for await (const chunk of addAbortSignal(stop, input.setEncoding('utf8'))) {
      text += String(chunk);
      if (text.includes('\n') || text.length > LONGEST_PASSWORD) break;
    }
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
  return /^[^\r\n]*/.exec(text)?.[0] ?? '';
}

/** Arguments whose API type was loaded: their address is final. */
export type ResolvedArguments<Args extends RunArguments> = Args & {
  adapter: ApiAdapter;
  interfaceSecrets: readonly string[];
};

type Resolved<Args extends RunArguments> =
  | { ok: true; args: ResolvedArguments<Args> }
  | { ok: false; sentence: string };

/** Finds the server in its servers file and loads its API type, before anything is sent. */
export async function resolveArguments<Args extends RunArguments>(args: Args, io: CheckIo): Promise<Resolved<Args>> {
  const server = await resolveServer(args, io);
  return server.ok ? resolveInterface(server.args) : server;
}

/** Loads the API type. */
export async function resolveInterface<Args extends RunArguments>(args: Args): Promise<Resolved<Args>> {
  const loaded = await loadInterface(args.interface, args.baseUrl, args.language);
  if (!loaded.ok) return loaded;
  const { adapter, secrets: interfaceSecrets, guesses } = loaded;
  if (guesses.length > 0 && !args.acceptGuesses) {
    const from = args.interface?.from ?? '';
    const refused = sanitizeForTerminal(createReportFormatter(args.language).t('describe.guesses', { from }));
    return { ok: false, sentence: [...guesses, refused].join('\n') };
  }
  if (adapter.features.registrations.length === 0 && args.account === undefined) {
    const { name } = adapter.description;
    return {
      ok: false,
      sentence: sanitizeForTerminal(createReportFormatter(args.language).t('command.interfaceNeedsAccount', { name })),
    };
  }
  return { ok: true, args: { ...args, baseUrl: adapter.baseUrl, adapter, interfaceSecrets } };
}

function createRunTransport({ proxy, pins, timeoutMs, baseUrl, headers }: RunArguments, io: CheckIo): Transport {
  const totalSeconds = timeoutMs / 1000;
  return createTransport({
    connection: ConnectionSettings.parse({ proxy, pins }),
    limits: {
      connectSeconds: Math.min(connectSeconds, totalSeconds),
      firstByteSeconds: Math.min(firstByteSeconds, totalSeconds),
      totalSeconds,
    },
    extraHeaders: (url) => Promise.resolve(isBelow(url, baseUrl) ? headers : []),
    proxyPassword: () => Promise.resolve(io.env[PROXY_PASSWORD_VARIABLE] || undefined),
  });
}

/** Requests whose connection is closed without a response before the server counts as none of HTTP. */
const closedConnections = 3;

/**
 * Sends a plain request, to see whether an HTTP server responds. A slow one is left to the run.
 * @returns why none does; undefined where there may be one
 */
export async function checkReachability(
  args: ResolvedArguments<RunArguments>,
  io: CheckIo,
): Promise<AppError | undefined> {
  const transport = createRunTransport(args, io);
  try {
    const request = { ...args.adapter.request('profile'), headers: [], body: undefined };
    const signal = AbortSignal.any([io.stop, AbortSignal.timeout(reachabilityMs)]);
    for (let tries = 1; ; tries += 1) {
      const { ok, ...result } = await transport.send(request, { signal });
      if (ok || !('failure' in result)) return undefined;
      const error = appErrorOfFailure(result.failure);
      const isOtherProtocol =
        error.kind === 'broken-http' && (error.problem === 'not-http' || error.problem === 'http-2');
      if (unsentErrorKinds.has(error.kind) || isOtherProtocol) return error;
      if (error.kind !== 'unexpected' || error.reason !== 'connection-lost') return undefined;
      if (tries >= closedConnections) return error;
    }
  } finally {
    transport.close();
  }
}

function createCheckRun(
  args: ResolvedArguments<RunArguments>,
  account: TestAccount | undefined,
  io: CheckIo,
  more: Pick<RunInput, 'transport' | 'secretRegistry' | 'onProgress'>,
): Run {
  return createRun({
    baseUrl: args.baseUrl,
    adapter: args.adapter,
    isInterfaceChosen: args.interface !== undefined,
    toolVersion: io.toolVersion,
    ...(args.serverName !== undefined && {
      server: { id: '', name: args.serverName, production: false },
    }),
    options: args.run,
    account,
    totpSecret: args.totpSecret === undefined ? undefined : parseTotpSecret(args.totpSecret),
    signal: io.stop,
    ...more,
  });
}

/** The report of a check that was not run: how it ended, and why. */
export const reportWithoutRun = (
  args: ResolvedArguments<RunArguments>,
  account: TestAccount | undefined,
  io: CheckIo,
  ...why: Parameters<Run['reportWithoutRunning']>
): Promise<Report> => {
  const send = (): never => {
    throw new Error('A run that is refused sends nothing.');
  };
  return createCheckRun(args, account, io, { transport: { send } }).reportWithoutRunning(...why);
};

/** Runs the check, with its progress on standard error. The result holds secrets. */
export async function performCheck(
  args: ResolvedArguments<RunArguments>,
  account: TestAccount | undefined,
  io: CheckIo,
): Promise<CompletedRun> {
  const formatter = createReportFormatter(args.language);
  const secretRegistry = new SecretRegistry();
  for (const value of args.interfaceSecrets) secretRegistry.register(value, 'other');
  for (const [, value] of args.headers) if (isSecretAt(value, args.baseUrl)) secretRegistry.register(value, 'other');
  for (const value of factorSecretsOf(args)) secretRegistry.register(value, 'other');
  const transport = createRunTransport(args, io);
  let last: RunProgress | undefined;
  const printProgress = createProgressPrinter(io, formatter);
  const { plan, start, observations, sessionsLeft } = createCheckRun(args, account, io, {
    transport,
    secretRegistry,
    onProgress(progress) {
      last = progress;
      printProgress(progress);
    },
  });
  const { calls, accounts, seconds } = plan;
  const domain = args.run.emailDomain ?? reservedDomains[0];
  const values = { calls, accounts, domain, rate: args.run.callsPerSecond, time: formatter.duration(seconds) };
  const command = formatter.texts('command');
  io.err(`${args.baseUrl}\n${command(accounts > 0 ? 'plan' : 'planWithoutAccounts', values)}\n`);
  if (args.interface) io.err(`${command('interface', { name: args.adapter.description.name })}\n`);
  const names = args.headers.map(([name]) => name).join(', ');
  if (names !== '') io.err(`${command('extraHeaders', { names })}\n`);
  if (account) io.err(`${command('givenAccount', { count: maxWrongPasswords })}\n`);
  const formatSessionsLeft = (): string => {
    const emails = sessionsLeft();
    return emails.length === 0 ? '' : `${command('sessionsLeft', { emails: emails.join(', ') })}\n`;
  };
  io.onForcedExit?.(() => {
    const { casesDone = 0, callsMade = 0 } = last ?? {};
    return `${command('soFar', { done: casesDone, planned: plan.cases.length, calls: callsMade })}\n${formatSessionsLeft()}`;
  });
  const isDeleting = deletesAccounts(args.run, args.adapter);
  if (isDeleting) io.extendStop?.(deletionMs);
  const announceDeletion = (): void => {
    if (isDeleting) io.err(`${command('deleting')}\n`);
  };
  io.stop.addEventListener('abort', announceDeletion, { once: true });
  try {
    const report = await start();
    io.stop.removeEventListener('abort', announceDeletion);
    const time = formatter.duration(Math.round(report.durationMs / 1000));
    const usage = {
      calls: report.calls,
      planned: calls,
      accounts: formatter.accounts(report.accounts),
      most: accounts,
      time,
    };
    const isWithout = report.accounts.length + accounts === 0;
    if (verdictOfReport(report).kind !== 'no-http')
      io.err(`${command(isWithout ? 'usedWithoutAccounts' : 'used', usage)}\n`);
    io.onForcedExit?.(() => '');
    if (io.stop.aborted) io.err(formatSessionsLeft());
    return { report, observations: observations(), secretRegistry, adapter: args.adapter };
  } finally {
    transport.close();
  }
}

/** The secret of a second factor, and the Base32 in it. */
const factorSecretsOf = ({ totpSecret }: RunArguments): string[] =>
  totpSecret === undefined
    ? []
    : [totpSecret, URL.parse(totpSecret)?.searchParams.get('secret') ?? totpSecret.replaceAll(/[\s-]/g, '')];

/** Prints each completed test, on a terminal in the status line, and each wait that a server asks for. */
function createProgressPrinter(
  { err, status, paint }: CheckIo,
  formatter: ReportFormatter,
): (progress: RunProgress) => void {
  const command = formatter.texts('command');
  let waitingUntil: string | undefined;
  return (progress) => {
    const { result, casesDone, casesPlanned, secondsLeft } = progress;
    if (progress.waitingUntil !== undefined && progress.waitingUntil !== waitingUntil) {
      err(`${command('waiting', { time: progress.waitingUntil })}\n`);
    }
    waitingUntil = progress.waitingUntil;
    if (!result || isSkipped(result)) return;
    const values = { done: casesDone, planned: casesPlanned, time: formatter.duration(secondsLeft) };
    const outcome = formatter.t(`outcomes.${result.outcome}`);
    const line = command('progress', { ...values, outcome, case: formatter.case(result.id) });
    // A failure stays on the terminal.
    if (status && result.outcome !== 'failed') status(line);
    else err(`${result.outcome === 'failed' && paint ? paint('red', line) : line}\n`);
  };
}

/** Whether a test was skipped because another one failed before or the run was over. The summary lists these. */
const isSkipped = (result: CaseResult): boolean =>
  result.outcome === 'not-measured' && (result.reason.kind === 'run-ended' || result.reason.kind === 'needs');
