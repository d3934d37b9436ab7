import { addAbortSignal, type Readable } from 'node:stream';
import { ConnectionSettings } from '../../preload/contract/connection.ts';
import type { RunProgress } from '../../preload/contract/report-run.ts';
import { reservedDomains } from '../../preload/contract/run-limits.ts';
import { fill, reportWords, type ReportWords } from '../../preload/contract/words/say-report.ts';
import { isBelow, isSecretAt } from '../client/extra-headers.ts';
import { operationUrls } from '../client/base-url.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import { createTransport, type Transport } from '../client/transport.ts';
import type { Account } from '../contract-run/identities.ts';
import { mostWrongPasswords, neverSent } from '../contract-run/probe.ts';
import { plainText } from '../contract-run/reports/document.ts';
import { createRun } from '../contract-run/run.ts';
import type { MeasuredRun } from '../double/learn.ts';
import { createSecretNames } from '../secrets/named-secrets.ts';
import { createSecretReferences } from '../secrets/secret-references.ts';
import { LONGEST_PASSWORD, passwordProblem, PROXY_PASSWORD_VARIABLE, type Measuring } from './check-measuring.ts';
import type { CommandIo } from './process.ts';

export type CheckIo = CommandIo & { toolVersion: string };

const connectSeconds = 10;
const firstByteSeconds = 20;
/** Milliseconds after which an address is not dead, but slow. */
const longestLookMs = 2_000;

/** Returns the account with its password, which may still be on standard input. */
export async function readAccount(
  { account, language }: Measuring,
  { input, stop, err }: CheckIo,
): Promise<{ ok: true; account: Account | undefined } | { ok: false; code: 1 | 2; sentence: string }> {
  if (!account) return { ok: true, account };
  if (account.password === undefined) err(`${reportWords(language).words.command.readsPassword}\n`);
  const { email, password = await firstLine(input(), stop) } = account;
  if (password === undefined) {
    return { ok: false, code: 1, sentence: 'It was ended before there was a password on standard input.' };
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

function transportOf({ proxy, pins, timeoutMs, baseUrl, headers }: Measuring, io: CheckIo): Transport {
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

/**
 * Says in one line why an address cannot be reached at all, before anything else is asked or said. It sends one plain
 * call. A server that is only slow is left to the run.
 */
export async function sayDead(wanted: Measuring, io: CheckIo): Promise<string | undefined> {
  const say = reportWords(wanted.language);
  const transport = transportOf(wanted, io);
  try {
    const request = { method: 'GET', url: operationUrls(wanted.baseUrl).perfil, headers: [] };
    const signal = AbortSignal.any([io.stop, AbortSignal.timeout(longestLookMs)]);
    const { ok, ...result } = await transport.send({ ...request, body: undefined }, { signal });
    if (ok || !('failure' in result)) return undefined;
    const error = appErrorOfFailure(result.failure);
    if (!neverSent.has(error.kind)) return undefined;
    return `${wanted.baseUrl}: ${plainText(say.error(error), createSecretNames().text)}`;
  } finally {
    transport.close();
  }
}

/** Runs the contract against the server, and says on standard error how it goes. What it returns holds secrets. */
export async function measure(wanted: Measuring, account: Account | undefined, io: CheckIo): Promise<MeasuredRun> {
  const say = reportWords(wanted.language);
  const references = createSecretReferences();
  for (const [, value] of wanted.headers) if (isSecretAt(value, wanted.baseUrl)) references.watch(value, 'other');
  const transport = transportOf(wanted, io);
  let last: RunProgress | undefined;
  const tell = progressTo(io.err, say);
  const { plan, start, everything, sessionsLeft } = createRun({
    transport,
    baseUrl: wanted.baseUrl,
    toolVersion: io.toolVersion,
    options: wanted.run,
    account,
    references,
    signal: io.stop,
    onProgress(progress) {
      last = progress;
      tell(progress);
    },
  });
  const { calls, accounts, seconds } = plan;
  const domain = wanted.run.emailDomain ?? reservedDomains[0];
  const values = { calls, accounts, domain, rate: wanted.run.callsPerSecond, time: say.duration(seconds) };
  const { command } = say.words;
  io.err(`${wanted.baseUrl}\n${fill(accounts > 0 ? command.plan : command.planWithoutAccounts, values)}\n`);
  const names = wanted.headers.map(([name]) => name).join(', ');
  if (names !== '') io.err(`${fill(command.extraHeaders, { names })}\n`);
  if (account) io.err(`${fill(command.givenAccount, { count: mostWrongPasswords })}\n`);
  const sayLeft = (): string => {
    const emails = sessionsLeft();
    return emails.length === 0 ? '' : `${fill(command.sessionsLeft, { emails: emails.join(', ') })}\n`;
  };
  io.lastWords?.(() => {
    const { casesDone = 0, callsMade = 0 } = last ?? {};
    return `${fill(command.soFar, { done: casesDone, planned: plan.cases.length, calls: callsMade })}\n${sayLeft()}`;
  });
  try {
    const report = await start();
    const time = say.duration(Math.round(report.durationMs / 1000));
    const made = report.accounts.length;
    const used = { calls: report.calls, planned: calls, accounts: made, most: accounts, time };
    io.err(`${fill(made + accounts === 0 ? command.usedWithoutAccounts : command.used, used)}\n`);
    io.lastWords?.(() => '');
    if (io.stop.aborted) io.err(sayLeft());
    return { report, everything: everything(), references };
  } finally {
    transport.close();
  }
}

/** Writes a line for each case that is done, and for each wait that a server asks for. */
function progressTo(err: CheckIo['err'], say: ReportWords): (progress: RunProgress) => void {
  const { command, outcomes } = say.words;
  let waitingUntil: string | undefined;
  return (progress) => {
    const { result, casesDone, casesPlanned, secondsLeft } = progress;
    if (progress.waitingUntil !== undefined && progress.waitingUntil !== waitingUntil) {
      err(`${fill(command.waiting, { time: progress.waitingUntil })}\n`);
    }
    waitingUntil = progress.waitingUntil;
    if (!result) return;
    const values = { done: casesDone, planned: casesPlanned, time: say.duration(secondsLeft) };
    err(`${fill(command.progress, { ...values, outcome: outcomes[result.outcome], case: say.case(result.id) })}\n`);
  };
}
