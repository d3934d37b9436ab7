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
import type { TestAccount } from '../check/test-accounts.ts';
import { maxWrongPasswords, unsentErrorKinds } from '../check/test-client.ts';
import { verdictOfReport } from '../check/accepted-faults.ts';
import { createRun, type Run, type RunInput } from '../check/run.ts';
import type { CompletedRun } from '../check/mock-generator/generate-mock.ts';
import { SecretRegistry } from '../client/secrets/secret-registry.ts';
import { loadInterface } from './interface-arguments.ts';
import { LONGEST_PASSWORD, passwordProblem, PROXY_PASSWORD_VARIABLE, type RunArguments } from './run-arguments.ts';
import { sanitizeForTerminal } from './option-parser.ts';
import type { CommandIo } from './run-command.ts';

export type CheckIo = CommandIo & { toolVersion: string };

const connectSeconds = 10;
const firstByteSeconds = 20;
/** Milliseconds after which an address is not dead, but slow. */
const longestLookMs = 2_000;

/** Returns the account with its password, which may still be on standard input. */
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

/** Reads the first line, without its end, and leaves the rest unread. It is undefined when `stop` came first. */
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

/** A measurement whose interface was read: its address is the final one. */
export type ResolvedArguments<Wanted extends RunArguments> = Wanted & {
  adapter: ApiAdapter;
  interfaceSecrets: readonly string[];
};

/** Reads the interface of a measurement. It is done before anything is sent. */
export async function resolveInterface<Wanted extends RunArguments>(
  wanted: Wanted,
): Promise<{ ok: true; wanted: ResolvedArguments<Wanted> } | { ok: false; sentence: string }> {
  const loaded = await loadInterface(wanted.interface, wanted.baseUrl, wanted.language);
  if (!loaded.ok) return loaded;
  const { adapter, secrets: interfaceSecrets, guesses } = loaded;
  if (guesses.length > 0 && !wanted.acceptGuesses) {
    const from = wanted.interface?.from ?? '';
    const refused = sanitizeForTerminal(createReportFormatter(wanted.language).t('describe.guesses', { from }));
    return { ok: false, sentence: [...guesses, refused].join('\n') };
  }
  if (adapter.features.registrations.length === 0 && wanted.account === undefined) {
    const { name } = adapter.description;
    return {
      ok: false,
      sentence: sanitizeForTerminal(
        createReportFormatter(wanted.language).t('command.interfaceNeedsAccount', { name }),
      ),
    };
  }
  return { ok: true, wanted: { ...wanted, baseUrl: adapter.baseUrl, adapter, interfaceSecrets } };
}

