import type { EditableRequest, EditedRequest, RecordedCall, RedactedText } from '../../../preload/contract/calls.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { longestHeaderName, headerNameProblem } from '../../interface/header-name.ts';
import { isSafePath, percentEncoded } from '../../interface/safe-path.ts';
import { canBeSent } from '../../client/header-text.ts';
import { joined } from '../../client/recording/redacted-text.ts';
import { referencesIn, type ReplayRequest } from './replay-secrets.ts';

/** Every line end and every other sign that no path has as it is written (RFC 3986, 3.3). */
// oxlint-disable-next-line no-control-regex -- They are what must not be in it.
const control = /[\u0000-\u0020\u007f]/;

const textsOf = (text: RedactedText): string[] => text.filter((part) => typeof part === 'string');

/** Returns a request as a person may edit it. It begins with the address of its server, below which it stays. */
export function toEditableRequest({ method, url, headers, body }: ReplayRequest, baseUrl: string): EditableRequest {
  const [address, ...secrets] = url;
  const path = typeof address === 'string' ? address.slice(baseUrl.length) : '';
  return { baseUrl, method, path: [path, ...secrets], headers: [...headers], ...(body && { body }) };
}

/**
 * Returns what a person made of a recorded request, or why that is not sent. It goes to the same server, writes no
 * header of HTTP's own, and names no secret but those of the recorded request, since a page that was taken over could
 * ask for any.
 */
export function applyEdits(original: ReplayRequest, edited: EditedRequest, baseUrl: string): Result<ReplayRequest> {
  const { method, headers, body } = edited;
  const path = writtenOut(edited.path);
  if (!isPathBelow(path)) return fail({ kind: 'not-replayable', problem: 'unsafe-path' });
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

/** Writes the query of a path as a browser does. What is typed into the path itself stays, and may be refused. */
function writtenOut(path: RedactedText): RedactedText {
  let isQuery = false;
  return path.map((part) => {
    if (typeof part !== 'string') return part;
    const at = isQuery ? 0 : part.indexOf('?');
    if (at < 0) return part;
    isQuery = true;
    return part.slice(0, at) + percentEncoded(part.slice(at));
  });
}

/** Whether a path begins as one, and leads nowhere else whatever its secrets are. */
function isPathBelow(path: RedactedText): boolean {
  const [start] = path;
  if (typeof start !== 'string' || !start.startsWith('/')) return false;
  const written = path.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  return isSafePath(written) && !control.test(written);
}

/** A request as it would be recorded, for what is made of recorded ones. */
export function toRecordedRequest({ method, url, headers, body }: ReplayRequest): RecordedCall['request'] {
  const lines = headers.flatMap(({ name, value }): RedactedText => [`\r\n${name}: `, ...value]);
  return {
    method,
    url,
    head: { text: [`${method} HTTP/1.1`, ...lines, '\r\n\r\n'], source: 'as-prepared' },
    ...(body && { body: { form: 'text', text: body, bytes: 0 } }),
  };
}
