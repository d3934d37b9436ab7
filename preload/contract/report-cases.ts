import { z } from 'zod';
import { RedactedText } from './calls.ts';
import { Question } from './report-questions.ts';
import { AppError } from './result.ts';

/** `stated` cases hold the server to a sentence of the interface. `observed` ones answer what it leaves open. */
const CaseKind = z.enum(['stated', 'observed']);
type CaseKind = z.infer<typeof CaseKind>;

/** Every case, in the order of a report. What comes before the dot is the part of the interface it is about. */
export const CaseId = z.enum([
  'registration.served',
  'registration.both-paths',
  'registration.answer',
  'registration.cpassword-at-register',
  'registration.cpassword-at-registro',
  'registration.repeated-email',
  'races.registration',
  'registration.password-strength',
  'registration.long-password',
  'registration.missing-field',
  'registration.empty-field',
  'registration.other-type',
  'registration.too-long',
  'registration.malformed-email',
  'login.right-credentials',
  'login.wrong-password',
  'login.unknown-email',
  'login.answer',
  'login.two-tokens',
  'races.logins',
  'login.email-spelling',
  'login.fields',
  'login.refusal',
  'login.told-apart-by-answer',
  'login.told-apart-by-time',
  'token.form',
  'token.source',
  'token.lifetime',
  'token.randomness',
  'token.same-second',
  'token.required',
  'token.missing',
  'token.invalid',
  'token.altered',
  'token.scheme-case',
  'profile.served',
  'profile.own-user',
  'profile.answer',
  'logout.served',
  'logout.answer',
  'logout.same-token-afterwards',
  'logout.other-tokens-afterwards',
  'logout.twice',
  'races.logout-and-profile',
  'races.logout-twice',
  'errors.form',
  'errors.body-not-json',
  'errors.without-accept',
  'errors.wrong-method',
  'errors.unknown-path',
  'errors.internals',
  'errors.secrets-sent',
  'headers.of-answers',
  'headers.cors',
  'versioning.only-v1',
  'versioning.unknown-version',
  'versioning.deprecation',
  'transport.encryption',
  'limits.body-size',
  'limits.rate-headers',
  'limits.throttling',
  'functions.others',
  'functions.events',
  'functions.states',
]);
export type CaseId = z.infer<typeof CaseId>;

export const Subject = z.enum([
  'name',
  'email',
  'password',
  'cpassword',
  'registro',
  'register',
  'login',
  'perfil',
  'salir',
  'other',
]);
export type Subject = z.infer<typeof Subject>;

/** How a server took a request that the interface does not speak about. */
export const Handling = z.enum([
  'accepted',
  'refused',
  'throttled',
  /** It is a status from 500 on, or an answer that is none of an API. */
  'fault',
  /** It is HTML, with a status below 500. */
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

/** A field of an answer: where it is, what type its value has, and whether its name or value is that of a secret. */
export const SeenField = z.object({
  path: bounded,
  type: z.enum(['string', 'number', 'boolean', 'null', 'list', 'object']),
  secret: z.boolean(),
});
export type SeenField = z.infer<typeof SeenField>;

/** Times of logins with a wrong password for known and for unknown emails. */
export const TimeComparison = z.object({
  /** The number of samples of each kind. */
  samples: z.int(),
  knownMedianMs: z.number(),
  unknownMedianMs: z.number(),
  /** The probability by the two-sided Mann–Whitney U test. */
  pValue: z.number(),
  /** The rank-biserial correlation from −1 to 1. 0 is no difference; at −1 each unknown email was answered faster. */
  effect: z.number(),
});
export type TimeComparison = z.infer<typeof TimeComparison>;

/** Why an answer is empty where the server was not silent: nothing of it was there to be measured. */
const NoneWhy = z.enum([
  /** None of those that were tried was so. */
  'none-tried',
  /** None of the refusals that were seen had one. */
  'none-in-refusals',
  /** There was only one token. */
  'no-second-token',
  /** No two logins came in one second. */
  'no-two-at-once',
  /** The path is not served. */
  'not-served',
  /** The server did not throttle, as often as it was tried. */
  'not-throttled',
  /** It was not tried, since the run may make no more accounts. */
  'account-limit',
  /** It was not tried, since what was accepted before leaves no doubt. */
  'implied',
  /** It ended the server, and was not sent again. */
  'ends-server',
]);

/** What was seen, typed, so that each language can say it. Texts come from the server, and are shown as text only. */
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
  z.object({ kind: z.literal('fields'), fields: z.array(SeenField) }),
  z.object({ kind: z.literal('headers'), headers: z.array(z.tuple([z.string(), RedactedText])) }),
  z.object({
    kind: z.literal('reply'),
    handling: Handling,
    status: z.int(),
    /** The server's words, if it had any. */
    message: RedactedText.optional(),
    /** The server's names for the fields that it complained about. */
    fields: z.array(bounded).optional(),
  }),
  z.object({ kind: z.literal('times'), ...TimeComparison.shape }),
  /** The server says nothing of it, or `why` there was nothing to say. `count` is how many were looked at. */
  z.object({ kind: z.literal('none'), why: NoneWhy.optional(), count: z.int().optional() }),
]);
export type ObservedValue = z.infer<typeof ObservedValue>;

