import { domainToASCII } from 'node:url';
import { CaseId } from '../../preload/contract/report-cases.ts';
import type { Severity } from '../../preload/contract/report-findings.ts';
import { RunOptions, RunVariant } from '../../preload/contract/report-run.ts';
import { accountLimits } from '../../preload/contract/run-limits.ts';
import { Fingerprint, type HeaderProblem, type ProxySettings } from '../../preload/contract/connection.ts';
import { reportForms, type ReportForm } from '../../preload/contract/report-forms.ts';
import { Language } from '../../preload/contract/models.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import type { HeaderList } from '../client/call.ts';
import { headersProblem, trimmedHeader } from '../client/extra-headers.ts';
import { parseProxyAddress } from '../client/proxy-route.ts';
import { shortestWithinText } from '../secrets/known-secrets.ts';
import { needsRegistration } from '../contract-run/plan.ts';
import {
  DEFAULT_RATE,
  DEFAULT_TIMEOUT_MS,
  EMAIL_VARIABLE,
  LONGEST_PASSWORD,
  PASSWORD_VARIABLE,
  PROXY_PASSWORD_VARIABLE,
} from './check-help.ts';
import { readBaselineOptions, readFailOn, type Baseline } from './check-baseline.ts';
import { read, readAll, readEach, readNumber, readOptions, wrong, type Read, type Usage } from './read-arguments.ts';

