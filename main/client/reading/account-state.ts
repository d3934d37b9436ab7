import { normalizeFieldName } from '../secrets/secret-names.ts';
import { allHeaders, type ReceivedHeaders } from './headers.ts';
import {
  childByName,
  firstElement,
  childNode,
  isEmpty,
  isList,
  isJsonObject,
  numberOf,
  nonEmptyText,
  rootNode,
  type JsonValue,
  type JsonNode,
} from './json.ts';
import { isAbout, splitIdentifier } from './sentences.ts';
import { findSteps, isInWordList, matchesPatterns } from './vocabulary.ts';

/** Why a login gives no session although the email and the password may be right. */
export type AccountState = 'second-factor' | 'change-password' | 'unconfirmed' | 'pending' | 'locked' | 'disabled';

/** The states that a code alone tells, in the order in which they are asked for, with the patterns of their codes. */
const byCode = [
  ['change-password', 'password-codes'],
  ['unconfirmed', 'unconfirmed-codes'],
  ['pending', 'pending-codes'],
  ['locked', 'locked-codes'],
  ['disabled', 'disabled-codes'],
] as const;

/** The same for what is said in words. */
const byWords = [
  ['change-password', 'changePassword'],
  ['unconfirmed', 'unconfirmed'],
  ['pending', 'pending'],
  ['locked', 'locked'],
  ['disabled', 'disabled'],
] as const;

/** Reads of words why nobody gets in, second steps aside. */
export const findAccountStateInTexts = (texts: readonly string[]): AccountState | undefined =>
  byWords.find(([, topic]) => texts.some((text) => isAbout(topic, text)))?.[0];

/** Words that speak of the password too may refuse that one. */
export const mentionsSecondFactor = (texts: readonly string[]): boolean =>
  texts.some((text) => isAbout('secondFactor', text) && !isAbout('password', text));

/**
 * How far a sign reaches: `says` is a status of the answer that names what is missing, and counts whatever else is there.
 * `asks` counts unless a token and its user stand beside it, and `perhaps` only where there is no token.
 */
type Weight = (typeof weights)[number];
const weights = ['says', 'asks', 'perhaps'] as const;
type Sign = { path: string; state: AccountState; weight: Weight };

export type FoundAccountState = { path: string; state: AccountState };

type Beside = {
  hasToken: boolean;
  /** The record of the user, if the answer has one with an id: what is in it describes the account. */
  user: JsonValue | undefined;
  isRefused: boolean;
};

/** So many members of an answer are looked at in all, and no more places than these have. */
const mostMembers = 400;
const mostItems = 20;
const longestCode = 80;
const longestAddress = 300;
const deepest = 3;

/**
 * Finds what an answer to a login asks of its person, by what its names and its short values say, at its top, one level
 * below, and in the wrappers between.
 */
export function findAccountState(
  json: JsonValue,
  headers: ReceivedHeaders,
  beside: Beside,
): FoundAccountState | undefined {
  const isIdentified = beside.hasToken && beside.user !== undefined;
  const counts = ({ state, weight }: Sign): boolean => {
    // A server that wants another password may serve nothing else to its token.
    if (state === 'change-password') return weight !== 'perhaps' || !beside.hasToken;
    if (state !== 'second-factor') return !beside.hasToken;
    return weight === 'says' || (weight === 'asks' ? !isIdentified : !beside.hasToken);
  };
  const found = [...signsIn(json, beside), ...(beside.isRefused ? signsInHeaders(headers) : [])].filter(counts);
  const rank = ({ state, weight }: Sign): number => 2 * weights.indexOf(weight) + (state === 'second-factor' ? 0 : 1);
  return found.toSorted((one, other) => rank(one) - rank(other))[0];
}

type Place = {
  located: JsonNode;
  depth: number;
  /** Whether it is the answer itself or a wrapper of it, so that a bare `type` in it is the answer's. */
  isAnswer: boolean;
  isError: boolean;
};

function* signsIn(json: JsonValue, { user, isRefused }: Beside): Generator<Sign> {
  const top = firstElement(rootNode(json)) ?? rootNode(json);
  const places: Place[] = [{ located: top, depth: 0, isAnswer: true, isError: false }];
  let left = mostMembers;
  for (const place of places) {
    const { value } = place.located;
    if (!isJsonObject(value)) continue;
    for (const [key, member] of value.values) {
      if (left === 0) return;
      left -= 1;
      const located = childNode(place.located, key, member);
      const sign = signOf(place, located, key, isRefused);
      // What a user's record has describes the account, but for a password that has to be changed.
      if (sign && (value !== user || place.depth === 0 || sign.state === 'change-password')) yield sign;
      places.push(...placesBelow(place, located, key));
    }
  }
}

