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

/** In characters of a stored body. */
const maxStoredCharacters = 1024 * 1024;
/** Texts and references of a stored body. With more, only its size is stored. */
const maxStoredParts = 4000;
/** Of a body in memory: each costs time on the worker thread and on the one that receives it. */
const maxPartsInMemory = 20_000;
const maxStoredString = 4096;
const maxStoredBeginning = 120;
const maxTitleSearch = 64 * 1024;

/** A body as it was sent or received. */
export type RawBody = {
  text: string;
  bytes: Uint8Array;
  /** The size, if `text` and `bytes` are only the beginning. */
  receivedBytes?: number;
  contentType: string | undefined;
  /** True for an error response, where a sentence under the name of a field is a message. */
  isRefusal?: boolean;
  /** True if the response was cut off. */
  isCut?: boolean;
  /** True for the response to a login or a registration in which no token was found. */
  mayHoldToken?: boolean;
  /** Of such a response, the body of its request: what was sent is no new token. */
  sent?: string;
  /** True for a request: its secrets are known, and its hash would confirm a guessed password. */
  isOurs?: boolean;
};

/** What is stored of a body, and its text in memory if that is more. */
type RedactedParts = { kept: RedactedBody; inMemory: RedactedText | undefined };

/**
 * What is stored of a body: of JSON its redacted text, of a form that was sent its fields, and of any other body its size,
 * hash and title, since what was never written down cannot leak. Invalid JSON that was sent is stored up to the error.
 */
export function redactBody(body: RawBody, secretRegistry: SecretRegistry): RedactedParts {
  const { text, bytes, contentType, isCut = false, isOurs = false } = body;
  const redactor = new JsonRedactor(text, secretRegistry, { ...body, isStored: true });
  // The declared type of a response proves nothing.
  const json = (): RedactedText | undefined => redactor.read() ?? (isOurs ? redactor.beginning() : undefined);
  const whole = isOurs && isForm(contentType) ? redactForm(text, secretRegistry) : json();
  if (!whole || (isCut && !isOurs) || whole.length > maxStoredParts)
    return { kept: describeBody(body, secretRegistry), inMemory: textInMemory(body, secretRegistry) };
  const isBeginning = lengthOf(whole) > maxStoredCharacters;
  const kept: RedactedBody = {
    form: 'text',
    text: isBeginning ? truncateRedacted(whole, maxStoredCharacters) : whole,
    bytes: bytes.length,
    ...(isBeginning && { isBeginning }),
  };
  return { kept, inMemory: isBeginning || redactor.isShortened ? textInMemory(body, secretRegistry) : undefined };
}

/** The redacted text of a body, for memory only. Undefined for binary content. */
function textInMemory(body: RawBody, secretRegistry: SecretRegistry): RedactedText | undefined {
  const { text, isCut = false, mayHoldToken = false, sent } = body;
  if (hasControls(text)) return undefined;
  const redactor = new JsonRedactor(text, secretRegistry, body);
  const json = redactor.read();
  if (json || redactor.areTooMany) return json;
  const inMemory = redactText(text, secretRegistry, { isCut });
  return mayHoldToken ? withoutOpaque(inMemory, secretRegistry, sent) : inMemory;
}

/** A word of letters and digits that may be an unknown token. */
const opaqueWord = /[\w.~+/|=-]{20,4000}/g;

/** True for a word of 20 characters or more with a run of letters and digits that no name, host or version has. */
export const isOpaque = (word: string): boolean =>
  word.length >= 20 && (word.match(/[A-Za-z\d]{16,}/g) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));

