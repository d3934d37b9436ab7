import type { CompletedRun } from '../check/mock-generator/mock-inference.ts';
import type { AcceptedFault, Report, ReportComparison } from '../../preload/contract/report.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import type { CheckArguments } from './check-command.ts';
import type { ExitCode } from './run-arguments.ts';
import { findMissingFolder, openHistory, readBaselineFile, readEarlierReport, writeOutputFile } from './check-files.ts';
import {
  checkReachability,
  performCheck,
  readAccount,
  reportWithoutRun,
  resolveArguments,
  type CheckIo,
  type ResolvedArguments,
} from './perform-check.ts';
import { programName } from './option-parser.ts';
import { summarizeCheck, formatAcceptances } from './summarize-check.ts';
import { formatInternalError } from './run-command.ts';
import {
  acceptAll,
  classifyFaults,
  findFixedFaults,
  verdictOfReport,
  formatAcceptedFaults,
} from '../check/accepted-faults.ts';
import type { TestAccount } from '../check/test-accounts.ts';
import { formatRemarks, formatGenerationProblem } from '../check/mock-generator/format-remarks.ts';
import { compareReports } from '../check/compare-reports.ts';
import { hasNoResults } from '../check/untested-cases.ts';
import type { ReportStore } from '../check/report-store.ts';
import type { Run } from '../check/run.ts';
import { quoteForShell } from '../check/shell-values.ts';
import { renderReport } from '../check/reports/render-report.ts';

/** Checks one server, and writes the reports. */
export async function check(typed: CheckArguments, io: CheckIo): Promise<ExitCode> {
  const resolved = await resolveArguments(typed, io);
  if (!resolved.ok) {
    io.err(`${resolved.sentence}\n`);
    return 2;
  }
  const { args } = resolved;
  // Before anything is sent, since a run creates accounts.
  const before = await readEarlierReport(args.compareWith);
  const accepted = await readBaselineFile(args.baseline);
  const problem = !before.ok ? before.sentence : !accepted.ok ? accepted.sentence : await findMissingFolder(args);
  if (!before.ok || !accepted.ok || problem !== undefined) {
    io.err(`${problem}\n`);
    return 2;
  }
  const earlier: Earlier = { comparison: undefined, accepted: accepted.accepted, model: undefined };
  let account: TestAccount | undefined;
  const deliverWithoutRun = async (...why: Parameters<Run['reportWithoutRunning']>): Promise<ExitCode> =>
    deliver(await reportWithoutRun(args, account, io, ...why), earlier, args, io);
  try {
    const read = await readAccount(args, io);
    if (!read.ok) {
      io.err(`${read.sentence}\n`);
      if (read.code === 1) await deliverWithoutRun({ kind: 'cancelled' });
      return read.code;
    }
    ({ account } = read);
    const history = openHistory(args.history);
    if (!history.ok) {
      io.err(`${history.sentence}\n`);
      return 2;
    }
    try {
      const error = await checkReachability(args, io);
      if (error) return await deliverWithoutRun({ kind: 'unreachable', error });
      const completed = await performCheck(args, account, io);
      return await conclude(completed, { ...earlier, report: before.report, store: history.store }, args, io);
    } finally {
      history.store?.close();
    }
  } catch (error) {
    // A bug of ours must not look like a server that passed or failed.
    io.err(formatInternalError(error));
    const message = error instanceof Error ? error.message : String(error);
    await deliverWithoutRun({ kind: 'cancelled' }, { kind: 'bug', message });
    return 4;
  }
}

