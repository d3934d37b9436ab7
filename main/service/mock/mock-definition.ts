import { z } from 'zod';
import { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { operations } from '../../../preload/contract/names.ts';
import { accountCallNames } from '../../interface/account-calls.ts';
import { withFormerOperations } from '../../../preload/contract/result.ts';
import { AccountRules } from './account-rules.ts';
import { allowedHeaders } from './allowed-headers.ts';
import { CallIds, measuredRule } from './measured-rule.ts';
import { TimePattern } from './time-patterns.ts';

/**
 * The operations of the interface, what renews a session, what gives the cookie against forged requests, the calls about the
 * account, and `other` for every other path.
 */
const MockOperation = withFormerOperations(z.enum([...operations, 'refresh', 'csrf', ...accountCallNames, 'other']));
export type MockOperation = z.infer<typeof MockOperation>;

export const MockField = z.enum(['name', 'email', 'password', 'cpassword']);
export type MockField = z.infer<typeof MockField>;

/** What can be odd about one field of a body. Whether a server minds is a rule. */
export const InputViolation = z.enum([
  'missing',
  'empty',
  'other-type',
  'malformed',
  /** The domain of an email has none. */
  'without-dot',
  'with-spaces',
  'short',
  'common',
  'long',
  'different',
  /** A repeated password where the interface has none. */
  'unasked',
]);
export type InputViolation = z.infer<typeof InputViolation>;

export const FieldViolation = z.strictObject({ field: MockField, oddity: InputViolation });
export type FieldViolation = z.infer<typeof FieldViolation>;

/** What a request comes to, as far as it decides which answer it gets. */
export const Scenario = z.enum([
  'done',
  'invalid',
  'taken',
  /** The user name of a registration is somebody's, and its email nobody's. */
  'username-taken',
  'unknown-email',
  'wrong-password',
  'token-missing',
  'token-missing-without-accept',
  'token-malformed',
  'token-foreign',
  'token-altered',
  'token-unsigned',
  'token-signature-cut',
  'token-claim-changed',
  'token-ended',
  'token-expired',
  'scheme-in-other-case',
  'wrong-method',
  'not-json',
  /** JSON that is a list, a text, a number or nothing. */
  'not-object',
  'too-large',
  'throttled',
  'unknown-path',
  /** A session is to be renewed by what nobody was given, by what was used before, or by nothing. */
  'renewal-unknown',
  'renewal-used',
  'renewal-missing',
  /** The header against forged requests is not there, or another one. */
  'forged-missing',
  'forged-wrong',
  /** A right password of an account with a second factor, or the profile after it. */
  'second-factor-required',
  'wrong-code',
  'missing-code',
  'empty-code',
  /** A code that is no text. */
  'malformed-code',
  /** A code for a pending login that was used, or that nobody began. */
  'pending-login-ended',
  /** The profile is requested with what a pending login gave. */
  'token-pending',
  /** A call that repeats the password comes without it. */
  'missing-password',
  /** The profile is requested with the token of a deleted account, which goes on. */
  'account-deleted',
]);
export type Scenario = z.infer<typeof Scenario>;

/** The most characters of a text, of a part that never changes, of a drawn one and of a name, and the most parts. */
export const mockFileLimits = {
  characters: 65_536,
  segment: 1000,
  drawn: 2048,
  name: 1000,
  segments: 50,
  parts: 200,
  headers: 50,
  beforeJson: 20,
} as const;
const Text = z.string().max(mockFileLimits.characters);

/** A number as JSON writes it (RFC 8259 section 6), of which JavaScript would keep other digits. */
const Digits = z
  .string()
  .max(mockFileLimits.characters)
  .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/);

/** The signs that a run of random characters is made of. */
export const alphabets = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  'hex-capitals': '0123456789ABCDEF',
  'small-letters-and-digits': 'abcdefghijklmnopqrstuvwxyz0123456789',
  'letters-and-digits': 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  /** Base32 as ULIDs have it, and as RFC 4648 does. */
  crockford: '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  'crockford-small': '0123456789abcdefghjkmnpqrstvwxyz',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  'base32-small': 'abcdefghijklmnopqrstuvwxyz234567',
  'small-letters': 'abcdefghijklmnopqrstuvwxyz',
  capitals: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  'capitals-and-digits': 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  base58: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
} as const;
/** The narrower ones come first. */
export const Alphabet = z.enum([
  'digits',
  'hex',
  'hex-capitals',
  'small-letters',
  'capitals',
  'crockford',
  'crockford-small',
  'base32',
  'base32-small',
  'small-letters-and-digits',
  'capitals-and-digits',
  'letters',
  'base58',
  'letters-and-digits',
  'base64url',
  'base64',
]);
export type Alphabet = z.infer<typeof Alphabet>;

