import { gzipSync } from 'node:zlib';
import { formatHar } from '../../main/tools/calls/har.ts';
import { recordedCall } from '../../main/client/recording/recorded-call.ts';
import type { TransportCall } from '../../main/client/call.ts';
import { truncateBodies } from '../../main/check/truncate-bodies.ts';
import { renderMarkdownReport } from '../../main/check/reports/markdown-report.ts';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { reportWith } from '../support/report.ts';
import { createSeededRandom, type Random } from './random.ts';

const secrets = [
  '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  "It's my pass! ñ",
  'contraseña de "Íñigo" & <Ana>',
  'correct horse/battery staple',
  'пароль-Ж9',
] as const;

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The six spellings in which a known secret is looked for. */
export const sixSpellings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON of PHP': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll('/', '\\/')
      .replaceAll(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  percent: (text) => encodeURIComponent(text),
  'percent in small letters': (text) =>
    encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, (each) => each.toLowerCase()),
  entities: (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  'numbers of entities': (text) => Array.from(text, (each) => `&#${each.codePointAt(0)};`).join(''),
  'form data': (text) => new URLSearchParams({ '': text }).toString().slice(1),
  base64,
  'base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
};

/** Nobody looks for these: of what is not a value of JSON, a title or a listed header, nothing is kept. */
const others: Readonly<Record<string, (text: string) => string>> = {
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'percent twice': (text) => encodeURIComponent(encodeURIComponent(`${text}%`)),
  'gzip in base64': (text) => base64(gzipSync(text)),
  'from right to left': (text) => Array.from(text).toReversed().join(''),
};

type Answer = { headers: [string, string][]; body: string; status?: number; statusText?: string };
const json = 'application/json';

/** Where a hostile server puts a secret. In those that are open, a spelling beyond the six may be kept. */
const places: Readonly<Record<string, { isOpen?: true; answer: (spelt: string) => Answer }>> = {
  'a value of JSON': {
    isOpen: true,
    answer: (spelt) => ({ headers: [['Content-Type', json]], body: JSON.stringify({ a: { b: [`so ${spelt}`] } }) }),
  },
  'a value under a secret name': {
    answer: (spelt) => ({ headers: [['Content-Type', json]], body: JSON.stringify({ access_token: spelt }) }),
  },
  'a message': {
    isOpen: true,
    answer: (spelt) => ({
      headers: [['Content-Type', json]],
      body: JSON.stringify({ message: `You sent ${spelt}.` }),
      status: 422,
    }),
  },
  'JSON in a text of JSON': {
    isOpen: true,
    answer: (spelt) => ({
      headers: [['Content-Type', json]],
      body: JSON.stringify({ a: JSON.stringify({ b: spelt }) }),
    }),
  },
  'a name of JSON': {
    isOpen: true,
    answer: (spelt) => ({ headers: [['Content-Type', json]], body: JSON.stringify({ [spelt]: 1 }) }),
  },
  'broken JSON': { answer: (spelt) => ({ headers: [['Content-Type', json]], body: `{"token":"${spelt}` }) },
  'a title': {
    isOpen: true,
    answer: (spelt) => ({ headers: [['Content-Type', 'text/html']], body: `<title>${spelt}</title>` }),
  },
  'a page': {
    answer: (spelt) => ({
      headers: [['Content-Type', 'text/html']],
      body: `<html><body><p>${spelt}</p></body></html>`,
    }),
  },
  'a text': { answer: (spelt) => ({ headers: [['Content-Type', 'text/plain']], body: `password: ${spelt}` }) },
  'a page that says it is a form': {
    answer: (spelt) => ({
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: `<html><body><p>${spelt}</p></body></html>`,
    }),
  },
  'the name of a header of a listed family': {
    answer: (spelt) => ({ headers: [[`Content-${spelt.replaceAll(/[^\w.|-]/g, '')}`, '1']], body: '' }),
  },
  'a name around a token': {
    isOpen: true,
    answer: (spelt) => ({
      headers: [['Content-Type', json]],
      body: JSON.stringify({ [spelt]: { access_token: '9|abcdefghijklmnopqrstuvwxyz0123' } }),
    }),
  },
  'a listed header': { isOpen: true, answer: (spelt) => ({ headers: [['Server', ascii(spelt)]], body: '' }) },
  'another header': { answer: (spelt) => ({ headers: [['X-Debug', ascii(spelt)]], body: '' }) },
  'the name of a header': {
    answer: (spelt) => ({ headers: [[`X-${spelt.replaceAll(/[^\w.|-]/g, '')}`, '1']], body: '' }),
  },
  'a cookie': { answer: (spelt) => ({ headers: [['Set-Cookie', `a=${ascii(spelt)}; Path=/`]], body: '' }) },
  'a redirect': {
    isOpen: true,
    answer: (spelt) => ({ headers: [['Location', `/a?token=${ascii(spelt)}`]], body: '', status: 302 }),
  },
  'the status line': { answer: (spelt) => ({ headers: [], body: '', statusText: ascii(spelt) }) },
};

