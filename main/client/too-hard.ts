import { hash } from 'node:crypto';
import type { Call, TransportResponse } from './call.ts';
import type { TransportFailure } from './transport-failure.ts';

/** Characters or bytes up to which a text is read where it is: copying it would take as long as reading it. */
export const longText = 256 * 1024;

export const isLongText = (text: string): boolean => text.length > longText;

export const isLongAnswer = ({ body, bodyBytes }: Pick<TransportResponse, 'body' | 'bodyBytes'>): boolean =>
  Math.max(body.length, bodyBytes.length) > longText;

/** Whether a call has texts that are not to be read where it is. */
export const isLong = ({ request, response }: Call): boolean =>
  [request.head.text, request.body, response?.body, response?.bodyBytes].some((text) => (text?.length ?? 0) > longText);

/** Why there is no answer, where one was too hard to read. */
const tooHard = ({ status }: Pick<TransportResponse, 'status'>): TransportFailure => ({ kind: 'too-hard', status });

/** A call with an answer that was too hard to read: of the answer its status is left, and its body's size and hash. */
export function withoutAnswer(call: Call): Call {
  const { response } = call;
  if (!response || response.unread) return call;
  const { status, httpVersion, bodyBytes } = response;
  const nothing = { statusText: '', rawHeaders: [], body: '', bodyBytes: new Uint8Array() };
  return {
    ...call,
    understood: undefined,
    failure: call.failure ?? tooHard(response),
    response: { status, httpVersion, ...nothing, unread: measured(bodyBytes) },
  };
}

/**
 * A call of which something long was too hard: of what was sent, too, the size and the hash are left, and of a long
 * head where it went.
 */
export function withoutTexts(call: Call): Call {
  const { request } = call;
  const { body = '', head } = request;
  const sent = {
    ...request,
    ...(head.text.length > longText && { url: originOf(request.url), headers: [], head: { ...head, text: '' } }),
    ...(body.length > longText && { body: '', unread: measured(Buffer.from(body)) }),
  };
  return withoutAnswer({ ...call, request: sent });
}

const originOf = (url: string): string => (URL.canParse(url) ? `${new URL(url).origin}/` : '');

const measured = (bytes: Uint8Array) => ({ bytes: bytes.length, sha256: hash('sha256', bytes) });