/** A part of a made-up text: characters that never change, so many of an alphabet, or a moment. */
const Segment = z.union([
  z.strictObject({ text: z.string().max(mockFileLimits.segment) }),
  z.strictObject({ of: Alphabet, count: z.int().min(1).max(mockFileLimits.drawn) }),
  /** Some digits of a moment: a number of so many digits in the base that its alphabet has signs, as ULIDs begin with. */
  z.strictObject({
    moment: z.enum(['ms', 's']),
    of: Alphabet,
    digits: z.int().min(1).max(20),
    from: z.int().min(0).max(19),
    count: z.int().min(1).max(20),
  }),
]);
export type Segment = z.infer<typeof Segment>;
const Segments = z.array(Segment).min(1).max(mockFileLimits.segments);

/** How a moment is written. A zone is `Z`, an offset, or empty for a time in UTC without any. */
const TimeForm = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('iso'),
    separator: z.enum(['T', ' ']),
    digits: z.int().min(0).max(9),
    zone: z.string().regex(/^(?:Z|[+-]\d\d:?\d\d)?$/),
  }),
  z.strictObject({
    kind: z.literal('epoch'),
    unit: z.enum(['s', 'ms']),
    isText: z.boolean(),
    /** How many digits of a second there are behind the point. */
    digits: z.int().min(1).max(9).optional(),
  }),
  /** As headers have it (RFC 9110 section 5.6.7), and as Flask writes times in bodies. */
  z.strictObject({ kind: z.literal('http') }),
  z.strictObject({ kind: z.literal('pattern'), pattern: TimePattern }),
]);
export type TimeForm = z.infer<typeof TimeForm>;

const IdForm = z.discriminatedUnion('kind', [
  /** Digits are those of numbers that are too long to be counted. */
  z.strictObject({ kind: z.literal('number'), digits: z.int().min(1).max(100).optional() }),
  /** A width is that of numbers with noughts before them. */
  z.strictObject({ kind: z.literal('number-as-text'), width: z.int().min(1).max(30).optional() }),
  z.strictObject({ kind: z.literal('made-up'), segments: Segments }),
]);

/** Whether a text is written in small letters or in capitals, however it was sent. */
const Letters = z.enum(['small', 'capitals']).optional();

/** How an email is written where it is not readable, as in addresses of pages and of pictures of people, or in part. */
export const EmailEncoding = z.enum(['percent', 'base64', 'md5', 'sha256', 'local-part']);
export type EmailEncoding = z.infer<typeof EmailEncoding>;

/** Which moment a time is; `retry` is when a throttled client may try again. */
const TimeSource = z.enum(['now', 'created', 'updated', 'expires', 'retry']);
export type TimeSource = z.infer<typeof TimeSource>;

/** A place of an answer whose value is another one each time. */
export const Placeholder = z.discriminatedUnion('place', [
  z.strictObject({ place: z.literal('token') }),
  /** The number in front of the `|` of the token. */
  z.strictObject({ place: z.literal('token-number'), isText: z.boolean() }),
  z.strictObject({ place: z.literal('lifetime'), unit: z.enum(['s', 'min', 'ms']) }),
  z.strictObject({ place: z.literal('id'), form: IdForm }),
  z.strictObject({ place: z.literal('name'), letters: Letters }),
  z.strictObject({ place: z.literal('first-name') }),
  z.strictObject({ place: z.literal('rest-of-name') }),
  z.strictObject({ place: z.literal('email'), letters: Letters, code: EmailEncoding.optional() }),
  z.strictObject({ place: z.literal('username'), letters: Letters }),
  z.strictObject({ place: z.literal('time'), of: TimeSource, form: TimeForm }),
  /** The value that the request had for a field, of whatever type. */
  z.strictObject({ place: z.literal('sent'), field: MockField }),
  z.strictObject({ place: z.literal('sent-body') }),
  /** It is another one in each answer: an id of the request. */
  z.strictObject({ place: z.literal('random'), segments: Segments }),
  /** The same as a number of so many digits. */
  z.strictObject({ place: z.literal('random-number'), digits: z.int().min(1).max(100) }),
  /** A number that grows with each token. */
  z.strictObject({ place: z.literal('serial') }),
  z.strictObject({ place: z.literal('path') }),
  z.strictObject({ place: z.literal('method') }),
  /** The seconds that a throttled client is asked to wait. */
  z.strictObject({ place: z.literal('wait') }),
  /** An output of a pending login, which the calls with the code send. */
  z.strictObject({ place: z.literal('pending-login'), output: z.string().max(100), segments: Segments }),
  /** The secret of a new second factor in Base32, of so many characters. */
  z.strictObject({ place: z.literal('factor-secret'), count: z.int().min(16).max(256) }),
  /** One of the recovery codes of a new second factor. */
  z.strictObject({ place: z.literal('recovery-code'), index: z.int().min(0).max(99), segments: Segments }),
]);
export type Placeholder = z.infer<typeof Placeholder>;

