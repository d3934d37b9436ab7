import { Option } from '@commander-js/extra-typings';
import { domainToASCII } from 'node:url';
import type { Fingerprint, HeaderProblem, ProxySettings } from '../../preload/contract/connection.ts';
import type { Language } from '../../preload/contract/settings.ts';
import type { CaseId } from '../../preload/contract/report-cases.ts';
import type { RunOptions } from '../../preload/contract/report.ts';
import { caseIds } from '../../preload/contract/case-ids.ts';
import { languageNames } from '../../preload/contract/locales/languages.ts';
import { accountLimits, emailDomainPattern, longestEmailDomain, runVariants } from '../../preload/contract/names.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import type { HeaderList } from '../client/call.ts';
import { headersProblem, trimmedHeader } from '../client/extra-headers.ts';
import { parseProxyAddress } from '../client/proxy-route.ts';
import { shortestWithinText } from '../client/secrets/known-secrets.ts';
import { parseTotpSecret } from '../interface/totp.ts';
import {
  acceptGuessesOption,
  interfaceOption,
  namedVariable,
  readInterfaceReference,
  rejectDuplicates,
  variableOption,
  type InterfaceReference,
  type NamedVariable,
} from './interface-arguments.ts';
import { readServerReference, serverOptions, type ServerReference } from './servers-file-arguments.ts';
import {
  filePath,
  grouped,
  numberFrom,
  quoteArgument,
  repeatableOption,
  textType,
  UsageError,
  valueOption,
  type OptionValues,
} from './option-parser.ts';

/** The variable holds the password of a proxy, which `ps` does not show. */
export const PROXY_PASSWORD_VARIABLE = 'LLAVERO_PROXY_PASSWORD';
export const EMAIL_VARIABLE = 'LLAVERO_CHECK_EMAIL';
export const PASSWORD_VARIABLE = 'LLAVERO_CHECK_PASSWORD';

/** In characters. A longer file was piped in by mistake, and is refused. */
export const LONGEST_PASSWORD = 1000;

const refuse = (sentence: string): never => {
  throw new UsageError(sentence);
};

const parseCases = (text: string): CaseId[] =>
  text
    .split(',')
    .map(
      (name) =>
        caseIds.find((id) => id === name.trim()) ??
        refuse('The option --only takes names of tests. Use --list-tests to print all names.'),
    );

/** Parses a fingerprint with or without its colons, in any case. */
function parseFingerprint(text: string): Fingerprint | undefined {
  const digits = text.replaceAll(':', '').toUpperCase();
  return /^[\dA-F]{64}$/.test(digits) ? digits.match(/../g)?.join(':') : undefined;
}

function parseProxy(text: string): ProxySettings | undefined {
  const address = parseProxyAddress(text);
  if (!address.ok) return undefined;
  const { proxy, username, password } = address;
  if (password === undefined) return { mode: 'manual', proxy, username, noProxy: [] };
  return refuse(
    `The option --proxy takes no password, which others could see: set the variable ${PROXY_PASSWORD_VARIABLE}.`,
  );
}

function parseEmailDomain(text: string): string | undefined {
  const isDomain = (name: string): boolean => name.length <= longestEmailDomain && emailDomainPattern.test(name);
  if (isDomain(text)) return text;
  const ascii = domainToASCII(text);
  if (ascii === text || !isDomain(ascii)) return undefined;
  return refuse(`The option --email-domain takes a name as mail servers know it, here "${ascii}".`);
}