/** Generates the mock, stores the report and writes the files. The reports are written whatever else fails. */
async function conclude(
  completed: CompletedRun,
  earlier: Earlier & { report: Report | undefined; store: ReportStore | undefined },
  args: ResolvedArguments<CheckArguments>,
  io: CheckIo,
): Promise<ExitCode> {
  const { report } = completed;
  const errors: string[] = [];
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      errors.push(formatInternalError(error));
      return undefined;
    }
  };
  const model =
    args.mockFile === undefined ? undefined : await attempt(() => createModel(completed, args.language, io));
  const stored = hasNoResults(report) ? undefined : await attempt(() => earlier.store?.add(args.baseUrl, report));
  const comparison = earlier.report ? compareReports(earlier.report, report) : stored?.comparison;
  const code = await deliver(report, { ...earlier, comparison, model }, args, io);
  for (const error of errors) io.err(error);
  // The code of the run comes first: a server that is away has no mock, either.
  return errors.length > 0 || (code === 0 && args.mockFile !== undefined && model === undefined) ? 4 : code;
}

/** Generates the content of the mock file. Prints its remarks, or why it cannot be generated. */
async function createModel(completed: CompletedRun, language: string, io: CheckIo): Promise<string | undefined> {
  // Loaded here, since few runs generate a mock.
  const { generateMock, formatMockFile } = await import('../check/mock-generator/generate-mock.ts');
  const generated = await generateMock(completed);
  const { notMeasured = [] } = generated.ok ? generated.model : {};
  const sentences = generated.ok
    ? formatRemarks({ remarks: [], notMeasured }, language)
    : [formatGenerationProblem(generated, language)];
  for (const sentence of sentences) io.err(`${sentence}\n`);
  return generated.ok ? formatMockFile(generated.model) : undefined;
}

/** What the report is written with, from before the run. */
type Earlier = {
  comparison: ReportComparison | undefined;
  accepted: readonly AcceptedFault[];
  /** The content of the mock file. */
  model: string | undefined;
};

/** The server and its API type as options, for a command that checks it again. */
function formatServerArguments(
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

async function deliver(report: Report, earlier: Earlier, args: CheckArguments, io: CheckIo): Promise<ExitCode> {
  const { comparison } = earlier;
  const { language, reports, baseline } = args;
  const formatter = createReportFormatter(language);
  const accepted =
    baseline?.accept !== undefined ? acceptAll(report, earlier.accepted, baseline.accept) : earlier.accepted;
  const classified = classifyFaults(report, accepted, args.failOn);
  // Without a server, the sentences of the outcome say all there is.
  const isServer = verdictOfReport(report, classified).kind !== 'no-http';
  const files = await Promise.all(
    reports.map(async ({ form, file }) => ({ file, content: await renderReport(form, report, language, classified) })),
  );
  if (args.mockFile !== undefined && earlier.model !== undefined)
    files.push({ file: args.mockFile, content: earlier.model });
  if (baseline?.accept !== undefined && isServer)
    files.push({ file: baseline.file, content: formatAcceptedFaults(accepted) });
  let isUnwritten = false;
  for (const { file, content } of files) {
    const code = await writeOutputFile(file, content);
    isUnwritten ||= code !== undefined;
    io.err(
      `${formatter.t(code === undefined ? 'command.written' : 'command.notWritten', { file, code: code ?? '' })}\n`,
    );
  }
  const program = programName('check', io.env);
  const outcome = summarizeCheck(report, classified, formatter, program, formatServerArguments(report, args));
  const { code, headline, sentences } = outcome;
  if (comparison && isServer) {
    const { renderMarkdownComparison } = await import('../check/reports/markdown-comparison.ts');
    io.out(renderMarkdownComparison(comparison, language));
  }
  if (isUnwritten || (isServer && reports.length === 0 && !comparison))
    io.out(await renderReport('markdown', report, language, classified));

  const acceptances = formatAcceptances(classified, findFixedFaults(report, accepted), formatter);
  const last = io.paint ? io.paint(code === 0 ? 'green' : code === 1 ? 'red' : 'yellow', headline) : headline;
  io.err(`${[...acceptances, ...sentences, last].join('\n')}\n`);
  return isUnwritten ? 4 : code;
}
