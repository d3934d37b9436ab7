import type { RecordedCall, RedactedBody } from '../../preload/contract/calls.ts';
import { truncateRedacted } from '../client/recording/redacted-text.ts';

const mostCharacters = 4 * 1024;

/** Returns a recorded call with its bodies cut to 4 KiB of characters. Their `bytes` stay what they were. */
export function truncateBodies(call: RecordedCall): RecordedCall {
  const { request, response } = call;
  return {
    ...call,
    request: { ...request, body: request.body && cutBody(request.body) },
    response: response && { ...response, body: cutBody(response.body) },
  };
}

/** Says whether only the beginning of a body is there. */
export function isTruncated(body: RedactedBody | undefined): boolean {
  if (body?.form !== 'text' || body.bytes <= mostCharacters) return false;
  // The length is counted as the body was cut.
  const shown = body.text.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
  return shown >= mostCharacters;
}

const cutBody = (body: RedactedBody): RedactedBody =>
  body.form === 'text' ? { ...body, text: truncateRedacted(body.text, mostCharacters) } : body;
