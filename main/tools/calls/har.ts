import type { RecordedCall, RedactedBody, RedactedText } from '../../../preload/contract/calls.ts';
import { sameName } from '../../client/extra-headers.ts';
import { parseHeaders } from '../../client/recording/format-command.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';

/** The comment of an extra header that the settings of the server add. */
const addedByUs = 'added by Llavero';

/**
 * Calls as an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), the oldest first. Secrets are replaced
 * by names such as `[token 1]`, equal ones by the same. The comment counts them.
 */
export function formatHar(calls: readonly RecordedCall[], creator: { name: string; version: string }): string {
  const { text, counts } = createSecretNames();
  const entries = calls.map((call) => formatEntry(call, text));
  const removed = counts()
    .map(([secret, count]) => `${secret}: ${count}`)
    .join(', ');
  const comment = removed === '' ? 'No secrets were found.' : `Secrets were replaced by names (${removed}).`;
  return `${JSON.stringify({ log: { version: '1.2', creator, entries, comment } }, undefined, 2)}\n`;
}

function formatEntry(call: RecordedCall, text: (redacted: RedactedText) => string): object {
  const { request, response, timings, remote } = call;
  const url = text(request.url);
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  const pairs = (list: readonly (readonly [string, string])[]): object[] =>
    list.map(([name, value]) => ({ name, value }));
  const headers = parseHeaders(request.head.text).map(({ name, value }): [string, string] => [name, text(value)]);
  const contentType = (list: readonly (readonly [string, string])[]): string =>
    list.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const responseHeaders = response?.headers.map(([name, value]): [string, string] => [name, text(value)]) ?? [];
  return {
    startedDateTime: call.startedAt,
    time: timings.totalMs,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers.map(([name, value]) => ({
        name,
        value,
        comment: request.added?.some((added) => sameName(added, name)) ? addedByUs : undefined,
      })),
      queryString: pairs(query),
      ...(request.body?.form === 'text' && {
        postData: { mimeType: contentType(headers), text: text(request.body.text) },
      }),
      headersSize: -1,
      bodySize: request.body?.bytes ?? 0,
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: response ? `HTTP/${response.httpVersion}` : '',
      cookies: [],
      headers: pairs(responseHeaders),
      content: response ? formatContent(response.body, contentType(responseHeaders), text) : { size: 0, mimeType: '' },
      redirectURL: responseHeaders.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '',
      headersSize: -1,
      bodySize: response?.body.bytes ?? -1,
      ...(call.failure && { comment: call.failure.kind }),
    },
    cache: {},
    timings: formatTimings(timings),
    ...(remote !== undefined && { serverIPAddress: remote.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '') }),
  };
}

function formatContent(body: RedactedBody, mimeType: string, text: (redacted: RedactedText) => string): object {
  const content = { size: body.bytes, mimeType };
  if (body.form === 'text') return { ...content, text: text(body.text) };
  const comment = [
    'Its text is not kept.',
    ...(body.title ? [`Title: ${text(body.title)}.`] : []),
    ...(body.sha256 === undefined ? [] : [`SHA-256 ${body.sha256}.`]),
  ];
  return { ...content, comment: comment.join(' ') };
}

/** Durations out of the instants. -1 is the format's value for a phase that did not happen. */
function formatTimings({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: RecordedCall['timings']): object {
  const connected = tlsMs ?? connectMs ?? dnsMs ?? 0;
  const rounded = (ms: number): number => Math.max(0, Math.round(ms * 10) / 10);
  return {
    blocked: -1,
    dns: dnsMs === undefined ? -1 : rounded(dnsMs),
    connect: connectMs === undefined ? -1 : rounded((tlsMs ?? connectMs) - (dnsMs ?? 0)),
    ssl: tlsMs === undefined ? -1 : rounded(tlsMs - (connectMs ?? 0)),
    send: 0,
    wait: rounded((firstByteMs ?? totalMs) - connected),
    receive: firstByteMs === undefined ? 0 : rounded(totalMs - firstByteMs),
  };
}
