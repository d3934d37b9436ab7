/** The operations of the interface. */
export const operations = ['registro', 'register', 'login', 'profile', 'logout'] as const;
export type Operation = (typeof operations)[number];

/** The last parts of their paths in `interface.md`. */
export const operationPaths = {
  registro: 'registro',
  register: 'register',
  login: 'login',
  profile: 'perfil',
  logout: 'salir',
} as const satisfies Record<Operation, string>;

/** The operation of a last part of a path. */
export const operationOfPath = (part: string): Operation | undefined =>
  operations.find((name) => operationPaths[name] === part);

/** The two registration paths of the interface; `register` alone takes `cpassword`. */
export const registrationPaths = ['registro', 'register'] as const satisfies readonly Operation[];

/** The families of servers that our service can answer as, in the order in which people are offered them. */
export const dialectNames = [
  'sanctum',
  'tutorial',
  'error-true',
  'express',
  'nestjs',
  'spring',
  'django',
  'fastapi',
] as const;
export type DialectName = (typeof dialectNames)[number];

/** The ways in which it can be wrong on purpose. Each can be chosen by itself. */
export const defectNames = [
  'token-outlives-logout',
  'password-echoed',
  'unknown-email-by-body',
  'unknown-email-by-time',
  'stack-traces',
  'tokens-guessable',
  'cpassword-ignored',
  'password-hash-in-profile',
] as const;
export type DefectName = (typeof defectNames)[number];

/** The same for the account calls of our service, which are off unless they are switched on. */
export const accountDefectNames = [
  'code-accepted-twice',
  'old-codes-accepted',
  'wrong-codes-unlimited',
  'pending-token-opens-profile',
  'code-not-required',
  'code-of-other-account',
  'recovery-code-reusable',
  'pending-token-reusable',
  'current-password-ignored',
  'sessions-outlive-password',
  'old-password-works',
  'deleted-without-password',
  'token-outlives-account',
  'forgot-tells',
  'resend-tells',
] as const;
export type AccountDefectName = (typeof accountDefectNames)[number];
/** A vulnerability that the built-in server simulates, with or without account calls. */
export type VulnerabilityName = DefectName | AccountDefectName;

/** The rules of a mock about second factors, changed passwords and deleted accounts. */
export const accountRuleNames = [
  'requiresCode',
  'codesUsedOnce',
  'refusesCodesOfOthers',
  'recoveryCodesUsedOnce',
  'codeStepsBefore',
  'wrongCodes',
  'pendingLoginsUsedOnce',
  'pendingLoginSeconds',
  'profileForPendingLogin',
  'passwordReplacesOld',
  'passwordEndsOtherTokens',
  'passwordEndsOwnToken',
  'passwordReplacesToken',
  'deletionEndsTokens',
] as const;
export type AccountRuleName = (typeof accountRuleNames)[number];

/** The kinds of faults, in the order of the help. In an object, a key that is a number would come first. */
export const faultKindNames = ['latency', '500', '429', 'expired', 'reset', 'truncated', 'html', 'drip'] as const;
export type FaultKind = (typeof faultKindNames)[number];

/** The sets of accounts to begin with. */
export const seedNames = ['empty', 'three', 'many', 'awkward'] as const;
export type SeedName = (typeof seedNames)[number];

/** What a client can do wrong, as far as a server can see it, in the order of the report. */
export const clientFaults = [
  'registration-repeated',
  'retry-after-ignored',
  'token-used-after-logout',
  'token-used-after-end',
  'password-in-url',
  'cookies-kept',
  'no-accept',
  'body-on-profile',
] as const;
export type ClientFault = (typeof clientFaults)[number];

/** The registration paths with which a run makes its accounts. */
export const runVariants = [...registrationPaths, 'both', 'none'] as const;

/** The number of accounts that a run may make. A registration may make two, one for each path. */
export const accountLimits = { least: 2, usual: 8, most: 50 } as const;
/**
 * The accounts that the tests of second factors, passwords and deletion may make beside those: one that gets mail, one that
 * is registered again, and one in the place of an account that was deleted too early.
 */
export const moreAccounts = 3;

/** Nobody gets mail at these (RFC 2606, RFC 6761). Some servers refuse the first, since no mail is sent to `.test`. */
export const reservedDomains = ['example.test', 'example.com'] as const;

export const longestEmailDomain = 200;

/** The most characters that say why something is accepted. */
export const longestReason = 1000;

const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
/** A name for the part of an address after the `@`. */
export const emailDomainPattern = new RegExp(`^${label}(?:\\.${label}){1,10}$`, 'i');

/** With `socks5` and `socks4` the proxy resolves host names. */
export const proxySchemes = ['http', 'https', 'socks5', 'socks4'] as const;

/** The forms in which a report is written, in the order of the menu. */
export const reportForms = ['markdown', 'html', 'json', 'junit'] as const;
export type ReportForm = (typeof reportForms)[number];

/** The methods with which an edited request can be sent. */
export const editedMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
/** The longest text of an edited request, in characters. */
export const longestEdited = 65_536;
export const mostEditedHeaders = 100;
