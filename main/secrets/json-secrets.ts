import { jsonNameAt, readJsonName, type JsonName } from './json-names.ts';
import { shortestWithinText } from './known-secrets.ts';
import { isPasswordHash, looksLikeToken, type Found } from './secret-forms.ts';
import { mayNameSecretAt } from './name-parts.ts';
import { namesSecret, type Kind } from './secret-names.ts';

/** Signs in a string that say what may be found in it. */
export const signs = {
  backslash: 1,
  /** Signs of other spellings. */
  spelling: 2,
  /** Signs between a name and its value. */
  pair: 4,
  markup: 8,
  /** Where JSON may begin in it. */
  json: 16,
  space: 32,
  /** Signs of tokens. */
  token: 64,
  quote: 128,
  line: 256,
  dollar: 512,
  /** A slash after a backslash, as PHP writes each slash: that changes nothing else. */
  slash: 1024,
} as const;

const signOfAscii: Readonly<Record<string, number>> = {
  '\\': signs.backslash,
  '%': signs.spelling,
  '&': signs.spelling,
  '=': signs.pair,
  ':': signs.pair,
  '<': signs.markup,
  '{': signs.json,
  '[': signs.json,
  '|': signs.token,
  // Of `eyJ`, it is the letter that words have least.
  J: signs.token,
  $: signs.dollar,
  '"': signs.quote,
};

/** By character, its sign; 0 for all others. */
const signOf = new Uint16Array(1 << 16);
for (const [character, sign] of Object.entries(signOfAscii)) signOf[character.charCodeAt(0)] = sign;
/** What `\s` stands for. */
const spaces =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
for (const character of spaces) signOf[character.charCodeAt(0)] = signs.space;
signOf['\n'.charCodeAt(0)] = signs.space | signs.line;

/** A string or number of a JSON text, without quotes and escaped as it is written. */
type Literal = { from: number; to: number; isNumber: boolean; signs: number };

/** An object or a list that is open, and what the names above it say. */
type Level = {
  isList: boolean;
  /** The nearest name above, and whether a list stands between. */
  name: JsonName | undefined;
  /** A name above that is of a secret. */
  secretAbove: JsonName | undefined;
  aboutErrors: boolean;
  /** `{"name": "access_token", "value": …}`: the secret that one member names, and where another has its value. */
  named: JsonName | undefined;
  value: Literal | undefined;
  /** Of a list, its first member, when that names a secret: `["password", "…"]`. */
  count: number;
};

/** JSON, also after the line that keeps it from being run as a script. */
const isJson = /^[\s\uFEFF]*(?:\)\]\}',?\s*)?(?:"|\{\s*(?:["}]|$)|\[\s*(?:[[{"\d\]tfn-]|$))/;

export const beginsAsJson = (text: string): boolean => isJson.test(text.slice(0, 200));

