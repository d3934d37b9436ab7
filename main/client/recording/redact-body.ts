import { hash } from 'node:crypto';
import type { RedactedBody, RedactedText } from '../../../preload/contract/calls.ts';
import { hasControls } from '../decode-text.ts';
import { mayBeJson, JsonTokens } from '../reading/json.ts';
import { decodeFormValue, shortestWithinText, type TextRange } from '../secrets/known-secrets.ts';
import { isSecretByForm, isSecretByName } from '../secrets/is-secret.ts';
import { isPasswordHash, isPipeToken, looksOpaque, secretsByForm } from '../secrets/secret-forms.ts';
import { nameless, classifyName, type NameClass } from '../secrets/secret-names.ts';
import {
  redactText,
  maxRedactionsPerText,
  limitRanges,
  replaceRanges,
  type SecretRegistry,
} from '../secrets/secret-registry.ts';
import { truncateRedacted, joined } from './redacted-text.ts';

/** Characters of a body that are kept. */
const keptCharacters = 1024 * 1024;
/** Of a body with more secrets than half of these nothing but its size is worth keeping. */
const mostParts = 4000;
/** In a text of JSON that is shown in this run: each costs the thread that cuts and the one that takes the text over. */
const mostPartsShown = 20_000;
const longestString = 4096;
const shownOfString = 120;
const titleWithin = 64 * 1024;

/** A body as it was sent or received. */
export type RawBody = {
  text: string;
  bytes: Uint8Array;
  /** How many there were, where `text` and `bytes` are only the beginning. */
  receivedBytes?: number;
  contentType: string | undefined;
  /** It is of an answer that says what is wrong with the fields it names: a sentence under a name is no secret. */
  isRefusal?: boolean;
  /** It broke off. */
  isCut?: boolean;
  /** It answers a login or a registration, and no token was found in it. */
  mayHoldToken?: boolean;
  /** We sent it: its secrets are known, and its hash would tell whether a guess of a password is right. */
  isOurs?: boolean;
};

/** What is kept of a body, and what is shown of it in this run where that is more. */
type Kept = { kept: RedactedBody; covered: RedactedText | undefined };

/**
 * Returns what is kept of a body: of JSON the text without its secrets, of a form of ours its fields, and of the rest the
 * size, the hash, and a title: what was never written down cannot leak. JSON that we broke ourselves is kept to its break.
 */
export function redactBody(body: RawBody, secretRegistry: SecretRegistry): Kept {
  const { text, bytes, contentType, isCut = false, isOurs = false } = body;
  const cuts = new JsonCuts(text, secretRegistry, { ...body, isKept: true });
  // What a server calls a form may be a page.
  const json = (): RedactedText | undefined => cuts.read() ?? (isOurs ? cuts.beginning() : undefined);
  const whole = isOurs && isForm(contentType) ? cutForm(text, secretRegistry) : json();
  if (!whole || (isCut && !isOurs) || whole.length > mostParts)
    return { kept: described(body, secretRegistry), covered: coveredText(body, secretRegistry) };
  const isBeginning = lengthOf(whole) > keptCharacters;
  const kept: RedactedBody = {
    form: 'text',
    text: isBeginning ? truncateRedacted(whole, keptCharacters) : whole,
    bytes: bytes.length,
    ...(isBeginning && { isBeginning }),
  };
  return { kept, covered: isBeginning || cuts.isShortened ? coveredText(body, secretRegistry) : undefined };
}

/** Returns the text of a body without its secrets, for this run only. Of what is no text it is nothing. */
function coveredText(body: RawBody, secretRegistry: SecretRegistry): RedactedText | undefined {
  const { text, isCut = false, mayHoldToken = false } = body;
  if (hasControls(text)) return undefined;
  const cuts = new JsonCuts(text, secretRegistry, body);
  const json = cuts.read();
  if (json || cuts.areTooMany) return json;
  const covered = redactText(text, secretRegistry, { isCut });
  return mayHoldToken ? withoutOpaque(covered, secretRegistry) : covered;
}

/** What stands in one word with letters and digits, and may be a token that nobody found. */
const opaqueWord = /[\w.~+/|=-]{20,4000}/g;

