import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFramingUnambiguous } from '../../main/service/framing.ts';
import { startService, type Service } from '../../main/service/server.ts';
import { ada, cheapArgon2 } from './support/make-service.ts';
import { openSocket } from './support/raw-socket.ts';

/** What somebody hides behind a head: its answer is 405, which nothing else here gets. */
const HIDDEN = 'DELETE /api/v1/auth/perfil HTTP/1.1\r\nHost: localhost\r\n\r\n';

type Head = { method: string; path: string; version: string; lines: string[]; lineEnd: string };

const textOf = ({ method, path, version, lines, lineEnd }: Head): string =>
  [`${method} ${path} HTTP/${version}`, 'Host: localhost', ...lines, '', ''].join(lineEnd);

/** Names and values, with what reads differently from one program to the next around and between them. */
const name = fc.constantFrom(
  'Transfer-Encoding',
  'transfer-encoding',
  'TRANSFER-ENCODING',
  'Transfer-Encoding ',
  ' Transfer-Encoding',
  'Transfer-Encoding\t',
);
const separator = fc.constantFrom(': ', ':', ':\t', ':  ', ':\r\n ', ':\r\n\t', ': \r\n ', ':\v', ' : ');
const coding = fc.oneof(
  fc.constantFrom('chunked', 'Chunked', 'CHUNKED', 'xchunked', 'chunkedx', 'chunke', 'identity', 'gzip', 'x', ''),
  fc.constantFrom(
    '"chunked"',
    "'chunked'",
    'chunked;q=1',
    'chunked; a',
    'chunk\u00ebd',
    'chunked\0',
    '\x0bchunked',
    'ch unked',
  ),
  fc.stringMatching(/^[ -~]{0,12}$/),
);
const value = fc.oneof(
  coding,
  fc
    .array(coding, { minLength: 1, maxLength: 3 })
    .chain((all) =>
      fc.constantFrom(',', ', ', ' ,', ';', ' ', '\t', '\r\n ', '\r\n\t').map((between) => all.join(between)),
    ),
  fc
    .tuple(fc.constantFrom(',', ' ', '\t', ';'), coding, fc.constantFrom(',', ' ', '\t', ';', ''))
    .map((all) => all.join('')),
);
const encoding = fc.tuple(name, separator, value).map((all) => all.join(''));
const plainEncoding = fc.constant('Transfer-Encoding: chunked');
const length = fc
  .constantFrom('0', '5', '+5', '-1', '0x5', '5, 5', '5,6', ' 5', '5 ', '05', '1e1', '', '5;', '99999999999999999999')
  .map((text) => `Content-Length: ${text}`);
const other = fc.constantFrom(
  'X: y',
  'X: y\r\n folded',
  'Connection: keep-alive',
  'TE: chunked',
  'Transfer_Encoding: chunked',
);

/** Never one plain `Transfer-Encoding: chunked` by itself: what the line is worth depends on nothing else then. */
const unclear: fc.Arbitrary<Head> = fc
  .record({
    target: fc.constantFrom<[string, string]>(
      ['POST', '/api/v1/auth/salir'],
      ['GET', '/api/v1/auth/perfil'],
      ['POST', '/api/v1/auth/login'],
      ['GET', '/nowhere'],
      ['GET', '/%zz'],
      ['HEAD', '/health'],
    ),
    version: fc.constantFrom('1.1', '1.1', '1.1', '1.0'),
    encodings: fc.array(fc.oneof(encoding, plainEncoding), { minLength: 1, maxLength: 3 }),
    lengths: fc.array(length, { maxLength: 2 }),
    others: fc.array(other, { maxLength: 2 }),
    order: fc.nat(5),
    lineEnd: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n'),
  })
  .map(({ target: [method, path], version, encodings, lengths, others, order, lineEnd }) => {
    const parts = [
      [encodings, lengths, others],
      [lengths, encodings, others],
      [others, lengths, encodings],
      [others, encodings, lengths],
      [encodings, others, lengths],
      [lengths, others, encodings],
    ][order]!;
    return { method, path, version, lines: parts.flat(), lineEnd };
  })
  .filter(({ lines, version }) => {
    const codings = lines.filter((line) => /^transfer-encoding:/i.test(line));
    const isPlain = codings.length === 1 && /^transfer-encoding:[ \t]*chunked[ \t]*$/i.test(codings[0] ?? '');
    return !isPlain || lines.some((line) => line.startsWith('Content-Length')) || version === '1.0';
  });

