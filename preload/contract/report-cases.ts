import { z } from 'zod';
import { RedactedText } from './calls.ts';
import { caseIds } from './case-ids.ts';
import { AppError, withFormerOperations } from './result.ts';

/**
 * What a case asks. The words for it are in the locales, under this name. An answer with a `subject` answers
 * the question for that field, operation or variant alone.
 */
export const Question = z.enum([
  /** A choice of `both`, `registro`, `register` and `neither`. */
  'paths-served',
  /** The status of the success, by operation. */
  'success-status',
  /** The names and types of the fields of the success, by operation. */
  'success-fields',
  /** A flag. */
  'token-at-registration',
  /** How the server replied to what it was sent, as in the next ones. A path as the subject has one for each path. */
  'registration-sent',
  /** The refusal of an address under the first reserved name, where the second was accepted. */
  'address-refused',
  /** A refusal that may be due to a value that the run chose, and to no fault of the server. */
  'refused-for-our-value',
  'login-sent',
  'profile-sent',
  'logout-sent',
  'cpassword-equal',
  'cpassword-different',
  'cpassword-missing',
  'email-again',
  'email-in-other-case',
  'email-with-spaces',
  /** Where an account has a user name: that again beside another email, and the email again beside another one. */
  'username-again',
  'email-with-other-username',
  'password-of-1',
  'password-of-7',
  'password-common',
  'password-of-80',
  /** A login with the first 72 bytes of a password of 80. */
  'password-cut-at-72',
  'field-missing',
  'field-empty',
  'field-of-other-type',
  'field-too-long',
  /** Replies to the call for the cookie against forged requests, and to calls without its header or with a wrong one. */
  'csrf-cookie',
  'csrf-header-missing',
  'csrf-header-wrong',
  'email-malformed',
  'email-without-dot',
  'login-with-other-case',
  'login-with-spaces',
  /** The email in the place of the user name. */
  'login-with-email',
  'wrong-password',
  'unknown-email',
  /** A flag. */
  'told-apart-by-answer',
  /** Times. */
  'told-apart-by-time',
  /** The place as a text, such as `body.data.access_token`; never a value. */
  'token-place',
  /** A choice of `id-and-opaque`, `jwt` and `other`. */
  'token-form',
  /** A flag for each. */
  'two-logins-two-tokens',
  'first-token-after-second-login',
  /** Seconds, the choice `never-ends`, or none. */
  'token-lifetime',
  /** A list, or none. */
  'token-scopes',
  /** What a JSON Web Token says of itself: a text, a list, and two dates or none. */
  'token-algorithm',
  'token-claims',
  'token-issued',
  'token-ends',
  /** Bits, or the choice `signature-only`. */
  'token-randomness',
  /** A flag, or none where no two logins came within one second. */
  'same-token-in-one-second',
  /** Replies, by operation. */
  'token-missing',
  'token-malformed',
  'token-foreign',
  /** Replies to renewing a session: with nonsense, with nothing, as it should be, and with the same once more. */
  'renewal-with-nonsense',
  'renewal-without-token',
  'renewal-sent',
  'renewal-again',
  /** Replies to a token that was changed. The last one is for a token that is no JSON Web Token. */
  'token-signature-cut',
  'token-signature-altered',
  'token-other-key',
  'token-alg-none',
  'token-claim-changed',
  'token-character-changed',
  /** A reply. The word that was sent is `written`. */
  'scheme-in-lower-case',
  /** A choice of `own`, `another` and `unclear`. */
  'profile-whose',
  /** Replies. */
  'profile-after-logout',
  'other-token-after-logout',
  'logout-again',
  /** The place of the message in a refusal, as a text. */
  'message-place',
  /** The place of the errors by field, as a text, or the choice `in-words`. */
  'field-errors-place',
  /** Replies, by operation. */
  'body-not-json',
  'body-no-object',
  'without-accept',
  'wrong-method',
  'unknown-path',
  'unknown-version',
  /** A flag for each: whether it was seen in any answer of the run. */
  'stack-trace-seen',
  'debug-page-seen',
  'sent-password-seen',
  'password-hash-seen',
  'rate-headers-seen',
  'deprecation-seen',
  'events-seen',
  /** Headers. */
  'headers-sent',
  /** A choice of `none`, `any-origin`, `echoes-origin` and `other-origin`. */
  'cors',
  /** A choice of `plain-http` and `https`. */
  'encryption',
  /** A text, such as `TLSv1.3`. */
  'tls-version',
  /** A date. */
  'certificate-ends',
  /** Bytes. */
  'largest-body-accepted',
  'smallest-body-refused',
  /** A count, and seconds or none. */
  'failures-before-throttling',
  'throttling-wait',
  /** Replies to two calls at once. */
  'raced-one',
  'raced-other',
  /** Counts: the registrations that were accepted, the passwords that log in, the tokens that work. */
  'raced-registrations-accepted',
  'raced-passwords-that-work',
  'raced-tokens-that-work',
  /** A list of paths. */
  'other-paths',
  /** A flag for each. */
  'login-right-after-registration',
  /** Replies to a login without a code, to the right code, and to what is no code. */
  'login-without-code',
  'code-sent',
  'code-missing',
  'code-empty',
  'code-null',
  'code-list',
  'code-number',
  /** Seconds by which the clock of the server is ahead. */
  'server-clock-difference',
  /** A reply of the profile to what a login without a code gave. */
  'profile-with-pending-login',
  'code-again',
  'pending-login-again',
  'code-of-another',
  /** A count of time steps. */
  'old-code-steps',
  'recovery-code-sent',
  'recovery-code-again',
  /** A flag. */
  'wrong-password-told-apart',
  /** A count. */
  'codes-before-throttling',
  'password-change-sent',
  'login-with-new-password',
  'login-with-old-password',
  'current-password-wrong',
  'current-password-missing',
  'other-token-after-password',
  'own-token-after-password',
  /** A flag. */
  'token-replaced-after-password',
  'deletion-without-password',
  'deletion-with-wrong-password',
  'deletion-sent',
  'profile-after-deletion',
  'other-token-after-deletion',
  'login-after-deletion',
  'registration-after-deletion',
  /** Replies to the request for a forgotten password, or for the confirmation of an email. */
  'known-email-sent',
  'unknown-email-sent',
]);
export type Question = z.infer<typeof Question>;

