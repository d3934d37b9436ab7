import type { CompletedRun } from '../check/mock-generator/mock-inference.ts';
import { Option } from '@commander-js/extra-typings';
import { AcceptedFault, type Report, type ReportComparison, type Severity } from '../../preload/contract/report.ts';
import { CaseId } from '../../preload/contract/report-cases.ts';
import { accountLimits, reportForms, type ReportForm } from '../../preload/contract/names.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import {
  findMissingFolder,
  openHistory,
  readBaselineFile,
  readEarlierReport,
  writeOutputFile,
  type Baseline,
} from './check-files.ts';
import {
  checkReachability,
  performCheck,
  readAccount,
  reportWithoutRun,
  resolveArguments,
  type CheckIo,
  type ResolvedArguments,
} from './perform-check.ts';
import {
  EMAIL_VARIABLE,
  parseRunArguments,
  PASSWORD_VARIABLE,
  runOptions,
  type RunArguments,
} from './run-arguments.ts';
import {
  filePath,
  folderPath,
  formatChoices,
  formatExitCodes,
  grouped,
  parseUsage,
  programName,
  repeatableOption,
  UsageError,
  valueOption,
  type ExitCodes,
  type ParsedUsage,
} from './option-parser.ts';
import { summarizeCheck, formatAcceptances } from './summarize-check.ts';
import { exitOnCrash, formatInternalError, runCommand, runAsProcess } from './run-command.ts';
import {
  acceptAll,
  classifyFaults,
  findFixedFaults,
  verdictOfReport,
  formatAcceptedFaults,
} from '../check/accepted-faults.ts';
import type { TestAccount } from '../check/test-accounts.ts';
import { maxWrongPasswords } from '../check/test-accounts.ts';
import { formatRemarks, formatGenerationProblem } from '../check/mock-generator/format-remarks.ts';
import { compareReports } from '../check/compare-reports.ts';
import { hasNoResults } from '../check/untested-cases.ts';
import type { ReportStore } from '../check/report-store.ts';
import type { Run } from '../check/run.ts';
import { quoteForShell } from '../check/shell-values.ts';
import { renderReport } from '../check/reports/render-report.ts';

type CheckArguments = RunArguments & {
  reports: readonly { form: ReportForm; file: string }[];
  compareWith: string | undefined;
  /** Findings of these severities fail the check. */
  failOn: readonly Severity[];
  baseline: Baseline | undefined;
  /** The folder of earlier reports. */
  history: string | undefined;
};

/** The report forms by their names in the option. */
const forms = new Map(reportForms.map((form) => [form === 'markdown' ? 'md' : form, form]));

function parseReport(text: string): CheckArguments['reports'][number] | undefined {
  const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const form = forms.get(name);
  return form && { form, file };
}

/** A note never fails a run. */
const severitiesThatFail = {
  none: [],
  // Whatever the baseline does not accept.
  new: ['high', 'medium', 'low'],
  low: ['high', 'medium', 'low'],
  medium: ['high', 'medium'],
  high: ['high'],
} as const satisfies Record<string, readonly Severity[]>;

const options = [
  ...grouped('Output:', [
    repeatableOption(
      '--report <form=file>',
      `writes the report to a file, as ${formatChoices([...forms.keys()])}; without this option it is printed as Markdown`,
      { takes: 'md, html, json or junit with a file, such as junit=report.xml', parse: parseReport },
    ),
    valueOption('--compare <file>', 'compares with an earlier JSON report and prints only the differences', filePath),
    new Option(
      '--fail-on <severity>',
      'ends with 1 for findings of at least this severity; with new, for each finding that --baseline does not accept; with none, for failed requirements alone',
    )
      .choices(['none', 'new', 'low', 'medium', 'high'])
      .default('high'),
    valueOption(
      '--baseline <file>',
      'ignores the failed requirements and the findings that this file accepts',
      filePath,
    ),
    valueOption(
      '--accept <reason>',
      'adds every other failed requirement and finding to the baseline, with this reason',
      {
        takes: 'a reason of 1 to 1000 characters',
        parse: (text) => AcceptedFault.shape.reason.safeParse(text).data,
      },
    ),
    valueOption(
      '--history <folder>',
      'saves the report in reports.sqlite in this folder, and prints what changed since earlier checks',
      folderPath,
    ),
  ]),
  ...grouped('Scope:', [
    new Option('--bail', 'stops at the first failed requirement'),
    new Option('--races', 'tests race conditions, with two simultaneous registrations, logins and logouts'),
  ]),
  ...runOptions,
] as const;