/** Returns the objects under a name in which the answer goes on: below what it does not know, errors alone. */
function placesBelow({ depth, isAnswer, isError }: Place, located: JsonNode, key: string): Place[] {
  const folded = normalizeFieldName(key);
  const { value } = located;
  const isErrors = isInWordList('never-around-tokens', folded);
  const isAround = isErrors || isInWordList('around-steps', folded) || isStepName(key);
  if (depth > deepest || isInWordList('apart-from-steps', folded) || (!isAnswer && !isErrors)) return [];
  const below = { depth: depth + 1, isAnswer: isAround, isError: isError || isErrors };
  if (isJsonObject(value)) return [{ located, ...below }];
  if (!isList(value) || !isAround) return [];
  return value.slice(0, mostItems).map((item, index): Place => {
    const { depth: deeper, isAnswer: answers, isError: errs } = below;
    return { located: childNode(located, index, item), depth: deeper, isAnswer: answers, isError: errs };
  });
}

/** Says whether a short value under a name tells how far a login has come. */
const isStepName = (key: string): boolean =>
  isInWordList('step-names', normalizeFieldName(key)) ||
  splitIdentifier(key).some((word) => isInWordList('step-words', word));

/** What a name, or a code, says of a second step. */
function stepIn(text: string): 'asked' | 'named' | 'perhaps-asked' | 'perhaps' | undefined {
  const terms = new Set(findSteps(splitIdentifier(text)).map(({ means }) => means));
  if (terms.has('denied')) return undefined;
  // `mfaChallenge` asks for what it names.
  if (terms.has('step') && terms.has('asked')) return 'asked';
  if (terms.has('step') && !terms.has('described')) return terms.has('perhaps') ? 'asked' : 'named';
  if (terms.has('described')) return undefined;
  return terms.has('perhaps') ? (terms.has('asked') ? 'perhaps-asked' : 'perhaps') : undefined;
}

const stateOfCode = (code: string): AccountState | undefined =>
  byCode.find(([, table]) => matchesPatterns(table, normalizeFieldName(code)))?.[0];

/** Reads a member of an answer: a name that says something and is not denied, or a value under a name for such. */
function signOf(place: Place, { path, value }: JsonNode, key: string, isRefused: boolean): Sign | undefined {
  const sign = (state: AccountState, weight: Weight): Sign => ({ path, state, weight });
  const text = nonEmptyText(value)?.trim();
  if (isOn(value, text)) {
    const step = stepIn(key);
    if (step === 'asked' || step === 'perhaps-asked' || (step === 'named' && place.isAnswer)) {
      const state = step === 'perhaps-asked' ? stateOfCode(key) : undefined;
      return sign(state ?? 'second-factor', 'asks');
    }
    if (step !== undefined && !(isRefused && step === 'perhaps')) return sign('second-factor', 'perhaps');
    const state = stateOfCode(key);
    return state && sign(state, 'asks');
  }
  if (text !== undefined) return signOfText(place, path, text, key);
  if (isList(value) ? value.length === 0 : !isJsonObject(value)) return undefined;
  return signOfMany(place, path, value, key, isRefused);
}

const isOn = (value: JsonValue, text: string | undefined): boolean =>
  value === true || numberOf(value) === 1 || (text !== undefined && isInWordList('on', text.toLowerCase()));

function signOfText({ isAnswer }: Place, path: string, text: string, key: string): Sign | undefined {
  const folded = normalizeFieldName(key);
  const isStep = isStepName(key);
  if (isInWordList('step-redirects', folded) && text.length <= longestAddress)
    return stepIn(text.slice(0, longestAddress)) === undefined
      ? undefined
      : { path, state: 'second-factor', weight: 'perhaps' };
  if (matchesPatterns('password-tickets', folded)) return { path, state: 'change-password', weight: 'asks' };
  if (isStep || isInWordList('perhaps-step-names', folded)) {
    if (text.length > longestCode || /\s/.test(text)) return undefined;
    return signOfCode(path, text, !isStep ? 'perhaps' : isAnswer ? 'says' : 'asks');
  }
  // A text under the name of a second step is a ticket for that step.
  const step = matchesPatterns('tokens-of-steps', folded) ? 'asked' : stepIn(key);
  if (step !== 'asked' && step !== 'named') return undefined;
  const isDescribed = text.length <= longestCode && isInWordList('off', text.toLowerCase());
  return isDescribed ? undefined : { path, state: 'second-factor', weight: 'perhaps' };
}

