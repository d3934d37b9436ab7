import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { RecordedCall, RedactedBody, RedactedText } from '../../preload/contract/calls.ts';
import type { Call } from '../client/call.ts';
import { sameName } from '../client/extra-headers.ts';
import { headersOf } from './commands.ts';
import { isHeaderName, isHttpAddress, isMethod } from './http-names.ts';
import { createSecretNames } from '../secrets/named-secrets.ts';
import { textOfBody } from '../secrets/charset.ts';

/** A file of this size takes a second to read. Browsers write larger ones only when pictures are in them. */
export const maxHarBytes = 50 * 1024 * 1024;

/** Bytes of a body that are read. */
const bodyBytes = 1024 * 1024;
const maxEntries = 10_000;

export type HarProblem = 'not-json' | 'not-a-har' | 'too-many';

/** What stands beside an extra header of the server, which no other program would have sent. */
const addedByUs = 'added by Llavero';

/**
 * Writes calls as an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), the oldest first. Secrets are
 * named, `[token 1]`, and equal ones alike. The comment says what was left out.
 */
export function writeHar(calls: readonly RecordedCall[], creator: { name: string; version: string }): string {
  const { text, counts } = createSecretNames();
  const entries = calls.map((call) => entryOf(call, text));
  const removed = counts()
    .map(([secret, count]) => `${secret}: ${count}`)
    .join(', ');
  const comment = removed === '' ? 'No secrets were found.' : `Secrets were replaced by names (${removed}).`;
  return `${JSON.stringify({ log: { version: '1.2', creator, entries, comment } }, undefined, 2)}\n`;
}

function entryOf(call: RecordedCall, text: (redacted: RedactedText) => string): object {
  const { request, response, timings, remote } = call;
  const url = text(request.url);
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  const pairs = (list: readonly (readonly [string, string])[]): object[] =>
    list.map(([name, value]) => ({ name, value }));
  const headers = headersOf(request.head.text).map(({ name, value }): [string, string] => [name, text(value)]);
  const contentType = (list: readonly (readonly [string, string])[]): string =>
    list.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const answered = response?.headers.map(([name, value]): [string, string] => [name, text(value)]) ?? [];
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
      statusText: response ? text(response.statusText) : '',
      httpVersion: response ? `HTTP/${response.httpVersion}` : '',
      cookies: [],
      headers: pairs(answered),
      content: response ? contentOf(response.body, contentType(answered), text) : { size: 0, mimeType: '' },
      redirectURL: answered.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '',
      headersSize: -1,
      bodySize: response?.body.bytes ?? -1,
      ...(call.failure && { comment: call.failure.kind }),
    },
    cache: {},
    timings: phasesOf(timings),
    ...(remote !== undefined && { serverIPAddress: remote.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '') }),
  };
}

function contentOf(body: RedactedBody, mimeType: string, text: (redacted: RedactedText) => string): object {
  const content = { size: body.bytes, mimeType };
  if (body.form === 'text') return { ...content, text: text(body.text) };
  return body.sha256 === undefined
    ? { ...content, text: body.base64, encoding: 'base64' }
    : { ...content, comment: `SHA-256 ${body.sha256}` };
}

/** Computes lengths from the instants. The format itself says -1 for what did not happen. */
function phasesOf({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: RecordedCall['timings']): object {
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

const text = z.string().max(20_000_000).catch('');
const Pairs = z
  .array(
    z.object({
      name: z.string().max(10_000),
      value: z.string().max(1_000_000),
      comment: z.string().max(10_000).optional().catch(undefined),
    }),
  )
  .max(5_000)
  .refine(isOfSize)
  .catch([]);
/** No server takes so much, and what is copied from thread to thread has an end. */
const mostHeaderCharacters = 1024 * 1024;

function isOfSize(pairs: readonly { name: string; value: string }[]): boolean {
  return pairs.reduce((sum, { name, value }) => sum + name.length + value.length, 0) <= mostHeaderCharacters;
}

const mostStatusText = 10_000;

const Entry = z.object({
  startedDateTime: z.iso.datetime({ offset: true }).catch('1970-01-01T00:00:00.000Z'),
  time: z.number().nonnegative().catch(0),
  request: z.object({
    method: z.string().max(100).refine(isMethod),
    url: z.string().max(100_000).transform(spelledOut).refine(isHttpAddress),
    headers: Pairs,
    postData: z.object({ text }).optional().catch(undefined),
  }),
  response: z.object({
    status: z.int().min(0).max(999).catch(0),
    statusText: text.transform((whole) => whole.slice(0, mostStatusText)),
    httpVersion: z.string().max(100).catch(''),
    headers: Pairs,
    content: z.object({ text, encoding: z.string().optional() }).catch({ text: '' }),
  }),
});
/** Spells an address as every program reads it. The text is empty for what is no address. */
function spelledOut(url: string): string {
  return URL.canParse(url) ? new URL(url).href : '';
}

const Har = z.object({ log: z.object({ entries: z.array(z.unknown()) }) });

/** No archive is nested so deep, and to parse what is nested without end ends the process. */
const deepest = 1000;

function isTooDeep(content: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === 0x22) isQuoted = !isQuoted;
    else if (isQuoted) at += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > deepest) return true;
  }
  return false;
}

