import { z } from 'zod';
import { GuessReason } from './guess-reason.ts';

/**
 * A description of an interface as data: which five calls a server has, and where the parts of their answers are. The
 * terms are those of OpenAPI 3.1 (security scheme, server variable, runtime expression) and Arazzo (outputs).
 */

/** OpenAPI's runtime expression, the part about answers: `$response.body#/data/token`, `$response.header.Name`. */
const Expression = z
  .string()
  .max(300)
  .regex(/^\$response\.(?:body(?:#(?:\/(?:[^~/]|~[01])*)*)?|header\.[!#$%&'*+.^_`|~\w-]+)$/);

/** A name of an output or a variable, as it stands between `{{` and `}}`. */
const Name = z
  .string()
  .max(50)
  .regex(/^[A-Za-z]\w*$/);
const HeaderName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/);
/** Only these signs may stand in the value of a header (RFC 9110, 5.5). */
const HeaderValue = z
  .string()
  .max(2000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/);

/** Where a value is in an answer. It is a secret unless it says otherwise: then it may be shown, and may stand in a path. */
const Output = z.union([Expression, z.strictObject({ value: Expression, secret: z.boolean().default(true) })]);
const Outputs = z.record(Name, Output);

const Encoding = z.enum(['json', 'form']);
const Method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

const Call = z.strictObject({
  method: Method.default('POST'),
  /** It comes after the prefix, begins with `/` or `?`, or is empty. */
  path: z
    .string()
    .max(500)
    .regex(/^(?:[/?][^\s\p{Cc}#\\]*)?$/u),
  /** Values are sent in their own types; `{{name}}` in a text is replaced. */
  body: z.record(z.string().min(1).max(100), z.json()).optional(),
  /** `query` is for a log-in by GET alone: its members go into the query of its address. */
  encoding: z.enum(['json', 'form', 'query']).optional(),
  /** Of this call's answer alone, beside those of the description: an id that the profile tells, a token that it renews. */
  outputs: Outputs.optional(),
});
export type InterfaceCall = z.infer<typeof Call>;

const http = {
  type: z.literal('http'),
  scheme: z
    .string()
    .max(50)
    .regex(/^[!#$%&'*+.^_`|~\w-]+$/),
};
const apiKey = { type: z.literal('apiKey'), in: z.enum(['header', 'cookie']), name: z.string().min(1).max(200) };
const none = z.strictObject({ type: z.literal('none') });

/** Where the credential of a session goes; `none` says that the bodies carry it. */
const SecurityScheme = z.discriminatedUnion('type', [z.strictObject(http), z.strictObject(apiKey), none]);
export type SecurityScheme = z.infer<typeof SecurityScheme>;

/** What goes in the place of a session's token: an output, as `{{refreshToken}}`. A cookie is itself. */
const value = z
  .string()
  .max(60)
  .regex(/^\{\{[A-Za-z]\w*\}\}$/)
  .optional();

/** The same for one call, in the place of that of the session (OpenAPI's security requirement of an operation). */
const OperationSecurity = z.discriminatedUnion('type', [
  z.strictObject({ ...http, value }),
  z.strictObject({ ...apiKey, value }),
  none,
]);
export type OperationSecurity = z.infer<typeof OperationSecurity>;

/** A target of a redirect as the answer has it: a path at the server's own origin, or a whole address. */
const Target = z
  .string()
  .max(500)
  .regex(/^(?:https?:\/\/[^\s\p{Cc}/?#\\@]+)?\/(?!\/)[^\s\p{Cc}#\\]*$/u);

const LoginCall = Call.extend({
  /** The redirects that say yes (success criteria of a step). Any other target is a no, and none is followed. */
  success: z
    .array(z.strictObject({ status: z.int().min(300).max(399), location: Target }))
    .min(1)
    .max(5)
    .optional(),
});

const mostSecurities = 3;

/** A call of a session that may have a credential of its own. */
const HeldCall = Call.extend({
  security: z.union([OperationSecurity, z.array(OperationSecurity).min(1).max(mostSecurities)]).optional(),
});

/** A call about the account itself. `ok` are the statuses besides 2xx that mean success. */
const AccountCall = Call.extend({ ok: z.array(z.int().min(300).max(499)).min(1).max(3).optional() });

const ResponseCriterion = z.strictObject({
  status: z.int().min(200).max(599),
  /** An object matches by its members, and a list if each element matches one of the response. */
  body: z.json().optional(),
  /** A value that the response must have. */
  has: Expression.optional(),
});
export type ResponseCriterion = z.infer<typeof ResponseCriterion>;

/** Ways to get a code: from an authenticator app (RFC 6238), by email or SMS, and from the list of recovery codes. */
export const codeMethods = ['totp', 'email', 'recovery'] as const;
export type CodeMethod = (typeof codeMethods)[number];

/** Sends a code. If its body has `{{password}}`, it is the login again, with the code. */
const CodeCall = AccountCall.extend({
  /** What the body of the response that asks for a code must match for this method to be offered. */
  when: z.json().optional(),
  /** It is sent before, and again for another code: it creates a challenge, or sends a code. */
  start: AccountCall.optional(),
});
export type SecondFactorCall = z.infer<typeof CodeCall>;

const SecondFactor = z
  .strictObject({
    /** The responses to a login, or to the first profile request, that ask for a code. Without it, the login form has a field. */
    when: z
      .array(ResponseCriterion.extend({ call: z.enum(['login', 'profile']).default('login') }))
      .min(1)
      .max(10)
      .optional(),
    /** Of the response that asks for a code. A `token` is sent as that of a session is. */
    outputs: Outputs.default({}),
    /** The cookies of that response, which belong to no session yet. */
    cookies: z.array(z.string().min(1).max(200)).max(5).default([]),
    /** Seconds until a login without a code ends. The `Max-Age` of such a cookie takes precedence. */
    lifetime: z.int().min(1).max(86_400).optional(),
    /** Responses to a wrong code, after which another one may be sent. Any other refusal ends the login. */
    wrongCode: z.array(ResponseCriterion).min(1).max(10).optional(),
    totp: CodeCall.optional(),
    email: CodeCall.optional(),
    recovery: CodeCall.optional(),
  })
  .refine(({ totp, email, recovery }) => totp ?? email ?? recovery);

/** How a second factor is added to an account, for checks and the demo. */
const Enrollment = z.strictObject({
  /** Gives `secret`, in Base32 or as an `otpauth:` URL. Without it the client creates the secret. */
  start: AccountCall.optional(),
  /** Confirms the factor with its first code, after its own `start` if it has one. */
  confirm: CodeCall.omit({ when: true }),
});

const Variable = z.strictObject({
  default: z.string().max(500).optional(),
  description: z.string().max(500).optional(),
  /** Its value rests in the vault, and never in a file. */
  secret: z.boolean().optional(),
});

/** What a file of `*.interface.json` says. Only `name`, `calls.login` and `calls.profile` have to be there. */
export const InterfaceDescription = z.strictObject({
  $schema: z.string().max(500).optional(),
  /** It stands in questions of the system's, where characters without width or of direction could say something else. */
  name: z
    .string()
    .max(100)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u),
  about: z.string().max(2000).optional(),
  /** Between the server's address and the paths of the calls. */
  prefix: z
    .string()
    .max(300)
    .regex(/^(?:\/[^\s\p{Cc}?#\\]*[^\s\p{Cc}?#\\/])?$/u)
    .default(''),
  calls: z.strictObject({
    /** Null or absent says that accounts are made elsewhere. Two stand for two paths, the second with `cpassword`. */
    register: z
      .union([Call, z.tuple([Call]), z.tuple([Call, Call])])
      .nullable()
      .optional(),
    login: LoginCall,
    profile: Call.extend({ method: Method.default('GET') }),
    logout: HeldCall.nullable().optional(),
    refresh: HeldCall.optional(),
    /** `{{password}}` is the current one. */
    changePassword: AccountCall.nullable().optional(),
    forgotPassword: AccountCall.nullable().optional(),
    resendConfirmation: AccountCall.nullable().optional(),
    deleteAccount: AccountCall.nullable().optional(),
  }),
  secondFactor: SecondFactor.optional(),
  enrollment: Enrollment.optional(),
  /** That of all calls which have none of their own. */
  encoding: Encoding.default('json'),
  /** Fixed headers of every call. One whose value is not there yet is left out. */
  headers: z.record(HeaderName, HeaderValue).default({}),
  /** Of several, which do as well, the first that something is held for is sent. */
  security: z
    .union([SecurityScheme, z.array(SecurityScheme).min(1).max(mostSecurities)])
    .default({ type: 'http', scheme: 'Bearer' }),
  /** Where `token`, `refreshToken`, `user`, `message` or any other value is in an answer. */
  outputs: Outputs.default({}),
  /** The value of the cookie goes along in the header of calls that change something; `from` is asked for it first. */
  csrf: z
    .strictObject({
      cookie: z.string().min(1).max(200),
      header: HeaderName,
      from: z
        .string()
        .max(500)
        .regex(/^\/[^\s\p{Cc}#\\]*$/u)
        .optional(),
    })
    .optional(),
  /** How an answer says that there is no session. An object matches by the members that stand here. */
  unauthenticated: z
    .array(z.strictObject({ status: z.int().min(200).max(599), body: z.json().optional() }))
    .min(1)
    .max(10)
    .default([{ status: 401 }]),
  variables: z.record(Name, Variable).default({}),
});
export type InterfaceDescription = z.infer<typeof InterfaceDescription>;

/** A text that is larger is not looked at. */
export const mostImportBytes = 10_000_000;

/** What a pasted text or a file is. */
export const InterfaceFormat = z.enum([
  'curl',
  'httpie',
  'wget',
  'powershell',
  'fetch',
  'axios',
  'python',
  'http',
  'openapi',
  'postman',
  'insomnia',
  'bruno',
  'opencollection',
  'env',
  'har',
]);
export type InterfaceFormat = z.infer<typeof InterfaceFormat>;

const CallName = z.enum(['register', 'login', 'profile', 'logout', 'refresh']);

/** A description of which calls may be missing, since they were not in what was read. */
const InterfaceDraft = InterfaceDescription.extend({ calls: InterfaceDescription.shape.calls.partial() });

/** A part of what was found, and how certain it is. Sure is what the text itself says, and nothing in it speaks against. */
export const FoundPart = z.object({
  /** Its place in the description, or `address`: `calls.login`, `calls.login.body.tenant`, `security`, `outputs.token`. */
  at: z.string(),
  is: z.enum(['sure', 'guess', 'missing']),
  why: GuessReason.optional(),
  detail: z.string().max(300).optional(),
});
export type FoundPart = z.infer<typeof FoundPart>;

/** An address that a text has for its server, with the name of the environment that it is of. */
const FoundAddress = z.object({
  name: z.string().max(100).optional(),
  address: z.string().max(2000),
  /** Whether its name or host says that it is in production. Such an address is never chosen by itself. */
  production: z.boolean(),
});

/**
 * What was read otherwise than it stands in the text, or not at all. `detail` is a name, a line or a file, and never a value:
 * a part that is broken, a file and a command whose text is not there, typographic quotation marks that were read as
 * straight ones, YAML with an error, a part in a format that is not read.
 */
const FoundNote = z.object({
  kind: z.enum(['broken', 'file', 'substitution', 'quotes', 'yaml', 'unread-format']),
  detail: z.string().max(100).optional(),
});

/** What was found in a text. It holds no secret: a value that looks like one is left out, and its place is in `dropped`. */
export const FoundInterface = z.object({
  format: InterfaceFormat,
  /** The origin that the log-in goes to; absent where the text does not say it, or names several and prefers none. */
  address: z.string().max(2000).optional(),
  /** Every address that may be meant, in the order of the text. */
  addresses: z.array(FoundAddress).max(50).default([]),
  draft: InterfaceDraft,
  parts: z.array(FoundPart),
  /** What else each call may be, the likeliest first. `from` is the name it has in the text, or its method and path. */
  others: z.partialRecord(
    CallName,
    z.array(z.object({ call: InterfaceDescription.shape.calls.shape.login, from: z.string() })),
  ),
  /** The calls that a description needs and that nothing was found for. */
  missing: z.array(z.enum(['login', 'profile'])),
  /** The shipped descriptions whose log-in is the same, the nearest first. */
  shipped: z.array(z.string()),
  /** Those that it could be: others have this log-in too, and nothing speaks against it. */
  possible: z.array(z.string()),
  dropped: z.array(z.string()),
  notes: z.array(FoundNote).max(50).optional(),
});
export type FoundInterface = z.infer<typeof FoundInterface>;

/** What comes of looking for the five calls in a text. */
export const ImportResult = z.discriminatedUnion('kind', [
  FoundInterface.extend({ kind: z.literal('found') }),
  z.object({ kind: z.literal('too-large'), mostBytes: z.int() }),
  z.object({ kind: z.literal('unknown-format') }),
  /** A format that is known and not read. */
  z.object({ kind: z.literal('unread-format'), name: z.string().max(50) }),
  /** It took too long or too much memory, or is above the limits of depth and values. */
  z.object({ kind: z.literal('resource-limit') }),
  z.object({
    kind: z.literal('nothing-found'),
    format: InterfaceFormat,
    requests: z.int(),
    notes: z.array(FoundNote).max(50).optional(),
  }),
  /** The command would run another one or read a file, or has no end or no address. */
  z.object({
    kind: z.literal('curl-refused'),
    why: z.enum(['substitution', 'file', 'quote', 'no-address']),
  }),
  z.object({ kind: z.literal('unreadable-file') }),
]);
export type ImportResult = z.infer<typeof ImportResult>;
