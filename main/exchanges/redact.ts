import { visit } from 'jsonc-parser';
import type {
  RecordedExchange,
  RedactedBody,
  RedactedText,
  SecretReference,
} from '../../preload/contract/exchanges.ts';
import { looksLikeToken } from '../client/reading/token.ts';
import { isPasswordHash, namesSecret } from '../client/reading/user.ts';
import type { Exchange, HeaderList } from '../client/transport.ts';
import type { SecretReferences } from './secret-references.ts';

type Kind = SecretReference['secret'];
type Found = { value: string; kind: Kind };
/** A stretch of a text that is a secret, or holds one. */
type Cut = { from: number; to: number; reference: SecretReference };

/** Shorter ones are cut out where they are a whole value: within a text they would be found in ordinary words. */
const shortestWithinText = 6;
const shortestOpaquePart = 12;

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
 * An exchange without its secrets: what its headers, fields and places say are secrets, and wherever else a secret of
 * this run turns up, also encoded. `token` is one that was found in the answer by the rules for reading.
 */
export function redactExchange(
  exchange: Exchange,
  references: SecretReferences,
  token: string | undefined,
): Pick<RecordedExchange, 'request' | 'response'> {
  const { request, response } = exchange;
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
  const forms = formsOf(references);

  function cutsWithin(text: string): Cut[] {
    const cuts: Cut[] = [];
    for (const { form, reference } of forms) {
      for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from + form.length)) {
        cuts.push({ from, to: from + form.length, reference });
      }
    }
    return cuts;
  }

  const text = (original: string): RedactedText => withoutCuts(original, cutsWithin(original));

  /** Values of JSON by their places in the text, so that escapes and short secrets are no way around. */
  function body(original: string, isRefusal: boolean): RedactedText {
    const cuts = cutsWithin(original);
    visitLiterals(original, (literal) => {
      const { value, from, to } = literal;
      const kind = kindOfLiteral(literal, isRefusal);
      const [holds] = cutsWithin(value);
      if (kind !== undefined) cuts.push({ from, to, reference: references.of(value, kind) });
      // Written with escapes: which part of the literal it is cannot be told from the decoded text.
      else if (holds && !cuts.some((cut) => cut.from >= from && cut.to <= to)) {
        cuts.push({ from, to, reference: holds.reference });
      }
    });
    return withoutCuts(original, cuts);
  }

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

/** Every spelling in which a secret may turn up in a text, longest first. */
function formsOf(references: SecretReferences): { form: string; reference: SecretReference }[] {
  const forms = references.watched().flatMap(([value, reference]) => {
    const opaque = value.slice(value.indexOf('|') + 1);
    const json = JSON.stringify(value).slice(1, -1);
    const html = value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    const spellings = [
      value,
      json,
      json.replaceAll('/', '\\/'),
      html,
      html.replaceAll("'", '&#39;'),
      html.replaceAll("'", '&#039;'),
      encodeURIComponent(value.toWellFormed()),
      new URLSearchParams({ '': value.toWellFormed() }).toString().slice(1),
      Buffer.from(value).toString('base64'),
      ...(opaque.length >= shortestOpaquePart ? [opaque] : []),
    ];
    return [...new Set(spellings)].map((form) => ({ form, reference }));
  });
  return forms
    .filter(({ form }) => form.length >= shortestWithinText)
    .toSorted((a, b) => b.form.length - a.form.length);
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

/** The secrets of a JSON text that are long enough to be looked for elsewhere. */
function secretsOfJson(text: string, isRefusal: boolean): Found[] {
  const secrets: Found[] = [];
  visitLiterals(text, (literal) => {
    const kind = kindOfLiteral(literal, isRefusal);
    if (kind !== undefined && literal.value.length >= shortestWithinText) secrets.push({ value: literal.value, kind });
  });
  return secrets;
}

type Literal = {
  value: string;
  isNumber: boolean;
  /** Names and indexes above it. */
  path: readonly (string | number)[];
  /** Where its content stands in the text, without quotes. */
  from: number;
  to: number;
};

/** @param isRefusal whether it is of an answer that says what is wrong with the fields it names */
function kindOfLiteral({ value, isNumber, path }: Literal, isRefusal: boolean): Kind | undefined {
  if (isPasswordHash(value)) return 'hash';
  const name = path.findLast((part) => typeof part === 'string');
  if (name === undefined || value === '' || !namesSecret(name)) return looksLikeToken(value) ? 'token' : undefined;
  if (isNumber) return /otp|pin|pass|pwd|secret/i.test(name) ? kindOfName(name) : undefined;
  // `{"errors": {"password": ["The password is too short."]}}` names a field, and says a sentence about it.
  const inList = typeof path.at(-1) === 'number';
  const aboutErrors = path.some(
    (part) => typeof part === 'string' && /err|fail|valid|messag|mensaj|detail/i.test(part),
  );
  return /\s/.test(value) && (isRefusal || inList || aboutErrors) ? undefined : kindOfName(name);
}

/** Calls back for each string and number of a JSON text, also of one that is broken. */
function visitLiterals(text: string, onLiteral: (literal: Literal) => void): void {
  if (!/^[\s\uFEFF]*[[{"]/.test(text)) return;
  visit(text, {
    onLiteralValue(value: unknown, offset, length, _line, _character, pathOf) {
      if (typeof value !== 'string' && typeof value !== 'number') return;
      const quote = typeof value === 'string' ? 1 : 0;
      onLiteral({
        value: String(value),
        isNumber: typeof value === 'number',
        path: pathOf(),
        from: offset + quote,
        to: offset + length - quote,
      });
    },
  });
}

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
  for (const [value] of references.watched()) {
    const needle = Buffer.from(value);
    if (needle.length < shortestWithinText) continue;
    for (let at = copy.indexOf(needle); at >= 0; at = copy.indexOf(needle, at + needle.length))
      copy.fill('*', at, at + needle.length);
  }
  return copy;
}