/** The options of `check`, as Node's parser wants them. */
export const checkOptions = {
  report: { type: 'string', multiple: true },
  compare: { type: 'string' },
  model: { type: 'string' },
  'fail-on': { type: 'string' },
  baseline: { type: 'string' },
  accept: { type: 'string' },
  history: { type: 'string' },
  only: { type: 'string', multiple: true },
  bail: { type: 'boolean' },
  email: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  variant: { type: 'string' },
  accounts: { type: 'string' },
  'email-domain': { type: 'string' },
  races: { type: 'boolean' },
  throttling: { type: 'boolean' },
  rate: { type: 'string' },
  timeout: { type: 'string' },
  'trust-cert': { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  proxy: { type: 'string' },
  lang: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export type CheckRun = {
  baseUrl: string;
  /** An account that exists. If its password is absent, that is still to be read from standard input. */
  account: { email: string; password?: string | undefined } | undefined;
  run: RunOptions;
  reports: { form: ReportForm; file: string }[];
  compareWith: string | undefined;
  /** The file for a model of the server. */
  model: string | undefined;
  /** Findings of these severities fail the run. */
  failOn: readonly Severity[];
  baseline: Baseline | undefined;
  /** The folder of the runs before. */
  history: string | undefined;
  timeoutMs: number;
  pins: Fingerprint[];
  proxy: ProxySettings;
  /** They go to the base URL, with values that were in environment variables. */
  headers: HeaderList;
  language: Language;
};

type Wanted = { account: CheckRun['account']; only: readonly CaseId[]; throttling: boolean; variant: RunVariant };

/** The forms of reports, by the names that the option has for them. */
const forms = new Map(reportForms.map((form) => [form === 'markdown' ? 'md' : form, form]));

function readReport(text: string): Read<CheckRun['reports'][number]> {
  const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const form = forms.get(name);
  if (form) return read({ form, file });
  return wrong(`The option --report takes a form and a file, such as junit=report.xml, not "${text}".`);
}

function readReports(texts: readonly string[]): Read<CheckRun['reports']> {
  const reports = readEach(texts, readReport);
  if (reports.kind === 'wrong') return reports;
  const files = reports.value.map(({ file }) => file);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  return twice === undefined ? reports : wrong(`Two reports cannot be written to "${twice}".`);
}

function readCase(text: string): Read<CaseId> {
  const id = CaseId.safeParse(text.trim());
  return id.success ? read(id.data) : wrong(`There is no case "${text.trim()}"; --help lists them all.`);
}

/** Reads a fingerprint with or without its colons, in any case. */
function readPin(text: string): Read<Fingerprint> {
  const digits = text.replaceAll(':', '').toUpperCase();
  const pin = Fingerprint.safeParse((digits.match(/../g) ?? []).join(':'));
  if (pin.success && digits.length === 64) return read(pin.data);
  return wrong(`The option --trust-cert takes the SHA-256 fingerprint of a certificate, not "${text}".`);
}

function readProxy(text: string | undefined): Read<ProxySettings> {
  if (text === undefined) return read({ mode: 'none' });
  const address = parseProxyAddress(text);
  // The sentence does not repeat the text, since a password may be in it.
  if (!address.ok) return wrong('The option --proxy takes an address such as http://HOST:PORT or socks5://HOST:PORT.');
  const { proxy, username, password } = address;
  if (password === undefined) return read({ mode: 'manual', proxy, username, noProxy: [] });
  return wrong(
    `The option --proxy takes no password, which others would see: put it into the variable ${PROXY_PASSWORD_VARIABLE}.`,
  );
}

function readEmailDomain(text: string | undefined): Read<string | undefined> {
  if (RunOptions.shape.emailDomain.safeParse(text).success) return read(text);
  const ascii = domainToASCII(text ?? '');
  const isOther = ascii !== text && RunOptions.shape.emailDomain.safeParse(ascii).success;
  return wrong(
    isOther
      ? `The option --email-domain takes a name as mail servers know it: "${text}" is "${ascii}".`
      : `The option --email-domain takes a name such as test.example.org, not "${text}".`,
  );
}

/** Says what is wrong with a header, without its value. */
const headerSentences: Record<HeaderProblem, (name: string) => string> = {
  'name-missing': () => 'The option --header takes NAME=VARIABLE: the name of a header is missing.',
  'name-characters': () => 'The option --header takes a name of letters, digits and hyphens, such as X-Api-Key.',
  'name-long': () => 'The option --header takes a name of at most 100 characters.',
  'name-taken': (name) => `The header "${name}" cannot be added, since Llavero or the connection sets it itself.`,
  'name-twice': (name) => `The header "${name}" is given twice; upper and lower case do not matter.`,
  'value-missing': (name) => `The environment variable for the header "${name}" is not set, or is empty.`,
  'value-characters': (name) =>
    `The value of the header "${name}" has a character that no header can carry, such as a line break or an accent.`,
  'value-long': (name) => `The value of the header "${name}" has more than 8000 characters.`,
  'too-many': () => 'The option --header can be given 20 times.',
};

/** Reads headers whose values are in environment variables, since others see the command line. */
function readHeaders(texts: readonly string[], env: NodeJS.ProcessEnv): Read<HeaderList> {
  const given = texts.map((text) => {
    const at = text.lastIndexOf('=');
    return { name: text.slice(0, Math.max(0, at)), variable: text.slice(at + 1) };
  });
  // The sentence does not repeat the text: a value is in it when somebody took the variable for one.
  if (given.some(({ variable }) => !/^[A-Za-z_]\w{0,199}$/.test(variable))) {
    return wrong('The option --header takes NAME=VARIABLE, the name of an environment variable that holds the value.');
  }
  const headers = given.map(({ name, variable }) => trimmedHeader({ name, value: env[variable] ?? '', isKept: false }));
  const problem = headersProblem(headers);
  if (problem) return wrong(headerSentences[problem.problem](problem.name));
  return read(headers.map(({ name, value }) => [name, value] as const));
}

function readAddress([address, ...others]: readonly string[]): Read<string> {
  if (address === undefined) return wrong('The address of a server is missing: check URL.');
  if (others.length > 0) return wrong(`Only one address can be given; "${others[0]}" is one too many.`);
  const baseUrl = parseBaseUrl(address);
  if (baseUrl.ok) return read(baseUrl.value);
  return wrong(
    baseUrl.problem === 'credentials'
      ? 'The address of a server cannot have a user name or a password in it.'
      : `"${address}" is not the address of a server.`,
  );
}

/** Reads where an email and a password come from: both or neither. */
function readAccount(
  email: string | undefined,
  isFromInput: boolean,
  env: NodeJS.ProcessEnv,
): Read<CheckRun['account']> {
  // Build servers set an empty variable where others set none.
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
  if (wanted === undefined && !hasPassword) return read(undefined);
  if (wanted === undefined) {
    return wrong(`The account has a password and no email: give it with --email or in ${EMAIL_VARIABLE}.`);
  }
  if (!hasPassword) {
    return wrong(`The account has an email and no password: give it in ${PASSWORD_VARIABLE} or with --password-stdin.`);
  }
  // The sentence does not repeat the text: it is a password when somebody mixed up the two.
  if (!/^[^\s@]+@[^\s@]+$/.test(wanted)) return wrong('The email of the account is not an email address.');
  const problem = password === undefined ? undefined : passwordProblem(password);
  return problem === undefined ? read({ email: wanted, password }) : wrong(problem);
}

/** Says in one sentence, without the password, why a run cannot be given it. */
export function passwordProblem(password: string): string | undefined {
  if (password === '') return 'The first line of standard input is empty: it should be the password of the account.';
  if (password.length < shortestWithinText) {
    return `The password of the account has fewer than ${shortestWithinText} characters: it could not be told from ordinary words, to keep it out of reports.`;
  }
  if (password.length <= LONGEST_PASSWORD) return undefined;
  return `The password of the account has more than ${LONGEST_PASSWORD} characters.`;
}

function readVariant(text: string): Read<RunVariant> {
  const variant = RunVariant.safeParse(text);
  if (variant.success) return read(variant.data);
  return wrong(`The option --variant takes registro, register, both or none, not "${text}".`);
}

function readLanguage(text: string): Read<Language> {
  const language = Language.safeParse(text);
  return language.success
    ? read(language.data)
    : wrong(`The option --lang takes ${Language.options.join(' or ')}, not "${text}".`);
}

/** Refuses what cannot be measured where nobody is registered. */
function readRegistration({ account, only, throttling, variant }: Wanted): Read<undefined> {
  if (variant !== 'none') return read(undefined);
  const registering = only.find((id) => needsRegistration(id, account !== undefined));
  const what = registering ? `The case "${registering}"` : throttling ? 'The option --throttling' : undefined;
  if (what === undefined) return read(undefined);
  return wrong(`${what} needs an account of the run's own: say with --variant where to register it.`);
}

/** Reads what follows the command's name, and the account in its environment variables. The first wrong use decides. */
export function readArgs(args: string[], env: NodeJS.ProcessEnv = {}): Usage<CheckRun> {
  const parsed = readOptions({ args, options: checkOptions, allowPositionals: true });
  if (parsed.kind === 'wrong') return parsed;
  const { values, positionals } = parsed.value;
  if (values.help) return { kind: 'help' };

  const account = readAccount(values.email, values['password-stdin'] ?? false, env);
  const isGiven = account.kind === 'read' && account.value !== undefined;
  const all = readAll({
    baseUrl: readAddress(positionals),
    account,
    variant: readVariant(values.variant ?? (isGiven ? 'none' : 'both')),
    language: readLanguage(values.lang ?? 'en'),
    compareWith:
      values.compare === '' ? wrong('The option --compare takes the file of a report in JSON.') : read(values.compare),
    model: values.model === '' ? wrong('The option --model takes a file.') : read(values.model),
    reports: readReports(values.report ?? []),
    only: readEach(
      (values.only ?? []).flatMap((each) => each.split(',')),
      readCase,
    ),
    pins: readEach(values['trust-cert'] ?? [], readPin),
    proxy: readProxy(values.proxy),
    headers: readHeaders(values.header ?? [], env),
    failOn: readFailOn(values['fail-on'] ?? 'none', values.baseline),
    baseline: readBaselineOptions(values.baseline, values.accept),
    history: values.history === '' ? wrong('The option --history takes a folder.') : read(values.history),
    rate: readNumber('rate', values.rate ?? String(DEFAULT_RATE), { least: 0.1, most: 100, decimals: true }),
    accounts: readNumber('accounts', values.accounts ?? String(accountLimits.usual), accountLimits),
    emailDomain: readEmailDomain(values['email-domain']),
    timeoutMs: readNumber('timeout', values.timeout ?? String(DEFAULT_TIMEOUT_MS), {
      least: 100,
      most: 600_000,
      decimals: true,
    }),
  });
  if (all.kind === 'wrong') return all;
  const { variant, only, rate, accounts, emailDomain, ...rest } = all.value;
  const throttling = values.throttling ?? false;
  const registration = readRegistration({ account: rest.account, only, throttling, variant });
  if (registration.kind === 'wrong') return registration;
  const cases = [...new Set(only)];
  const run = {
    callsPerSecond: rate,
    throttling,
    // Whoever names such a case asks for it.
    races: values.races ?? only.some((id) => id.startsWith('races.')),
    variant,
    accounts,
    emailDomain,
    bail: values.bail ?? false,
    only: cases.length > 0 ? cases : undefined,
  };
  return { kind: 'run', run: { ...rest, run } };
}
