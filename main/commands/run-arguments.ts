import { domainToASCII } from 'node:url';
import { Fingerprint, type HeaderProblem, type ProxySettings } from '../../preload/contract/connection.ts';
import { Language } from '../../preload/contract/settings.ts';
import { CaseId } from '../../preload/contract/report-cases.ts';
import { RunOptions, RunVariant } from '../../preload/contract/report.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { accountLimits } from '../../preload/contract/names.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import type { HeaderList } from '../client/call.ts';
import { headersProblem, trimmedHeader } from '../client/extra-headers.ts';
import { parseProxyAddress } from '../client/proxy-route.ts';
import { needsRegistration } from '../check/plan.ts';
import { shortestWithinText } from '../client/secrets/known-secrets.ts';
import {
  readInterfaceReference,
  interfaceOptions,
  namedKind,
  rejectDuplicates,
  type NamedVariable,
  type InterfaceReference,
} from './interface-arguments.ts';
import { readServerReference, serversOptions, type ServerReference } from './servers-file-arguments.ts';
import {
  filePathKind,
  flag,
  grouped,
  repeatableOption,
  numberFrom,
  singleOption,
  oneOf,
  quote,
  quoteArgument,
  defaultedOption,
  UsageError,
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

function readCases(text: string): CaseId[] {
  return text.split(',').map((each) => {
    const id = CaseId.safeParse(each.trim());
    return id.success
      ? id.data
      : refuse(`There is no test ${quote(each.trim())}. Use --list-tests to print all names.`);
  });
}

/** Reads a fingerprint with or without its colons, in any case. */
function readPin(text: string): Fingerprint | undefined {
  const digits = text.replaceAll(':', '').toUpperCase();
  return digits.length === 64 ? Fingerprint.safeParse((digits.match(/../g) ?? []).join(':')).data : undefined;
}

function readProxy(text: string): ProxySettings | undefined {
  const address = parseProxyAddress(text);
  if (!address.ok) return undefined;
  const { proxy, username, password } = address;
  if (password === undefined) return { mode: 'manual', proxy, username, noProxy: [] };
  return refuse(
    `The option --proxy takes no password, which others could see: set the variable ${PROXY_PASSWORD_VARIABLE}.`,
  );
}

function readEmailDomain(text: string): string | undefined {
  const isDomain = (name: string): boolean => RunOptions.shape.emailDomain.safeParse(name).success;
  if (isDomain(text)) return text;
  const ascii = domainToASCII(text);
  if (ascii === text || !isDomain(ascii)) return undefined;
  return refuse(`The option --email-domain takes a name as mail servers know it: ${quote(text)} is "${ascii}".`);
}

const proxyKind = {
  text: 'address',
  takes: 'an address such as http://HOST:PORT or socks5://HOST:PORT',
  read: readProxy,
  isSecret: true,
};

/** What `check` and `mock` are told of a measurement. */
export const runArgumentOptions = {
  ...grouped('Scope:', {
    only: repeatableOption(
      { text: 'test,test', takes: 'tests', read: readCases },
      'runs only these tests and what they need',
    ),
    throttling: flag('tests login rate limiting, with at most 30 failed logins of a new account'),
    rate: defaultedOption(numberFrom(0.1, 100, true), 5, 'maximum requests per second, from 0.1 to 100'),
    timeout: defaultedOption(
      numberFrom(100, 600_000, true),
      30_000,
      'milliseconds until a request times out, from 100 to 600000',
    ),
  }),
  ...grouped('Test accounts:', {
    email: singleOption(
      { ...filePathKind, text: 'address', takes: 'an email or a user name', isSecret: true },
      'email or user name of an existing account to use',
    ),
    passwordStdin: flag('reads its password from the first line of standard input'),
    variant: singleOption(
      oneOf('path', RunVariant.options),
      'registration path for new accounts; both by default, none with an existing account',
    ),
    accounts: defaultedOption(
      numberFrom(accountLimits.least, accountLimits.most),
      accountLimits.usual,
      `maximum number of new accounts, from ${accountLimits.least} to ${accountLimits.most}`,
    ),
    emailDomain: singleOption(
      { text: 'name', takes: 'a name such as test.example.org', read: readEmailDomain },
      'email domain of new accounts; use one you own, since mail may be sent there',
    ),
  }),
  ...grouped('Connection:', {
    header: repeatableOption(
      namedKind,
      'adds a header to every request, for example for an access gateway; its value is read from the environment variable',
    ),
    trustCert: repeatableOption(
      { text: 'sha256', takes: 'the SHA-256 fingerprint of a certificate', read: readPin },
      'trusts only the certificate with this fingerprint',
    ),
    proxy: singleOption(
      proxyKind,
      `uses this proxy and no other: http://HOST:PORT, https://…, socks5://… or socks4://…, with or without a user name; the password is read from ${PROXY_PASSWORD_VARIABLE}`,
    ),
  }),
  ...grouped('API type and servers file:', { ...interfaceOptions, ...serversOptions }),
  ...grouped('Output:', {
    mockFile: singleOption(filePathKind, 'writes a mock file without secrets, for serve --mock'),
    lang: defaultedOption(oneOf('code', Language.options), 'en', 'language of reports and messages'),
  }),
};

/** How a server is to be measured. */
export type RunArguments = {
  /** Of one at another interface, what is pasted along with the address is still to be cut off. */
  baseUrl: string;
  interface: InterfaceReference | undefined;
  /** Whether accounts may be sent by what is a guess. */
  acceptGuesses: boolean;
  /** The server of a file that takes the place of the address, with what was typed for its values. */
  serverReference: ServerReference | undefined;
  /** The only origins that anything may be sent to, as `URL.origin` has them; none where the line names none. */
  origins: readonly string[];
  typedVariables: { header: readonly NamedVariable[]; var: readonly NamedVariable[] };
  /** What a file calls the server. */
  serverName?: string;
  /** An account that exists. If its password is absent, that is still to be read from standard input. */
  account: { email: string; password?: string | undefined } | undefined;
  run: RunOptions;
  timeoutMs: number;
  pins: readonly Fingerprint[];
  proxy: ProxySettings;
  /** They go to the base URL, with values that were in environment variables. */
  headers: HeaderList;
  language: Language;
  /** The file for a model of the server. */
  mockFile: string | undefined;
};

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

/** Returns headers with their values, which are in environment variables since others see the command line. */
export function readHeaderValues(given: readonly NamedVariable[], env: NodeJS.ProcessEnv): HeaderList {
  const headers = given.map(({ name, variable }) => trimmedHeader({ name, value: env[variable] ?? '', isKept: false }));
  const problem = headersProblem(headers);
  return problem
    ? refuse(headerSentences[problem.problem](problem.name))
    : headers.map(({ name, value }) => [name, value] as const);
}

/** What is pasted may hold a secret, so only short sentences without a known cause quote it. */
function addressOf(text: string | undefined, hasOwnInterface: boolean, language: Language): string {
  const baseUrl = parseBaseUrl(text ?? '', hasOwnInterface ? undefined : []);
  if (baseUrl.ok) return baseUrl.value;
  const { t } = createReportFormatter(language);
  return refuse(t(`command.address.${baseUrl.problem}`, { address: quoteArgument(text ?? '') }));
}

/** Returns where an email and a password come from: both or neither. */
function accountOf(email: string | undefined, isFromInput: boolean, env: NodeJS.ProcessEnv): RunArguments['account'] {
  // Build servers set an empty variable where others set none.
  const emailHere = env[EMAIL_VARIABLE] || undefined;
  const password = env[PASSWORD_VARIABLE] || undefined;
  if (email !== undefined && emailHere !== undefined)
    refuse(`The email of the account is given twice: with --email and in ${EMAIL_VARIABLE}.`);
  if (isFromInput && password !== undefined)
    refuse(`The password of the account is given twice: with --password-stdin and in ${PASSWORD_VARIABLE}.`);
  const wanted = email ?? emailHere;
  const hasPassword = isFromInput || password !== undefined;
  if (wanted === undefined) {
    if (!hasPassword) return undefined;
    return refuse(`The account has a password and no email: give it with --email or in ${EMAIL_VARIABLE}.`);
  }
  if (!hasPassword)
    refuse(`The account has an email and no password: give it in ${PASSWORD_VARIABLE} or with --password-stdin.`);
  // The sentence does not repeat the text: it is a password when somebody mixed up the two.
  if (wanted === password) refuse('The email or user name of the account is its password.');
  if (!/^(?!\s)[^\p{Cc}]{1,254}(?<!\s)$/u.test(wanted))
    refuse('The email or user name of the account has spaces around it, a line break, or more than 254 characters.');
  const problem = password === undefined ? undefined : passwordProblem(password);
  return problem === undefined ? { email: wanted, password } : refuse(problem);
}

/** Says in one sentence, without the password, why a run cannot be given it. */
export function passwordProblem(password: string): string | undefined {
  if (password === '') return 'The first line of standard input is empty: it should be the password of the account.';
  if (password.length < shortestWithinText) {
    return `The password of the account has fewer than ${shortestWithinText} characters: it could not be told apart from ordinary words and kept out of reports.`;
  }
  if (password.length <= LONGEST_PASSWORD) return undefined;
  return `The password of the account has more than ${LONGEST_PASSWORD} characters.`;
}

/** Makes a measurement of what was typed and of what the environment holds. */
export function parseRunArguments(
  values: OptionValues<typeof runArgumentOptions>,
  address: string | undefined,
  { bail, races }: { bail: boolean; races: boolean },
  env: NodeJS.ProcessEnv,
): RunArguments {
  const serverReference = readServerReference(values, address);
  if (serverReference) rejectDuplicates(values.var);
  const wanted = serverReference ? undefined : readInterfaceReference(values, env);
  const baseUrl = serverReference ? '' : addressOf(address, wanted === undefined, values.lang);
  const origins = [...new Set(values.origin)];
  if (!serverReference && origins.length > 0 && !origins.includes(new URL(baseUrl).origin))
    refuse(`The address ${quote(baseUrl)} is not at the origin that --origin names: ${origins.join(', ')}.`);
  const account = accountOf(values.email, values.passwordStdin, env);
  const { variant = account ? 'none' : 'both', throttling, accounts, emailDomain } = values;
  const only = [...new Set(values.only.flat())];
  // What cannot be measured where nobody is registered.
  const registering = variant === 'none' ? only.find((id) => needsRegistration(id, account !== undefined)) : undefined;
  if (registering !== undefined || (variant === 'none' && throttling)) {
    const what = registering === undefined ? 'The option --throttling' : `The test "${registering}"`;
    refuse(`${what} needs a new account: choose its registration path with --variant.`);
  }
  return {
    baseUrl,
    interface: wanted,
    acceptGuesses: values.acceptGuesses,
    serverReference,
    origins,
    typedVariables: { header: values.header, var: values.var },
    account,
    run: {
      callsPerSecond: values.rate,
      throttling,
      // To name such a case is to ask for it.
      races: races || only.some((id) => id.startsWith('races.')),
      variant,
      accounts,
      emailDomain,
      bail,
      only: only.length > 0 ? only : undefined,
    },
    timeoutMs: values.timeout,
    pins: values.trustCert,
    proxy: values.proxy ?? { mode: 'none' },
    headers: readHeaderValues(values.header, env),
    language: values.lang,
    mockFile: values.mockFile,
  };
}
