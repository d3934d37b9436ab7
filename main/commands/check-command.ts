import type { AcceptedFault, Report, ReportComparison } from '../../preload/contract/report.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { readLimited } from '../files/read-limited.ts';
import { writeOutputFile, findMissingFolder } from './output-files.ts';
import {
  checkReachability,
  performCheck,
  readAccount,
  reportWithoutRun,
  resolveInterface,
  type CheckIo,
  type ResolvedArguments,
} from './perform-check.ts';
import { resolveServer } from './resolve-server.ts';
import { parseCheckArguments, type CheckArguments } from './check-arguments.ts';
import { readBaselineFile } from './check-baseline.ts';
import { summarizeCheck, formatAcceptances } from './summarize-check.ts';
import { openHistory } from './check-history.ts';
import { exitOnCrash, formatInternalError, runCommand, runAsProcess } from './run-command.ts';
import { programName } from './program-name.ts';
import {
  acceptAll,
  classifyFaults,
  findFixedFaults,
  verdictOfReport,
  formatAcceptedFaults,
} from '../check/accepted-faults.ts';
import type { TestAccount } from '../check/test-accounts.ts';
import type { CompletedRun } from '../check/mock-generator/generate-mock.ts';
import { formatRemarks, formatGenerationProblem } from '../check/mock-generator/format-remarks.ts';
import { compareReports } from '../check/compare-reports.ts';
import { hasNoResults } from '../check/untested-cases.ts';
import type { ReportStore } from '../check/report-store.ts';
import type { Run } from '../check/run.ts';
import { quoteForShell } from '../check/shell-values.ts';
import { renderMarkdownComparison } from '../check/reports/markdown-comparison.ts';
import { readReport, formatReportProblem } from '../check/reports/json-report.ts';
import { renderMarkdownReport } from '../check/reports/markdown-report.ts';
import { renderReport } from '../check/reports/render-report.ts';

type ExitCode = 0 | 1 | 2 | 3 | 4;

const largestReportBytes = 50 * 1024 * 1024;

/**
 * Runs the contract against one server, and writes its reports.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export function checkCommand(args: string[], io: CheckIo): Promise<ExitCode> {
  return runCommand(parseCheckArguments(args, io.env), io, (run) => check(run, io));
}

async function check(run: CheckArguments, io: CheckIo): Promise<ExitCode> {
  const named = await resolveServer(run, io);
  const reached = named.ok ? await resolveInterface(named.wanted) : named;
  if (!reached.ok) {
    io.err(`${reached.sentence}\n`);
    return 2;
  }
  const { wanted } = reached;
  // It is read before anything is sent, since a run makes accounts.
  const before = await readEarlier(wanted.compareWith);
  const accepted = await readBaselineFile(wanted.baseline);
  const problem = !before.ok ? before.sentence : !accepted.ok ? accepted.sentence : await findMissingFolder(wanted);
  if (!before.ok || !accepted.ok || problem !== undefined) {
    io.err(`${problem}\n`);
    return 2;
  }
  const earlier: Earlier = { comparison: undefined, accepted: accepted.accepted, model: undefined };
  let account: TestAccount | undefined;
  const deliverWithoutRun = async (...why: Parameters<Run['reportWithoutRunning']>): Promise<ExitCode> =>
    deliver(await reportWithoutRun(wanted, account, io, ...why), earlier, wanted, io);
  try {
    const read = await readAccount(wanted, io);
    if (!read.ok) {
      io.err(`${read.sentence}\n`);
      if (read.code === 1) await deliverWithoutRun({ kind: 'cancelled' });
      return read.code;
    }
    ({ account } = read);
    const history = openHistory(wanted.history);
    if (!history.ok) {
      io.err(`${history.sentence}\n`);
      return 2;
    }
    try {
      const error = await checkReachability(wanted, io);
      if (error) return await deliverWithoutRun({ kind: 'unreachable', error });
      const measured = await performCheck(wanted, account, io);
      return await conclude(measured, { ...earlier, report: before.report, store: history.store }, wanted, io);
    } finally {
      history.store?.close();
    }
  } catch (error) {
    // What failed here must not look like a server that passed or failed.
    io.err(formatInternalError(error));
    const message = error instanceof Error ? error.message : String(error);
    await deliverWithoutRun({ kind: 'cancelled' }, { kind: 'bug', message });
    return 4;
  }
}

/** Learns and keeps what was asked for, and writes the reports, whatever of the rest fails. */
async function conclude(
  measured: CompletedRun,
  earlier: Earlier & { report: Report | undefined; store: ReportStore | undefined },
  wanted: ResolvedArguments<CheckArguments>,
  io: CheckIo,
): Promise<ExitCode> {
  const { report } = measured;
  const faults: string[] = [];
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      faults.push(formatInternalError(error));
      return undefined;
    }
  };
  const model = wanted.mockFile === undefined ? undefined : await attempt(() => learn(measured, wanted.language, io));
  // Of a server that was away nothing is learned.
  const learned = hasNoResults(report) ? undefined : await attempt(() => earlier.store?.add(wanted.baseUrl, report));
  const comparison = earlier.report ? compareReports(earlier.report, report) : learned?.comparison;
  const code = await deliver(report, { ...earlier, comparison, model }, wanted, io);
  for (const fault of faults) io.err(fault);
  // What the run itself says goes before: a server that is away has no model, either.
  return faults.length > 0 || (code === 0 && wanted.mockFile !== undefined && model === undefined) ? 4 : code;
}

