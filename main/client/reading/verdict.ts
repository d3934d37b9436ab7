import type { Operation } from '../../../preload/contract/names.ts';
import { normalizeFieldName } from '../secrets/secret-names.ts';
import type { Body, BodyForm } from './body.ts';
import {
  childByName,
  childNode,
  isEmpty,
  isList,
  isJsonObject,
  numberOf,
  rootNode,
  type JsonValue,
  type JsonNode,
} from './json.ts';
import { isRegistration } from './form-fields.ts';
import { isAbout, isLoginPage } from './sentences.ts';
import { isInWordList, wordList, type Topic } from './vocabulary.ts';

/**
 * What the answer means. Of a session, `ended` says that it is over, and `unknown` that an answer to `perfil` says
 * nothing about it. The others are about the operation that was asked for.
 */
export type ResponseVerdict = 'ok' | 'failed' | 'ended' | 'unknown' | 'accepted-without-token' | 'mfa-required';

export type Evidence = {
  operation: Operation;
  /** Whether a network or a protection answered instead of the server. */
  byIntermediary: boolean;
  status: number;
  form: BodyForm;
  url: string | undefined;
  location: string | undefined;
  /** The header WWW-Authenticate. */
  challenge: string | undefined;
  message: string | undefined;
  /** Returns the path of the flag that says failure, of the weak ones only where they count. */
  failureFlag: (counting: readonly WeakFlag[]) => string | undefined;
  /** Where the answer says no in so many words, which no token beside it can outweigh. */
  explicitRefusal: string | undefined;
  mfaRequired: string | undefined;
  /** Whether the account needs a new password, a confirmation or an approval first. */
  isAccountBlocked: boolean;
  /** Whether a log-in is accepted, where the server's interface names the redirects that say so. */
  isLoginSuccess: boolean | undefined;
  /** Whether it is a redirect by which the server says that a log-out was done. */
  isLogoutSuccess: boolean;
  /** Whether the server's interface says that this answer means that there is no session. */
  isNoSession: boolean;
  hasToken: boolean;
  hasUser: boolean;
  /** Whether what looks like a user has lists alone, as errors by field do. */
  mayBeErrors: boolean;
};

/** The rule for a profile that was answered in a form that can be read, refused nothing and told of nobody. */
export const noUserRule = 'no user in the profile';

type Rule = { rule: string; verdict: ResponseVerdict; when: (evidence: Evidence) => boolean };

const is2xx = ({ status }: Evidence): boolean => status >= 200 && status < 300;
const isLogin = ({ operation }: Evidence): boolean => operation === 'login';
const isProfile = ({ operation }: Evidence): boolean => operation === 'profile';
const isLogout = ({ operation }: Evidence): boolean => operation === 'logout';
const needsToken = (evidence: Evidence): boolean => isProfile(evidence) || isLogout(evidence);
const isJson = ({ form }: Evidence): boolean => form === 'json';
const isPage = ({ form }: Evidence): boolean => form === 'html' || form === 'broken-json';
function fails(evidence: Evidence): boolean {
  const gives = evidence.hasToken || (evidence.hasUser && !evidence.mayBeErrors);
  return evidence.failureFlag(gives ? [] : isLogout(evidence) ? ['code'] : ['code', 'zero']) !== undefined;
}
const refusesToken = ({ message, status }: Evidence): boolean =>
  !isAbout('pageToken', message) &&
  (isAbout('tokenRefused', message) || (status !== 403 && isAbout('unauthorized', message)));

/** Of a logout that succeeded, words such as "token revoked" may be said; not these. */
const wantsToken = ({ message }: Evidence): boolean => isAbout('tokenWanted', message);

/** Says whether something in between asks for HTTP authentication, which says nothing about the bearer token. */
export const asksForOtherScheme = ({ challenge }: Pick<Evidence, 'challenge'>): boolean =>
  challenge !== undefined && /^(?:basic|digest|negotiate|ntlm)\b/i.test(challenge) && !/\bbearer\b/i.test(challenge);

function isSameHost(location: string, url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(location, url)) return true;
  return new URL(location, url).hostname === new URL(url).hostname;
}

const refusingLogin = [
  'credentials',
  'formRefused',
  'refused',
  'throttled',
  'changePassword',
  'unconfirmed',
  'pending',
  'locked',
  'disabled',
  'captcha',
] as const;
const refusingRegistration = ['alreadyThere', 'formRefused', 'throttled', 'registrationClosed', 'captcha'] as const;

