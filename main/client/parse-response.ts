import type { MappedPart } from '../../preload/contract/settings.ts';
import type { Operation } from '../../preload/contract/names.ts';
import {
  findAccountState,
  findAccountStateInTexts,
  mentionsSecondFactor,
  type AccountState,
  type FoundAccountState,
} from './reading/account-state.ts';
import { type Duplicate, assignFieldErrors } from './reading/assign-field-errors.ts';
import { parseBody, type Body, type BodyForm } from './reading/body.ts';
import { isRegistration } from './reading/form-fields.ts';
import { findFieldErrors, type FoundFieldErrors } from './reading/field-errors.ts';
import {
  findExplicitRefusal,
  flagsFail,
  readFlags,
  type Flag,
  verdictOf,
  type ResponseVerdict,
} from './reading/verdict.ts';
import { dateOf, header, type ReceivedHeaders } from './reading/headers.ts';
import { findIntermediary, type Intermediary } from './reading/intermediary.ts';
import { rootPath, type JsonValue, type Visited } from './reading/json.ts';
import { setCookiePath } from '../interface/cookies.ts';
import { findMessage, messageAt, type FoundMessage } from './reading/message.ts';
import { isAbout, mostTexts } from './reading/sentences.ts';
import { findSessionExpiry, type FoundExpiry } from './reading/session-expiry.ts';
import { findToken, tokenAt } from './reading/token.ts';
import {
  findKnownUser,
  findUser,
  hasListsAlone,
  hasUserRecord,
  userAt,
  type FoundUser,
  type UserFields,
} from './reading/user.ts';
import { findRetryAfter } from './reading/retry-after.ts';

export type ReceivedResponse = {
  status: number;
  headers: ReceivedHeaders;
  body: unknown;
  /** The address that was asked, if known: a login page on another host is a network's, and not the server's. */
  url?: string | undefined;
  /** Where a person says that these parts are. A pinned token is looked for there alone, the others there first. */
  paths?: Partial<Record<MappedPart, string>> | undefined;
  /** The cookie that a session of this server is kept by, or null if the answer has none; a token then is nothing else. */
  cookie?: string | null | undefined;
  /** The cookie that does as well, where nothing else in the answer is a token. */
  fallbackCookie?: string | undefined;
  /** The form's field that each member of the request was filled from, by the member's name. */
  fieldsByMember?: Readonly<Record<string, string>> | undefined;
  /** What is known of the one who logged in: emails, user names and ids. It counts where a profile is asked for. */
  knownUsers?: readonly string[] | undefined;
  /** Whether the interface of the server says that such an answer means that there is no session. */
  unauthenticated?: boolean | undefined;
  /** Whether a log-in is accepted, where the interface of the server says by which redirects it is. */
  isLoginSuccess?: boolean | undefined;
  /** Whether it is a redirect by which a server of another interface than Llavero's says that a log-out was done. */
  isLogoutSuccess?: boolean | undefined;
};

/** What an answer means in the interface's words; what it does not say is absent. */
export type ResponseSummary = {
  ok: boolean;
  /** The text as sent, whatever its length. */
  message?: string;
  user?: UserFields;
  token?: string;
  /** The texts by the server's own names of its fields. */
  fieldErrors?: Record<string, string[]>;
  retryAfterSeconds?: number;
};

/** Where something was and the rule that found it there. */
type Finding = { path: string; rule: string };

/** Why the answer was read as it was, for people: "token at data.access_token, by a field named access_token". */
type Why = {
  body: { form: BodyForm; title?: string };
  /** Who answered instead of the server, if somebody did. */
  inBetween?: Intermediary;
  verdict: { rule: string };
  flags: Flag[];
  token?: Finding;
  user?: Finding;
  message?: Finding;
  fieldErrors?: Finding;
  retryAfterSeconds?: Finding;
  /** Whether only the words of a sentence tell the field. */
  fieldInWords?: true;
  /** What a database says is there already. */
  duplicate?: Duplicate;
  /** Whether a registration was answered with the wish that its email is confirmed first. */
  confirmFirst?: true;
  /** Errors that belong to no field. */
  formErrors: string[];
  /** Why nobody gets into the account, where a refused login says that. */
  accountState?: AccountState;
  visited: Visited;
};

export type Interpretation = {
  summary: ResponseSummary;
  trace: Why;
  verdict: ResponseVerdict;
  /** When the token stops working, where the answer says it. */
  sessionExpiry?: FoundExpiry;
  /** What the clock of the server was then, in milliseconds since 1970, if it says so. */
  dateMs?: number;
};

/** An answer, the operation that it was taken for an answer to, and what it was read as. */
export type InterpretedResponse = {
  operation: Operation;
  response: ReceivedResponse;
  interpretation: Interpretation;
  /** The operation that the request was by the server's interface, where that was asked. */
  requestedOperation?: Operation | undefined;
  /** Secret values of the response that only the description of the API tells. */
  secrets?: readonly string[] | undefined;
};

/** A server that said one of these has refused nothing. */
const accepting: ReadonlySet<ResponseVerdict> = new Set(['ok', 'accepted-without-token', 'mfa-required']);

