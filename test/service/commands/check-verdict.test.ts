import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Report } from '../../../preload/contract/report.ts';
import { badAnswers } from '../../support/bad-answers.ts';
import { makeCertificate } from '../../support/certificates.ts';
import {
  answer,
  portOf,
  startRecordingServer,
  type RecordedRequest,
  type Respond,
} from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { check, forms, quickly } from '../support/check.ts';
import { isPath, smallServer } from '../support/small-server.ts';

vi.setConfig({ testTimeout: 60_000 });

const page = (status: number): string =>
  answer(status, '<!doctype html><title>Sorry</title><h1>Sorry</h1>', { 'Content-Type': 'text/html' });

const login = (request: RecordedRequest): boolean => isPath(request, 'login');
const registration = (request: RecordedRequest): boolean => isPath(request, 'registro') || isPath(request, 'register');

/** A right server, but for what a call is answered with. */
function at(isMet: (request: RecordedRequest) => boolean, ...[respond]: [Respond]): Respond {
  const right = smallServer();
  return (request, socket) => (isMet(request) ? respond(request, socket) : right(request, socket));
}

/** Lets somebody in once, and then nobody. */
function onceOnly(): Respond {
  const right = smallServer();
  let isIn = false;
  return (request, socket) => {
    if (isIn && login(request)) return answer(401, { message: 'No.' });
    const answered = right(request, socket);
    isIn ||= login(request) && String(answered).includes('"token"');
    return answered;
  };
}

const hugeHead = `HTTP/1.1 200 OK\r\n${Array.from({ length: 10_000 }, (_, line) => `X-${line}: ${'h'.repeat(1000)}\r\n`).join('')}Content-Length: 2\r\n\r\n{}`;
/** It is 32 MB once unpacked, which is more than Llavero reads. */
const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '));
const bombHead = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;

const nobody = (said: string): string => `Nobody could log in: ${said}`;
const clean = 'All 9 requirements passed, no findings';
const outlives = '1 high finding; all 9 requirements passed';
const weak = '1 medium finding; all 9 requirements passed';

/** A server whose log-out takes no token away. */
function endsNothing(rules: Parameters<typeof smallServer>[0] = {}): Respond {
  const owners = new Map<string, string>();
  const { newToken = (): string => `${owners.size}|${crypto.randomUUID()}${crypto.randomUUID()}` } = rules;
  return smallServer({
    ...rules,
    newToken(email) {
      const token = newToken(email);
      owners.set(token, email);
      return token;
    },
    ownerOf: (token) => owners.get(token),
  });
}
const opaque = (): string => crypto.randomUUID() + crypto.randomUUID();
const down = answer(500, { message: 'Server Error' });
const profile = (request: RecordedRequest): boolean => isPath(request, 'perfil');
const logout = (request: RecordedRequest): boolean => isPath(request, 'salir');
/** Answers that are long to read are not asked for more often than it takes. */
const few = ['--only', 'profile.served'];
const soon = ['--timeout', '300'];

type Row = [name: string, respond: Respond, code: number, first: string, args?: string[]];