/** Whether a word is as long as no name is, and has letters with digits in a row as no word, host or release has them. */
export const isOpaque = (word: string): boolean =>
  word.length >= 20 && (word.match(/[A-Za-z\d]{16,}/g) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));

function withoutOpaque(text: RedactedText, secretRegistry: SecretRegistry): RedactedText {
  let left = maxRedactionsPerText;
  return text.flatMap((part) => {
    if (left < 0) return [];
    if (typeof part !== 'string') return [part];
    const words = Array.from(part.matchAll(opaqueWord)).filter(([word]) => isOpaque(word));
    const places = words.map(({ 0: word, index }) => ({ from: index, to: index + word.length, word }));
    const shown = limitRanges(part, places, left);
    left -= places.length;
    return replaceRanges(
      shown.text,
      shown.places.map(({ from, to, word }) => ({ from, to, by: secretRegistry.referenceFor(word, 'token') })),
    );
  });
}

export const isForm = (contentType = ''): boolean => /^application\/x-www-form-urlencoded\b/i.test(contentType);

const lengthOf = (text: RedactedText): number =>
  text.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);

const isShownPart = (part: RedactedText[number]): boolean => typeof part === 'string';

/** Says what a body is of which the text is not kept. */
function described(
  { text, bytes, receivedBytes, contentType, isOurs, isCut }: RawBody,
  secretRegistry: SecretRegistry,
): RedactedBody {
  const title = titleOf(text);
  const cutTitle = title === undefined ? undefined : truncateRedacted(redactText(title, secretRegistry), shownOfString);
  const isWhole = !isOurs && !isCut && text.length <= keptCharacters;
  const isClean = isWhole && [...redactText(text, secretRegistry), ...(cutTitle ?? [])].every(isShownPart);
  const type = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(contentType ?? '')?.[0];
  return {
    form: 'described',
    bytes: receivedBytes ?? bytes.length,
    ...(type !== undefined && { type }),
    ...(isClean && { sha256: hash('sha256', bytes) }),
    ...(cutTitle && { title: cutTitle }),
  };
}

/** Returns the class of an exception with what it says, or the title or first heading of a page. */
function titleOf(text: string): string | undefined {
  const start = text.slice(0, titleWithin);
  const [error] = /\b(?:[A-Za-z_]\w{0,60}[.\\]){0,8}[A-Z]\w{0,60}(?:Error|Exception): ?[^\n<]{1,200}/.exec(start) ?? [];
  const [, title] = /<(?:title|h1)\b[^<>]{0,200}>([^<]{1,500})</i.exec(start) ?? [];
  const found = [title, error].filter((each) => each !== undefined).map((each) => each.replaceAll(/\s+/g, ' ').trim());
  const said = [...new Set(found)].filter((each) => each !== '').join(' – ');
  return said === '' ? undefined : said;
}

/** Cuts the fields of a form: names and values as they were written, and the values of secret names whole. */
function cutForm(text: string, secretRegistry: SecretRegistry): RedactedText {
  return text.split('&').flatMap((pair, at): RedactedText => {
    const equals = pair.indexOf('=');
    const name = decodeFormValue(pair.slice(0, equals));
    const before = at === 0 ? '' : '&';
    const value = decodeFormValue(pair.slice(equals + 1));
    const naming = classifyName(name);
    const isSecret = equals >= 0 && (isSecretByName(value, naming) || secretRegistry.isRegistered(value));
    if (!isSecret) return redactText(before + pair, secretRegistry);
    return [`${before}${pair.slice(0, equals)}=`, secretRegistry.referenceFor(value, naming.kind)];
  });
}

type Cut = TextRange & { by: RedactedText };

/** What the names around a value say of it. */
type Level = {
  isList: boolean;
  /** What the names around it say. */
  naming: NameClass;
  /** `{"name": "access_token", "value": …}`: what one member says of another, and where that has its value. */
  named: NameClass | undefined;
  value: (TextRange & { string: string }) | undefined;
};

const namesAnother = /^(?:name|key|field|param|path|property|id)$/i;

/** Names of fields, in any script: what else stands there may be a value. */
const fieldName = /^[\p{L}\p{N}\p{M}_\-.$@:]{0,64}$/u;
const leftOut = '(left out)';

/** The length is looked at first, by the pattern of names. */
const isName = (key: string): boolean => fieldName.test(key) && !/.@.+\../.test(key) && !isOpaque(key);

