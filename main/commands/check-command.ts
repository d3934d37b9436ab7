import { Option } from '@commander-js/extra-typings';
import type { Severity } from '../../preload/contract/report.ts';
import { caseIds } from '../../preload/contract/case-ids.ts';
import { accountLimits, longestReason, reportForms, type ReportForm } from '../../preload/contract/names.ts';
import { maxWrongPasswords } from '../check/test-accounts.ts';
import type { Baseline } from './check-files.ts';
import type { CheckIo } from './perform-check.ts';
import {
  EMAIL_VARIABLE,
  parseRunArguments,
  PASSWORD_VARIABLE,
  runOptions,
  type ExitCode,
  type RunArguments,
} from './run-arguments.ts';
import {
  filePath,
  folderPath,
  formatChoices,
  formatExitCodes,
  grouped,
  parseUsage,
  repeatableOption,
  UsageError,
  valueOption,
  type ExitCodes,
  type ParsedUsage,
} from './option-parser.ts';
import { exitOnCrash, runCommand, runAsProcess } from './run-command.ts';

export type CheckArguments = RunArguments & {
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

function parseReason(text: string): string | undefined {
  const reason = text.trim();
  return reason.length > 0 && reason.length <= longestReason ? reason : undefined;
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
      { takes: `a reason of 1 to ${longestReason} characters`, parse: parseReason },
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

const about = `Checks the login API of a server: tests its requirements, records unspecified behaviour and finds vulnerabilities, each with evidence. Use it on test servers only: it creates up to ${accountLimits.usual} accounts under example.test (or example.com, if that is rejected), and deletes them if the API type can do that. Tests that were skipped are listed at the end, with the reason and the command that includes them.

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
export const parseCheckArguments = (
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ParsedUsage<CheckArguments>> =>
  parseUsage(
    { name: 'check', takes: 'URL', about, options, examples, after, cases: caseIds },
    args,
    env,
    async (values, { argument: address }) => {
      const { baseline: file, accept, report: reports = [], failOn } = values;
      if (new Set(reports.map((report) => report.file)).size < reports.length)
        throw new UsageError('Two reports cannot be written to the same file.');
      if (file === undefined && accept !== undefined)
        throw new UsageError('The option --accept needs --baseline FILE, into which it writes.');
      if (file === undefined && failOn === 'new')
        throw new UsageError('The option --fail-on new needs --baseline FILE.');
      return {
        ...(await parseRunArguments(values, address, values, env)),
        reports,
        compareWith: values.compare,
        failOn: severitiesThatFail[failOn],
        baseline: file === undefined ? undefined : { file, accept },
        history: values.history,
      };
    },
  );

/**
 * Checks one server, and writes the reports.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export function checkCommand(args: string[], io: CheckIo): Promise<ExitCode> {
  return runCommand(parseCheckArguments(args, io.env), io, async (run) =>
    (await import('./run-check.ts')).check(run, io),
  );
}

/** Checks as this process; a signal ends it with a report of what was done. */
export function runCheck(args: string[], toolVersion: string): Promise<ExitCode> {
  exitOnCrash();
  return runAsProcess((io) => checkCommand(args, { ...io, toolVersion }), { endsSoon: true, endsWithReaders: true });
}
