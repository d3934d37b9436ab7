import { createScanner } from 'jsonc-parser';
import type { RecordedCall, RedactedBody, RedactedText, SecretReference } from '../../preload/contract/calls.ts';
import { looksLikeToken } from '../client/reading/token.ts';
import { isPasswordHash, namesSecret } from '../client/reading/user.ts';
import type { Call, HeaderList } from '../client/call.ts';
import { shortestWithinText, type SecretReferences } from './secret-references.ts';

type Kind = SecretReference['secret'];
type Found = { value: string; kind: Kind };
/** A stretch of a text that is a secret, or holds one. */
type Cut = { from: number; to: number; reference: SecretReference };

/** Whose values are secrets whole, or after the name of a scheme. */
const secretHeaders: Readonly<Record<string, Kind>> = {
  authorization: 'token',
  'proxy-authorization': 'proxy-credential',
  cookie: 'cookie',
  'set-cookie': 'cookie',
};

const kindOfName = (name: string): Kind =>
  /pass|psw|pwd|contrase|clave|senha/i.test(name)
    ? 'password'
    : /token|jwt|authorization/i.test(name)
      ? 'token'
      : 'other';

/**
 * A call without its secrets: what its headers, fields and places say are secrets, and wherever else a secret of
 * this run turns up, also encoded. `token` is one that was found in the answer by the rules for reading.
 */
export function redactCall(
  call: Call,
  references: SecretReferences,
  token: string | undefined,
): Pick<RecordedCall, 'request' | 'response'> {
  const { request, response } = call;
  const heads = [...request.headers, ...headersOfHead(request.head.text), ...(response?.rawHeaders ?? [])];
  for (const { value, kind } of [
    ...(token === undefined ? [] : [{ value: token, kind: 'token' } as const]),
    ...heads.flatMap(([name, value]) => secretsOfHeader(name, value)),
    ...secretsOfUrl(request.url),
    ...(request.body === undefined ? [] : secretsOfJson(request.body, false)),
    // Others of an answer are cut out where they stand: a field may be called secret and hold an ordinary word.
    ...(response
      ? secretsOfJson(response.body, true).filter(({ value, kind }) => kind === 'hash' || looksLikeToken(value))
      : []),
  ]) {
    references.watch(value, kind);
  }
  const redact = createRedactor(references);
  return {
    request: {
      method: request.method,
      url: redact.text(request.url),
      head: { text: redact.text(request.head.text), source: request.head.source },
      ...(request.body !== undefined && { body: redact.body(request.body, undefined, false) }),
    },
    ...(response && {
      response: {
        status: response.status,
        statusText: redact.text(response.statusText),
        httpVersion: response.httpVersion,
        headers: response.rawHeaders.map(([name, value]): [string, RedactedText] => [name, redact.header(name, value)]),
        body: redact.body(response.body, response.bodyBytes, response.status >= 400),
      },
    }),
  };
}

/** A text without the secrets of this run. */
export const redactText = (text: string, references: SecretReferences): RedactedText =>
  createRedactor(references).text(text);