/** Returns the place of a value, `data.user[0].email`, without what in it is no name. */
export const redactPath = (path: string): string =>
  path
    .split('.')
    .map((part) => (isName(part.replaceAll(/\[\d{1,9}\]/g, '')) ? part : leftOut))
    .join('.');

/** Whether a text has three words, as no secret that a server makes has. */
const isSentence = (text: string): boolean => /\s\S+\s/.test(text);

type JsonOptions = Pick<RawBody, 'isRefusal' | 'mayHoldToken'> & {
  /** Whether the text is written down: then pictures, long texts and what is no name are left out as well. */
  isKept?: boolean;
};

/**
 * Cuts secrets out of JSON text, and leaves every other sign as it was sent: values under names that tell a secret,
 * values that hold a known one, and what looks like a token.
 */
class JsonCuts {
  readonly #text: string;
  readonly #tokens: JsonTokens;
  readonly #secretRegistry: SecretRegistry;
  readonly #options: JsonOptions;
  readonly #cuts: Cut[] = [];
  /** Values that another member names as secrets. They count before what was cut out of them. */
  readonly #named: Cut[] = [];
  readonly #levels: Level[] = [{ isList: true, naming: nameless, named: undefined, value: undefined }];
  #key = '';
  /** Names come again and again: whether each is left out. */
  readonly #leftOut = new Map<string, boolean>();
  /** Whether something is left out that is no secret. */
  isShortened = false;
  /** Whether so much is to be cut that the text is given up: none of it may be shown as a text then. */
  areTooMany = false;
  #parts = 0;
  /** Where what was read without a break ends. */
  #readTo = 0;