/** "Login successful, no errors" speaks of errors, and refuses nothing. */
const refuses = (topics: readonly Topic[], message: string | undefined): boolean =>
  topics.some((topic) => isAbout(topic, message)) && (!isAbout('succeeded', message) || isAbout('negated', message));

/** The first rule that holds decides. */
const rules: readonly Rule[] = [
  // Whatever it says, the server did not say it.
  {
    rule: 'an intermediary responded instead of the server',
    verdict: 'unknown',
    when: (seen) => isProfile(seen) && seen.byIntermediary,
  },
  {
    rule: 'an intermediary responded instead of the server',
    verdict: 'failed',
    when: (seen) => seen.byIntermediary,
  },

  {
    rule: 'no success redirect of the API type',
    verdict: 'failed',
    when: (seen) => isLogin(seen) && seen.isLoginSuccess === false,
  },
  {
    rule: 'a success redirect of the API type',
    verdict: 'ok',
    when: (seen) => isLogin(seen) && seen.isLoginSuccess === true && seen.hasToken,
  },
  {
    rule: 'a success redirect without a session',
    verdict: 'accepted-without-token',
    when: (seen) => isLogin(seen) && seen.isLoginSuccess === true,
  },

  // These answers end a session, and nothing else does.
  {
    rule: 'an intermediary requires HTTP authentication',
    verdict: 'unknown',
    when: (seen) => isProfile(seen) && seen.status === 401 && asksForOtherScheme(seen),
  },
  {
    rule: 'logout needs a refresh token; the bearer token is not tested',
    verdict: 'failed',
    when: (seen) => isLogout(seen) && seen.status >= 400 && seen.status < 500 && isAbout('refreshToken', seen.message),
  },
  {
    rule: 'the API type defines this as no session',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status !== 401 && seen.isNoSession,
  },
  {
    rule: 'status 401',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status === 401 && !asksForOtherScheme(seen),
  },
  {
    rule: 'status 419: the session of a page was tested, not the token',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status === 419,
  },
  {
    rule: 'a redirect to a login page',
    verdict: 'ended',
    when: (seen) =>
      needsToken(seen) &&
      seen.status >= 300 &&
      seen.status < 400 &&
      seen.location !== undefined &&
      isLoginPage(seen.location) &&
      isSameHost(seen.location, seen.url),
  },
  {
    rule: 'Laravel tried to redirect to a login page',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status >= 500 && /Route \[login\] not defined/i.test(seen.message ?? ''),
  },
  {
    // This is Spring Security's answer without an entry point.
    rule: 'status 403 without a body',
    verdict: 'ended',
    when: (seen) => needsToken(seen) && seen.status === 403 && seen.form === 'empty',
  },
  {
    rule: 'the message rejects the token',
    verdict: 'ended',
    when: (seen) =>
      needsToken(seen) &&
      (isJson(seen) || seen.form === 'text') &&
      seen.status < 500 &&
      (is2xx(seen) ? !seen.hasUser && (isProfile(seen) || fails(seen) || wantsToken(seen)) : seen.status >= 400) &&
      refusesToken(seen),
  },

  {
    rule: 'a redirect at the same origin after logout',
    verdict: 'ok',
    when: (seen) => isLogout(seen) && seen.isLogoutSuccess,
  },

  // These are no answers of the interface.
  {
    rule: 'a page or malformed JSON instead of a profile',
    verdict: 'unknown',
    when: (seen) => isProfile(seen) && isPage(seen),
  },
  { rule: 'the profile could not be read', verdict: 'unknown', when: (seen) => isProfile(seen) && !is2xx(seen) },
  { rule: 'a page or malformed JSON instead of a response', verdict: 'failed', when: isPage },
  { rule: 'not a success status', verdict: 'failed', when: (seen) => !is2xx(seen) },

  // At 2xx, bodies decide.
  {
    rule: 'the response asks for a second step',
    verdict: 'mfa-required',
    when: (seen) => !needsToken(seen) && seen.mfaRequired !== undefined,
  },
  {
    rule: 'the account needs an action by its owner',
    verdict: 'failed',
    when: (seen) => isLogin(seen) && seen.isAccountBlocked,
  },
  {
    rule: 'the response reports a refusal',
    verdict: 'failed',
    when: (seen) => isLogin(seen) && seen.explicitRefusal !== undefined,
  },
  { rule: 'a 2xx login with a token', verdict: 'ok', when: (seen) => isLogin(seen) && seen.hasToken },
  { rule: 'the response reports a failure', verdict: 'unknown', when: (seen) => isProfile(seen) && fails(seen) },
  { rule: 'the response reports a failure', verdict: 'failed', when: fails },
  // Programs that answer everything with 200 say it in words alone: `{"message": "Invalid credentials"}`. The dictionary
  // of complaints cannot tell here: made for refusals, it takes "has been registered" for one.
  {
    rule: 'a 2xx login without a token, with words of refusal',
    verdict: 'failed',
    when: (seen) => isLogin(seen) && refuses(refusingLogin, seen.message),
  },
  {
    rule: 'a 2xx registration without a user, with words of refusal',
    verdict: 'failed',
    when: (seen) =>
      isRegistration(seen.operation) && !seen.hasUser && !seen.hasToken && refuses(refusingRegistration, seen.message),
  },
  { rule: 'a 2xx login without a token', verdict: 'accepted-without-token', when: isLogin },
  {
    rule: 'a 2xx profile without a user, with words of refusal',
    verdict: 'unknown',
    when: (seen) => isProfile(seen) && !seen.hasUser && refuses(refusingLogin, seen.message),
  },
  { rule: noUserRule, verdict: 'unknown', when: (seen) => isProfile(seen) && !seen.hasUser },
  { rule: 'status 2xx without contradiction', verdict: 'ok', when: () => true },
];