function createRedactor(references: SecretReferences) {
  const cutsWithin = (text: string): Cut[] =>
    references.within(text).map(({ from, to, of }) => ({ from, to, reference: of }));

  const text = (original: string): RedactedText => withoutCuts(original, cutsWithin(original));

  /** Values of JSON by their places in the text, so that escapes and short secrets are no way around. */
  function cutsOfBody(original: string, isRefusal: boolean, depth = 0): Cut[] {
    const asWritten = cutsWithin(original);
    const cuts = [...asWritten];
    let next = 0;
    visitLiterals(original, (literal) => {
      const { value, from, to } = literal;
      const kind = kindOfLiteral(literal, isRefusal);
      const [holds] = cutsWithin(value);
      if (kind !== undefined) cuts.push({ from, to, reference: references.of(value, kind) });
      else if (depth < deepestText && isJsonText(literal)) {
        const inner = cutsOfBody(value, isRefusal, depth + 1);
        const at = inner.length > 0 ? placesOfCharacters(original, from, to) : [];
        for (const cut of inner)
          cuts.push({ from: at[cut.from] ?? from, to: at[cut.to] ?? to, reference: cut.reference });
      }
      // Written with escapes: which part of the literal it is cannot be told from the decoded text.
      else if (holds) {
        // Both come in the order of the text.
        while (asWritten[next] && asWritten[next]!.from < from) next++;
        const isCut = asWritten[next] !== undefined && asWritten[next]!.to <= to;
        if (!isCut) cuts.push({ from, to, reference: holds.reference });
      }
    });
    return cuts;
  }

  const body = (original: string, isRefusal: boolean): RedactedText =>
    withoutCuts(original, cutsOfBody(original, isRefusal));

  return {
    text,
    header(name: string, value: string): RedactedText {
      const [secret] = secretsOfHeader(name, value);
      if (secret === undefined) return text(value);
      const from = value.lastIndexOf(secret.value);
      const reference = references.of(secret.value, secret.kind);
      return withoutCuts(value, [{ from, to: from + secret.value.length, reference }, ...cutsWithin(value)]);
    },
    body(original: string, bytes: Uint8Array | undefined, isRefusal: boolean): RedactedBody {
      const size = bytes?.length ?? Buffer.byteLength(original);
      if (bytes === undefined || isUtf8(bytes)) return { form: 'text', text: body(original, isRefusal), bytes: size };
      return { form: 'binary', base64: overwritten(bytes, references).toString('base64'), bytes: size };
    },
  };
}

/** A text in parts; of cuts that overlap, the one that begins first and then the longest stands for all. */
function withoutCuts(text: string, cuts: readonly Cut[]): RedactedText {
  const parts: RedactedText = [];
  let at = 0;
  for (const { from, to, reference } of cuts.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= at) continue;
    if (from > at) parts.push(text.slice(at, from));
    // The rest of a longer one that began inside the last is part of the same secret.
    if (from >= at) parts.push(reference);
    at = to;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function headersOfHead(head: string): HeaderList {
  return head.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
  });
}

/** The secret part of a header: what follows a scheme, the value of a cookie, or all of it. */
function secretsOfHeader(name: string, value: string): Found[] {
  const key = name.toLowerCase();
  const kind = secretHeaders[key] ?? (namesSecret(name) ? kindOfName(name) : undefined);
  if (kind === undefined) return key === 'location' || key === 'refresh' ? secretsOfUrl(value) : [];
  if (key === 'set-cookie') return found(/^[^=;]*=([^;]*)/.exec(value)?.[1], kind);
  if (key === 'cookie') return value.split(';').flatMap((pair) => found(/^[^=]*=(.*)$/.exec(pair.trim())?.[1], kind));
  return found(/^(?:[A-Za-z][\w-]* +)?(.*)$/s.exec(value)?.[1], kind);
}

const found = (value: string | undefined, kind: Kind): Found[] =>
  value === undefined || value === '' ? [] : [{ value, kind }];