/** @param weight how far the name reaches under which the code stands */
function signOfCode(path: string, code: string, weight: Weight): Sign | undefined {
  const step = stepIn(code);
  if (step === 'asked') return { path, state: 'second-factor', weight: weight === 'perhaps' ? 'asks' : weight };
  if (step === 'named') return { path, state: 'second-factor', weight: weight === 'says' ? 'asks' : 'perhaps' };
  const state = stateOfCode(code);
  if (state) return { path, state, weight };
  if (step === undefined || (step === 'perhaps' && weight === 'perhaps')) return undefined;
  return { path, state: 'second-factor', weight: step === 'perhaps' || weight === 'perhaps' ? 'perhaps' : 'asks' };
}

/** Reads an object or a list: what is asked for under a name of a second step, or a step in it that is pending. */
function signOfMany(place: Place, path: string, value: JsonValue, key: string, isRefused: boolean): Sign | undefined {
  if (isList(value) && (isStepName(key) || place.isError)) {
    for (const item of value.slice(0, mostItems)) {
      const code = nonEmptyText(item)?.trim();
      const found = code === undefined ? signOfItem(path, item) : signOfCode(path, code, 'perhaps');
      if (found) return found;
    }
  }
  const step = stepIn(key);
  if (step === undefined || (isRefused && step === 'perhaps')) return undefined;
  const held = isList(value) ? 'more' : heldIn(value);
  if (held === 'nothing' || (held === 'described' && step !== 'asked')) return undefined;
  const isSure = (step === 'asked' || (step === 'named' && held === 'more')) && place.isAnswer;
  return { path, state: 'second-factor', weight: isSure ? 'asks' : 'perhaps' };
}

/** Reads a step of a list, such as `{id: "mfa_authenticate", is_pending: true}` of django-allauth. */
function signOfItem(path: string, item: JsonValue): Sign | undefined {
  const code = ['id', 'type', 'name', 'step']
    .map((name) => nonEmptyText(childByName(rootNode(item), name)?.value))
    .find((text) => text !== undefined && text.length <= longestCode);
  if (code === undefined) return undefined;
  const pending = ['is_pending', 'pending', 'required'].some(
    (name) => childByName(rootNode(item), name)?.value === true,
  );
  return pending ? signOfCode(path, `${code}_pending`, 'asks') : stepIn(code) && signOfCode(path, code, 'perhaps');
}

const isOff = (value: JsonValue): boolean =>
  typeof value === 'string' && isInWordList('off', value.trim().toLowerCase());

/**
 * What an object under a name of a second step holds: `more` than what describes the account, such as a ticket; an `id`
 * beside that; what is only `described`; or `nothing` that is on.
 */
function heldIn(value: JsonValue): 'more' | 'id' | 'described' | 'nothing' {
  const held = new Set<'more' | 'id' | 'described'>();
  for (const [key, member] of isJsonObject(value) ? [...value.values].slice(0, mostItems) : []) {
    if (isEmpty(member) || member === false || numberOf(member) === 0 || isOff(member)) continue;
    const terms = new Set(findSteps(splitIdentifier(key)).map(({ means }) => means));
    const isDescribed = terms.has('denied') || (terms.has('described') && !terms.has('asked'));
    held.add(isDescribed ? 'described' : normalizeFieldName(key) === 'id' ? 'id' : 'more');
  }
  return (['more', 'id', 'described'] as const).find((each) => held.has(each)) ?? 'nothing';
}

/** `X-GitHub-OTP: required; 2fa-app` and its like, and the scheme `OTP` of npm's challenge. */
function signsInHeaders(headers: ReceivedHeaders): Sign[] {
  return [...allHeaders(headers)].flatMap(([name, value]): Sign[] => {
    const asks =
      name === 'www-authenticate'
        ? /^otp\b/i.test(value)
        : /otp|2fa|mfa|factor/.test(name) && /^(?:required|true)\b/i.test(value) && stepIn(name) !== undefined;
    return asks ? [{ path: `headers.${name}`, state: 'second-factor', weight: 'asks' }] : [];
  });
}
