import { AcceptedFault, type Severity } from '../../preload/contract/report.ts';
import { CaseId } from '../../preload/contract/report-cases.ts';
import { reportForms, type ReportForm, accountLimits } from '../../preload/contract/names.ts';
import { mostWrongPasswords } from '../contract/probe.ts';
import type { Baseline } from './check-baseline.ts';
import { EMAIL_VARIABLE, measuringOf, measuringOptions, PASSWORD_VARIABLE, type Measuring } from './check-measuring.ts';
import {
  aFile,
  aFolder,
  flag,
  grouped,
  many,
  one,
  oneOf,
  quote,
  readUsage,
  usual,
  WrongUsage,
  type Usage,
} from './options.ts';

export type CheckRun = Measuring & {
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

function readReport(text: string): CheckRun['reports'][number] | undefined {
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
  ...grouped('What comes of it:', {
    report: many(
      { text: 'form=file', takes: 'a form and a file, such as junit=report.xml', read: readReport },
      `writes the report; the form is ${oneOf('form', [...forms.keys()]).takes}. Without it the report goes to standard output as Markdown`,
    ),
    compare: one(aFile, 'compares with an earlier report in JSON, and puts only the differences on standard output'),
    failOn: usual(
      oneOf('severity', ['none', 'new', 'low', 'medium', 'high']),
      'none',
      'ends with 1 also for findings from this severity; with new, for each finding that --baseline does not accept',
    ),
    baseline: one(aFile, 'what this file accepts fails nothing: rules that are broken and findings'),
    accept: one(
      {
        text: 'reason',
        takes: 'a reason of 1 to 1000 characters',
        read: (text) => AcceptedFault.shape.reason.safeParse(text).data,
      },
      'accepts every fault of this run that is not accepted yet, and writes them into that file',
    ),
    history: one(
      aFolder,
      'adds the run to the file reports.sqlite of that folder, and says what the server has changed by meaning since the runs before',
    ),
  }),
  ...grouped('What is measured:', {
    bail: flag('stops at the first broken rule'),
    races: flag('sends calls at once, two at a time: registrations, logins, logouts'),
  }),
  ...measuringOptions,
};

const about = `Runs the contract against a server: what interface.md states is tested, what it leaves open is answered for this server, and what is unsafe is said in words, each with its evidence. It creates accounts under example.test (or example.com, where that is refused), at most ${accountLimits.usual}, which the API cannot delete: use it on servers that are there for testing. At its end it says which cases are missing, why, and which command measures them.

Where nobody can register, give it an account: its email or user name in ${EMAIL_VARIABLE} or with --email, its password in ${PASSWORD_VARIABLE} or with --password-stdin. Then nobody is registered unless --variant says where, and at most ${mostWrongPasswords} wrong passwords are sent for the account: what needs more failed logins is not measured, or done at accounts of its own with --variant. Take an account for tests: its other sessions may end, and reports show its email and its profile, but never its password.`;

const examples = [
  ['localhost:8000', 'says the report on standard output'],
  ['https://staging.example.test --report junit=report.xml --fail-on medium', 'for a build'],
  ['https://staging.example.test --interface strapi', 'at a server of Strapi'],
] as const;

/** What each exit code says, as the READMEs of the contract run and of the action have it too. */
export const exitCodes: readonly (readonly [code: number, says: string])[] = [
  [
    0,
    'Somebody logged in, with an account that was given or registered. Of registration (without a given account), profile and logout, each that the interface has succeeded at least once. No requirement is broken, and no finding counts. With `--only`, this holds of the named cases and what they need.',
  ],
  [
    1,
    'A requirement is broken; nobody could log in; a call or a case that decides could not be tested; a finding counts by `--fail-on`; or a signal ended the run.',
  ],
  [2, 'Wrong usage. Nothing was sent.'],
  [3, 'Nothing there answers in HTTP, or it stopped answering; or the server refused the given account.'],
  [4, 'A report or a model could not be written, or Llavero itself failed.'],
];

/** A row of the table below has so many characters, with its number. */
const widestRow = 94;

const rowOf = ([code, says]: (typeof exitCodes)[number]): string => {
  const lines = says.match(new RegExp(`.{1,${widestRow}}(?: |$)`, 'g')) ?? [];
  return `  ${code}  ${lines.map((line) => line.trimEnd()).join('\n     ')}`;
};

const after = `Exit codes:
${exitCodes.map(rowOf).join('\n')}

What a baseline accepts fails nothing, but a run in which nobody could log in fails in any case.
Every report that was asked for is written whatever the code, unless the usage was wrong. Ctrl-C
ends the run with a report of what was done.`;

/** Reads what follows the command's name, and the account in its environment variables. */
export const readArgs = (args: string[], env: NodeJS.ProcessEnv = {}): Usage<CheckRun> =>
  readUsage(
    { name: 'check', takes: 'URL', about, options, examples, after, cases: CaseId.options },
    args,
    (values, { argument: address }) => {
      const { baseline: file, accept, report: reports, failOn } = values;
      const files = reports.map((report) => report.file);
      const twice = files.find((each, index) => files.indexOf(each) !== index);
      if (twice !== undefined) throw new WrongUsage(`Two reports cannot be written to ${quote(twice)}.`);
      if (file === undefined && accept !== undefined)
        throw new WrongUsage('The option --accept needs --baseline FILE, into which it writes.');
      if (file === undefined && failOn === 'new')
        throw new WrongUsage('The option --fail-on new needs --baseline FILE.');
      return {
        ...measuringOf(values, address, values, env),
        reports,
        compareWith: values.compare,
        failOn: failing[failOn],
        baseline: file === undefined ? undefined : { file, accept },
        history: values.history,
      };
    },
  );