/** A second factor is asked for at a login alone: a profile may say much about factors. */
const askedInWords = (operation: Operation, message: string | undefined): string | undefined =>
  operation === 'login' && message !== undefined && mentionsSecondFactor([message]) ? 'its words' : undefined;

/** The record of a user that has an id and says who that is. A bare `userId` may be there before anybody is in. */
function identityIn(user: FoundUser | undefined): JsonValue | undefined {
  if (user?.user.id === undefined || (user.user.email === undefined && user.user.name === undefined)) return undefined;
  const isBare = user.located.path === rootPath;
  return isBare && /user/i.test(user.uses[0]?.key ?? '') ? undefined : user.located.value;
}

/**
 * Reads the answer of any server that follows the interface. A status alone proves nothing: a login succeeded when it is
 * 2xx and a token was found, a profile when it holds a user, and a doubtful answer never says that a session ended.
 *
 * A string `body` is raw text, anything else JSON already parsed; header names come in any case. Never throws.
 * `now` (milliseconds since 1970) dates waiting times of answers without a Date header.
 */
export function parseResponse(operation: Operation, answer: ReceivedResponse, now = Date.now()): Interpretation {
  const body = parseBody(answer.body);
  const is2xx = answer.status >= 200 && answer.status < 300;
  const flags = readFlags(body);
  const inBetween = answer.isLoginSuccess ? undefined : findIntermediary(answer, body.form);

  const isLogin = operation === 'login';
  const { token, user, asked } = givenIn(operation, answer, body, is2xx);
  const tokenPath = token?.path;
  const wholeIsToken = tokenPath === 'body';
  const plainText = body.form === 'text' && !wholeIsToken ? body.text : '';
  const pinned = answer.paths?.message === undefined ? undefined : messageAt(answer.paths.message, body.json);
  const failure = pinned ?? findMessage(wholeIsToken ? null : body.json, plainText, true);
  const verdict = verdictOf({
    operation,
    byIntermediary: inBetween !== undefined,
    status: answer.status,
    form: body.form,
    url: answer.url,
    location: header(answer.headers, 'location'),
    challenge: header(answer.headers, 'www-authenticate'),
    message: failure?.value,
    failureFlag: (counting) => flagsFail(flags, counting)?.path,
    explicitRefusal: isLogin && is2xx ? findExplicitRefusal(body.json, flags, token !== undefined) : undefined,
    ...firstOf(asked, is2xx && token === undefined ? askedInWords(operation, failure?.value) : undefined),
    isNoSession: answer.unauthenticated === true,
    isLoginSuccess: answer.isLoginSuccess,
    isLogoutSuccess: answer.isLogoutSuccess === true,
    hasToken: token !== undefined,
    hasUser: user !== undefined || (is2xx && hasUserRecord(body.json)),
    mayBeErrors: user !== undefined && hasListsAlone(user.located.value),
  });

  const failed = !accepting.has(verdict.verdict);
  const refusal = failed ? refusalIn(operation, body, failure, inBetween !== undefined) : undefined;
  const { errors, duplicate } = refusal ?? {};
  const message = refusal
    ? refusal.message
    : (pinned ?? findMessage(wholeIsToken ? null : body.json, plainText, false));
  const shownUser = failed ? undefined : user;
  const fieldErrors = errors && Object.keys(errors.fields).length > 0 ? errors.fields : undefined;
  const texts = textsOf(message?.value, errors).slice(0, mostTexts);
  const throttled = failed && (answer.status === 429 || texts.some((text) => isAbout('throttled', text)));
  const wait = failed
    ? findRetryAfter({ status: answer.status, headers: answer.headers, json: body.json, texts }, throttled, now)
    : undefined;

  const places = { json: body.json, headers: answer.headers, tokenPath, userPath: user?.located.path };
  const sessionExpiry = failed ? undefined : findSessionExpiry(operation, places);
  return {
    summary: {
      ok: verdict.verdict === 'ok',
      ...(message && { message: message.value }),
      ...(shownUser && { user: shownUser.user }),
      ...(token && !failed && { token: token.value }),
      ...(fieldErrors && { fieldErrors }),
      ...(wait && { retryAfterSeconds: wait.value }),
    },
    trace: {
      body: { form: body.form, ...(body.title !== undefined && { title: body.title }) },
      ...(inBetween && { inBetween }),
      verdict: { rule: verdict.rule },
      ...(failed && isLogin && accountStateOf(asked, texts, answer.status)),
      flags,
      ...(token && !failed && { token: finding(token) }),
      ...(shownUser && { user: { path: shownUser.located.path, rule: shownUser.rule } }),
      ...(message && { message: finding(message) }),
      ...(errors && fieldErrors && { fieldErrors: finding(errors) }),
      ...(wait && { retryAfterSeconds: finding(wait) }),
      ...(fieldErrors && errors?.inWords && { fieldInWords: true }),
      ...(duplicate && { duplicate }),
      ...(!failed && isRegistration(operation) && isAbout('confirmFirst', message?.value) && { confirmFirst: true }),
      formErrors: errors?.form ?? [],
      visited: body.visited,
    },
    verdict: verdict.verdict,
    ...(sessionExpiry && { sessionExpiry }),
    ...clockOf(answer),
  };
}