/** Reads the entries of an HTTP Archive, each for {@link callOfEntry}. It never throws. */
export function parseHar(content: string): { ok: true; entries: unknown[] } | { ok: false; problem: HarProblem } {
  if (isTooDeep(content)) return { ok: false, problem: 'not-a-har' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    return { ok: false, problem: 'not-json' };
  }
  const har = Har.safeParse(parsed);
  if (!har.success) return { ok: false, problem: 'not-a-har' };
  const { entries } = har.data.log;
  return entries.length > maxEntries ? { ok: false, problem: 'too-many' } : { ok: true, entries };
}

/**
 * An entry as a call that was made, with its secrets; undefined for what is none. Of a body only the first
 * {@link bodyBytes} stay.
 */
export function callOfEntry(value: unknown): Call | undefined {
  const parsed = Entry.safeParse(value);
  return parsed.success ? callOf(parsed.data) : undefined;
}

/** A header of several lines would show as several headers. */
const inOneLine = (text: string): string => text.replaceAll(/[^\P{Cc}\t]+/gu, ' ');

function callOf({ request, response, startedDateTime, time }: z.infer<typeof Entry>): Call {
  // Browsers write the fields of HTTP/2, such as `:authority`, among the headers. They are none.
  const pairsOf = (pairs: z.infer<typeof Pairs>): [string, string][] =>
    pairs.filter(({ name }) => isHeaderName(name)).map(({ name, value }) => [name, inOneLine(value)]);
  const { pathname, search } = new URL(request.url);
  const line = `${request.method} ${pathname}${search} HTTP/1.1`;
  const written = pairsOf(request.headers).map(([name, value]) => `${name}: ${value}`);
  const added = pairsOf(request.headers.filter(({ comment }) => comment === addedByUs)).map(([name]) => name);
  const encoding = response.content.encoding === 'base64' ? 'base64' : 'utf8';
  const whole = Buffer.from(response.content.text, encoding);
  const received = whole.subarray(0, bodyBytes);
  const isCut = whole.length > bodyBytes || (request.postData?.text.length ?? 0) > bodyBytes;
  const tooLarge = { kind: 'too-large', status: response.status, limitBytes: bodyBytes } as const;
  const contentType = response.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return {
    id: randomUUID(),
    startedAt: new Date(startedDateTime).toISOString(),
    request: {
      method: request.method,
      url: request.url,
      headers: pairsOf(request.headers),
      ...(added.length > 0 && { added }),
      ...(request.postData && { body: request.postData.text.slice(0, bodyBytes) }),
      head: { text: [line, ...written, '', ''].join('\r\n'), source: 'as-prepared' },
    },
    reusedConnection: false,
    timings: { totalMs: time },
    failure: isCut ? tooLarge : undefined,
    ...(response.status > 0 && {
      response: {
        status: response.status,
        statusText: inOneLine(response.statusText),
        httpVersion: inOneLine(response.httpVersion).replace(/^HTTP\//i, ''),
        rawHeaders: pairsOf(response.headers),
        body: (encoding === 'base64' ? textOfBody(received, contentType) : undefined) ?? received.toString('utf8'),
        bodyBytes: received,
      },
    }),
  };
}