/**
 * Secrets of a JSON text by their names and forms, also of one that is broken, or nested without end. Answers where the
 * JSON ends, too.
 * @param isRefusal whether it is of an answer that says what is wrong with the fields it names
 * @param isShortSecret whether a whole value is a known secret that is too short to be looked for in texts
 * @param codes those of the text's characters
 * @param visit takes the strings that are none, and may hold some, with their signs
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one walk, whose steps are short and share its levels.
export function secretsOfJson(
  text: string,
  options: {
    start: number;
    codes: Uint16Array;
    isRefusal: boolean;
    isShortSecret?: ((value: string) => boolean) | undefined;
    visit: (from: number, to: number, signs: number) => void;
  },
): { found: Found[]; end: number } {
  const { isRefusal, isShortSecret, visit, codes } = options;
  const found: Found[] = [];
  const levels: Level[] = [];
  let here: Level = newLevel(undefined, false);
  let isMember = false;
  const { length } = text;

  const valueOf = ({ from, to }: Literal): string => plainText(text.slice(from, to));
  const cut = (literal: Literal, kind: Kind): void => {
    if (literal.to > literal.from) found.push({ from: literal.from, to: literal.to, value: valueOf(literal), kind });
  };

  /** What a literal says, if that is the name of a secret. */
  function nameOf(literal: Literal): JsonName | undefined {
    if ((literal.signs & escaped) === 0 && !mayNameSecretAt(codes, literal.from, literal.to)) return undefined;
    const value = valueOf(literal);
    return namesSecret(value) ? readJsonName(value) : undefined;
  }

  /** Whether what comes is the value of a name that says nothing; in what is broken, one may stand in a list. */
  const isPlainMember = (): boolean => isMember && !here.isList && (here.name?.isPlain ?? false);

  function take(literal: Literal): void {
    const { name, isList } = here;
    const { from, to, isNumber } = literal;
    const member = isMember ? name : undefined;
    if (isList) here.count += 1;
    if (member?.isValued) here.value ??= literal;
    const kind = kindOf(literal, member);
    if (kind !== undefined) return cut(literal, kind);
    if (isNumber) return;
    const size = to - from;
    if (size > 1 && size < 80 && (member?.isNaming || isList)) {
      const isLocation = isList && (name?.isNaming ?? false);
      const named = !isList || here.count === 1 || isLocation ? nameOf(literal) : undefined;
      if (named !== undefined) here.named = named;
      // In a list of locations, the last name counts for the object around it.
      if (isLocation && named !== undefined) levels.at(-1)!.named = named;
      else if (isList && here.count === 2 && here.named !== undefined) here.value = literal;
    } else if (isList && here.count === 2 && here.named !== undefined) here.value = literal;
    visit(from, to, literal.signs);
  }

  function kindOf(literal: Literal, member: JsonName | undefined): Kind | undefined {
    const { from, to, isNumber } = literal;
    const { name, secretAbove, isList, aboutErrors } = here;
    const near = member ?? (isList ? name : undefined);
    const mayBeForm = !isNumber && to - from > 12;
    if (mayBeForm && codes[from] === dollar && isPasswordHash(text.slice(from, from + 40))) return 'hash';
    const most = literal.signs & signs.backslash ? 6 : literal.signs & signs.slash ? 2 : 1;
    const mayBeShort = to - from < most * shortestWithinText;
    if (isShortSecret && !isNumber && mayBeShort && isShortSecret(valueOf(literal))) return 'other';
    const named = near?.isSecret ? near : member?.isHolding ? secretAbove : undefined;
    if (named === undefined) {
      if (!mayBeForm || (literal.signs & (signs.token | signs.backslash)) === 0) return undefined;
      return looksLikeToken(plainText(text.slice(from, Math.min(to, from + 4000)))) ? 'token' : undefined;
    }
    if (isNumber) return /otp|pin|pass|pwd|secret/i.test(named.text) ? named.kind : undefined;
    const mayBeSentence = (literal.signs & signs.space) !== 0 && (isRefusal || isList || aboutErrors);
    return mayBeSentence && /\s/.test(text.slice(from, Math.min(to, from + 1000))) ? undefined : named.kind;
  }

  /** At the end of an object or a list: what one member named, and another holds. */
  function close(): void {
    const { named, value, isList, count } = here;
    const isPair = !isList || count === 2;
    if (
      named !== undefined &&
      value &&
      isPair &&
      !/\s.*\s/.test(text.slice(value.from, Math.min(value.to, value.from + 200)))
    )
      cut(value, named.kind);
    here = levels.pop() ?? newLevel(undefined, false);
    isMember = false;
  }

  let at = options.start;
  while (at < length) {
    const code = codes[at]!;
    if (code === 0x22) {
      let seen = 0;
      let end = at + 1;
      for (; end < length; end++) {
        const sign = signOf[codes[end]!]!;
        if (sign === 0) continue;
        if (sign === signs.quote) break;
        // What is escaped ends nothing.
        const isSlash = sign === signs.backslash && ++end < length && codes[end] === slashCode;
        seen |= isSlash ? signs.slash : sign;
        if (sign === signs.backslash && end < length) seen |= signOf[codes[end]!]! & ~signs.quote;
      }
      end = Math.min(end, length);
      const after = skipSpaces(codes, end + 1, length);
      if (after < length && codes[after] === 0x3a) {
        const to = Math.min(end, at + 400);
        here.name =
          seen & escaped ? readJsonName(plainText(text.slice(at + 1, to))) : jsonNameAt(text, codes, at + 1, to);
        isMember = true;
        at = after + 1;
        continue;
      }
      const isOrdinary = isPlainMember() && isNoValue(end - at - 1, seen);
      if (!isOrdinary) take({ from: at + 1, to: end, isNumber: false, signs: seen });
      else if (seen !== 0) visit(at + 1, end, seen);
      isMember = false;
      at = end + 1;
    } else if (code === 0x7b || code === 0x5b) {
      levels.push(here);
      here = newLevel(here, code === 0x5b, isMember);
      isMember = false;
      at++;
    } else if (code === 0x7d || code === 0x5d) {
      const isLast = levels.length === 1;
      if (levels.length > 0) close();
      at++;
      if (isLast) break;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      let end = at + 1;
      while (end < length && isOfNumber(codes[end]!)) end++;
      if (!isPlainMember()) take({ from: at, to: end, isNumber: true, signs: 0 });
      isMember = false;
      at = end;
    } else {
      if (code === 0x2c) isMember = false;
      at++;
    }
  }
  // What is still open was cut off.
  while (levels.length > 0) close();
  return { found, end: at };
}

function newLevel(outer: Level | undefined, isList: boolean, isMember = false): Level {
  const name = isMember || outer?.isList ? outer?.name : undefined;
  return {
    isList,
    name: isList ? name : undefined,
    secretAbove: name?.isSecret ? name : name?.isAbout ? undefined : outer?.secretAbove,
    aboutErrors: outer?.aboutErrors === true || (name?.namesErrors ?? false),
    named: undefined,
    value: undefined,
    count: 0,
  };
}

/** Whether a string is long enough, and has no sign of a token or a hash, so that only its name could make it a secret. */
const isNoValue = (size: number, seen: number): boolean =>
  size >= (seen === 0 ? shortestWithinText : 2 * shortestWithinText) &&
  (seen & (signs.token | signs.backslash | signs.dollar)) === 0;

function skipSpaces(codes: Uint16Array, from: number, length: number): number {
  let at = from;
  while (at < length && isSpace(codes[at]!)) at++;
  return at;
}

const escaped = signs.backslash | signs.slash;
const dollar = 0x24;
const slashCode = 0x2f;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 9 && code <= 13);
/** A sign, a digit, a point or an exponent. */
const isOfNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d || code === 0x2b || code === 0x65 || code === 0x45;

/** A string without its escapes. */
function plainText(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    const parsed: unknown = JSON.parse(`"${written}"`);
    return typeof parsed === 'string' ? parsed : written;
  } catch {
    return written;
  }
}
