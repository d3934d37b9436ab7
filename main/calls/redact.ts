import type { RecordedCall, RedactedBody } from '../../preload/contract/calls.ts';
import type { Call, TransportResponse } from '../client/call.ts';
import { isSecretAt } from '../client/extra-headers.ts';
import { textOfBody } from '../secrets/charset.ts';
import { cutBody, cutText, readHeader, readText, type ReadBody, type ReadText } from '../secrets/redact.ts';
import { isPasswordHash, looksLikeToken, type Found } from '../secrets/secret-forms.ts';
import { isShort, type SecretReferences } from '../secrets/secret-references.ts';

/** Characters of a body that are kept. To search all that may be read for secrets takes longer than anybody waits. */
const keptCharacters = 1024 * 1024;

const isBeginning = (body: string): boolean => body.length > keptCharacters;

/**
 * A call without its secrets: what its headers, fields and places say are secrets, and wherever else a secret of
 * this run turns up, in any spelling. `token` is one that was found in the answer by the rules for reading.
 */
export function redactCall(
  call: Call,
  references: SecretReferences,
  token: string | undefined,
): Pick<RecordedCall, 'request' | 'response'> {
  const { request, response, failure } = call;
  const isCut = failure !== undefined;
  const read = (text: string): ReadText => readText(text, references);

  const isAdded = (name: string): boolean => request.added?.includes(name) ?? false;

  const url = read(request.url);
  const head = readHead(request.head.text, references, isAdded);
  const sent = request.body === undefined ? undefined : readText(request.body, references, false, isCut);
  const statusText = read(response?.statusText ?? '');
  const headers = (response?.rawHeaders ?? []).map(
    ([name, value]) => [name, readHeader(name, value, references)] as const,
  );
  const answered = response && readAnswer(response, references, isCut);

  /** An added value that is a part of the address is cut out where it was sent only. */
  const isOpen = (value: string): boolean =>
    !isSecretAt(value, request.url) && request.headers.some(([name, sentAs]) => isAdded(name) && sentAs === value);
  if (token !== undefined) references.watch(token, 'token', 'received');
  watchAll([url, head, ...(sent ? [sent] : [])], references, 'sent', ({ value }) => !isShort(value) && !isOpen(value));
  watchAll(
    headers.map(([, value]) => value),
    references,
    'received',
    ({ value }) => !isShort(value),
  );
  // Others of an answer are cut out where they stand: a field may be called secret and hold an ordinary word.
  watchAll(answered?.text ? [answered.text] : [], references, 'received', ({ value, kind }) =>
    kind === 'hash' ? isPasswordHash(value) : looksLikeToken(value),
  );

  return {
    request: {
      method: request.method,
      url: cutText(url, references),
      head: { text: cutText(head, references), source: request.head.source },
      added: request.added && [...request.added],
      body: sent && { form: 'text', text: cutText(sent, references), bytes: Buffer.byteLength(sent.text) },
    },
    response: response &&
      answered && {
        status: response.status,
        statusText: cutText(statusText, references),
        httpVersion: response.httpVersion,
        headers: headers.map(([name, value]) => [name, cutText(value, references)]),
        body: withLength(cutBody(answered, references), isBeginning(response.body)),
      },
  };
}

/** What is no text, or is compressed, is not read. Of a long text the beginning is kept. */
function readAnswer(response: TransportResponse, references: SecretReferences, isCut: boolean): ReadBody {
  const { body, bodyBytes, rawHeaders, status } = response;
  const contentType = rawHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isText = textOfBody(bodyBytes, contentType) !== undefined;
  const kept = body.slice(0, keptCharacters);
  const text = isText ? readText(kept, references, status >= 400, isCut || isBeginning(body)) : undefined;
  return { bytes: bodyBytes, text };
}

const withLength = (body: RedactedBody, isCut: boolean): RedactedBody =>
  isCut && body.form === 'text' ? { ...body, isBeginning: true } : body;

function watchAll(
  texts: readonly ReadText[],
  references: SecretReferences,
  origin: 'sent' | 'received',
  isWatched: (found: Found) => boolean,
): void {
  for (const { found } of texts) {
    for (const each of found) if (isWatched(each)) references.watch(each.value, each.kind, origin);
  }
}

/** The lines of a head, each with what its header says. The values of added headers are secrets, however short. */
function readHead(head: string, references: SecretReferences, isAdded: (name: string) => boolean): ReadText {
  const found: Found[] = [];
  let at = 0;
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const isFirst = at === 0;
    const read =
      isFirst || colon < 0
        ? readText(line, references)
        : isAdded(line.slice(0, colon))
          ? wholeValue(line.slice(colon + 1))
          : readHeader(line.slice(0, colon), line.slice(colon + 1), references);
    const offset = at + (isFirst || colon < 0 ? 0 : colon + 1);
    for (const each of read.found) found.push({ ...each, from: each.from + offset, to: each.to + offset });
    at += line.length + 2;
  }
  return { text: head, found, isCut: false };
}

function wholeValue(text: string): ReadText {
  const value = text.trimStart();
  return {
    text,
    found: [{ from: text.length - value.length, to: text.length, value, kind: 'other' }],
    isCut: false,
  };
}