/** The number in front of the `|` of a token that has one. */
export const tokenNumberOf = (token = ''): string | undefined => /^\d{1,15}(?=\|)/.exec(token)?.[0];

/** What stands in front of JSON: a byte order mark, and the line that keeps it from being run as a script. */
const BeforeJson = z
  .string()
  .max(mockFileLimits.beforeJson)
  .regex(/^\uFEFF*(?:\)\]\}',?\s*\n)?$/);

/** A text with places in it. */
const TextTemplate = z.array(z.union([Text, Placeholder])).max(mockFileLimits.parts);
export type TextTemplate = z.infer<typeof TextTemplate>;

/**
 * The names of fields stand in pairs and never as keys, so that a name such as `__proto__` can do nothing. One that is the
 * id of an account is a text with a place in it.
 */
export type Template =
  | { constant: string | number | boolean | null }
  | { number: string }
  | { value: Placeholder }
  | { text: TextTemplate }
  | { list: Template[] }
  | { fields: [name: string | TextTemplate, template: Template][] };

export const Template: z.ZodType<Template> = z.lazy(() =>
  z.union([
    z.strictObject({ constant: z.union([Text, z.number(), z.boolean(), z.null()]) }),
    z.strictObject({ number: Digits }),
    z.strictObject({ value: Placeholder }),
    z.strictObject({ text: TextTemplate }),
    z.strictObject({ list: z.array(Template).max(2000) }),
    z.strictObject({
      fields: z.array(z.tuple([z.union([z.string().max(mockFileLimits.name), TextTemplate]), Template])).max(2000),
    }),
  ]),
);

const HeaderName = z.enum(allowedHeaders);
export type HeaderName = z.infer<typeof HeaderName>;

export const MockResponse = z.strictObject({
  operation: MockOperation,
  situation: Scenario,
  /** What was wrong with the body, where the situation is `invalid`. */
  problems: z.array(FieldViolation).max(20).optional(),
  /** The path and the method of a call for no operation. */
  path: z.string().max(2000).optional(),
  method: z.string().max(20).optional(),
  status: z.int().min(200).max(599),
  headers: z.array(z.tuple([HeaderName, TextTemplate])).max(mockFileLimits.headers),
  body: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('empty') }),
    z.strictObject({ kind: z.literal('json'), before: BeforeJson.optional(), template: Template }),
    z.strictObject({ kind: z.literal('text'), text: TextTemplate }),
  ]),
  /** The calls of the report that it rests on. */
  calls: CallIds,
});
export type MockResponse = z.infer<typeof MockResponse>;

/** What a model keeps of an answer to a preflight. That one origin and its credentials are let in, a mock says itself. */
export const preflightHeaders = [
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
  'allow',
  'cache-control',
] as const;

/** What a server answered to the question that a browser asks before a page of another origin logs in. */
const Preflight = z.strictObject({
  status: z.int().min(200).max(599),
  /** Whether it lets any page of another origin in. */
  allows: z.boolean(),
  headers: z
    .array(
      z.tuple([
        z.enum(preflightHeaders),
        z
          .string()
          .max(2000)
          .regex(/^[\t\x20-\x7e]*$/),
      ]),
    )
    .max(20),
  /** Whether it allows whatever headers a page wants to send. */
  echoesHeaders: z.boolean(),
  calls: CallIds,
});
export type Preflight = z.infer<typeof Preflight>;

const rule = measuredRule;

const Verdicts = z
  .array(z.strictObject({ field: MockField, oddity: InputViolation, isRefused: z.boolean(), calls: CallIds }))
  .max(100);

const length = z.int().min(0).max(1_000_000);
const Limit = z.strictObject({ most: z.int().min(1).max(1_000_000), windowSeconds: z.int().min(1).max(86_400) });