function transportOf({ proxy, pins, timeoutMs, baseUrl, headers }: RunArguments, io: CheckIo): Transport {
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

/** From so many calls on whose connection was closed without an answer, there is no server of HTTP. */
const closedAtOnce = 3;

/**
 * Asks plainly whether there is a server of HTTP at all, before anything else is asked or said. A server that is only slow
 * is left to the run.
 * @returns the error that says so; undefined where there may be such a server
 */
export async function checkReachability(
  wanted: ResolvedArguments<RunArguments>,
  io: CheckIo,
): Promise<AppError | undefined> {
  const transport = transportOf(wanted, io);
  try {
    const request = { ...wanted.adapter.request('perfil'), headers: [], body: undefined };
    const signal = AbortSignal.any([io.stop, AbortSignal.timeout(longestLookMs)]);
    for (let tries = 1; ; tries += 1) {
      const { ok, ...result } = await transport.send(request, { signal });
      if (ok || !('failure' in result)) return undefined;
      const error = appErrorOfFailure(result.failure);
      const isOther = error.kind === 'broken-http' && (error.problem === 'not-http' || error.problem === 'http-2');
      if (unsentErrorKinds.has(error.kind) || isOther) return error;
      if (error.kind !== 'unexpected' || error.reason !== 'connection-lost') return undefined;
      if (tries >= closedAtOnce) return error;
    }
  } finally {
    transport.close();
  }
}

/** Makes the run of a measurement over a transport. */
function runOf(
  wanted: ResolvedArguments<RunArguments>,
  account: TestAccount | undefined,
  io: CheckIo,
  more: Pick<RunInput, 'transport' | 'secretRegistry' | 'onProgress'>,
): Run {
  return createRun({
    baseUrl: wanted.baseUrl,
    adapter: wanted.adapter,
    isInterfaceChosen: wanted.interface !== undefined,
    toolVersion: io.toolVersion,
    ...(wanted.serverName !== undefined && {
      server: { id: '', name: wanted.serverName, production: false },
    }),
    options: wanted.run,
    account,
    signal: io.stop,
    ...more,
  });
}

/** The report of a measurement that was not done: how it ended, and why. */
export const reportWithoutRun = (
  wanted: ResolvedArguments<RunArguments>,
  account: TestAccount | undefined,
  io: CheckIo,
  ...why: Parameters<Run['reportWithoutRunning']>
): Promise<Report> => {
  const send = (): never => {
    throw new Error('A run that is refused sends nothing.');
  };
  return runOf(wanted, account, io, { transport: { send } }).reportWithoutRunning(...why);
};

/** Runs the contract against the server, and says on standard error how it goes. What it returns holds secrets. */
export async function performCheck(
  wanted: ResolvedArguments<RunArguments>,
  account: TestAccount | undefined,
  io: CheckIo,
): Promise<CompletedRun> {
  const say = createReportFormatter(wanted.language);
  const secretRegistry = new SecretRegistry();
  for (const value of wanted.interfaceSecrets) secretRegistry.register(value, 'other');
  for (const [, value] of wanted.headers)
    if (isSecretAt(value, wanted.baseUrl)) secretRegistry.register(value, 'other');
  const transport = transportOf(wanted, io);
  let last: RunProgress | undefined;
  const tell = progressTo(io, say);
  const { plan, start, observations, sessionsLeft } = runOf(wanted, account, io, {
    transport,
    secretRegistry,
    onProgress(progress) {
      last = progress;
      tell(progress);
    },
  });
  const { calls, accounts, seconds } = plan;
  const domain = wanted.run.emailDomain ?? reservedDomains[0];
  const values = { calls, accounts, domain, rate: wanted.run.callsPerSecond, time: say.duration(seconds) };
  const command = say.texts('command');
  io.err(`${wanted.baseUrl}\n${command(accounts > 0 ? 'plan' : 'planWithoutAccounts', values)}\n`);
  if (wanted.interface) io.err(`${command('interface', { name: wanted.adapter.description.name })}\n`);
  const names = wanted.headers.map(([name]) => name).join(', ');
  if (names !== '') io.err(`${command('extraHeaders', { names })}\n`);
  if (account) io.err(`${command('givenAccount', { count: maxWrongPasswords })}\n`);
  const sayLeft = (): string => {
    const emails = sessionsLeft();
    return emails.length === 0 ? '' : `${command('sessionsLeft', { emails: emails.join(', ') })}\n`;
  };
  io.onForcedExit?.(() => {
    const { casesDone = 0, callsMade = 0 } = last ?? {};
    return `${command('soFar', { done: casesDone, planned: plan.cases.length, calls: callsMade })}\n${sayLeft()}`;
  });
  try {
    const report = await start();
    const time = say.duration(Math.round(report.durationMs / 1000));
    const used = {
      calls: report.calls,
      planned: calls,
      accounts: say.accounts(report.accounts),
      most: accounts,
      time,
    };
    const isWithout = report.accounts.length + accounts === 0;
    if (verdictOfReport(report).kind !== 'no-http')
      io.err(`${command(isWithout ? 'usedWithoutAccounts' : 'used', used)}\n`);
    io.onForcedExit?.(() => '');
    if (io.stop.aborted) io.err(sayLeft());
    return { report, observations: observations(), secretRegistry, adapter: wanted.adapter };
  } finally {
    transport.close();
  }
}

/** Says each case that is done, a terminal in one line, and each wait that a server asks for. */
function progressTo({ err, status, paint }: CheckIo, say: ReportFormatter): (progress: RunProgress) => void {
  const command = say.texts('command');
  let waitingUntil: string | undefined;
  return (progress) => {
    const { result, casesDone, casesPlanned, secondsLeft } = progress;
    if (progress.waitingUntil !== undefined && progress.waitingUntil !== waitingUntil) {
      err(`${command('waiting', { time: progress.waitingUntil })}\n`);
    }
    waitingUntil = progress.waitingUntil;
    if (!result || isUntried(result)) return;
    const values = { done: casesDone, planned: casesPlanned, time: say.duration(secondsLeft) };
    const outcome = say.t(`outcomes.${result.outcome}`);
    const line = command('progress', { ...values, outcome, case: say.case(result.id) });
    // What is broken stays on a terminal too.
    if (status && result.outcome !== 'failed') status(line);
    else err(`${result.outcome === 'failed' && paint ? paint('red', line) : line}\n`);
  };
}

/** Whether a case was not tried, since another one failed before or the run was over. The end tells of them together. */
const isUntried = (result: CaseResult): boolean =>
  result.outcome === 'not-measured' && (result.reason.kind === 'run-ended' || result.reason.kind === 'needs');