/** `stated`: a requirement of `interface.md`. `observed`: behaviour that it leaves open. */
const CaseKind = z.enum(['stated', 'observed']);
type CaseKind = z.infer<typeof CaseKind>;

export const CaseId = z.enum(caseIds);
export type CaseId = z.infer<typeof CaseId>;

export const SubjectName = z.enum([
  'name',
  'email',
  'password',
  'cpassword',
  'registro',
  'register',
  'login',
  'profile',
  'logout',
  'other',
]);
export const Subject = withFormerOperations(SubjectName);
export type Subject = z.infer<typeof SubjectName>;

/** How a server handled a request. */
export const Handling = z.enum([
  'accepted',
  'refused',
  'throttled',
  /** A status from 500 on, or a response that is not from an API. */
  'fault',
  /** HTML with a status below 500. */
  'page',
]);
export type Handling = z.infer<typeof Handling>;

export const Choice = z.enum([
  'both',
  'registro',
  'register',
  'neither',
  'id-and-opaque',
  'jwt',
  'other',
  'own',
  'another',
  'unclear',
  'none',
  'any-origin',
  'echoes-origin',
  'other-origin',
  'plain-http',
  'https',
  'never-ends',
  'signature-only',
  'in-words',
]);
export type Choice = z.infer<typeof Choice>;

const bounded = z.string().max(500);

