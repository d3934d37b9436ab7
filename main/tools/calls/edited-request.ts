import type { EditableRequest, EditedRequest, RecordedCall, RedactedText } from '../../../preload/contract/calls.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { longestHeaderName, headerNameProblem } from '../../interface/header-name.ts';
import { isSafePath, percentEncoded } from '../../interface/safe-path.ts';
import { canBeSent } from '../../client/header-text.ts';
import { joined } from '../../client/recording/redacted-text.ts';
import { referencesIn, type ReplayRequest } from './replay-secrets.ts';

/** Control characters and blanks, which no path has unencoded (RFC 3986, 3.3). */
// oxlint-disable-next-line no-control-regex -- these must not be in a path.
const control = /[\u0000-\u0020\u007f]/;

const textsOf = (text: RedactedText): string[] => text.filter((part) => typeof part === 'string');

/** A request for the editor. The base URL of its server is fixed. */
export function toEditableRequest({ method, url, headers, body }: ReplayRequest, baseUrl: string): EditableRequest {
  const [address, ...secrets] = url;
  const path = typeof address === 'string' ? address.slice(baseUrl.length) : '';
  return { baseUrl, method, path: [path, ...secrets], headers: [...headers], ...(body && { body }) };
}

/**
 * The edited request, or why it is not sent. It stays below the base URL, sets no header of HTTP's own, and refers to
 * no secret but those of the recorded request, since a compromised page could ask for any.
 */
export function applyEdits(original: ReplayRequest, edited: EditedRequest, baseUrl: string): Result<ReplayRequest> {
  const { method, headers, body } = edited;
  const path = encodeQuery(edited.path);
  if (!isSafeRedactedPath(path)) return fail({ kind: 'not-replayable', problem: 'unsafe-path' });
  for (const [row, { name, value }] of headers.entries()) {
    const isWritable = textsOf(value).every(canBeSent);
    const problem = headerNameProblem(name, true) ?? (isWritable ? undefined : 'value-characters');
    if (problem) return fail({ kind: 'invalid-header', row, problem, name: name.slice(0, longestHeaderName) });
  }
  const request: ReplayRequest = {
    method,
    url: joined([baseUrl, ...path]),
    headers,
    ...(body && body.some((part) => part !== '') && { body }),
  };
  const own = new Set(referencesIn(original).map(({ id }) => id));
  const isOwn = referencesIn(request).every(({ id }) => own.has(id));
  return isOwn ? ok(request) : fail({ kind: 'not-replayable', problem: 'not-applicable' });
}

/** Percent-encodes the query as a browser does. The path itself stays as it was typed, and may be refused. */
function encodeQuery(path: RedactedText): RedactedText {
  let isQuery = false;
  return path.map((part) => {
    if (typeof part !== 'string') return part;
    const start = isQuery ? 0 : part.indexOf('?');
    if (start < 0) return part;
    isQuery = true;
    return part.slice(0, start) + percentEncoded(part.slice(start));
  });
}

/** Whether a path is absolute and stays below its base, whatever the values of its secrets. */
function isSafeRedactedPath(path: RedactedText): boolean {
  const [first] = path;
  if (typeof first !== 'string' || !first.startsWith('/')) return false;
  const text = path.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  return isSafePath(text) && !control.test(text);
}

/** The request as a recorded one, for `formatCommand`. */
export function toRecordedRequest({ method, url, headers, body }: ReplayRequest): RecordedCall['request'] {
  const lines = headers.flatMap(({ name, value }): RedactedText => [`\r\n${name}: `, ...value]);
  return {
    method,
    url,
    head: { text: [`${method} HTTP/1.1`, ...lines, '\r\n\r\n'], source: 'as-prepared' },
    ...(body && { body: { form: 'text', text: body, bytes: 0 } }),
  };
}
