import { isPasswordHash, looksLikeToken, type Found } from './secret-forms.ts';
import { isAboutSecret, kindOfName, namesSecret, type Kind } from './secret-names.ts';

/** A string or number of a JSON text, without quotes and escaped as it is written. */
type Literal = { from: number; to: number; isNumber: boolean };

/** An object or a list that is open, and what the names above it say. */
type Level = {
  isList: boolean;
  /** The nearest name above, and whether a list stands between. */
  name: string | undefined;
  /** A name above that is of a secret. */
  secretAbove: string | undefined;
  aboutErrors: boolean;
  /** `{"name": "access_token", "value": …}`: the secret that one member names, and where another has its value. */
  named: string | undefined;
  value: Literal | undefined;
  /** Of a list, its first member, when that names a secret: `["password", "…"]`. */
  count: number;
};

/** Members that name what another member of the same object is the value of. */
const naming =
  /^(?:name|key|field|param|parameter|path|property|propertyname|header|headername|attribute|fieldname|column|loc|n|k)$/i;
const valued = /^(?:value|val|content|rejectedvalue|attemptedvalue|rejected_value|attempted_value|input|data|text|v)$/i;
/** Members under a secret's name that hold the secret itself. */
const holding =
  /^(?:value|val|plain|plaintext|raw|string|text|content|encoded|access|refresh|bearer|key|data|id_?token|current|new|old)$/i;

const namesErrors = /err|fail|valid|messag|mensaj|detail/i;

/** JSON, also after the line that keeps it from being run as a script. */
const isJson = /^[\s\uFEFF]*(?:\)\]\}',?\s*)?(?:"|\{\s*(?:["}]|$)|\[\s*(?:[[{"\d\]tfn-]|$))/;

export const beginsAsJson = (text: string): boolean => isJson.test(text.slice(0, 200));

/**
 * Secrets of a JSON text by their names and forms, also of one that is broken, or nested without end. Answers where the
 * JSON ends, too.
 * @param isRefusal whether it is of an answer that says what is wrong with the fields it names
 * @param isShortSecret whether a whole value is a known secret that is too short to be looked for in texts
 * @param visit takes the strings that are none, and may hold some
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one walk, whose steps are short and share its levels.
export function secretsOfJson(
  text: string,
  options: {
    start: number;
    isRefusal: boolean;
    isShortSecret?: ((value: string) => boolean) | undefined;
    visit: (from: number, to: number) => void;
  },
): { found: Found[]; end: number } {
  const { isRefusal, isShortSecret, visit } = options;
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
  function nameOf(literal: Literal): string | undefined {
    const value = valueOf(literal);
    return namesSecret(value) ? value : undefined;
  }

  function take(literal: Literal): void {
    const { name, isList } = here;
    const { from, to, isNumber } = literal;
    const member = isMember ? name : undefined;
    if (isList) here.count += 1;
    if (member !== undefined && valued.test(member)) here.value ??= literal;
    const kind = kindOf(literal, member);
    if (kind !== undefined) return cut(literal, kind);
    if (isNumber) return;
    const size = to - from;
    if (size > 1 && size < 80 && ((member !== undefined && naming.test(member)) || isList)) {
      const isLocation = isList && naming.test(name ?? '');
      const named = !isList || here.count === 1 || isLocation ? nameOf(literal) : undefined;
      if (named !== undefined) here.named = named;
      // In a list of locations, the last name counts for the object around it.
      if (isLocation && named !== undefined) levels.at(-1)!.named = named;
      else if (isList && here.count === 2 && here.named !== undefined) here.value = literal;
    } else if (isList && here.count === 2 && here.named !== undefined) here.value = literal;
    visit(from, to);
  }

  function kindOf({ from, to, isNumber }: Literal, member: string | undefined): Kind | undefined {
    const { name, secretAbove, isList, aboutErrors } = here;
    const near = member ?? (isList ? name : undefined);
    const first = text[from];
    const mayBeForm = !isNumber && to - from > 12;
    if (mayBeForm && first === '$' && isPasswordHash(text.slice(from, from + 40))) return 'hash';
    if (isShortSecret && !isNumber && to - from < 40 && isShortSecret(plainText(text.slice(from, to)))) return 'other';
    const ofName = near !== undefined && namesSecret(near) ? near : undefined;
    const ofParent =
      secretAbove !== undefined && member !== undefined && holding.test(member) ? secretAbove : undefined;
    const named = ofName ?? ofParent;
    if (named === undefined) {
      const looks = mayBeForm && looksLikeToken(plainText(text.slice(from, Math.min(to, from + 4000))));
      return looks ? 'token' : undefined;
    }
    if (isNumber) return /otp|pin|pass|pwd|secret/i.test(named) ? kindOfName(named) : undefined;
    const isSentence = /\s/.test(text.slice(from, Math.min(to, from + 1000)));
    return isSentence && (isRefusal || isList || aboutErrors) ? undefined : kindOfName(named);
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
      cut(value, kindOfName(named));
    here = levels.pop() ?? newLevel(undefined, false);
    isMember = false;
  }

  let at = options.start;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at + 1);
      const after = skipSpaces(text, end + 1);
      if (text.charCodeAt(after) === 0x3a) {
        const name = plainText(text.slice(at + 1, Math.min(end, at + 400)));
        here.name = name;
        isMember = true;
        at = after + 1;
        continue;
      }
      take({ from: at + 1, to: Math.min(end, length), isNumber: false });
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
      while (end < length && isOfNumber(text.charCodeAt(end))) end++;
      take({ from: at, to: end, isNumber: true });
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
  const isSecret = name !== undefined && namesSecret(name);
  return {
    isList,
    name: isList ? name : undefined,
    secretAbove: isSecret ? name : name !== undefined && isAboutSecret(name) ? undefined : outer?.secretAbove,
    aboutErrors: outer?.aboutErrors === true || (name !== undefined && namesErrors.test(name)),
    named: undefined,
    value: undefined,
    count: 0,
  };
}

/** The closing quote of a string, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - 1 - slashes >= from && text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

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