export function verdictOf(evidence: Evidence): { verdict: ResponseVerdict; rule: string } {
  const { verdict, rule } = rules.find(({ when }) => when(evidence)) ?? { verdict: 'unknown', rule: 'no rule' };
  return { verdict, rule };
}

/**
 * A bare zero is weak, since tutorial servers send `status: 0` with success too; a long code may be no error; and a
 * number such as 200 may only repeat the status.
 */
type WeakFlag = 'zero' | 'code' | 'number';

/** What a flag says. */
export type Flag = { path: string; says: 'success' | 'failure'; weak: WeakFlag | false };

export function readFlags({ form, json: body, text }: Pick<Body, 'form' | 'json' | 'text'>): Flag[] {
  // qBittorrent answers `Ok.` and `Fails.`.
  const word = form === 'text' ? text : body;
  if (typeof word === 'string') return flagAt(rootNode(word), saysWord);
  // PHP tutorials wrap the one answer into a list.
  const only = isList(body) && body.length === 1 ? body[0] : undefined;
  const root = only === undefined ? rootNode(body) : { path: 'body[0]', value: only };
  if (typeof body === 'boolean') return [{ path: 'body', says: body ? 'success' : 'failure', weak: false }];
  const places = [root, ...['meta', 'status'].flatMap((name) => childByName(root, name) ?? [])].filter(({ value }) =>
    isJsonObject(value),
  );
  const read: readonly (readonly [string, (value: JsonValue) => Said])[] = [
    ...wordList('flags').map((name) => [name, codeNames.has(normalizeFieldName(name)) ? saysCode : says] as const),
    // A record may have a number under these, so only words count.
    ...['type', 'tipo', 'icon'].map((name) => [name, saysWord] as const),
    ...wordList('failure-flags').map((name) => [name, saysFailure] as const),
    ...wordList('messages-as-flags').map((name) => [name, saysSuccess] as const),
  ];
  return places.flatMap((place) => read.flatMap(([name, meaning]) => flagAt(childByName(place, name), meaning)));
}

/**
 * Returns the flag that says failure. One clear word is enough; a weak one counts only where none says success.
 * @param counting the weak ones that count at all
 */
export function flagsFail(flags: readonly Flag[], counting: readonly WeakFlag[]): Flag | undefined {
  const failing = flags.filter((flag) => flag.says === 'failure');
  const clear = failing.find(({ weak }) => weak === false);
  if (clear || flags.some((flag) => flag.says === 'success')) return clear;
  return failing.find(({ weak }) => weak !== false && counting.includes(weak));
}

/**
 * Returns the flag that says no to a login, whatever token stands beside it: a clear one that no other contradicts, a
 * `false` that is all the answer, or one under a name such as `authenticated`.
 */