/** A field of a response: its path, its type, and whether its name or value is a secret. */
export const ObservedField = z.object({
  path: bounded,
  type: z.enum(['string', 'number', 'boolean', 'null', 'list', 'object']),
  secret: z.boolean(),
});
export type ObservedField = z.infer<typeof ObservedField>;

/** Response times of logins with a wrong password, for known and unknown emails. */
export const TimeComparison = z.object({
  /** The number of samples of each kind. */
  samples: z.int(),
  knownMedianMs: z.number(),
  unknownMedianMs: z.number(),
  /** The probability by the two-sided Mann–Whitney U test. */
  pValue: z.number(),
  /** The rank-biserial correlation from −1 to 1. 0 is no difference; at −1 each unknown email was faster. */
  effect: z.number(),
});
export type TimeComparison = z.infer<typeof TimeComparison>;

/** Why there is no value although the server responded. */
const NoneWhy = z.enum([
  /** None of the tried values. */
  'none-tried',
  /** None of the refusals had one. */
  'none-in-refusals',
  /** There was only one token. */
  'no-second-token',
  /** No two logins were in the same second. */
  'no-two-at-once',
  /** The path is not served. */
  'not-served',
  /** The server did not throttle any of the requests. */
  'not-throttled',
  /** The server limited none of the wrong codes. */
  'no-code-limit',
  /** Not tested, since the check may create no more accounts. */
  'account-limit',
  /** Not tested, since an earlier accepted value implies it. */
  'implied',
  /** It crashed the server, and was not sent again. */
  'ends-server',
  /** A form has no types. */
  'no-types',
]);

/** A typed value, which each language formats. Its texts come from the server and are untrusted. */
export const ObservedValue = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: z.int() }),
  z.object({ kind: z.literal('flag'), yes: z.boolean() }),
  z.object({ kind: z.literal('choice'), choice: Choice }),
  z.object({ kind: z.literal('count'), count: z.int() }),
  z.object({ kind: z.literal('seconds'), seconds: z.number() }),
  z.object({ kind: z.literal('bytes'), bytes: z.int() }),
  /** An estimate: at least `bits`, or about `bits` where `atLeast` is false. */
  z.object({ kind: z.literal('bits'), bits: z.number(), atLeast: z.boolean() }),
  /** In ISO 8601. */
  z.object({ kind: z.literal('date'), date: z.string() }),
  z.object({ kind: z.literal('text'), text: RedactedText }),
  z.object({ kind: z.literal('list'), items: z.array(bounded) }),
  z.object({ kind: z.literal('fields'), fields: z.array(ObservedField) }),
  z.object({ kind: z.literal('headers'), headers: z.array(z.tuple([z.string(), RedactedText])) }),
  z.object({
    kind: z.literal('reply'),
    handling: Handling,
    status: z.int(),
    /** The server's message. */
    message: RedactedText.optional(),
    /** The fields that the server rejected, by its own names. */
    fields: z.array(bounded).optional(),
  }),
  /** A response that cannot be parsed, or none. */
  z.object({ kind: z.literal('unread'), error: AppError }),
  z.object({ kind: z.literal('times'), ...TimeComparison.shape }),
  /** The server does not state it, or `why` there was nothing. `count` is the number of samples. */
  z.object({ kind: z.literal('none'), why: NoneWhy.optional(), count: z.int().optional() }),
]);
export type ObservedValue = z.infer<typeof ObservedValue>;

export const CaseAnswer = z.object({
  question: Question,
  subject: Subject.optional(),
  value: ObservedValue,
  /** The sent value, if the question does not imply it. */
  written: bounded.optional(),
});
export type CaseAnswer = z.infer<typeof CaseAnswer>;