/** Learns a model. It says what a double will do of its own, or why there is no model. */
async function learn(measured: CompletedRun, language: string, io: CheckIo): Promise<string | undefined> {
  // It is loaded here, since few runs learn anything.
  const { generateMock, formatModel } = await import('../check/mock-generator/generate-mock.ts');
  const learned = await generateMock(measured);
  const { notMeasured = [] } = learned.ok ? learned.model : {};
  const sentences = learned.ok
    ? formatRemarks({ remarks: [], notMeasured }, language)
    : [formatGenerationProblem(learned, language)];
  for (const sentence of sentences) io.err(`${sentence}\n`);
  return learned.ok ? formatModel(learned.model) : undefined;
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
    : { ok: false, sentence: `The report "${file}" cannot be compared with: ${formatReportProblem(report.problem)}.` };
}

/** What a run is compared with, and what was accepted before it. */
type Earlier = {
  comparison: ReportComparison | undefined;
  accepted: readonly AcceptedFault[];
  /** What was learned of the server, as its file has it. */
  model: string | undefined;
};

/** The server as it was typed, with its interface, for a command that measures it again. */
function asTyped(
  { baseUrl }: Report,
  { serverReference, origins, interface: described, acceptGuesses, typedVariables }: CheckArguments,
): string | undefined {
  const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell([text]));
  const variables = typedVariables.var.map(({ name, variable }) => `--var ${name}=${variable}`);
  const headers = typedVariables.header.map(({ name, variable }) => `--header ${name}=${variable}`);
  const pins = origins.map((origin) => `--origin ${origin}`);
  if (serverReference)
    return [
      `--servers ${word(serverReference.file)}`,
      `--server ${word(serverReference.name ?? '')}`,
      ...pins,
      ...variables,
      ...headers,
    ].join(' ');
  return (
    described &&
    [baseUrl, `--interface ${word(described.from)}`, ...(acceptGuesses ? ['--accept-guesses'] : []), ...variables].join(
      ' ',
    )
  );
}

async function deliver(report: Report, earlier: Earlier, wanted: CheckArguments, io: CheckIo): Promise<ExitCode> {
  const { comparison } = earlier;
  const { language, reports, baseline } = wanted;
  const say = createReportFormatter(language);
  const accepted =
    baseline?.accept !== undefined ? acceptAll(report, earlier.accepted, baseline.accept) : earlier.accepted;
  const judged = classifyFaults(report, accepted, wanted.failOn);
  // Of what is no server there is nothing to read beyond its sentences.
  const isServer = verdictOfReport(report, judged).kind !== 'no-http';
  const files = reports.map(({ form, file }) => ({ file, content: renderReport(form, report, language, judged) }));
  if (wanted.mockFile !== undefined && earlier.model !== undefined)
    files.push({ file: wanted.mockFile, content: earlier.model });
  if (baseline?.accept !== undefined && isServer)
    files.push({ file: baseline.file, content: formatAcceptedFaults(accepted) });
  let isUnwritten = false;
  for (const { file, content } of files) {
    const code = await writeOutputFile(file, content);
    isUnwritten ||= code !== undefined;
    io.err(`${say.t(code === undefined ? 'command.written' : 'command.notWritten', { file, code: code ?? '' })}\n`);
  }
  const program = programName('check', io.env);
  const outcome = summarizeCheck(report, judged, say, program, asTyped(report, wanted));
  const { code, headline, sentences } = outcome;
  if (comparison && isServer) io.out(renderMarkdownComparison(comparison, language));
  if (isUnwritten || (isServer && reports.length === 0 && !comparison))
    io.out(renderMarkdownReport(report, language, judged));

  const acceptances = formatAcceptances(judged, findFixedFaults(report, accepted), say);
  const last = io.paint ? io.paint(code === 0 ? 'green' : code === 1 ? 'red' : 'yellow', headline) : headline;
  io.err(`${[...acceptances, ...sentences, last].join('\n')}\n`);
  return isUnwritten ? 4 : code;
}

/** Runs the contract run as this process; a signal ends it with a report of what was done. */
export function runCheck(args: string[], toolVersion: string): Promise<ExitCode> {
  exitOnCrash();
  return runAsProcess((io) => checkCommand(args, { ...io, toolVersion }), { soon: true, withoutReaders: true });
}
