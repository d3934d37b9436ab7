import { addAbortSignal, type Readable } from 'node:stream';
import { ConnectionSettings } from '../../preload/contract/connection.ts';
import type { RunProgress } from '../../preload/contract/report.ts';
import { reservedDomains } from '../../preload/contract/names.ts';
import { reportWords, type ReportWords } from '../../preload/contract/words/say-report.ts';
import { isBelow, isSecretAt } from '../client/extra-headers.ts';
import type { Wire } from '../interface/wire.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import { createTransport, type Transport } from '../client/transport.ts';
import type { Account } from '../contract/identities.ts';
import { mostWrongPasswords, neverSent } from '../contract/probe.ts';
import { plainText } from '../contract/reports/document.ts';
import { createRun } from '../contract/run.ts';
import type { MeasuredRun } from '../contract/learn/learn.ts';
import { createSecretNames } from '../client/secrets/named-secrets.ts';
import { SecretReferences } from '../client/secrets/secret-references.ts';
import { loadInterface } from './check-interface.ts';
import { LONGEST_PASSWORD, passwordProblem, PROXY_PASSWORD_VARIABLE, type Measuring } from './check-measuring.ts';
import { inOneLine } from './options.ts';
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
  if (account.password === undefined) err(`${reportWords(language).t('command.readsPassword')}\n`);
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

/** A measurement whose interface was read: its address is the final one. */
export type Reached<Wanted extends Measuring> = Wanted & { wire: Wire; wireSecrets: readonly string[] };

/** Reads the interface of a measurement. It is done before anything is sent. */
export async function withInterface<Wanted extends Measuring>(
  wanted: Wanted,
): Promise<{ ok: true; wanted: Reached<Wanted> } | { ok: false; sentence: string }> {
  const loaded = await loadInterface(wanted.interface, wanted.baseUrl, wanted.language);
  if (!loaded.ok) return loaded;
  const { wire, secrets: wireSecrets } = loaded;
  if (wire.has.registrations.length === 0 && wanted.account === undefined) {
    const { name } = wire.description;
    return {
      ok: false,
      sentence: inOneLine(reportWords(wanted.language).t('command.interfaceNeedsAccount', { name })),
    };
  }
  return { ok: true, wanted: { ...wanted, baseUrl: wire.baseUrl, wire, wireSecrets } };
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
export async function sayDead(wanted: Reached<Measuring>, io: CheckIo): Promise<string | undefined> {
  const say = reportWords(wanted.language);
  const transport = transportOf(wanted, io);
  try {
    const request = { ...wanted.wire.request('perfil'), headers: [] };
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
export async function measure(
  wanted: Reached<Measuring>,
  account: Account | undefined,
  io: CheckIo,
): Promise<MeasuredRun> {
  const say = reportWords(wanted.language);
  const references = new SecretReferences();
  for (const value of wanted.wireSecrets) references.watch(value, 'other');
  for (const [, value] of wanted.headers) if (isSecretAt(value, wanted.baseUrl)) references.watch(value, 'other');
  const transport = transportOf(wanted, io);
  let last: RunProgress | undefined;
  const tell = progressTo(io, say);
  const { plan, start, everything, sessionsLeft } = createRun({
    transport,
    baseUrl: wanted.baseUrl,
    wire: wanted.wire,
    toolVersion: io.toolVersion,
    ...(wanted.serverName !== undefined && {
      server: { id: '', name: wanted.serverName, production: false },
    }),
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
  const command = say.texts('command');
  io.err(`${wanted.baseUrl}\n${command(accounts > 0 ? 'plan' : 'planWithoutAccounts', values)}\n`);
  if (wanted.interface) io.err(`${command('interface', { name: wanted.wire.description.name })}\n`);
  const names = wanted.headers.map(([name]) => name).join(', ');
  if (names !== '') io.err(`${command('extraHeaders', { names })}\n`);
  if (account) io.err(`${command('givenAccount', { count: mostWrongPasswords })}\n`);
  const sayLeft = (): string => {
    const emails = sessionsLeft();
    return emails.length === 0 ? '' : `${command('sessionsLeft', { emails: emails.join(', ') })}\n`;
  };
  io.lastWords?.(() => {
    const { casesDone = 0, callsMade = 0 } = last ?? {};
    return `${command('soFar', { done: casesDone, planned: plan.cases.length, calls: callsMade })}\n${sayLeft()}`;
  });
  try {
    const report = await start();
    const time = say.duration(Math.round(report.durationMs / 1000));
    const made = report.accounts.length;
    const used = { calls: report.calls, planned: calls, accounts: made, most: accounts, time };
    io.err(`${command(made + accounts === 0 ? 'usedWithoutAccounts' : 'used', used)}\n`);
    io.lastWords?.(() => '');
    if (io.stop.aborted) io.err(sayLeft());
    return { report, everything: everything(), references, wire: wanted.wire };
  } finally {
    transport.close();
  }
}

/** Says each case that is done, a terminal in one line, and each wait that a server asks for. */
function progressTo({ err, status, paint }: CheckIo, say: ReportWords): (progress: RunProgress) => void {
  const command = say.texts('command');
  let waitingUntil: string | undefined;
  return (progress) => {
    const { result, casesDone, casesPlanned, secondsLeft } = progress;
    if (progress.waitingUntil !== undefined && progress.waitingUntil !== waitingUntil) {
      err(`${command('waiting', { time: progress.waitingUntil })}\n`);
    }
    waitingUntil = progress.waitingUntil;
    if (!result) return;
    const values = { done: casesDone, planned: casesPlanned, time: say.duration(secondsLeft) };
    const outcome = say.t(`outcomes.${result.outcome}`);
    const line = command('progress', { ...values, outcome, case: say.case(result.id) });
    // What is broken stays on a terminal too.
    if (status && result.outcome !== 'failed') status(line);
    else err(`${result.outcome === 'failed' && paint ? paint('red', line) : line}\n`);
  };
}
