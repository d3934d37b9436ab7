import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { AcceptedFault } from '../../preload/contract/accepted-faults.ts';
import type { Report, ReportComparison } from '../../preload/contract/contract-report.ts';
import type { RunProgress } from '../../preload/contract/report-run.ts';
import { reservedDomains } from '../../preload/contract/run-limits.ts';
import { ConnectionSettings } from '../../preload/contract/connection.ts';
import { fill, reportWords, type ReportWords } from '../../preload/contract/words/say-report.ts';
import { isBelow, isSecretAt } from '../client/extra-headers.ts';
import { codeOf } from '../error-code.ts';
import { createTransport } from '../client/transport.ts';
import { readLimited } from '../files/read-limited.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { HELP, LONGEST_PASSWORD, PROXY_PASSWORD_VARIABLE } from './check-help.ts';
import { passwordProblem, readArgs, type CheckRun } from './check-options.ts';
import { readBaselineFile } from './check-baseline.ts';
import { outcomeOf, sayAcceptances } from './check-outcome.ts';
import { openHistory, watch } from './check-watch.ts';
import { obey, runAsProcess, type CommandIo } from './process.ts';
import { acceptAll, judgeFaults, noLongerThere, writeAcceptedFaults } from '../contract-run/accepted-faults.ts';
import { compareReports } from '../contract-run/compare.ts';
import { measuredNothing } from '../contract-run/history.ts';
import type { Account } from '../contract-run/identities.ts';
import { mostWrongPasswords } from '../contract-run/probe.ts';
import { markdownComparison } from '../contract-run/reports/comparison.ts';
import { readReport, sayReportProblem } from '../contract-run/reports/json.ts';
import { markdownReport } from '../contract-run/reports/markdown.ts';
import { writeReport } from '../contract-run/reports/write-report.ts';
import { createRun } from '../contract-run/run.ts';
import { createSecretReferences } from '../secrets/secret-references.ts';

type CheckIo = CommandIo & { toolVersion: string };

type ExitCode = 0 | 1 | 2 | 3 | 4;

const largestReportBytes = 50 * 1024 * 1024;
const connectSeconds = 10;
const firstByteSeconds = 20;

/** Anybody may read a report: it holds no secret, and build servers collect it as another user. */
const reportMode = 0o644;

const faultOfOurs = (error: unknown): string =>
  `Llavero itself failed: ${error instanceof Error ? error.stack : String(error)}\n`;

/**
 * Runs the contract against one server, and writes its reports.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const checkCommand = (args: string[], io: CheckIo): Promise<ExitCode> =>
  obey(readArgs(args, io.env), HELP, io, (run) => check(run, io));

async function check(wanted: CheckRun, io: CheckIo): Promise<ExitCode> {
  // It is read before anything is sent, since a run makes accounts.
  const before = await readEarlier(wanted.compareWith);
  const accepted = await readBaselineFile(wanted.baseline);
  const problem = !before.ok ? before.sentence : !accepted.ok ? accepted.sentence : await folderProblem(wanted);
  if (!before.ok || !accepted.ok || problem !== undefined) {
    io.err(`${problem}\n`);
    return 2;
  }
  try {
    const read = await readAccount(wanted, io);
    if (!read.ok) {
      io.err(`${read.sentence}\n`);
      return read.code;
    }
    const history = openHistory(wanted.history);
    if (!history.ok) {
      io.err(`${history.sentence}\n`);
      return 2;
    }
    const { store } = history;
    try {
      const measure = (): Promise<Report> => run(wanted, read.account, io);
      if (wanted.watch && store) {
        return await watch({ measure, store, io, of: { ...wanted.watch, ...wanted } });
      }
      const report = await measure();
      // Of a server that was away nothing is learned.
      const learned = measuredNothing(report) ? undefined : store?.add(wanted.baseUrl, report);
      const comparison = before.report ? compareReports(before.report, report) : learned?.comparison;
      return await deliver(report, { comparison, accepted: accepted.accepted }, wanted, io);
    } finally {
      store?.close();
    }
  } catch (error) {
    // It must not look like a server that passed or failed.
    io.err(faultOfOurs(error));
    return 4;
  }
}

/** Returns the account with its password, which may still be on standard input. */
async function readAccount(
  { account, language }: CheckRun,
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

async function readEarlier(
  file: string | undefined,
): Promise<{ ok: true; report?: Report } | { ok: false; sentence: string }> {
  if (file === undefined) return { ok: true };
  const read = await readLimited(file, largestReportBytes);
  if (!read.ok) {
    return {
      ok: false,
      sentence: `The report "${file}" cannot be read (${'code' in read ? read.code : read.reason}).`,
    };
  }
  const report = readReport(read.content.toString('utf8'));
  return report.ok
    ? report
    : { ok: false, sentence: `The report "${file}" cannot be compared with: ${sayReportProblem(report.problem)}.` };
}

/** Says which file could not be written after the run, as far as its folder tells. */
async function folderProblem({ reports, baseline }: CheckRun): Promise<string | undefined> {
  const files = [
    ...reports.map(({ file }) => ({ file, what: 'report' })),
    ...(baseline?.accept ? [{ file: baseline.file, what: 'baseline' }] : []),
  ];
  for (const { file, what } of files) {
    const folder = path.dirname(path.resolve(file));
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) return `The ${what} "${file}" cannot be written: its folder does not exist.`;
  }
  return undefined;
}