/** What comes before a session: another step, or what the account waits for. */
const firstOf = (asked: FoundAccountState | undefined, inWords: string | undefined) => ({
  mfaRequired: asked?.state === 'second-factor' ? asked.path : inWords,
  isAccountBlocked: asked !== undefined && asked.state !== 'second-factor',
});

/** Finds what an answer gives, and what it asks for first: what is issued before a second step is for that step. */
function givenIn(operation: Operation, answer: ReceivedResponse, body: Body, is2xx: boolean) {
  // What a redirect has for a body is for people, whose browser shows it to nobody.
  if (answer.isLoginSuccess)
    return { token: findPinnedOrAnyToken(answer, parseBody('')), user: undefined, asked: undefined };
  const { form, json } = body;
  const isReadable = form === 'json' || form === 'text' || form === 'empty';
  const givesToken = is2xx && isReadable && operation !== 'profile' && operation !== 'logout';
  const issued = givesToken ? findPinnedOrAnyToken(answer, body) : undefined;
  const user = is2xx && form === 'json' ? findUserInResponse(answer, json) : undefined;
  const asked = askedOf(operation, answer, json, issued !== undefined, user);
  return { token: asked === undefined ? issued : undefined, user, asked };
}

/** Only a login, and a registration that logs in, ask for a second step; only a login tells how an account is. */
function askedOf(
  operation: Operation,
  { status, headers }: ReceivedResponse,
  json: JsonValue,
  hasToken: boolean,
  user: FoundUser | undefined,
): FoundAccountState | undefined {
  if (operation !== 'login' && !isRegistration(operation)) return undefined;
  if (status === 206) return { path: 'status 206', state: 'second-factor' };
  if (operation !== 'login' && (status < 200 || status > 299)) return undefined;
  const isRefused = status < 200 || status > 299;
  const asked = findAccountState(json, headers, { hasToken, user: identityIn(user), isRefused });
  return operation === 'login' || asked?.state === 'second-factor' ? asked : undefined;
}

/** Reads of a refusal whether the account, and not what was typed, is why. */
function accountStateOf(
  asked: FoundAccountState | undefined,
  texts: readonly string[],
  status: number,
): { accountState: AccountState } | undefined {
  const said = asked?.state ?? findAccountStateInTexts(texts);
  // RFC 4918 section 11.3.
  const accountState = said ?? (status === 423 ? 'locked' : mentionsSecondFactor(texts) ? 'second-factor' : undefined);
  return accountState && { accountState };
}

/** Finds what a failed answer says, and of which fields. A protection in front of the server knows no fields. */
function refusalIn(operation: Operation, body: Body, failure: FoundMessage | undefined, isInBetween: boolean) {
  const named = body.form === 'json' ? findFieldErrors(body.json) : undefined;
  const [formError] = named?.form ?? [];
  const message =
    failure ??
    (formError === undefined
      ? undefined
      : { value: formError, path: named?.formPath ?? 'body', rule: 'an error without a field' });
  return isInBetween
    ? { errors: named, duplicate: undefined, message }
    : { ...assignFieldErrors(named, { operation, body, message: failure }), message };
}

/** A text that is one word, such as the whole answer of Sanctum's usual login; null where it is a sentence. */
const wordIn = (text: string): JsonValue => (/^\S+$/.test(text.trim()) ? text.trim() : null);

function findPinnedOrAnyToken(
  { headers, paths, cookie, fallbackCookie }: ReceivedResponse,
  { json, form, text }: ReturnType<typeof parseBody>,
) {
  if (cookie !== undefined) return cookie === null ? undefined : inCookie(cookie);
  const found =
    paths?.token === undefined
      ? findToken(json, form === 'text' ? text : '', headers)
      : tokenAt(paths.token, form === 'text' ? wordIn(text) : json, headers);
  return found ?? (fallbackCookie === undefined ? undefined : inCookie(fallbackCookie));
}

const inCookie = (value: string) => ({
  value,
  path: setCookiePath,
  rule: 'the cookie of the API type',
});

/** Finds the user at the place that a person pinned for the server, or else anywhere. */
export const findUserInResponse = (
  { paths, knownUsers = [] }: ReceivedResponse,
  json: JsonValue,
): FoundUser | undefined =>
  (paths?.user === undefined ? undefined : userAt(paths.user, json)) ??
  findUser(json, knownUsers) ??
  findKnownUser(json, knownUsers);

/** All that a refusal says. */
const textsOf = (message = '', errors: FoundFieldErrors | undefined): string[] => [
  message,
  ...Object.values(errors?.fields ?? {}).flat(),
  ...(errors?.form ?? []),
];

function clockOf({ headers }: ReceivedResponse): { dateMs?: number } {
  const dateMs = dateOf(headers);
  return dateMs === undefined ? {} : { dateMs };
}

const finding = ({ path, rule }: Finding): Finding => ({ path, rule });
