import { parseArgs } from 'node:util';
import { CaseId, RunVariant, Severity, type RunOptions } from '../../preload/contract/contract-report.ts';
import { Fingerprint, type ProxySettings } from '../../preload/contract/connection.ts';
import { Language } from '../../preload/contract/models.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { parseProxyAddress } from '../client/proxy-route.ts';
import { shortestWithinText } from '../calls/secret-references.ts';
import { mostWrongPasswords } from './probe.ts';
import { reportForms, type ReportForm } from './reports/write-report.ts';
import { needsRegistration } from './run.ts';

/** Holds the password of a proxy, out of sight of `ps`. */
export const PROXY_PASSWORD_VARIABLE = 'LLAVERO_PROXY_PASSWORD';

const EMAIL_VARIABLE = 'LLAVERO_CHECK_EMAIL';
const PASSWORD_VARIABLE = 'LLAVERO_CHECK_PASSWORD';

/** In characters; whoever pipes a file in by mistake is told so. */
export const LONGEST_PASSWORD = 1000;

const DEFAULT_RATE = 5;
const DEFAULT_TIMEOUT_MS = 30_000;

export const HELP = `Usage: check URL [options]

Points the contract run at a server: what interface.md states is tested, what it leaves open is answered for this
server, and what is unsafe is said in words, each with its evidence. It makes accounts under example.test, at most 8,
which the interface has no way to delete: use it on servers that are there for testing.

Where nobody can register, give it an account: its email in ${EMAIL_VARIABLE} or with --email, its password in
${PASSWORD_VARIABLE} or with --password-stdin. Then nobody is registered unless --variant says where, and at most
${mostWrongPasswords} wrong passwords are sent for the account: what needs more failed logins is not measured, or done at accounts of
its own with --variant. Take an account for tests: its other sessions may end, and reports show its email and its
profile, but never its password.

  --report FORM=FILE     writes the report; FORM is md, html, json or junit; may be given again. Without it the
                         report goes to standard output as Markdown.
  --compare FILE         compares with an earlier report in JSON, and puts only the differences on standard output
  --fail-on SEVERITY     ends with 1 also for findings from low, medium or high; none unless given
  --only CASE,CASE       only these cases and what they need; may be given again
  --bail                 ends at the first stated case that fails
  --email ADDRESS        the email of an account to use
  --password-stdin       reads the password of that account from the first line of standard input
  --variant PATH         registers its accounts at registro, register, both or none; both unless given, and none with
                         an account
  --throttling           tries to meet the limit on failed logins: at most 30, at an account of its own
  --rate N               calls a second at most, from 0.1 to 100, ${DEFAULT_RATE} unless given
  --timeout MS           for each call, from 100 to 600000, ${DEFAULT_TIMEOUT_MS} unless given
  --trust-cert SHA256    trusts exactly the certificate with this fingerprint; may be given again
  --proxy ADDRESS        http://HOST:PORT, https://…, socks5://… or socks4://…; no other proxy is used. A user name may
                         be in it; its password is read from the variable ${PROXY_PASSWORD_VARIABLE}.
  --lang en|es           the language of reports and progress, en unless given
  --help                 this text

Exit codes: 0 passed; 1 a stated case failed, a finding is as severe as --fail-on says, or the run was ended by a
signal; 2 wrong usage; 3 the server cannot be reached, does not answer as the interface describes, or refuses the
account that it was given; 4 a report could not be written, or Llavero itself failed. Ctrl-C ends the run with a report
of what was done.

Cases:
${CaseId.options.map((id) => `  ${id}`).join('\n')}
`;