/** What each server answers, the exit code, and the first sentence. */
const servers: Row[] = [
  [
    'a login that answers 500',
    at(login, () => down),
    1,
    nobody('1 low finding; 1 of 9 requirements failed, 6 not tested'),
  ],
  [
    'a login that answers 502 with a page',
    at(login, () => page(502)),
    1,
    nobody('1 low finding; 1 of 9 requirements failed, 6 not tested'),
  ],
  [
    'a login that answers 302',
    at(login, () => answer(302, '', { Location: '/' })),
    1,
    nobody('1 of 9 requirements failed, 6 not tested'),
  ],
  [
    'a login that answers 200 with a page',
    at(login, () => page(200)),
    1,
    nobody('1 of 9 requirements failed, 6 not tested'),
  ],
  [
    'a login that closes the connection',
    at(login, badAnswers.reset),
    1,
    nobody('1 of 9 requirements failed, 6 not tested'),
  ],
  [
    'a login that answers 404',
    at(login, () => answer(404, { message: 'Not here.' })),
    1,
    nobody('1 of 9 requirements failed, 6 not tested'),
  ],
  [
    'a login that answers an empty 200',
    at(login, () => answer(200)),
    1,
    nobody('2 of 9 requirements failed, 5 not tested'),
  ],
  [
    'a login with an endless body',
    at(login, badAnswers.endless),
    1,
    nobody('1 of 3 requirements failed, 1 not tested'),
    few,
  ],
  [
    'a login with a gzip bomb',
    at(login, () => Buffer.concat([Buffer.from(bombHead), bomb])),
    1,
    nobody('1 of 3 requirements failed, 1 not tested'),
    few,
  ],
  ['a login with 10 MB of headers', at(login, () => hugeHead), 1, nobody('1 of 9 requirements failed, 6 not tested')],
  [
    'a login with location: file:',
    at(login, () => answer(302, '', { Location: 'file:///etc/passwd' })),
    1,
    nobody('1 of 9 requirements failed, 6 not tested'),
  ],
  [
    'refused registrations',
    at(registration, () => answer(403, { message: 'Closed.' })),
    1,
    nobody('1 of 9 requirements failed, 6 not tested'),
  ],

  // What is like them.
  [
    'a login that answers 429',
    at(login, () => answer(429, { message: 'Too many attempts.' })),
    1,
    nobody('2 of 9 requirements passed, 7 not tested'),
  ],
  [
    'a login that answers 401',
    at(login, () => answer(401, { message: 'No.' })),
    1,
    nobody('1 of 9 requirements failed, 5 not tested'),
  ],
  [
    'a login that asks for a second step',
    at(login, () => answer(200, { mfa_required: true })),
    1,
    nobody('1 of 9 requirements failed, 6 not tested'),
  ],
  ['a login that is cut off', at(login, badAnswers.truncated), 1, nobody('1 of 9 requirements failed, 6 not tested')],
  ['a login that is no HTTP', at(login, badAnswers.notHttp), 1, nobody('1 of 9 requirements failed, 6 not tested')],
  [
    'a login that never answers',
    at(login, badAnswers.hanging),
    1,
    nobody('1 of 9 requirements passed, 8 not tested'),
    soon,
  ],
  [
    'registrations that answer 500',
    at(registration, () => down),
    1,
    nobody('2 of 9 requirements passed, 7 not tested'),
  ],
  ['pages everywhere', () => page(200), 1, nobody('none of the 9 requirements was tested')],
  ['answers that are cut off everywhere', badAnswers.truncated, 1, nobody('none of the 9 requirements was tested')],
  [
    'an unconfirmed account',
    at(login, () => answer(403, { message: 'Please confirm your email first.' })),
    1,
    nobody('2 of 9 requirements passed, 7 not tested'),
  ],
  [
    'a login that works once',
    onceOnly(),
    1,
    '7 of 9 requirements passed, 2 not tested; a required test could not run: A logout with a token succeeds',
  ],
  ['a profile that is never there', at(profile, () => answer(404, {})), 1, '1 of 9 requirements failed, 3 not tested'],
  [
    'a logout that answers 500',
    at(logout, () => down),
    1,
    '7 of 9 requirements passed, 2 not tested; a required test could not run: A logout with a token succeeds',
  ],
  [
    'a logout that answers 500, after a case that needs none',
    at(logout, () => down),
    0,
    'All 3 requirements passed, no findings',
    few,
  ],
  [
    'a token that is refused at once',
    smallServer({ ownerOf: () => undefined }),
    1,
    '1 of 9 requirements failed, 2 not tested',
  ],
  [
    'a case that was asked for and is throttled',
    at(logout, () => answer(429, {})),
    1,
    '3 of 4 requirements passed, 1 not tested; a required test could not run: Logout response',
    ['--only', 'logout.answer'],
  ],
  ['nothing wrong', smallServer(), 0, clean],

  // What a person may choose about the findings and about the interface.
  ['a logout that ends nothing', endsNothing(), 1, outlives],
  ['a logout that ends nothing, which fails nothing', endsNothing(), 0, outlives, ['--fail-on', 'none']],
  ['a logout that ends nothing, from medium', endsNothing(), 1, outlives, ['--fail-on', 'medium']],
  ['weak passwords, which are medium', smallServer({ isWeak: () => false }), 0, weak],
  ['weak passwords, from medium', smallServer({ isWeak: () => false }), 1, weak, ['--fail-on', 'medium']],
  ['weak passwords, from low', smallServer({ isWeak: () => false }), 1, weak, ['--fail-on', 'low']],
  ['tokens of another form', smallServer({ newToken: opaque }), 0, clean],
  [
    'tokens of another form, where the interface was chosen',
    smallServer({ newToken: opaque }),
    1,
    '1 of 10 requirements failed',
    ['--interface', 'llavero'],
  ],
  [
    'nothing wrong, where the interface was chosen',
    smallServer(),
    0,
    'All 10 requirements passed, no findings',
    ['--interface', 'llavero'],
  ],
  [
    'a logout that ends nothing, and tokens of another form, where the interface was chosen',
    endsNothing({ newToken: opaque }),
    1,
    '1 high finding; 1 of 10 requirements failed',
    ['--interface', 'llavero'],
  ],

  // Nothing that answers in HTTP.
  ['silence', badAnswers.hanging, 3, 'URL: no complete response within 0.3 seconds', soon],
  ['a reset of each connection', badAnswers.reset, 3, 'URL: the connection was closed without a response ECONNRESET'],
];

