import { z } from 'zod';
import {
  CertificateDetails,
  ConnectionField,
  ConnectionProblem,
  HeaderProblem,
  InterfaceFault,
  ProxyProblem,
  TlsProblem,
} from './connection.ts';

/** A schema that also accepts the name that a value had in stored calls and reports of earlier builds. */
export const withFormerName = <T extends z.ZodType>(schema: T, former: string, name: string) =>
  z.preprocess((value) => (value === former ? name : value), schema);

/** As {@link withFormerName}, for the names that two operations had: those of their paths. */
export const withFormerOperations = <T extends z.ZodType>(schema: T) =>
  withFormerName(withFormerName(schema, 'perfil', 'profile'), 'salir', 'logout');

/** Why a response could not be read as one of the interface. */
const UnreadableReasonName = z.enum([
  'html',
  /** The sign-in page of a network answered instead of the server. */
  'captive-portal',
  /** A protection in front of the server refused or challenged the request. */
  'protection-page',
  /** The answer leads elsewhere. The next three name redirects within the same host. */
  'redirect',
  'redirect-to-https',
  /** The answer leads to the same path with or without a slash at its end. */
  'redirect-slash',
  'redirect-to-login',
  'too-large',
  /** Parsing it took more memory than the worker thread may have. */
  'resource-limit',
  'not-json',
  /** JSON with a mistake: two values, a zero byte behind it, a comma too many. */
  'broken-json',
  'truncated',
  /** Its content coding is broken or unknown. */
  'undecodable',
]);
const UnreadableReason = withFormerName(UnreadableReasonName, 'too-hard', 'resource-limit');

/** Why a response with a known status has no other kind. */
const UnexpectedReason = withFormerName(
  z.enum([
    /** A login or a profile was answered with 2xx and nothing else. */
    'empty',
    /** A login was answered with 2xx, and no token is in the answer. */
    'no-token',
    /** The server asks for a second step that the interface does not have. */
    'mfa-required',
    /** The server takes no registrations now, or none without an invitation. */
    'registration-closed',
    /** A registration was answered with status 409, and no word of what is there already. */
    'already-there',
    /** The token that was issued a moment ago is refused. */
    'fresh-token-refused',
    /** The server does not know a token that was pasted. */
    'pasted-token-refused',
    /** The server does not serve this path. */
    'operation-missing',
    /** A login was answered with status 404 and no body: the path is missing, or the password is wrong. */
    'login-not-found',
    /** The server took the token, and has no account for it. */
    'account-gone',
    /** The server ends a session only for a refresh token, which the interface does not have. */
    'refresh-token-wanted',
    /** The connection ended in the middle. */
    'connection-lost',
    /** What was to be sent cannot be written as a request, so nothing was sent. */
    'unsendable',
    /** The token of a login has signs that no header can carry, so it could never be sent back. */
    'token-unsendable',
    /** No rule covers this status or body. */
    'other',
  ]),
  'further-step',
  'mfa-required',
);

/** Why what answered could not be read as HTTP/1.1. */
export const HttpProblem = z.enum([
  /** The head is longer than we read. */
  'head-too-long',
  /** It has two lengths, or one beside chunks, so nobody can tell where it ends. */
  'length',
  'line-ends',
  'chunks',
  /** It speaks HTTP/2 alone. */
  'http-2',
  /** It speaks something else. */
  'not-http',
  'other',
]);
export type HttpProblem = z.infer<typeof HttpProblem>;

/** Why a text is no base URL. Each has a sentence of its own beside the field. */
export const AddressProblem = z.enum([
  'empty',
  'not-a-url',
  'scheme-unclear',
  'not-http',
  'credentials',
  'query',
  /** It is a command such as curl's, of which a description can be made. */
  'command',
  'several',
  /** What follows the address may belong to it. */
  'more',
  /** It is above 65535, or no number. */
  'port',
  /** An address of version 6 without brackets, whose end may be a port. */
  'ipv6',
  /** A part that a document leaves open, such as `{tenant}`. */
  'placeholder',
]);
export type AddressProblem = z.infer<typeof AddressProblem>;