const options = {
  report: { type: 'string', multiple: true },
  compare: { type: 'string' },
  'fail-on': { type: 'string' },
  only: { type: 'string', multiple: true },
  bail: { type: 'boolean' },
  email: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  variant: { type: 'string' },
  throttling: { type: 'boolean' },
  rate: { type: 'string' },
  timeout: { type: 'string' },
  'trust-cert': { type: 'string', multiple: true },
  proxy: { type: 'string' },
  lang: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export type CheckRun = {
  baseUrl: string;
  /** One that is there; without its password, that is still to be read from standard input. */
  account: { email: string; password?: string } | undefined;
  run: RunOptions;
  reports: { form: ReportForm; file: string }[];
  compareWith: string | undefined;
  /** Findings of these severities fail the run. */
  failOn: readonly Severity[];
  timeoutMs: number;
  pins: Fingerprint[];
  proxy: ProxySettings;
  language: Language;
};

type Wrong = { kind: 'wrong'; sentence: string };
type Usage = { kind: 'run'; run: CheckRun } | { kind: 'help' } | Wrong;

const wrong = (sentence: string): Wrong => ({ kind: 'wrong', sentence });

/** Each part by itself, so that the first wrong one can be named. */
type Part<T> = { kind: 'part'; value: T } | Wrong;
const part = <T>(value: T): Part<T> => ({ kind: 'part', value });

function readNumber(name: string, text: string, least: number, most: number): Part<number> {
  const value = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return part(value);
  return wrong(`The option --${name} takes a number from ${least} to ${most}, not "${text}".`);
}

const isForm = (text: string): text is ReportForm => reportForms.some((form) => form === text);

function readReports(texts: readonly string[]): Part<CheckRun['reports']> {
  const reports: CheckRun['reports'] = [];
  for (const text of texts) {
    const at = text.indexOf('=');
    const form = text.slice(0, at);
    const file = text.slice(at + 1);
    if (at < 0 || !isForm(form) || file === '') {
      return wrong(`The option --report takes a form and a file, such as junit=report.xml, not "${text}".`);
    }
    if (reports.some((report) => report.file === file)) return wrong(`Two reports cannot be written to "${file}".`);
    reports.push({ form, file });
  }
  return part(reports);
}

function readCases(texts: readonly string[]): Part<CaseId[]> {
  const cases: CaseId[] = [];
  for (const text of texts.flatMap((each) => each.split(','))) {
    const read = CaseId.safeParse(text.trim());
    if (!read.success) return wrong(`There is no case "${text.trim()}"; --help lists them all.`);
    if (!cases.includes(read.data)) cases.push(read.data);
  }
  return part(cases);
}

/** With or without its colons, in any case. */
function readPins(texts: readonly string[]): Part<Fingerprint[]> {
  const pins: Fingerprint[] = [];
  for (const text of texts) {
    const digits = text.replaceAll(':', '').toUpperCase();
    const read = Fingerprint.safeParse((digits.match(/../g) ?? []).join(':'));
    if (!read.success || digits.length !== 64) {
      return wrong(`The option --trust-cert takes the SHA-256 fingerprint of a certificate, not "${text}".`);
    }
    pins.push(read.data);
  }
  return part(pins);
}

function readProxy(text: string | undefined): Part<ProxySettings> {
  if (text === undefined) return part({ mode: 'none' });
  const read = parseProxyAddress(text);
  // Never said with the text: a password may be in it.
  if (!read.ok) return wrong('The option --proxy takes an address such as http://HOST:PORT or socks5://HOST:PORT.');
  if (read.password !== undefined) {
    return wrong(
      `The option --proxy takes no password, which others would see: put it into the variable ${PROXY_PASSWORD_VARIABLE}.`,
    );
  }
  const { proxy, username } = read;
  return part({ mode: 'manual', proxy, ...(username !== undefined && { username }), noProxy: [] });
}

/** Where an email and a password come from; both or neither. */
function readAccount(
  email: string | undefined,
  isFromInput: boolean,
  env: NodeJS.ProcessEnv,
): Part<CheckRun['account']> {
  // Build servers know no unset variables.
  const emailHere = env[EMAIL_VARIABLE] || undefined;
  const password = env[PASSWORD_VARIABLE] || undefined;
  if (email !== undefined && emailHere !== undefined) {
    return wrong(`The email of the account is given twice: with --email and in ${EMAIL_VARIABLE}.`);
  }
  if (isFromInput && password !== undefined) {
    return wrong(`The password of the account is given twice: with --password-stdin and in ${PASSWORD_VARIABLE}.`);
  }
  const wanted = email ?? emailHere;
  const hasPassword = isFromInput || password !== undefined;
  if (wanted === undefined && !hasPassword) return part(undefined);
  if (wanted === undefined) {
    return wrong(`The account has a password and no email: give it with --email or in ${EMAIL_VARIABLE}.`);
  }
  if (!hasPassword) {
    return wrong(`The account has an email and no password: give it in ${PASSWORD_VARIABLE} or with --password-stdin.`);
  }
  // Its text is not said: who mixes up the two has a password here.
  if (!/^[^\s@]+@[^\s@]+$/.test(wanted)) return wrong('The email of the account is not an email address.');
  const problem = password === undefined ? undefined : passwordProblem(password);
  return problem === undefined ? part({ email: wanted, ...(password !== undefined && { password }) }) : wrong(problem);
}

/** Why a run cannot be given this password: one sentence without it. */
export function passwordProblem(password: string): string | undefined {
  if (password === '') return 'The first line of standard input is empty: it should be the password of the account.';
  if (password.length < shortestWithinText) {
    return `The password of the account has fewer than ${shortestWithinText} characters: it could not be told from ordinary words, to keep it out of reports.`;
  }
  if (password.length <= LONGEST_PASSWORD) return undefined;
  return `The password of the account has more than ${LONGEST_PASSWORD} characters.`;
}

function readSeverity(text: string): Part<readonly Severity[]> {
  if (text === 'none') return part([]);
  const at = Severity.options.findIndex((severity) => severity === text);
  // Notes are nothing to fail for.
  if (at < 0 || text === 'info') return wrong(`The option --fail-on takes none, low, medium or high, not "${text}".`);
  return part(Severity.options.slice(0, at + 1));
}

/** Reads what follows the command's name, and the account in its env variables; a wrong usage is one sentence. */
export function readArgs(args: string[], env: NodeJS.ProcessEnv = {}): Usage {
  let values;
  let positionals;
  try {
    ({ values, positionals } = parseArgs({ args, options, allowPositionals: true }));
  } catch (error) {
    // Node's texts go on with advice about positional arguments.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/, 1);
    return wrong(sentence.replace(/\.?$/, '.'));
  }
  if (values.help) return { kind: 'help' };

  const [address, ...others] = positionals;
  if (address === undefined) return wrong('The address of a server is missing: check URL.');
  if (others.length > 0) return wrong(`Only one address can be given; "${others[0]}" is one too many.`);
  const baseUrl = parseBaseUrl(address);
  if (!baseUrl.ok) {
    return wrong(
      baseUrl.problem === 'credentials'
        ? 'The address of a server cannot have a user name or a password in it.'
        : `"${address}" is not the address of a server.`,
    );
  }
  const account = readAccount(values.email, values['password-stdin'] ?? false, env);
  if (account.kind === 'wrong') return account;
  const isGiven = account.value !== undefined;
  const variant = RunVariant.safeParse(values.variant ?? (isGiven ? 'none' : 'both'));
  if (!variant.success) {
    return wrong(`The option --variant takes registro, register, both or none, not "${values.variant}".`);
  }
  const language = Language.safeParse(values.lang ?? 'en');
  if (!language.success) return wrong(`The option --lang takes en or es, not "${values.lang}".`);
  if (values.compare === '') return wrong('The option --compare takes the file of a report in JSON.');

  const reports = readReports(values.report ?? []);
  if (reports.kind === 'wrong') return reports;
  const only = readCases(values.only ?? []);
  if (only.kind === 'wrong') return only;
  if (variant.data === 'none') {
    const registering = only.value.find((id) => needsRegistration(id, isGiven));
    const what = registering ? `The case "${registering}"` : values.throttling ? 'The option --throttling' : undefined;
    if (what !== undefined)
      return wrong(`${what} needs an account of the run's own: say with --variant where to register it.`);
  }
  const pins = readPins(values['trust-cert'] ?? []);
  if (pins.kind === 'wrong') return pins;
  const proxy = readProxy(values.proxy);
  if (proxy.kind === 'wrong') return proxy;
  const failOn = readSeverity(values['fail-on'] ?? 'none');
  if (failOn.kind === 'wrong') return failOn;
  const rate = readNumber('rate', values.rate ?? String(DEFAULT_RATE), 0.1, 100);
  if (rate.kind === 'wrong') return rate;
  const timeout = readNumber('timeout', values.timeout ?? String(DEFAULT_TIMEOUT_MS), 100, 600_000);
  if (timeout.kind === 'wrong') return timeout;

  return {
    kind: 'run',
    run: {
      baseUrl: baseUrl.value,
      account: account.value,
      run: {
        callsPerSecond: rate.value,
        throttling: values.throttling ?? false,
        variant: variant.data,
        bail: values.bail ?? false,
        ...(only.value.length > 0 && { only: only.value }),
      },
      reports: reports.value,
      compareWith: values.compare,
      failOn: failOn.value,
      timeoutMs: timeout.value,
      pins: pins.value,
      proxy: proxy.value,
      language: language.data,
    },
  };
}