async function run(wanted: CheckRun, account: Account | undefined, io: CheckIo): Promise<Report> {
  const say = reportWords(wanted.language);
  const totalSeconds = wanted.timeoutMs / 1000;
  const references = createSecretReferences();
  for (const [, value] of wanted.headers) if (isSecretAt(value, wanted.baseUrl)) references.watch(value, 'other');
  const transport = createTransport({
    connection: ConnectionSettings.parse({ proxy: wanted.proxy, pins: wanted.pins }),
    limits: {
      connectSeconds: Math.min(connectSeconds, totalSeconds),
      firstByteSeconds: Math.min(firstByteSeconds, totalSeconds),
      totalSeconds,
    },
    extraHeaders: (url) => Promise.resolve(isBelow(url, wanted.baseUrl) ? wanted.headers : []),
    proxyPassword: () => Promise.resolve(io.env[PROXY_PASSWORD_VARIABLE] || undefined),
  });
  const { plan, start } = createRun({
    transport,
    baseUrl: wanted.baseUrl,
    toolVersion: io.toolVersion,
    options: wanted.run,
    account,
    references,
    signal: io.stop,
    onProgress: progressTo(io.err, say),
  });
  const { calls, accounts, seconds } = plan;
  const domain = wanted.run.emailDomain ?? reservedDomains[0];
  const values = { calls, accounts, domain, rate: wanted.run.callsPerSecond, time: say.duration(seconds) };
  const { command } = say.words;
  io.err(`${wanted.baseUrl}\n${fill(accounts > 0 ? command.plan : command.planWithoutAccounts, values)}\n`);
  const names = wanted.headers.map(([name]) => name).join(', ');
  if (names !== '') io.err(`${fill(command.extraHeaders, { names })}\n`);
  if (account) io.err(`${fill(command.givenAccount, { count: mostWrongPasswords })}\n`);
  try {
    const report = await start();
    const time = say.duration(Math.round(report.durationMs / 1000));
    const made = report.accounts.length;
    const used = { calls: report.calls, planned: calls, accounts: made, most: accounts, time };
    io.err(`${fill(made + accounts === 0 ? command.usedWithoutAccounts : command.used, used)}\n`);
    return report;
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

/** What a run is compared with, and what was accepted before it. */
type Earlier = { comparison: ReportComparison | undefined; accepted: readonly AcceptedFault[] };

async function deliver(report: Report, earlier: Earlier, wanted: CheckRun, io: CheckIo): Promise<ExitCode> {
  const { comparison } = earlier;
  const { language, reports, baseline } = wanted;
  const say = reportWords(language);
  const accepted = baseline?.accept ? acceptAll(report, earlier.accepted, baseline.accept) : earlier.accepted;
  const judged = judgeFaults(report, accepted);
  const files = reports.map(({ form, file }) => ({ file, content: writeReport(form, report, language, judged) }));
  if (baseline?.accept) files.push({ file: baseline.file, content: writeAcceptedFaults(accepted) });
  let isUnwritten = false;
  for (const { file, content } of files) {
    const code = await failureOfWriting(file, content);
    isUnwritten ||= code !== undefined;
    io.err(
      `${fill(code === undefined ? say.words.command.written : say.words.command.notWritten, { file, code: code ?? '' })}\n`,
    );
  }
  if (comparison) io.out(markdownComparison(comparison, language));
  if (isUnwritten || (reports.length === 0 && !comparison)) io.out(markdownReport(report, language, judged));

  // npm says how it was called, and the packaged application is called by its name.
  const program = io.env['npm_lifecycle_event'] === 'check' ? 'npm run check --' : 'llavero check';
  const { code, sentences } = outcomeOf(report, wanted.failOn, judged, say, program);
  const acceptances = sayAcceptances(judged, noLongerThere(report, accepted), say);
  io.err(`${[...acceptances, ...sentences].join('\n')}\n`);
  return isUnwritten ? 4 : code;
}

/**
 * Writes a file whole or not at all. A pipe or a device is simply written to.
 * @returns why it could not be written, as Node's code; undefined when it was
 */
async function failureOfWriting(file: string, content: string): Promise<string | undefined> {
  try {
    const isPlain = await stat(file).then(
      (found) => found.isFile(),
      () => true,
    );
    await (isPlain ? writeAtomically(file, content, reportMode) : writeFile(file, content));
    return undefined;
  } catch (error) {
    return codeOf(error) ?? String(error);
  }
}

/** Makes a crash end with 4, and never with 0 or with the 1 of a server that failed. */
function endCrashesAsOurs(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      process.stderr.write(faultOfOurs(error));
      process.exit(4);
    });
  }
}

/** Runs the contract run as this process; a signal ends it with a report of what was done. */
export function runCheck(args: string[], toolVersion: string): Promise<ExitCode> {
  endCrashesAsOurs();
  // Whoever reads the report may close the pipe early.
  process.stdout.on('error', () => undefined);
  return runAsProcess((io) => checkCommand(args, { ...io, toolVersion }), true);
}
