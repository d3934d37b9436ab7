import type { RecordedCall, RedactedBody } from '../../preload/contract/calls.ts';
import { truncateRedacted } from '../client/recording/redacted-text.ts';

const maxBodyCharacters = 4 * 1024;

/** A recorded request with its bodies truncated to 4 Ki characters. `bytes` stays the original length. */
export function truncateBodies(call: RecordedCall): RecordedCall {
  const { request, response } = call;
  return {
    ...call,
    request: { ...request, body: request.body && truncateBody(request.body) },
    response: response && { ...response, body: truncateBody(response.body) },
  };
}

export function isTruncated(body: RedactedBody | undefined): boolean {
  if (body?.form !== 'text' || body.bytes <= maxBodyCharacters) return false;
  // Counted as `truncateRedacted` counts.
  const shown = body.text.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
  return shown >= maxBodyCharacters;
}

const truncateBody = (body: RedactedBody): RedactedBody =>
  body.form === 'text' ? { ...body, text: truncateRedacted(body.text, maxBodyCharacters) } : body;
