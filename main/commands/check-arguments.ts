import { AcceptedFault, type Severity } from '../../preload/contract/report.ts';
import { CaseId } from '../../preload/contract/report-cases.ts';
import { reportForms, type ReportForm, accountLimits } from '../../preload/contract/names.ts';
import { maxWrongPasswords } from '../check/test-client.ts';
import type { Baseline } from './check-baseline.ts';
import {
  EMAIL_VARIABLE,
  parseRunArguments,
  runArgumentOptions,
  PASSWORD_VARIABLE,
  type RunArguments,
} from './run-arguments.ts';
import {
  filePathKind,
  folderPathKind,
  flag,
  grouped,
  repeatableOption,
  singleOption,
  oneOf,
  quote,
  parseUsage,
  formatExitCodes,
  defaultedOption,
  UsageError,
  type ExitCodes,
  type ParsedUsage,
} from './option-parser.ts';

export type CheckArguments = RunArguments & {
  reports: readonly { form: ReportForm; file: string }[];
  compareWith: string | undefined;
  /** Findings of these severities fail the run. */
  failOn: readonly Severity[];
  baseline: Baseline | undefined;
  /** The folder of the runs before. */
  history: string | undefined;
};

/** The forms of reports, by the names that the option has for them. */
const forms = new Map(reportForms.map((form) => [form === 'markdown' ? 'md' : form, form]));

function readReport(text: string): CheckArguments['reports'][number] | undefined {
  const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const form = forms.get(name);
  return form && { form, file };
}

/** Which findings fail a run. One that is only a note is no reason to fail. */
const failing = {
  none: [],
  // What is new is all that the baseline does not accept.
  new: ['high', 'medium', 'low'],
  low: ['high', 'medium', 'low'],
  medium: ['high', 'medium'],
  high: ['high'],
} as const satisfies Record<string, readonly Severity[]>;

const options = {
  ...grouped('Output:', {
    report: repeatableOption(
      { text: 'form=file', takes: 'md, html, json or junit with a file, such as junit=report.xml', read: readReport },
      `writes the report to a file, as ${oneOf('form', [...forms.keys()]).takes}; without this option it is printed as Markdown`,
    ),
    compare: singleOption(filePathKind, 'compares with an earlier JSON report and prints only the differences'),
    failOn: defaultedOption(
      oneOf('severity', ['none', 'new', 'low', 'medium', 'high']),
      'high',
      'ends with 1 for findings of at least this severity; with new, for each finding that --baseline does not accept; with none, for failed requirements alone',
    ),
    baseline: singleOption(filePathKind, 'ignores the failed requirements and the findings that this file accepts'),
    accept: singleOption(
      {
        text: 'reason',
        takes: 'a reason of 1 to 1000 characters',
        read: (text) => AcceptedFault.shape.reason.safeParse(text).data,
      },
      'adds every other failed requirement and finding to the baseline, with this reason',
    ),
    history: singleOption(
      folderPathKind,
      'saves the report in reports.sqlite in this folder, and prints what changed since earlier checks',
    ),
  }),
  ...grouped('Scope:', {
    bail: flag('stops at the first failed requirement'),
    races: flag('tests race conditions, with two simultaneous registrations, logins and logouts'),
  }),
  ...runArgumentOptions,
};

const about = `Checks the login API of a server: tests its requirements, records unspecified behaviour and finds vulnerabilities, each with evidence. Use it on test servers only: it creates up to ${accountLimits.usual} accounts under example.test (or example.com, if that is rejected), which Llavero cannot delete. Tests that were skipped are listed at the end, with the reason and the command that includes them.

Where registration is not available, give it an account: an email or user name in ${EMAIL_VARIABLE} or with --email, and a password in ${PASSWORD_VARIABLE} or with --password-stdin. It then creates no accounts unless --variant is given, and sends at most ${maxWrongPasswords} wrong passwords for that account; tests that need more are skipped, or use new accounts with --variant. Use a test account: its other sessions may end, and reports contain its email and profile, but never its password.`;

const examples = [
  ['localhost:8000', 'prints the report'],
  ['https://staging.example.test --report junit=report.xml --fail-on medium', 'for a CI build'],
  ['https://staging.example.test --interface strapi', 'checks a Strapi server'],
] as const;

/** What each exit code means, in the words of the READMEs of the contract run and of the action. */
export const exitCodes: ExitCodes = [
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

const after = `${formatExitCodes(exitCodes)}

What a baseline accepts fails nothing, but a check without a successful login always fails.
Requested reports are written whatever the exit code, unless the usage was invalid. Ctrl-C ends the
check with a report of what was done.`;

/** Reads what follows the command's name, and the account in its environment variables. */
export const parseCheckArguments = (args: string[], env: NodeJS.ProcessEnv = {}): ParsedUsage<CheckArguments> =>
  parseUsage(
    { name: 'check', takes: 'URL', about, options, examples, after, cases: CaseId.options },
    args,
    env,
    (values, { argument: address }) => {
      const { baseline: file, accept, report: reports, failOn } = values;
      const files = reports.map((report) => report.file);
      const twice = files.find((each, index) => files.indexOf(each) !== index);
      if (twice !== undefined) throw new UsageError(`Two reports cannot be written to ${quote(twice)}.`);
      if (file === undefined && accept !== undefined)
        throw new UsageError('The option --accept needs --baseline FILE, into which it writes.');
      if (file === undefined && failOn === 'new')
        throw new UsageError('The option --fail-on new needs --baseline FILE.');
      return {
        ...parseRunArguments(values, address, values, env),
        reports,
        compareWith: values.compare,
        failOn: failing[failOn],
        baseline: file === undefined ? undefined : { file, accept },
        history: values.history,
      };
    },
  );