const MockRules = z.strictObject({
  servesRegistro: rule(z.boolean()),
  servesRegister: rule(z.boolean()),
  /** What each of the bodies must not have. */
  registration: Verdicts,
  registrationAtRegistro: Verdicts,
  login: Verdicts,
  nameMost: rule(length),
  emailMost: rule(length),
  passwordLeast: rule(length),
  passwordMost: rule(length),
  /** After so many bytes a password is cut; 0 for never. */
  passwordCutAt: rule(length),
  /** Whether an email in other letters, or with blanks around it, is the same one. */
  registrationIgnoresCase: rule(z.boolean()),
  registrationTrims: rule(z.boolean()),
  loginIgnoresCase: rule(z.boolean()),
  loginTrims: rule(z.boolean()),
  refusesTakenEmail: rule(z.boolean()),
  /** Where accounts have a user name: whether two may have the same, and whether a log-in by it takes the email, too. */
  refusesTakenUsername: rule(z.boolean()).optional(),
  loginTakesEmail: rule(z.boolean()).optional(),
  /** Whether what a session was renewed by renews it again. */
  renewsAgain: rule(z.boolean()).optional(),
  /** Whether a call that changes something is refused without the header against forged requests. */
  refusesForged: rule(z.boolean()).optional(),
  /** Whether a refusal tells all that is wrong, and else of which field first. */
  tellsAllProblems: rule(z.boolean()),
  fieldOrder: rule(z.array(MockField).max(4)),
  /** Whether an unknown email is answered without the time of a hash. */
  unknownEmailAtOnce: rule(z.boolean()),
  /** Whether each login gives another token, the same one as long as it lives, or one that ends the others. */
  tokensPerAccount: rule(z.enum(['many', 'one', 'newest'])),
  /** Whether two logins in one second give one token. */
  sameTokenInOneSecond: rule(z.boolean()),
  /** With `second-logout`, a token still gets its profile, but cannot be logged out again. */
  logoutEnds: rule(z.enum(['its-token', 'all-tokens', 'second-logout', 'nothing'])),
  /** `null` for tokens that never end. */
  tokenSeconds: rule(z.int().min(1).max(2_000_000_000).nullable()),
  schemeIgnoresCase: rule(z.boolean()),
  bodyMostBytes: rule(z.int().min(1).max(4_194_304)),
  failedLogins: rule(Limit),
  /** These were seen to be allowed; where none was refused, the service's own limit is raised to them. */
  registrations: rule(Limit),
});
export type MockRules = z.infer<typeof MockRules>;
export type { AccountRules };

const TokenForm = z.discriminatedUnion('kind', [
  /** `<id>|<opaque>`, or something opaque alone. A segment may be a place, as of a time or of whom it is for. */
  z.strictObject({
    kind: z.literal('opaque'),
    hasId: z.boolean(),
    segments: z
      .array(z.union([Segment, Placeholder]))
      .min(1)
      .max(mockFileLimits.segments),
    calls: CallIds,
  }),
  z.strictObject({
    kind: z.literal('jwt'),
    algorithm: z.string().max(20),
    header: Template,
    claims: Template,
    calls: CallIds,
  }),
]);
export type TokenForm = z.infer<typeof TokenForm>;

/**
 * What a model notes of itself: `ModelRemark` of the contract, which the service knows nothing of.
 */
const Remarks = z.array(z.looseObject({ kind: z.string().max(50) })).max(500);

/**
 * What was learned of a server, so that the service can answer as it does. It holds no secret: neither a password nor a
 * token, an address or an id of the run.
 */
export const MockDefinition = z.strictObject({
  schema: z.literal('llavero-model'),
  version: z.literal(1),
  toolVersion: z.string().max(50),
  /** Of whom it was learned, and when, in ISO 8601. */
  baseUrl: z.string().max(2000),
  serverName: z.string().max(200).optional(),
  measuredAt: z.iso.datetime(),
  /** The interface that it was learned at, if that is another one than that of `interface.md`. */
  interface: InterfaceDescription.optional(),
  answers: z.array(MockResponse).max(500),
  rules: MockRules,
  /** Absent where no call about the account was tested. */
  accountRules: AccountRules.optional(),
  token: TokenForm,
  /** Absent where it was not asked. */
  preflight: Preflight.optional(),
  /** What was not measured, so that the service's own choice stands there. */
  notMeasured: Remarks,
  /** What could not be told apart, was too long, or is left out on purpose. */
  remarks: Remarks,
});
export type MockDefinition = z.infer<typeof MockDefinition>;

/** Makes the JSON Schema 2020-12 of a model from the types, for those who read models: the build writes it. */
export function modelSchema(): object {
  return {
    ...z.toJSONSchema(MockDefinition, { target: 'draft-2020-12', reused: 'ref' }),
    $id: 'https://llavero.app/schemas/model-1.json',
    title: 'Server model of Llavero, version 1',
  };
}