const about = `Checks the login API of a server: tests its requirements, records unspecified behaviour and finds vulnerabilities, each with evidence. Use it on test servers only: it creates up to ${accountLimits.usual} accounts under example.test (or example.com, if that is rejected), which Llavero cannot delete. Tests that were skipped are listed at the end, with the reason and the command that includes them.

Where registration is not available, give it an account: an email or user name in ${EMAIL_VARIABLE} or with --email, and a password in ${PASSWORD_VARIABLE} or with --password-stdin. It then creates no accounts unless --variant is given, and sends at most ${maxWrongPasswords} wrong passwords for that account; tests that need more are skipped, or use new accounts with --variant. Use a test account: its other sessions may end, and reports contain its email and profile, but never its password.`;

const examples = [
  ['localhost:8000', 'prints the report'],
  ['https://staging.example.test --report junit=report.xml --fail-on medium', 'for a CI build'],
  ['https://staging.example.test --interface strapi', 'checks a Strapi server'],
] as const;

/** In the words of the READMEs of the check and of its action. */
export const exitCodeHelp: ExitCodes = [
  [
    0,
    'A login succeeded, with the given account or a new one. Registration (without a given account), profile and logout, where the API has them, each succeeded at least once. No requirement failed and no finding counts. With `--only`, this applies to the named tests and what they need.',
  ],
  [
    1,
    'A requirement failed; no login succeeded; a decisive request or test could not be completed; a finding counts by `--fail-on`; or a signal ended the check.',
  ],
  [2, 'Invalid usage. Nothing was sent.'],
  [3, 'No HTTP server responded, or it stopped responding; or the server rejected the given account.'],
  [4, 'A report or mock file could not be written, or Llavero itself failed.'],
];

const after = `${formatExitCodes(exitCodeHelp)}

What a baseline accepts fails nothing, but a check without a successful login always fails.
Requested reports are written whatever the exit code, unless the usage was invalid. Ctrl-C ends the
check with a report of what was done.`;

/** Parses what follows the command's name, and the account in its environment variables. */
export const parseCheckArguments = (args: string[], env: NodeJS.ProcessEnv = {}): ParsedUsage<CheckArguments> =>
  parseUsage(
    { name: 'check', takes: 'URL', about, options, examples, after, cases: CaseId.options },
    args,
    env,
    (values, { argument: address }) => {
      const { baseline: file, accept, report: reports = [], failOn } = values;
      if (new Set(reports.map((report) => report.file)).size < reports.length)
        throw new UsageError('Two reports cannot be written to the same file.');
      if (file === undefined && accept !== undefined)
        throw new UsageError('The option --accept needs --baseline FILE, into which it writes.');
      if (file === undefined && failOn === 'new')
        throw new UsageError('The option --fail-on new needs --baseline FILE.');
      return {
        ...parseRunArguments(values, address, values, env),
        reports,
        compareWith: values.compare,
        failOn: severitiesThatFail[failOn],
        baseline: file === undefined ? undefined : { file, accept },
        history: values.history,
      };
    },
  );

type ExitCode = 0 | 1 | 2 | 3 | 4;

/**
 * Checks one server, and writes the reports.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export function checkCommand(args: string[], io: CheckIo): Promise<ExitCode> {
  return runCommand(parseCheckArguments(args, io.env), io, (run) => check(run, io));
}

async function check(typed: CheckArguments, io: CheckIo): Promise<ExitCode> {
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

/** Generates the mock file, and prints its remarks or why there is none. */
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

/** Checks as this process; a signal ends it with a report of what was done. */
export function runCheck(args: string[], toolVersion: string): Promise<ExitCode> {
  exitOnCrash();
  return runAsProcess((io) => checkCommand(args, { ...io, toolVersion }), { endsSoon: true, endsWithReaders: true });
}