const ascii = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '');

function callOf(secret: string, { headers, body, status = 200, statusText = 'OK' }: Answer): TransportCall {
  const url = 'http://a.test/api/v1/auth/login';
  return {
    id: 'e1',
    startedAt: '2026-11-21T10:00:00.000Z',
    request: {
      method: 'POST',
      url,
      headers: [['Content-Type', json]],
      body: JSON.stringify({ email: 'ana@example.test', password: secret }),
      head: { text: `POST /api/v1/auth/login HTTP/1.1\r\nContent-Type: ${json}\r\n\r\n`, source: 'as-written' },
    },
    reusedConnection: false,
    timings: { totalMs: 1 },
    response: { status, statusText, httpVersion: '1.1', rawHeaders: headers, body, bodyBytes: Buffer.from(body) },
  };
}

/** Everything that is written down of a call: the file of calls, a HAR, and a report, whose other forms hold the same. */
function writtenOf(call: TransportCall, secretRegistry: SecretRegistry): string {
  const { recorded } = recordedCall('server', call, secretRegistry);
  const report = { ...reportWith('x'), evidence: [truncateBodies(recorded)] };
  return [
    JSON.stringify(recorded),
    formatHar([recorded], { name: 'Llavero', version: '1' }),
    renderMarkdownReport(report, 'en'),
  ].join('\n');
}

export type HostileServer = { secret: string; spelling: string; place: string };

/** Says whether what is written down of an answer holds the secret, as the server spelt it or as it is. */
export function isWritten({ secret, spelling, place }: HostileServer, isKnown = true): boolean {
  const spelt = (sixSpellings[spelling] ?? others[spelling]!)(secret);
  const secretRegistry = new SecretRegistry();
  const call = callOf(isKnown ? secret : 'another password', places[place]!.answer(spelt));
  const written = writtenOf(call, secretRegistry);
  return [spelt, secret, JSON.stringify(spelt).slice(1, -1)].some((each) => each.length > 5 && written.includes(each));
}

/** All combinations of a place with a spelling, in a random order. */
function hostileServers(random: Random, count: number): HostileServer[] {
  const spellings = [...Object.keys(sixSpellings), ...Object.keys(others)];
  const one = (all: readonly string[]): string => all[random.whole(0, all.length)]!;
  return Array.from({ length: count }, () => ({
    secret: one(secrets),
    spelling: one(spellings),
    place: one(Object.keys(places)),
  }));
}

export type SecretsSummary = {
  servers: number;
  /** Where a secret is written down although nothing may keep it. */
  leaks: string[];
  /** How often one is written down in a spelling beyond the six, where values are kept. */
  beyondTheSix: Record<string, number>;
};

/** Tries hostile servers: a secret in any place and spelling. */
export function proveSecrets({ seed, servers }: { seed: number; servers: number }): SecretsSummary {
  const leaks = new Set<string>();
  const beyondTheSix: Record<string, number> = {};
  for (const server of hostileServers(createSeededRandom(seed), servers)) {
    const { spelling, place } = server;
    if (!isWritten(server)) continue;
    if (places[place]!.isOpen && spelling in others) beyondTheSix[place] = (beyondTheSix[place] ?? 0) + 1;
    else leaks.add(`${place}, ${spelling}: ${server.secret}`);
  }
  return { servers, leaks: [...leaks], beyondTheSix };
}