/** What `check` and `mock` take for the run. */
export const runOptions = [
  ...grouped('Scope:', [
    repeatableOption('--only <test,test>', 'runs only these tests and what they need', {
      takes: 'tests',
      parse: parseCases,
    }),
    new Option('--throttling', 'tests login rate limiting, with at most 30 failed logins of a new account'),
    valueOption('--rate <n>', 'maximum requests per second, from 0.1 to 100', numberFrom(0.1, 100, true)).default(5),
    valueOption(
      '--timeout <n>',
      'milliseconds until a request times out, from 100 to 600000',
      numberFrom(100, 600_000, true),
    ).default(30_000),
  ]),
  ...grouped('Test accounts:', [
    valueOption(
      '--email <address>',
      'email or user name of an existing account to use',
      textType('an email or a user name'),
    ),
    new Option('--password-stdin', 'reads its password from the first line of standard input'),
    valueOption(
      '--totp-secret <variable>',
      'environment variable with the secret of its authenticator app, in Base32 or as an otpauth: URL',
      textType('the name of an environment variable'),
    ),
    new Option(
      '--variant <path>',
      'registration path for new accounts; both by default, none with an existing account',
    ).choices(runVariants),
    valueOption(
      '--accounts <n>',
      `maximum number of new accounts, from ${accountLimits.least} to ${accountLimits.most}`,
      numberFrom(accountLimits.least, accountLimits.most),
    ).default(accountLimits.usual),
    new Option('--keep-accounts', 'keeps the new accounts; without it they are deleted, if the API type can do that'),
    valueOption(
      '--email-domain <name>',
      'email domain of new accounts; use one you own, since mail may be sent there',
      { takes: 'a name such as test.example.org', parse: parseEmailDomain },
    ),
  ]),
  ...grouped('Connection:', [
    repeatableOption(
      '--header <name=variable>',
      'adds a header to every request, for example for an access gateway; its value is read from the environment variable',
      namedVariable,
    ),
    repeatableOption('--trust-cert <sha256>', 'trusts only the certificate with this fingerprint', {
      takes: 'the SHA-256 fingerprint of a certificate',
      parse: parseFingerprint,
    }),
    valueOption(
      '--proxy <address>',
      `uses this proxy and no other: http://HOST:PORT, https://…, socks5://… or socks4://…, with or without a user name; the password is read from ${PROXY_PASSWORD_VARIABLE}`,
      { takes: 'an address such as http://HOST:PORT or socks5://HOST:PORT', parse: parseProxy },
    ),
  ]),
  ...grouped('API type and servers file:', [interfaceOption, variableOption, acceptGuessesOption, ...serverOptions]),
  ...grouped('Output:', [
    valueOption('--mock-file <file>', 'writes a mock file without secrets, for serve --mock', filePath),
    new Option('--lang <code>', 'language of reports and messages').choices(Object.keys(languageNames)).default('en'),
  ]),
] as const;

/** The exit codes of `check` and `mock`, as their help explains them. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** How a server is checked. */
export type RunArguments = {
  /** As typed where --interface is given, whose paths are cut off once it is loaded. */
  baseUrl: string;
  interface: InterfaceReference | undefined;
  /** Whether account data may be sent where parts of the API type are guesses. */
  acceptGuesses: boolean;
  /** The server in a servers file, instead of the address. */
  serverReference: ServerReference | undefined;
  /** The only origins that requests may be sent to, as `URL.origin` has them; any where none is given. */
  origins: readonly string[];
  typedVariables: { header: readonly NamedVariable[]; var: readonly NamedVariable[] };
  /** The server's name in the servers file. */
  serverName?: string;
  /** An existing account. A password that is absent is read from standard input. */
  account: { email: string; password?: string | undefined } | undefined;
  /** The secret of its second factor, as it was given. */
  totpSecret: string | undefined;
  run: RunOptions;
  timeoutMs: number;
  pins: readonly Fingerprint[];
  proxy: ProxySettings;
  /** Headers of every request below the base URL, with their values. */
  headers: HeaderList;
  language: Language;
  mockFile: string | undefined;
};

/** These never repeat the value of the header. */
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

/** Headers with the values of their environment variables: others see the command line. */
export function readHeaderValues(named: readonly NamedVariable[], env: NodeJS.ProcessEnv): HeaderList {
  const headers = named.map(({ name, variable }) => trimmedHeader({ name, value: env[variable] ?? '', isKept: false }));
  const problem = headersProblem(headers);
  return problem
    ? refuse(headerSentences[problem.problem](problem.name))
    : headers.map(({ name, value }) => [name, value] as const);
}

/** A pasted text may hold a secret: only the sentence about a text whose fault is unknown quotes it, and it is short. */
async function parseAddress(
  text: string | undefined,
  hasDefaultInterface: boolean,
  language: Language,
): Promise<string> {
  const baseUrl = parseBaseUrl(text ?? '', hasDefaultInterface ? undefined : []);
  if (baseUrl.ok) return baseUrl.value;
  const { createReportFormatter } = await import('../../preload/contract/locales/report-formatter.ts');
  const { t } = createReportFormatter(language);
  return refuse(t(`command.address.${baseUrl.problem}`, { address: quoteArgument(text ?? '') }));
}