/** Runs the check with every form of a report, and returns the first sentence of each. */
async function checkAll(url: string, args: readonly string[] = []) {
  const folder = await makeTemporaryFolder();
  const reports = forms.flatMap((form) => ['--report', `${form}=${path.join(folder, form)}`]);
  const { code, err, out } = await check([url, ...quickly, ...args, ...reports]);
  const [md = '', html = '', json = '', junit = ''] = await Promise.all(
    forms.map((form) => readFile(path.join(folder, form), 'utf8')),
  );
  const { verdict } = JSON.parse(json) as Report;
  const count = (name: string): number => Number(new RegExp(`<testsuites [^>]*${name}="(\\d+)"`).exec(junit)?.[1]);
  return {
    code,
    err,
    out,
    md,
    html,
    failures: count('failures'),
    errors: count('errors'),
    exitCode: verdict?.exitCode,
    said: {
      json: verdict?.sentence,
      junit: /name="verdict" value="([^"]*)"/.exec(junit)?.[1],
      // Marks of bold text and of code.
      md: md.split('\n')[2]?.replaceAll(/[*`]/g, ''),
      html: /<\/h1>\s*<p>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, ''),
      // Of what is no server there is one more line, about accounts.
      ...(code !== 3 && {
        mdEnd: md.trimEnd().split('\n').at(-1)?.replaceAll(/[*`]/g, ''),
        htmlEnd: /.*<p>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, ''),
      }),
      terminal: err.trimEnd().split('\n').at(-1),
    },
  };
}

describe('check says the same everywhere at a server with', () => {
  it.each(servers)('%s', async (_name, respond, code, first, args = []) => {
    const server = await startRecordingServer(respond);
    onTestFinished(server.close);
    const { said, ...run } = await checkAll(server.origin, args);
    expect(new Set(Object.values(said))).toEqual(new Set([first.replace('URL', server.origin)]));
    expect([run.code, run.exitCode]).toEqual([code, code]);
    expect(run.failures + run.errors > 0).toBe(code !== 0);
    expect(code === 3 ? [run.failures, run.errors] : [0, 1]).toEqual([0, 1]);
  });
});

/** Says these bytes at once, and answers whatever comes with others, until it hangs up. */
const speaks =
  (greeting: string | Buffer, answers: string | Buffer = '', isOver = false) =>
  (): Server =>
    createServer((socket) => {
      socket.on('error', () => socket.destroy());
      if (greeting.length > 0) socket.write(greeting);
      socket.on('data', () => (isOver ? socket.end(answers) : socket.write(answers)));
    });
const closes = (): Server => createServer((socket) => socket.on('error', () => undefined).destroy());
const identity = makeCertificate({ commonName: 'localhost', names: ['127.0.0.1'] });
const https = (): Server =>
  createTlsServer(identity, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', () => socket.write(answer(401, { message: 'No.' })));
  }).on('tlsClientError', () => undefined);
const http = (): Server =>
  createHttpServer((_request, response) => void response.writeHead(401).end('{}')).on('clientError', (_error, socket) =>
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );

describe('what speaks no HTTP gets three lines, and no account is claimed', () => {
  it.each<[name: string, make: () => Server, scheme?: string]>([
    ['FTP', speaks('220 ProFTPD Server ready.\r\n', '500 Not understood.\r\n')],
    ['SMTP', speaks('220 mail.example.test ESMTP\r\n', '502 5.5.2 Error: command not recognized\r\n')],
    ['SMTP that hangs up', speaks('220 mail.example.test ESMTP\r\n', '221 2.7.0 I can break rules, too.\r\n', true)],
    ['POP3', speaks('+OK ready\r\n', '-ERR unknown command\r\n')],
    ['IMAP', speaks('* OK IMAP4rev1 ready\r\n', 'POST BAD Unknown command\r\n')],
    ['SSH', speaks('SSH-2.0-OpenSSH_9.2\r\n', 'Invalid SSH identification string.\r\n', true)],
    ['Redis', speaks('', "-ERR unknown command 'GET'\r\n")],
    ['MySQL', speaks(Buffer.from('4a0000000a382e302e333600080000002b7a1e', 'hex'), '', true)],
    ['a banner and nothing else', speaks('220 ready\r\n')],
    [
      'an echo of what was sent',
      () => createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket)),
    ],
    ['bytes without sense', speaks('', Buffer.from('00ff17a3c40001fe9b', 'hex'), true)],
    ['words without sense', speaks('', 'hello there\r\n', true)],
    ['HTTP/2 alone', speaks(badAnswers.http2())],
    ['a port that closes at once', closes],
    ['a port that closes after the request', speaks('', '', true)],
    ['TLS asked in plain words', https],
    ['plain HTTP asked over TLS', http, 'https'],
    ['FTP asked over TLS', speaks('220 ready\r\n', '500 Not understood.\r\n'), 'https'],
    ['a port that closes at once, asked over TLS', closes, 'https'],
  ])('%s', async (_name, make, scheme = 'http') => {
    const server = make().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `${scheme}://127.0.0.1:${portOf(server)}`;
    const run = await checkAll(url);
    const written = run.err.split('\n').filter((line) => line !== '' && !line.startsWith('Written: '));
    expect([run.code, run.exitCode, run.failures, run.errors]).toEqual([3, 3, 0, 1]);
    expect(new Set(Object.values(run.said)).size).toBe(1);
    expect(run.out).toBe('');
    expect(written.length).toBeLessThanOrEqual(3);
    expect(run.md.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(3);
    expect([run.md, run.html, run.err].join('')).not.toMatch(/accounts? created|created \d|perhaps/i);

    const { code, out, err } = await check([url, ...quickly]);
    expect([code, out]).toEqual([3, '']);
    expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
  });
});