/** What stands in a query or a fragment under a secret's name. */
function secretsOfUrl(url: string): Found[] {
  const [, parameters = ''] = /[?#](.*)$/s.exec(url) ?? [];
  return parameters.split(/[&?#]/).flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    return namesSecret(name) || name === 'code' ? found(value, kindOfName(name)) : [];
  });
}

/** How often JSON may be the text of a value in JSON: `toJson()` of what held one already is twice. */
const deepestText = 3;

/** JSON as the text of a value, which the rules for reading look into as well. */
const isJsonText = ({ value, isNumber }: Literal): boolean => !isNumber && /^\s*[[{]/.test(value);

/** Where each character of a decoded literal stands in the text, and where it ends: an escape stands for one. */
function placesOfCharacters(text: string, from: number, to: number): number[] {
  const places: number[] = [];
  for (let at = from; at < to; at += text[at] === '\\' ? (text[at + 1] === 'u' ? 6 : 2) : 1) places.push(at);
  return [...places, to];
}

/** The secrets of a JSON text that are long enough to be looked for elsewhere. */
function secretsOfJson(text: string, isRefusal: boolean, depth = 0): Found[] {
  const secrets: Found[] = [];
  visitLiterals(text, (literal) => {
    const kind = kindOfLiteral(literal, isRefusal);
    if (kind === undefined && depth < deepestText && isJsonText(literal))
      secrets.push(...secretsOfJson(literal.value, isRefusal, depth + 1));
    if (kind !== undefined && literal.value.length >= shortestWithinText) secrets.push({ value: literal.value, kind });
  });
  return secrets;
}

type Literal = {
  value: string;
  isNumber: boolean;
  /** Where its content stands in the text, without quotes. */
  from: number;
  to: number;
} & Place;

/** What the names above a value say of it. */
type Place = {
  /** The nearest of them. */
  name: string | undefined;
  inList: boolean;
  /** `{"errors": {"password": ["The password is too short."]}}` names a field, and says a sentence about it. */
  aboutErrors: boolean;
};

/** @param isRefusal whether it is of an answer that says what is wrong with the fields it names */
function kindOfLiteral({ value, isNumber, name, inList, aboutErrors }: Literal, isRefusal: boolean): Kind | undefined {
  if (isPasswordHash(value)) return 'hash';
  if (name === undefined || value === '' || !namesSecret(name)) return looksLikeToken(value) ? 'token' : undefined;
  if (isNumber) return /otp|pin|pass|pwd|secret/i.test(name) ? kindOfName(name) : undefined;
  return /\s/.test(value) && (isRefusal || inList || aboutErrors) ? undefined : kindOfName(name);
}

/**
 * Calls back for each string and number of a JSON text, also of one that is broken or nested without end: the scanner
 * alone, since the parser on top of it calls itself.
 */
function visitLiterals(text: string, onLiteral: (literal: Literal) => void): void {
  // After the line that keeps JSON from being run as a script, too.
  if (!/^[\s\uFEFF]*(?:\)\]\}',?\s*)?[[{"]/.test(text)) return;
  const scanner = createScanner(text, true);
  const above: Place[] = [];
  let here: Place = { name: undefined, inList: false, aboutErrors: false };
  /** A string that may be a name: a colon says so. */
  let string: { value: string; from: number; to: number } | undefined;
  const takeString = (): void => {
    if (string) onLiteral({ ...string, isNumber: false, ...here });
    string = undefined;
  };

  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const from = scanner.getTokenOffset();
    const to = from + scanner.getTokenLength();
    const first = text[from] ?? '';
    if (first === ':' && string) {
      const name = string.value;
      string = undefined;
      const aboutErrors = above.at(-1)?.aboutErrors === true || namesErrors.test(name);
      here = { name, inList: false, aboutErrors };
      continue;
    }
    takeString();
    if (first === '"') {
      const isClosed = to - from > 1 && text[to - 1] === '"';
      string = { value: scanner.getTokenValue(), from: from + 1, to: isClosed ? to - 1 : to };
    } else if (first === '{' || first === '[') {
      above.push(here);
      here = { ...here, inList: first === '[' };
    } else if (first === '}' || first === ']') {
      here = above.pop() ?? here;
    } else if (/[-\d]/.test(first)) {
      onLiteral({ value: scanner.getTokenValue(), isNumber: true, from, to, ...here });
    }
  }
  takeString();
}

const namesErrors = /err|fail|valid|messag|mensaj|detail/i;

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function overwritten(bytes: Uint8Array, references: SecretReferences): Buffer {
  const copy = Buffer.from(bytes);
  for (const { from, to } of references.within(copy.toString('latin1'))) copy.fill('*', from, to);
  return copy;
}