/** The statuses of all that is answered until the service ends the connection, as it must. */
async function answersTo({ port }: Service, ...packets: string[]): Promise<number[]> {
  const socket = await openSocket(port);
  for (const packet of packets) socket.write(packet);
  const received = await socket.untilClosed();
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

describe('a request without a certain end', () => {
  let service: Service;
  let token: string;
  beforeAll(async () => {
    const started = await startService({
      database: { file: ':memory:' },
      port: 0,
      argon2: cheapArgon2,
      rateLimit: 'off',
      timeouts: { headersMs: 2000, requestMs: 3000, keepAliveMs: 2000, checkEveryMs: 100 },
    });
    if (!started.ok) throw new Error(started.message);
    service = started.service;
    const url = (path: string): string => `${service.baseUrl}/api/v1/auth/${path}`;
    const post = (path: string) =>
      fetch(url(path), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ada),
      });
    await post('registro');
    ({ token } = (await (await post('login')).json()) as { token: string });
  });
  afterAll(() => service.close());
  const isTokenAlive = async () =>
    (await fetch(`${service.baseUrl}/api/v1/auth/perfil`, { headers: { authorization: `Bearer ${token}` } })).status;

  it.each([
    ['xchunked'],
    ['identity'],
    ['gzip, chunked'],
    [',chunked'],
    ['chunked;q=1'],
    ['"chunked"'],
    [''],
    ['\tchunked\t'],
    ['identity\r\nTransfer-Encoding: chunked'],
    ['chunked\r\nTransfer-Encoding: chunked'],
    ['chunked\r\nContent-Length: 5'],
    ['xchunked\r\nContent-Length: 0'],
  ])('is answered 400 once, does nothing, and ends the connection: %j', async (text) => {
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: ${text}\r\n\r\n`;
    for (const path of ['/api/v1/auth/salir', '/%zz', '/nowhere']) {
      expect(await answersTo(service, `${head(path)}0\r\n\r\n${HIDDEN}`)).toEqual([400]);
      expect(await answersTo(service, head(path), `0\r\n\r\n${HIDDEN}`)).toEqual([400]);
      expect(await answersTo(service, `${head(path)}${HIDDEN}${HIDDEN}`)).toEqual([400]);
    }
    expect(await isTokenAlive()).toBe(200);
  });

  it('however its head is spelled', async () => {
    const bodies = ['0\r\n\r\n', '', '5\r\nhello\r\n0\r\n\r\n', 'hello', '0\n\n', '00000\r\n\r\n'];
    const isRefused = fc.asyncProperty(
      fc.array(fc.tuple(unclear, fc.constantFrom(...bodies), fc.boolean()), { minLength: 10, maxLength: 10 }),
      async (all) => {
        const answers = await Promise.all(
          all.map(([head, body, isOnePacket]) => {
            const text = textOf({ ...head, lines: [`Authorization: Bearer ${token}`, ...head.lines] });
            return answersTo(service, ...(isOnePacket ? [text + body + HIDDEN] : [text, body + HIDDEN]));
          }),
        );
        expect(answers).toEqual(all.map(() => [400]));
      },
    );
    await fc.assert(isRefused, { numRuns: 30 });
    expect(await isTokenAlive()).toBe(200);
  });

  it('is told from one with chunks, or with a length, in any case of its letters', async () => {
    const json = JSON.stringify({ email: ada.email, password: ada.password });
    const post = `POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    const chunks = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
    const last = HIDDEN.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    for (const line of ['Transfer-Encoding: chunked', 'transfer-encoding:CHUNKED', 'TRANSFER-ENCODING: Chunked']) {
      expect(await answersTo(service, `${post}${line}\r\n\r\n${chunks}${last}`)).toEqual([200, 405]);
    }
    expect(await answersTo(service, `${post}Content-Length: ${json.length}\r\n\r\n${json}${last}`)).toEqual([200, 405]);
  });
});

it('any coding but exactly chunked is unclear', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('Transfer-Encoding', 'transfer-encoding'), (text, spelled) => {
      const isPlain = text.toLowerCase() === 'chunked';
      expect(isFramingUnambiguous({ rawHeaders: ['Host', 'a', spelled, text], httpVersion: '1.1' })).toBe(isPlain);
    }),
  );
});