export const CaseAnswer = z.object({ question: Question, subject: Subject.optional(), value: ObservedValue });
export type CaseAnswer = z.infer<typeof CaseAnswer>;

/** Why a case has no outcome. The server has not failed then. */
export const NotMeasured = z.discriminatedUnion('kind', [
  /** Another case could not give what this one needs. */
  z.object({ kind: z.literal('needs'), caseId: CaseId }),
  /** The server told it to wait longer than the run waits, or told it so again after the wait. */
  z.object({
    kind: z.literal('throttled'),
    retryAfterSeconds: z.number().optional(),
    /** How many calls the server allows, in how much time, as far as it said so. */
    limit: z.number().optional(),
    windowSeconds: z.number().optional(),
    /** How long the run had waited before it was throttled again. */
    waitedSeconds: z.number().optional(),
  }),
  /** No whole answer came. */
  z.object({ kind: z.literal('no-answer'), error: AppError }),
  /** What answered is no API, or one that is out of order. */
  z.object({ kind: z.literal('unreadable'), error: AppError }),
  /** The answer is one that the server may give to any call, whether or not it serves what was asked for. */
  z.object({ kind: z.literal('says-nothing'), status: z.int() }),
  /** The call ended the server, and is not sent again in this run. */
  z.object({ kind: z.literal('ends-server') }),
  /** Two like calls were answered differently. */
  z.object({ kind: z.literal('unstable') }),
  /** The case might have made one more account than a run may. */
  z.object({ kind: z.literal('account-limit') }),
  z.object({ kind: z.literal('call-limit') }),
  /** The case is only run when a person asks for it: throttling, races, or a registration path. */
  z.object({ kind: z.literal('not-asked') }),
  /** The case could lock the account that was given, and the run was to make none of its own. */
  z.object({ kind: z.literal('spares-account') }),
  /** Nobody can tell whether the given account is wrong or the server. The server's words are here, if it had any. */
  z.object({ kind: z.literal('account-refused'), status: z.int(), message: RedactedText.optional() }),
  /** Nobody is let in before a new account is confirmed: the interface says nothing of that. */
  z.object({ kind: z.literal('account-held') }),
  /** The run ended before, since it was cancelled or at the first failure. */
  z.object({ kind: z.literal('run-ended') }),
  /** Llavero itself has a fault here. The rest of the run went on. */
  z.object({ kind: z.literal('bug'), message: z.string() }),
]);
export type NotMeasured = z.infer<typeof NotMeasured>;

const aboutCase = {
  id: CaseId,
  /** The section and the lines of `interface.md` that it rests on. Lines are counted from 1. */
  section: z.int().min(1).max(9),
  lines: z.array(z.int()).min(1),
  /** Ids of `Report.evidence`, in the order of the calls. */
  calls: z.array(z.string()),
  durationMs: z.number(),
};

const notMeasured = z.object({ outcome: z.literal('not-measured'), reason: NotMeasured });

/** Only stated cases can be `failed`, and only observed ones `answered`. */
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