/** The email and the password of the existing account, from the options or the environment: both or neither. */
function readTestAccount(
  typedEmail: string | undefined,
  isFromInput: boolean,
  env: NodeJS.ProcessEnv,
): RunArguments['account'] {
  // Build servers set an empty variable where others set none.
  const emailVariable = env[EMAIL_VARIABLE] || undefined;
  const password = env[PASSWORD_VARIABLE] || undefined;
  if (typedEmail !== undefined && emailVariable !== undefined)
    refuse(`The email of the account is given twice: with --email and in ${EMAIL_VARIABLE}.`);
  if (isFromInput && password !== undefined)
    refuse(`The password of the account is given twice: with --password-stdin and in ${PASSWORD_VARIABLE}.`);
  const email = typedEmail ?? emailVariable;
  const hasPassword = isFromInput || password !== undefined;
  if (email === undefined) {
    if (!hasPassword) return undefined;
    return refuse(`The account has a password and no email: give it with --email or in ${EMAIL_VARIABLE}.`);
  }
  if (!hasPassword)
    refuse(`The account has an email and no password: give it in ${PASSWORD_VARIABLE} or with --password-stdin.`);
  // The sentence does not repeat the text: it is a password when somebody mixed up the two.
  if (email === password) refuse('The email or user name of the account is its password.');
  if (!/^(?!\s)[^\p{Cc}]{1,254}(?<!\s)$/u.test(email))
    refuse('The email or user name of the account has spaces around it, a line break, or more than 254 characters.');
  const problem = password === undefined ? undefined : passwordProblem(password);
  return problem === undefined ? { email, password } : refuse(problem);
}

/** The secret of the existing account's second factor. No sentence repeats the text, which may be the secret itself. */
function readTotpSecret(
  variable: string | undefined,
  account: RunArguments['account'],
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (variable === undefined) return undefined;
  if (!/^[A-Za-z_]\w{0,99}$/.test(variable))
    return refuse('The option --totp-secret takes the name of an environment variable, and never the secret itself.');
  if (!account) return refuse('The option --totp-secret needs an existing account: give it with --email.');
  const secret = env[variable] || undefined;
  if (secret === undefined) return refuse('The environment variable that --totp-secret names is not set, or is empty.');
  return parseTotpSecret(secret)
    ? secret
    : refuse('The environment variable that --totp-secret names has neither a secret in Base32 nor an otpauth: URL.');
}

/** Why a run cannot use a password, in one sentence without it. */
export function passwordProblem(password: string): string | undefined {
  if (password === '') return 'The first line of standard input is empty: it should be the password of the account.';
  if (password.length < shortestWithinText) {
    return `The password of the account has fewer than ${shortestWithinText} characters: it could not be told apart from ordinary words and kept out of reports.`;
  }
  if (password.length <= LONGEST_PASSWORD) return undefined;
  return `The password of the account has more than ${LONGEST_PASSWORD} characters.`;
}

/** The first test that registers an account, or needs one that does. */
async function findRegistering(only: readonly CaseId[], isGiven: boolean): Promise<CaseId | undefined> {
  if (only.length === 0) return undefined;
  const { needsRegistration } = await import('../check/plan.ts');
  return only.find((id) => needsRegistration(id, isGiven));
}

/** Combines the options with the environment. */
export async function parseRunArguments(
  values: OptionValues<typeof runOptions>,
  address: string | undefined,
  { bail = false, races = false }: { bail?: boolean; races?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<RunArguments> {
  const { header = [], var: variables = [], throttling = false, accounts, emailDomain } = values;
  const serverReference = readServerReference(values, address);
  if (serverReference) rejectDuplicates(variables);
  const reference = serverReference ? undefined : readInterfaceReference(values, env);
  const baseUrl = serverReference ? '' : await parseAddress(address, reference === undefined, values.lang);
  const origins = [...new Set(values.origin)];
  if (!serverReference && origins.length > 0 && !origins.includes(new URL(baseUrl).origin))
    refuse('The address is not at an origin that --origin names.');
  const account = readTestAccount(values.email, values.passwordStdin === true, env);
  const { variant = account ? 'none' : 'both' } = values;
  const only = [...new Set(values.only?.flat())];
  const registering = variant === 'none' ? await findRegistering(only, account !== undefined) : undefined;
  if (registering !== undefined || (variant === 'none' && throttling)) {
    const what = registering === undefined ? 'The option --throttling' : `The test "${registering}"`;
    refuse(`${what} needs a new account: choose its registration path with --variant.`);
  }
  return {
    baseUrl,
    interface: reference,
    acceptGuesses: values.acceptGuesses === true,
    serverReference,
    origins,
    typedVariables: { header, var: variables },
    account,
    totpSecret: readTotpSecret(values.totpSecret, account, env),
    run: {
      callsPerSecond: values.rate,
      throttling,
      // A test of races that is named needs no --races beside it.
      races: races || only.some((id) => id.startsWith('races.')),
      variant,
      accounts,
      emailDomain,
      bail,
      keepAccounts: values.keepAccounts === true,
      only: only.length > 0 ? only : undefined,
    },
    timeoutMs: values.timeout,
    pins: values.trustCert ?? [],
    proxy: values.proxy ?? { mode: 'none' },
    headers: readHeaderValues(header, env),
    language: values.lang,
    mockFile: values.mockFile,
  };
}