/** Why a case has no outcome, which is no failure of the server. */
export const NotMeasured = z.discriminatedUnion('kind', [
  /** A case that this one depends on has no result. */
  z.object({ kind: z.literal('needs'), caseId: CaseId }),
  /** The server required a longer wait than the check allows, or throttled again after the wait. */
  z.object({
    kind: z.literal('throttled'),
    retryAfterSeconds: z.number().optional(),
    /** The rate limit, as far as the server stated it. */
    limit: z.number().optional(),
    windowSeconds: z.number().optional(),
    /** The wait before it was throttled again. */
    waitedSeconds: z.number().optional(),
  }),
  /** There was no complete response. */
  z.object({ kind: z.literal('no-answer'), error: AppError }),
  /** The response is not from an API, or a server error. */
  z.object({ kind: z.literal('unreadable'), error: AppError }),
  /** A status that the server may return for any request, whether or not it has the endpoint. */
  z.object({ kind: z.literal('says-nothing'), status: z.int() }),
  /** The request crashed the server, and is not sent again. */
  z.object({ kind: z.literal('ends-server') }),
  /** Two equal requests got different responses. */
  z.object({ kind: z.literal('unstable') }),
  /** The response times of equal requests vary too much to compare those of different ones. */
  z.object({ kind: z.literal('noisy'), spreadMs: z.number(), differenceMs: z.number() }),
  /** It could have created more accounts than the check may. */
  z.object({ kind: z.literal('account-limit') }),
  z.object({ kind: z.literal('call-limit') }),
  /** Off by default: throttling, races, or a registration path. */
  z.object({ kind: z.literal('not-asked') }),
  /** The API type does not have what the case tests. */
  z.object({ kind: z.literal('not-described') }),
  /** The API sends forms, which have no types. */
  z.object({ kind: z.literal('no-types') }),
  /** It could lock or change the given account, and the check may not create another. */
  z.object({ kind: z.literal('spares-account') }),
  /** It needs a second account, and the API has no registration. */
  z.object({ kind: z.literal('no-second-account') }),
  /** No account has a second factor: the given one has no `--totp-secret`, and none can be enrolled. */
  z.object({ kind: z.literal('no-second-factor') }),
  /** The server has no such call, as where a part of it is off: a description may have more than a server. */
  z.object({ kind: z.literal('not-served'), status: z.int() }),
  /** The server did not add a second factor to an account of the check. */
  z.object({ kind: z.literal('enrollment-refused'), status: z.int() }),
  /** The server accepts no email under `.invalid`, and mail must not reach anybody. */
  z.object({ kind: z.literal('address-refused'), status: z.int() }),
  /** The server was restarted during the check, and lost its accounts. */
  z.object({ kind: z.literal('restarted') }),
  /** The server rejected the given account, with its message. */
  z.object({ kind: z.literal('account-refused'), status: z.int(), message: RedactedText.optional() }),
  /** A new account must be confirmed before a login. */
  z.object({ kind: z.literal('account-held') }),
  /** The check ended before it. */
  z.object({ kind: z.literal('run-ended') }),
  /** A bug of Llavero; the check went on with the next case. */
  z.object({ kind: z.literal('bug'), message: z.string() }),
]);
export type NotMeasured = z.infer<typeof NotMeasured>;

const aboutCase = {
  id: CaseId,
  /** The section and the lines of `interface.md` that it rests on, from 1; the tenth is the API description, without lines. */
  section: z.int().min(1).max(10),
  lines: z.array(z.int()),
  /** Ids in `Report.evidence`, in the order of the requests. */
  calls: z.array(z.string()),
  durationMs: z.number(),
};

const notMeasured = z.object({ outcome: z.literal('not-measured'), reason: NotMeasured });

/** Only stated cases can fail, and only observed ones are `answered`. */
export const CaseResult = z.union([
  z.object({
    ...aboutCase,
    kind: z.literal('stated'),
    outcome: z.enum(['passed', 'failed']),
    answers: z.array(CaseAnswer),
  }),
  z.object({ ...aboutCase, kind: z.literal('observed'), outcome: z.literal('answered'), answers: z.array(CaseAnswer) }),
  z.object({ ...aboutCase, kind: CaseKind, ...notMeasured.shape }),
]);
export type CaseResult = z.infer<typeof CaseResult>;