/** Why a request cannot be said as a command. */
export const CommandProblem = z.enum(['body-not-kept', 'null-character', 'cut-body', 'not-http']);
export type CommandProblem = z.infer<typeof CommandProblem>;

/** Why a recorded call cannot be replayed, for example since its server is gone. */
export const ReplayProblem = z.enum([
  'no-server',
  'other-address',
  'not-applicable',
  /** The path of an edited request would lead elsewhere, or cannot be written. */
  'unsafe-path',
]);
export type ReplayProblem = z.infer<typeof ReplayProblem>;

/** Why the file of a report or a mock server was refused. */
const ImportProblem = z.enum([
  'unreadable',
  'too-large',
  'not-json',
  'not-a-report',
  'other-version',
  'not-a-model',
  'report-without-model',
  'too-deep',
  /** A name that means something to JavaScript, such as `__proto__`. */
  'forbidden-name',
]);

/** Why a cookie that a server set was not kept (RFC 6265bis); `main/interface/cookies.ts` says what each means. */
export const CookieProblem = z.enum(['not-secure', 'prefix', 'domain', 'path', 'expired', 'too-large', 'too-many']);
export type CookieProblem = z.infer<typeof CookieProblem>;

/** Why a value of an answer cannot stand in the path of a call. */
export const PathValueProblem = z.enum(['missing', 'unsafe']);

/** Why there is no check. */
export const RunProblem = z.enum(['production', 'no-address', 'already-running', 'no-report', 'no-run', 'not-kept']);
export type RunProblem = z.infer<typeof RunProblem>;

/** Why there is no mock server, or none that is newer. */
export const MockProblem = z.enum([
  'production',
  /** What the run saw is not in memory any more, so nothing can be learned of it. */
  'no-run',
  'ended-early',
  'no-login',
  'secret-in-model',
  /** What was learned makes no model that could be read again, such as one that is too large. */
  'no-model',
  /** The server that it was learned of is not in the list any more, or is production now. */
  'no-original',
  /** A mock server is being created or checked again. */
  'already-running',
  /** What was kept of it cannot be read any more. */
  'files-gone',
]);
export type MockProblem = z.infer<typeof MockProblem>;

const serverMessage = z.string().optional();

/** Of a token: the scheme that the server asks for in the place of the one that it was sent by (`JWT`). */
const wants = z.string().max(50).optional();

/** Of a registration: it was written, and no answer that was read says no, so the account may be there. */
const outcomeUnknown = z.literal(true).optional();

/**
 * Every failure that a person can act on, as a value: Electron turns a thrown error into one string
 * (electron/electron#24427). `message` is always the server's own text, untranslated. The screens put the sentence of
 * the `kind` beside it.
 */