  constructor(text: string, secretRegistry: SecretRegistry, options: JsonOptions) {
    this.#text = text;
    // A byte order mark is no JSON, nor is the line that keeps it from being run as a script.
    this.#tokens = new JsonTokens(
      text.replace(/^[\s\uFEFF]{0,9}(?:\)\]\}',?\s{0,9})?/, (start) => ' '.repeat(start.length)),
    );
    this.#secretRegistry = secretRegistry;
    this.#options = options;
  }

  /** Undefined if the text is no JSON, or too much of it is to be cut. */
  read(): RedactedText | undefined {
    const most = this.#options.isKept === true ? mostParts : mostPartsShown;
    for (let token = this.#tokens.next(); token !== 'end'; token = this.#tokens.next()) {
      if (token === 'broken') return undefined;
      if (this.#parts > most) {
        this.areTooMany = true;
        return undefined;
      }
      if (token === 'key') this.#cutKey();
      else if (token === 'object' || token === 'list') this.#open(token === 'list');
      else if (token === 'close') this.#close();
      else if (token === 'string') this.#cutString();
      else if (token === 'number') this.#cutNumber();
      this.#readTo = this.#tokens.to;
    }
    return joined(replaceRanges(this.#text, this.#named.concat(this.#cuts)).flat());
  }

  /** What was read of a text that is no JSON, up to where it breaks; undefined if that is nothing. */
  beginning(): RedactedText | undefined {
    if (this.areTooMany || this.#readTo === 0) return undefined;
    // What is still open may have named a value a secret.
    while (this.#levels.length > 1) this.#close();
    const read = replaceRanges(this.#text.slice(0, this.#readTo), this.#named.concat(this.#cuts)).flat();
    return joined(this.#text.slice(this.#readTo).trim() === '' ? read : [...read, leftOut]);
  }

  /** Writes something else into the quotes of a string. */
  #instead(parts: RedactedText, { from, to }: TextRange = this.#tokens): Cut {
    this.#parts += parts.length;
    const by = parts.map((part) => (typeof part === 'string' ? JSON.stringify(part).slice(1, -1) : part));
    return { from: from + 1, to: to - 1, by };
  }

  /** What the names around a value at this place say of it. */
  #naming(): NameClass {
    const { isList, naming } = this.#levels.at(-1)!;
    return isList ? naming : classifyName(this.#key, naming);
  }

  #open(isList: boolean): void {
    this.#levels.push({ isList, naming: this.#naming(), named: undefined, value: undefined });
  }

  #close(): void {
    const { named, value } = this.#levels.pop()!;
    if (!named || !value || isSentence(value.string) || !isSecretByName(value.string, named)) return;
    this.#named.push(this.#instead([this.#secretRegistry.referenceFor(value.string, named.kind)], value));
  }

  #cutKey(): void {
    const key = this.#tokens.string;
    this.#key = key;
    const isLeftOut = this.#leftOut.get(key) ?? this.#isLeftOut(key);
    this.#leftOut.set(key, isLeftOut);
    if (isLeftOut) this.#cuts.push(this.#instead([leftOut]));
  }

  #isLeftOut(key: string): boolean {
    if (this.#secretRegistry.find(key).length > 0 || secretsByForm(key).length > 0) return true;
    if (isName(key) || this.#options.isKept !== true) return false;
    this.isShortened = true;
    return true;
  }

  #cutString(): void {
    const { string, from, to } = this.#tokens;
    const here = this.#levels.at(-1)!;
    if (!here.isList && namesAnother.test(this.#key)) here.named = classifyName(string);
    if (!here.isList && this.#key === 'value') here.value = { from, to, string };
    const shown = this.#shown(string, here.isList);
    if (shown.length !== 1 || shown[0] !== string) this.#cuts.push(this.#instead(shown));
  }

  #shown(string: string, isListed: boolean): RedactedText {
    if (string === '') return [string];
    const { isRefusal = false, isKept = false, mayHoldToken = false } = this.#options;
    if (isPasswordHash(string)) return [this.#secretRegistry.referenceFor(string, 'hash')];
    const naming = this.#naming();
    const isSaid = isSentence(string) && (isRefusal || isListed) && !looksOpaque(string);
    if (!isSaid && isSecretByName(string, naming)) return [this.#secretRegistry.referenceFor(string, naming.kind)];
    if (isSecretByForm(string, naming)) return [this.#secretRegistry.referenceFor(string, 'token')];
    if (this.#secretRegistry.isRegistered(string)) return [this.#secretRegistry.referenceFor(string, 'other')];
    if (isPipeToken(string) && this.#secretRegistry.find(string).length === 0) return [string];
    // Some servers write JSON into a text of JSON.
    const inner = mayBeJson(string) ? new JsonCuts(string, this.#secretRegistry, this.#options) : undefined;
    const cut = inner?.read() ?? (inner?.areTooMany ? [leftOut] : redactText(string, this.#secretRegistry));
    const parts = mayHoldToken ? withoutOpaque(cut, this.#secretRegistry) : cut;
    this.isShortened ||= inner?.isShortened ?? false;
    const shown = isKept ? shortened(string, parts) : parts;
    this.isShortened ||= shown !== parts;
    return shown;
  }

  #cutNumber(): void {
    const { from, to } = this.#tokens;
    const digits = this.#text.slice(from, to);
    const naming = this.#naming();
    const isKnown = digits.length >= shortestWithinText && this.#secretRegistry.isRegistered(digits);
    if (!isKnown && !isSecretByName(digits, naming, true)) return;
    this.#parts += 1;
    this.#cuts.push({ from, to, by: [this.#secretRegistry.referenceFor(digits, naming.kind)] });
  }
}

/** The fields of a form, as they are meant. */
export const fieldsOfForm = (text: string): { name: string; value: string }[] =>
  text.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals < 0
      ? []
      : [{ name: decodeFormValue(pair.slice(0, equals)), value: decodeFormValue(pair.slice(equals + 1)) }];
  });

/** Yields the texts of JSON with the names that they stand under. */
export function* textsIn(text: string): Generator<{ name: string; value: string }> {
  const tokens = new JsonTokens(text);
  let name = '';
  for (let token = tokens.next(); token !== 'end' && token !== 'broken'; token = tokens.next()) {
    if (token === 'key') name = tokens.string;
    if (token === 'string') yield { name, value: tokens.string };
  }
}

/** Says of a picture and of a long text what they are. */
function shortened(string: string, parts: RedactedText): RedactedText {
  const [, type] = /^data:([\w.+-]{0,60}\/[\w.+-]{0,60})/.exec(string) ?? [];
  if (type !== undefined) return [`data:${type} (${string.length} characters)`];
  if (string.length <= longestString) return parts;
  return [...truncateRedacted(parts, shownOfString), `… (${string.length} characters)`];
}