export function findExplicitRefusal(body: JsonValue, flags: readonly Flag[], hasToken: boolean): string | undefined {
  const lone = loneFalse(rootNode(body));
  if (lone !== undefined) return lone;
  const root = rootNode(body);
  for (const name of wordList('login-flags')) {
    const found = childByName(root, name);
    if (found?.value === false) return found.path;
  }
  if (!hasToken) return undefined;
  const isContradicted = flags.some(({ says: said, weak }) => said === 'success' && weak === false);
  return isContradicted ? undefined : flagsFail(flags, [])?.path;
}

/** Finds a `false` through whatever has nothing else in it. */
function loneFalse(place: JsonNode, depth = 0): string | undefined {
  const { value } = place;
  if (value === false) return place.path;
  if (depth > 3) return undefined;
  if (isList(value))
    return value.length === 1 ? loneFalse(childNode(place, 0, value[0] ?? null), depth + 1) : undefined;
  if (!isJsonObject(value) || value.values.size !== 1) return undefined;
  const [[key, inner] = ['', null]] = value.values;
  return loneFalse(childNode(place, key, inner), depth + 1);
}

type Said = Omit<Flag, 'path'> | undefined;

function flagAt(found: JsonNode | undefined, read: (value: JsonValue) => Said): Flag[] {
  const said = found && read(found.value);
  return said ? [{ path: found.path, ...said }] : [];
}

function says(value: JsonValue): Said {
  if (typeof value === 'boolean') return { says: value ? 'success' : 'failure', weak: false };
  const number = numberOf(value);
  if (number !== undefined) return saysNumber(number);
  if (typeof value === 'string' && /^\d{1,3}$/.test(value.trim())) return saysNumber(Number(value));
  return saysWord(value);
}

function saysWord(value: JsonValue): Said {
  if (typeof value !== 'string') return undefined;
  const word = normalizeFieldName(value);
  if (isInWordList('success-words', word)) return { says: 'success', weak: false };
  return isInWordList('failure-words', word) || /^(?!no_)(?:[a-z]+_)+error$/i.test(value.trim())
    ? { says: 'failure', weak: false }
    : undefined;
}

const codeNames: ReadonlySet<string> = new Set(['code', 'codigo', 'statuscode', 'status_code', 'codigoestado']);

/** A longer code that begins like one of HTTP's, such as 40001 or 500205. One that was sent by mail may look so, too. */
const longCode = /^(?:4[0-5]|5[0-5])\d{2,4}$/;

/** Zero means under `code` that nothing went wrong, if it means anything. */
function saysCode(value: JsonValue): Said {
  const text = typeof value === 'string' ? value : String(numberOf(value) ?? '');
  if (longCode.test(text)) return { says: 'failure', weak: 'code' };
  return text === '0' ? undefined : says(value);
}

/** What messages say is for people, but nobody is told "ok" about a failure. */
function saysSuccess(value: JsonValue): Said {
  return typeof value === 'string' && isInWordList('success-words', normalizeFieldName(value))
    ? { says: 'success', weak: false }
    : undefined;
}

/**
 * Reads a number: from 400 an HTTP code of failure; 100 to 399, or 1, success; 0 and below failure. Other numbers are
 * codes of the server's own.
 */
function saysNumber(value: number): Said {
  if (value < 0 || (value >= 400 && value < 600)) return { says: 'failure', weak: false };
  if (value === 1 || (value >= 100 && value < 400)) return { says: 'success', weak: 'number' };
  return value === 0 ? { says: 'failure', weak: 'zero' } : undefined;
}

/** `errcode: 200` reports that nothing went wrong. */
const isCodeOfSuccess = (value: JsonValue): boolean => {
  const number = numberOf(value);
  return number !== undefined && number >= 200 && number < 300;
};

/** These are the failure itself where they are there and not empty. `error: false` is the opposite. */
function saysFailure(value: JsonValue): Said {
  const word = typeof value === 'string' ? normalizeFieldName(value) : '';
  if (
    value === false ||
    numberOf(value) === 0 ||
    isCodeOfSuccess(value) ||
    isInWordList('success-words', word) ||
    word === 'false' ||
    /^0+$/.test(word) ||
    word === 'no'
  )
    return { says: 'success', weak: false };
  if (isEmpty(value) || word === 'null' || word === 'none' || word === 'undefined') return undefined;
  // An envelope that says `{code: 0}` or `{message: ""}` reports nothing.
  if (
    isJsonObject(value) &&
    [...value.values.values()].every((inner) => isEmpty(inner) || numberOf(inner) === 0 || inner === false)
  )
    return undefined;
  return { says: 'failure', weak: false };
}