export const AppError = z.discriminatedUnion('kind', [
  /** This computer has no network at all. */
  z.object({ kind: z.literal('offline') }),
  /** Nothing accepts connections there. `addresses` has all that were tried, as `ip:port`. */
  z.object({ kind: z.literal('refused'), host: z.string(), addresses: z.array(z.string()) }),
  /** There is a network here, and no way from it to the server. */
  z.object({ kind: z.literal('no-route'), host: z.string(), addresses: z.array(z.string()) }),
  /** This computer itself forbids the connection. `code` is the system's. */
  z.object({
    kind: z.literal('blocked-here'),
    host: z.string(),
    addresses: z.array(z.string()),
    code: z.string(),
  }),
  /** The name does not exist. */
  z.object({ kind: z.literal('dns'), host: z.string() }),
  /** No name server gave an answer, so nothing is known about the name. */
  z.object({ kind: z.literal('name-server'), host: z.string() }),
  /** `code` is OpenSSL's or Node's, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
  z.object({
    kind: z.literal('tls'),
    host: z.string(),
    code: z.string(),
    problem: TlsProblem,
    /** The certificate that the server showed, if it got that far. */
    certificate: CertificateDetails.optional(),
  }),
  /** `proxy` is `host:port`. `status` is what it answered to CONNECT. */
  z.object({
    kind: z.literal('proxy'),
    proxy: z.string(),
    problem: ProxyProblem,
    status: z.number().optional(),
    code: z.string().optional(),
    /** The certificate of the proxy, if that is the one that is not trusted. */
    certificate: CertificateDetails.optional(),
  }),
  /** What is set here for the server's connection cannot be used. `file` is the file that is wrong. */
  z.object({ kind: z.literal('connection-settings'), problem: ConnectionProblem, file: z.string().optional() }),
  z.object({
    kind: z.literal('timeout'),
    phase: z.enum(['connect', 'first-byte', 'total']),
    seconds: z.number(),
    perhapsDone: outcomeUnknown,
  }),
  z.object({ kind: z.literal('cancelled'), perhapsDone: outcomeUnknown }),
  z.object({
    kind: z.literal('not-an-api-answer'),
    status: z.number(),
    reason: UnreadableReason,
    /** The title of the page, the target of the redirect, or the name of the protection and its ID of the request. */
    detail: z.string().optional(),
    perhapsDone: outcomeUnknown,
  }),
  /** What answered breaks HTTP/1.1, or is longer than we read. `code` is that of the parser, such as `HPE_CR_EXPECTED`. */
  z.object({
    kind: z.literal('broken-http'),
    problem: HttpProblem,
    code: z.string(),
    status: z.number().optional(),
    perhapsDone: outcomeUnknown,
  }),
  /** `fields` has texts by the field of the form. `form` has what belongs to no field. */
  z.object({
    kind: z.literal('validation'),
    message: serverMessage,
    fields: z.partialRecord(z.enum(['name', 'username', 'email', 'password', 'cpassword']), z.array(z.string())),
    form: z.array(z.string()),
  }),
  /** `field` is the one that a refused login speaks of, where it speaks of one alone. */
  z.object({
    kind: z.literal('unauthenticated'),
    message: serverMessage,
    wants,
    field: z.enum(['email', 'password']).optional(),
  }),
  /**
   * The account is there, and the server lets nobody in: what was typed may be right. `pending` is for an approval,
   * `change-password` for a new password.
   */
  z.object({
    kind: z.literal('account-held'),
    state: z.enum(['unconfirmed', 'pending', 'change-password', 'locked', 'disabled']),
    message: serverMessage,
  }),
  /** The code of a second factor, which another one may follow. */
  z.object({ kind: z.literal('wrong-code'), message: serverMessage }),
  /** The number is absent if the server gave none. None is made up. */
  z.object({ kind: z.literal('throttled'), message: serverMessage, retryAfterSeconds: z.number().optional() }),
  /** During maintenance a server may say when to come back. */
  z.object({
    kind: z.literal('server-fault'),
    status: z.number(),
    message: serverMessage,
    retryAfterSeconds: z.number().optional(),
    /** What its database has already, if the answer to a registration tells that. */
    duplicate: z.enum(['email', 'name', 'something']).optional(),
    perhapsDone: outcomeUnknown,
  }),
  z.object({
    kind: z.literal('unexpected'),
    reason: UnexpectedReason,
    status: z.number().optional(),
    message: serverMessage,
    /** The system's error code such as `ECONNRESET`, when there is one. */
    code: z.string().optional(),
    wants,
    perhapsDone: outcomeUnknown,
  }),
  z.object({ kind: z.literal('invalid-address'), problem: AddressProblem }),
  /** What was typed into a field of a connection cannot be used. */
  z.object({ kind: z.literal('invalid-connection'), field: ConnectionField }),
  /** `row` is the place of the header among those that were entered, and `name` its name, shortened. */
  z.object({ kind: z.literal('invalid-header'), row: z.int(), problem: HeaderProblem, name: z.string() }),
  /** A description of an interface, or what was entered for its variables, cannot be used. */
  z.object({ kind: z.literal('invalid-interface'), faults: z.array(InterfaceFault) }),
  /** A login was answered with a cookie and no token. `fits` names the descriptions that come with the application and may fit. */
  z.object({ kind: z.literal('session-in-cookie'), fits: z.array(z.string()), message: serverMessage }),
  /** A login set a cookie that the description names and that was not kept, so there is no session. */
  z.object({ kind: z.literal('cookie-not-kept'), name: z.string(), why: CookieProblem }),
  /** The path of a call needs a value that no answer gave, or one that could lead elsewhere. The call was not made. */
  z.object({ kind: z.literal('path-value'), output: z.string(), why: PathValueProblem }),
  /** The host must be typed first, once in a run of the application. */
  z.object({ kind: z.literal('production-not-confirmed'), serverId: z.string(), host: z.string() }),
  /** What was typed is not the host. */
  z.object({ kind: z.literal('wrong-host'), host: z.string() }),
  /** The session belongs to this address, which its server no longer has. Its token is sent nowhere else. */
  z.object({ kind: z.literal('other-address'), baseUrl: z.string() }),
  /** A file was refused as a whole. `detail` is the place in it. */
  z.object({ kind: z.literal('import-refused'), reason: ImportProblem, detail: z.string().optional() }),
  /** A check did not start, and nothing was sent; or there is no report yet, or its check is gone, or nothing can be stored. */
  z.object({ kind: z.literal('run-refused'), problem: RunProblem }),
  /** A request cannot be said as a command of a shell. */
  z.object({ kind: z.literal('not-a-command'), problem: CommandProblem }),
  /** A recorded call cannot be replayed, or not with this change. */
  z.object({ kind: z.literal('not-replayable'), problem: ReplayProblem }),
  /** A file could not be written. `code` is Node's. */
  z.object({ kind: z.literal('file-failed'), code: z.string() }),
  /** The built-in server cannot have this fault, such as an expired token at a login. */
  z.object({ kind: z.literal('invalid-fault') }),
  /** A text is not the origin of a web page: scheme, host and port. */
  z.object({ kind: z.literal('invalid-origin'), origin: z.string() }),
  /** A copy of what the built-in server holds could not be made, brought back or removed. Everything is as it was. */
  z.object({ kind: z.literal('copy-failed'), reason: z.enum(['in-memory', 'no-copy', 'unwritable']) }),
  /** The clock of the built-in server could not be moved there. It stays where it is. */
  z.object({ kind: z.literal('clock-not-moved'), reason: z.enum(['too-far', 'no-token', 'shared']) }),
  /** The database of the built-in server cannot be used now. */
  z.object({
    kind: z.literal('database-unavailable'),
    reason: z.enum(['full', 'read-only', 'locked', 'unreachable', 'failing']),
  }),
  /** Somebody registered the demo person's address with another password. */
  z.object({ kind: z.literal('demo-taken'), email: z.string() }),
  /** An account is not, or no longer, one of a set. Nobody here knows its password. */
  z.object({ kind: z.literal('not-seeded') }),
  /** The built-in server could not start. */
  z.object({ kind: z.literal('built-in-stopped'), message: z.string() }),
  /** No mock server was created, or it stays as it is. */
  z.object({ kind: z.literal('mock-refused'), problem: MockProblem }),
  /** A mock server could not start. */
  z.object({ kind: z.literal('mock-stopped'), message: z.string() }),
  /** The system's secret store does not give the token, so the server could not be asked. */
  z.object({ kind: z.literal('token-unreadable') }),
  /** The system has nothing that would open an address. */
  z.object({ kind: z.literal('no-browser'), address: z.string() }),
  /** The application is locked. */
  z.object({ kind: z.literal('locked') }),
  /** What was typed is not the PIN. With no try left, the sessions are gone. */
  z.object({ kind: z.literal('wrong-pin'), triesLeft: z.int() }),
  /** The person said no to such a question before. It is not asked again until they act in a menu of the system. */
  z.object({ kind: z.literal('not-asked') }),
  /** The person did not agree to this address in main's question, so nothing was sent to it. A press has it asked again. */
  z.object({ kind: z.literal('not-agreed') }),
  /** Something of the same kind is still under way, or there is nothing to act on. */
  z.object({ kind: z.literal('not-now') }),
  /** Something is wrong in Llavero itself. The details are in the log under `id`. */
  z.object({ kind: z.literal('bug'), id: z.string() }),
]);
export type AppError = z.infer<typeof AppError>;

/** What every method of the contract answers. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });
export const fail = (error: AppError): { ok: false; error: AppError } => ({ ok: false, error });