function withoutOpaque(text: RedactedText, secretRegistry: SecretRegistry, sent = ''): RedactedText {
  let left = maxRedactionsPerText;
  return text.flatMap((part) => {
    if (left < 0) return [];
    if (typeof part !== 'string') return [part];
    const words = Array.from(part.matchAll(opaqueWord)).filter(([word]) => isOpaque(word) && !sent.includes(word));
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

/** A description of a body whose text is not stored. */
function describeBody(
  { text, bytes, receivedBytes, contentType, isOurs, isCut }: RawBody,
  secretRegistry: SecretRegistry,
): RedactedBody {
  const title = titleOf(text);
  const cutTitle =
    title === undefined ? undefined : truncateRedacted(redactText(title, secretRegistry), maxStoredBeginning);
  const isWhole = !isOurs && !isCut && text.length <= maxStoredCharacters;
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

/** The title or first heading of a page, and the exception that it names with its message. */
function titleOf(text: string): string | undefined {
  const start = text.slice(0, maxTitleSearch);
  const [error] = /\b(?:[A-Za-z_]\w{0,60}[.\\]){0,8}[A-Z]\w{0,60}(?:Error|Exception): ?[^\n<]{1,200}/.exec(start) ?? [];
  const [, heading] = /<(?:title|h1)\b[^<>]{0,200}>([^<]{1,500})</i.exec(start) ?? [];
  const found = [heading, error]
    .filter((each) => each !== undefined)
    .map((each) => each.replaceAll(/\s+/g, ' ').trim());
  const title = [...new Set(found)].filter((each) => each !== '').join(' – ');
  return title === '' ? undefined : title;
}

/** Redacts a form; all else stays as it was written. */
function redactForm(text: string, secretRegistry: SecretRegistry): RedactedText {
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

type Redaction = TextRange & { by: RedactedText };

/** An object or a list that is open. */
type Level = {
  isList: boolean;
  /** The class of the names around it. */
  naming: NameClass;
  /** `{"name": "access_token", "value": …}`: one member names another, whose value is at `value`. */
  named: NameClass | undefined;
  value: (TextRange & { string: string }) | undefined;
};

const namesAnother = /^(?:name|key|field|param|path|property|id)$/i;

/** Field names in any script: anything else may be a value. */
const fieldName = /^[\p{L}\p{N}\p{M}_\-.$@:]{0,64}$/u;
const leftOut = '(left out)';

const isName = (key: string): boolean => fieldName.test(key) && !/.@.+\../.test(key) && !isOpaque(key);

/** A path such as `data.user[0].email`, without the parts that are no names. */
export const redactPath = (path: string): string =>
  path
    .split('.')
    .map((part) => (isName(part.replaceAll(/\[\d{1,9}\]/g, '')) ? part : leftOut))
    .join('.');

/** True for three words or more, which no generated secret has. */
const isSentence = (text: string): boolean => /\s\S+\s/.test(text);

type JsonOptions = Pick<RawBody, 'isRefusal' | 'mayHoldToken' | 'sent'> & {
  /** True if the text is stored: then pictures, long texts and keys that are no names are left out, too. */
  isStored?: boolean;
};

/**
 * Redacts JSON text: values under names of secrets, values with a registered secret, and what looks like a token. Every
 * other character stays as it was sent.
 */
class JsonRedactor {
  readonly #text: string;
  readonly #tokens: JsonTokens;
  readonly #secretRegistry: SecretRegistry;
  readonly #options: JsonOptions;
  readonly #redactions: Redaction[] = [];
  /** Values that another member names as secrets. They take precedence. */
  readonly #named: Redaction[] = [];
  readonly #levels: Level[] = [{ isList: true, naming: nameless, named: undefined, value: undefined }];
  #key = '';
  /** A cache by key, since keys repeat. */
  readonly #leftOut = new Map<string, boolean>();
  /** True if something is left out that is no secret. */
  isShortened = false;
  /** True if there are so many redactions that none of the text may be shown. */
  areTooMany = false;
  #parts = 0;
  /** The end of the last valid token. */
  #readTo = 0;

  constructor(text: string, secretRegistry: SecretRegistry, options: JsonOptions) {
    this.#text = text;
    // A byte order mark, and the prefix against being run as a script, are no JSON.
    this.#tokens = new JsonTokens(
      text.replace(/^[\s\uFEFF]{0,9}(?:\)\]\}',?\s{0,9})?/, (start) => ' '.repeat(start.length)),
    );
    this.#secretRegistry = secretRegistry;
    this.#options = options;
  }

  /** Undefined if the text is no JSON, or has too many redactions. */
  read(): RedactedText | undefined {
    const maxParts = this.#options.isStored === true ? maxStoredParts : maxPartsInMemory;
    for (let token = this.#tokens.next(); token !== 'end'; token = this.#tokens.next()) {
      if (token === 'broken') return undefined;
      if (this.#parts > maxParts) {
        this.areTooMany = true;
        return undefined;
      }
      if (token === 'key') this.#redactKey();
      else if (token === 'object' || token === 'list') this.#open(token === 'list');
      else if (token === 'close') this.#close();
      else if (token === 'string') this.#redactString();
      else if (token === 'number') this.#redactNumber();
      this.#readTo = this.#tokens.to;
    }
    return joined(replaceRanges(this.#text, this.#named.concat(this.#redactions)).flat());
  }

  /** The redacted text up to the first error; undefined if there is none. */
  beginning(): RedactedText | undefined {
    if (this.areTooMany || this.#readTo === 0) return undefined;
    // An object that is still open may have named a value a secret.
    while (this.#levels.length > 1) this.#close();
    const read = replaceRanges(this.#text.slice(0, this.#readTo), this.#named.concat(this.#redactions)).flat();
    return joined(this.#text.slice(this.#readTo).trim() === '' ? read : [...read, leftOut]);
  }

  /** Replaces the content of a string. */
  #replaceString(parts: RedactedText, { from, to }: TextRange = this.#tokens): Redaction {
    this.#parts += parts.length;
    const by = parts.map((part) => (typeof part === 'string' ? JSON.stringify(part).slice(1, -1) : part));
    return { from: from + 1, to: to - 1, by };
  }

  /** The class of a value by the names around it. */
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
    this.#named.push(this.#replaceString([this.#secretRegistry.referenceFor(value.string, named.kind)], value));
  }

  #redactKey(): void {
    const key = this.#tokens.string;
    this.#key = key;
    const isLeftOut = this.#leftOut.get(key) ?? this.#isLeftOut(key);
    this.#leftOut.set(key, isLeftOut);
    if (isLeftOut) this.#redactions.push(this.#replaceString([leftOut]));
  }

  #isLeftOut(key: string): boolean {
    if (this.#secretRegistry.find(key).length > 0 || secretsByForm(key).length > 0) return true;
    if (isName(key) || this.#options.isStored !== true) return false;
    this.isShortened = true;
    return true;
  }

  #redactString(): void {
    const { string, from, to } = this.#tokens;
    const here = this.#levels.at(-1)!;
    if (!here.isList && namesAnother.test(this.#key)) here.named = classifyName(string);
    if (!here.isList && this.#key === 'value') here.value = { from, to, string };
    const shown = this.#shown(string, here.isList);
    if (shown.length !== 1 || shown[0] !== string) this.#redactions.push(this.#replaceString(shown));
  }

  #shown(string: string, isListed: boolean): RedactedText {
    if (string === '') return [string];
    const { isRefusal = false, isStored = false, mayHoldToken = false, sent } = this.#options;
    if (isPasswordHash(string)) return [this.#secretRegistry.referenceFor(string, 'hash')];
    const naming = this.#naming();
    const isMessage = isSentence(string) && (isRefusal || isListed) && !looksOpaque(string);
    if (!isMessage && isSecretByName(string, naming)) return [this.#secretRegistry.referenceFor(string, naming.kind)];
    if (isSecretByForm(string, naming)) return [this.#secretRegistry.referenceFor(string, 'token')];
    if (this.#secretRegistry.isRegistered(string)) return [this.#secretRegistry.referenceFor(string, 'other')];
    if (isPipeToken(string) && this.#secretRegistry.find(string).length === 0) return [string];
    // Some servers send JSON within a string of JSON.
    const inner = mayBeJson(string) ? new JsonRedactor(string, this.#secretRegistry, this.#options) : undefined;
    const redacted = inner?.read() ?? (inner?.areTooMany ? [leftOut] : redactText(string, this.#secretRegistry));
    const parts = mayHoldToken ? withoutOpaque(redacted, this.#secretRegistry, sent) : redacted;
    this.isShortened ||= inner?.isShortened ?? false;
    const shown = isStored ? shortened(string, parts) : parts;
    this.isShortened ||= shown !== parts;
    return shown;
  }

  #redactNumber(): void {
    const { from, to } = this.#tokens;
    const digits = this.#text.slice(from, to);
    const naming = this.#naming();
    const isKnown = digits.length >= shortestWithinText && this.#secretRegistry.isRegistered(digits);
    if (!isKnown && !isSecretByName(digits, naming, true)) return;
    this.#parts += 1;
    this.#redactions.push({ from, to, by: [this.#secretRegistry.referenceFor(digits, naming.kind)] });
  }
}

/** The decoded fields of a form. */
export const fieldsOfForm = (text: string): { name: string; value: string }[] =>
  text.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals < 0
      ? []
      : [{ name: decodeFormValue(pair.slice(0, equals)), value: decodeFormValue(pair.slice(equals + 1)) }];
  });

/** The strings of JSON with their keys. */
export function* textsIn(text: string): Generator<{ name: string; value: string }> {
  const tokens = new JsonTokens(text);
  let name = '';
  for (let token = tokens.next(); token !== 'end' && token !== 'broken'; token = tokens.next()) {
    if (token === 'key') name = tokens.string;
    if (token === 'string') yield { name, value: tokens.string };
  }
}

/** Describes a picture, and shortens a long text. */
function shortened(string: string, parts: RedactedText): RedactedText {
  const [, type] = /^data:([\w.+-]{0,60}\/[\w.+-]{0,60})/.exec(string) ?? [];
  if (type !== undefined) return [`data:${type} (${string.length} characters)`];
  if (string.length <= maxStoredString) return parts;
  return [...truncateRedacted(parts, maxStoredBeginning), `… (${string.length} characters)`];
}
