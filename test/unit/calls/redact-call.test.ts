import { describe, expect, it } from 'vitest';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';
import { redactBody } from '../../../main/client/recording/redact-body.ts';
import { redactCall } from '../../../main/client/recording/redact-call.ts';
import { interpret } from '../../../main/client/interpret.ts';
import type { TransportCall } from '../../../main/client/call.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import type { RedactedText } from '../../../preload/contract/calls.ts';

const token = '7|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
const password = 'correct "horse" & <battery> ñ';

type Wanted = {
  method?: string;
  url?: string;
  headers?: [string, string][];
  body?: string;
  status?: number;
  answerHeaders?: [string, string][];
  answer?: string | Uint8Array;
};

function callOf(wanted: Wanted): TransportCall {
  const { method = 'POST', url = 'http://a.test/api/v1/auth/login', headers = [], body, answer = '' } = wanted;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const bodyBytes = typeof answer === 'string' ? Buffer.from(answer) : answer;
  return {
    id: 'e1',
    startedAt: '2026-11-21T10:00:00.000Z',
    request: {
      method,
      url,
      headers,
      ...(body !== undefined && { body }),
      head: { text: `${method} / HTTP/1.1\r\n${lines}\r\n`, source: 'as-written' },
    },
    reusedConnection: false,
    timings: { totalMs: 1 },
    response: {
      status: wanted.status ?? 200,
      statusText: 'OK',
      httpVersion: '1.1',
      rawHeaders: wanted.answerHeaders ?? [],
      body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bodyBytes),
      bodyBytes,
    },
  };
}

const shown = (text: RedactedText | undefined): string =>
  (text ?? []).map((part) => (typeof part === 'string' ? part : `<${part.secret}>`)).join('');

function redact(wanted: Wanted, found?: string, secretRegistry = new SecretRegistry()) {
  const { request, response } = redactCall(callOf(wanted), secretRegistry, found).kept;
  const textOf = (body: typeof request.body): string =>
    body?.form === 'text' ? shown(body.text) : `described ${shown(body?.title)}`.trim();
  return {
    url: shown(request.url),
    head: shown(request.head.text),
    body: textOf(request.body),
    answer: textOf(response?.body),
    answerHeaders: response?.headers.map(([name, value]) => `${name}: ${shown(value)}`),
    all: JSON.stringify([request, response]),
    references: secretRegistry,
  };
}

describe('what is cut out of a call', () => {
  it('is the token and nothing else of its header', () => {
    const { head, all } = redact({
      headers: [
        ['Accept', 'application/json'],
        ['Authorization', `Bearer ${token}`],
      ],
    });
    expect(head).toBe('POST / HTTP/1.1\r\nAccept: application/json\r\nAuthorization: Bearer <token>\r\n\r\n');
    expect(all).not.toContain('q8ZrT3');
  });

  it('is the credentials of a proxy, which only the head as written has', () => {
    const call = callOf({});
    call.request.head.text = 'GET http://a.test/ HTTP/1.1\r\nProxy-Authorization: Basic YW5hOnNlY3JldA==\r\n\r\n';
    const { request } = redactCall(call, new SecretRegistry(), undefined).kept;
    expect(shown(request.head.text)).toContain('Proxy-Authorization: Basic <proxy-credential>\r\n');
  });

  it('is each typed password, also when it is short or JSON spells it in another way', () => {
    const spelt = `{"email":"ana@a.test", "password" :"abc","cpassword":"a\\u0062c"}`;
    expect(redact({ body: spelt }).body).toBe(
      '{"email":"ana@a.test", "password" :"<password>","cpassword":"<password>"}',
    );
    const body = JSON.stringify({ name: 'Ana', password });
    expect(redact({ body }).body).toBe('{"name":"Ana","password":"<password>"}');
  });

  it.each([
    ['in a sentence of JSON', JSON.stringify({ message: `You sent ${password}!` })],
    [
      'in a sentence of JSON, escaped throughout',
      `{"message":"You sent ${Array.from(password)
        .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('')}"}`,
    ],
    ['in a page', `<p>${password}</p>`],
    ['in a page, escaped', `<p>correct &quot;horse&quot; &amp; &lt;battery&gt; ñ</p>`],
    ['in a form', `a=1&again=${encodeURIComponent(password)}`],
    ['in a form, with plus signs', new URLSearchParams({ again: password }).toString()],
    ['in base64', Buffer.from(password).toString('base64')],
    ['in bytes that are no text', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(password), Buffer.from([0])])],
  ])('is an echo of the password %s', (_where, answer) => {
    const { all } = redact({ body: JSON.stringify({ password }), answer });
    expect(all).not.toMatch(/horse|battery/);
    expect(Buffer.from(/"base64":"([^"]*)"/.exec(all)?.[1] ?? '', 'base64').toString('latin1')).not.toContain('horse');
  });

  it.each([
    [
      'by its name',
      '{"data":{"access_token":"abc"},"token_type":"Bearer"}',
      '{"data":{"access_token":"<token>"},"token_type":"Bearer"}',
    ],
    ['by its form', `{"a":["${token}"]}`, '{"a":["<token>"]}'],
    ['as a hash', '{"user":{"clave":"$2y$10$abcdefghijklmnopqrstuv"}}', '{"user":{"clave":"<hash>"}}'],
    ['as a number', '{"otp":123456,"id":7}', '{"otp":<other>,"id":7}'],
    ['in half a body, of which nothing is kept', `{"token":"${token}","user":{"na`, 'described'],
  ])('is a secret of the answer: %s', (_how, answer, expected) => {
    expect(redact({ answer }).answer).toBe(expected);
  });

  it('is a token found by a rule of its own, wherever it stands', () => {
    const odd = 'ZXhhbXBsZS1vZi1hLXRva2Vu';
    expect(redact({ answer: `{"llave":"${odd}"}` }, odd).answer).toBe('{"llave":"<token>"}');
    expect(redact({ answer: odd }, odd).answer).toBe('described');
  });

  it('is a secret of JSON that stands as a text in JSON, also twice, and nothing around it', () => {
    const inner = JSON.stringify({ url: 'https://a.test/"x"', refresh_token: 'wort', password_hash: '$2y$10$abc"d' });
    // Writes JSON as PHP does: slashes with escapes, letters beyond ASCII as numbers.
    const php = (text: string): string =>
      JSON.stringify(text)
        .replaceAll('/', String.raw`\/`)
        .replaceAll('ñ', String.raw`\u00f1`);
    const { answer } = redact({
      answer: `{"nota": "ñ", "datos": ${php(`{"año": "ñ", "more": ${php(inner)}}`)}, "wort": 1}`,
    });
    expect(answer).toContain('"wort": 1}');
    const read = JSON.parse(JSON.parse(JSON.parse(answer).datos).more);
    expect(read).toEqual({ url: 'https://a.test/"x"', refresh_token: '<token>', password_hash: '<hash>' });
  });

  it('is a secret of JSON after the line that keeps it from being run as a script', () => {
    expect(redact({ answer: `)]}',\n{"refresh_token":"wort"}` }).answer).toBe(`)]}',\n{"refresh_token":"<token>"}`);
  });

  it('is the value of a cookie, of a query in a redirect, and every header that is not on the list, with its name', () => {
    const { answerHeaders } = redact({
      answerHeaders: [
        ['Set-Cookie', 'sid=abcdef; Path=/; HttpOnly'],
        ['Set-Cookie', 'xsrf=ghijkl'],
        ['X-Auth-Token', 'mnopqr'],
        ['X-T-41|secret', '1'],
        ['Location', 'https://b.test/in?code=stuvwx&lang=es'],
        ['Content-Type', 'application/json'],
      ],
    });
    expect(answerHeaders).toEqual([
      'Set-Cookie: sid=<cookie>; Path=/; HttpOnly',
      'Set-Cookie: xsrf=<cookie>',
      'Location: https://b.test/in?code=<other>&lang=es',
      'Content-Type: application/json',
    ]);
  });
});

describe('a body in which nearly everything is to be cut', () => {
  const tokens = (count: number) => Array.from({ length: count }, (_, at) => `${at}|abcdefghij1234567890${at}`);
  const longWords = (count: number) => Array.from({ length: count }, (_, at) => `abcdefghij1234567890${at}`);
  const keep = (text: string, more: { contentType?: string; mayHoldToken?: true; isOurs?: true } = {}) => {
    const sent = { text, bytes: Buffer.from(text), contentType: 'application/json', ...more };
    return redactBody(sent, new SecretRegistry());
  };

  it.each([
    [4001, true],
    [20_002, false],
  ])('of %i secrets in JSON is its size, and is shown in this run: %s', (secrets, isShown) => {
    const { kept, inMemory } = keep(JSON.stringify(tokens(secrets)));
    expect(kept.form).toBe('described');
    expect(inMemory !== undefined).toBe(isShown);
    expect(JSON.stringify(inMemory ?? '')).not.toContain('abcdefghij1234');
  });

  it.each([
    ['a text', tokens(5000).join(' '), { contentType: 'text/plain' }],
    ['a message', JSON.stringify({ message: tokens(5000).join(' ') }), {}],
    ['a text that may hold a token', longWords(5000).join(' '), { contentType: 'text/plain', mayHoldToken: true }],
    ['a message that may hold one', JSON.stringify({ message: longWords(5000).join(' ') }), { mayHoldToken: true }],
  ] as const)('ends after the first thousands, in %s', (_what, text, more) => {
    const { kept, inMemory = [] } = keep(text, more);
    expect(inMemory.length).toBeGreaterThan(4000);
    expect(inMemory.length).toBeLessThan(8010);
    expect(inMemory.some((part) => (typeof part === 'string' && part.endsWith('…')) || part === '…"}')).toBe(true);
    expect(JSON.stringify([kept, inMemory])).not.toContain('abcdefghij1234');
  });

  const named = JSON.stringify(Array.from({ length: 21_000 }, () => ({ password: 'hunter42' })));
  it.each([
    ['an answer', named, {}],
    ['a text of JSON within an answer', JSON.stringify({ body: named }), {}],
    ['a body of ours', named, { isOurs: true }],
    ['a text of JSON in a body of ours', JSON.stringify({ body: named }), { isOurs: true }],
  ] as const)('shows none of the values that names tell, in %s', (_what, text, more) => {
    expect(JSON.stringify(keep(text, more))).not.toContain('hunter42');
  });
});

describe('what is cut out of an address', () => {
  it.each([
    ['https://staging2.accounts.example.com/app-2024-release-candidate/api/v1/auth/perfil', undefined],
    ['https://a.test/users/0f8fad5b-d9cb-469f-a165-70867728950e', undefined],
    ['https://a.test/reset/q8ZrT3vLmN6xWc0Ks5Yb2Hd9', 'https://a.test/reset/<other>'],
    ['https://a.test/x?token=abc&lang=es&code=1', 'https://a.test/x?token=<token>&lang=es&code=<other>'],
    ['https://a.test/#access_token=abc', 'https://a.test/#access_token=<token>'],
    ['https://q8ZrT3vLmN6xWc0Ks5Yb2Hd9.example.test', undefined],
  ])('is what hands something over, and no host: %s', (url, expected = url) => {
    expect(redact({ url }).url).toBe(expected);
  });
});

describe('a body that we sent', () => {
  it.each([
    ['is not kept where it is neither JSON nor a form', '<login><password>hunter2222</password></login>', 'described'],
    ['is not kept where it is a text', 'password: hunter2222', 'described'],
    ['is kept to where its JSON breaks', '{"a":1,"password":"hunter2222"', '{"a":1,"password":"<password>"'],
    ['loses what follows the break', '{"a":1 "password":"hunter2222"}', '{"a":1(left out)'],
    [
      'loses what another member names before the break',
      '{"a":[{"name":"password","value":"hunter2222"',
      '{"a":[{"name":"password","value":"<password>"',
    ],
    ['loses a text without its end', '{"a":1,"password":"hunter2222', '{"a":1,"password"(left out)'],
  ])('%s', (_how, body, kept) => {
    expect(redact({ body }).body).toBe(kept);
    expect(redact({ body }).all).not.toContain('hunter2222');
  });
});

describe('an answer in which no token was found', () => {
  const answer = `{"zugang":"${token.slice(2)}","user":{"id":7}}`;
  const without = '{"zugang":"<token>","user":{"id":7}}';
  const answered = (url: string, asked?: Operation, method = 'POST'): string => {
    const call = callOf({ method, url, answer });
    const interpreted = asked && { ...interpret(asked, call.response!, url, {}), asked };
    const { response } = redactCall({ ...call, interpreted }, new SecretRegistry(), undefined).kept;
    return response?.body.form === 'text' ? shown(response.body.text) : '';
  };

  it.each(['/api/auth/local', '/api/auth/sign-in/email', '/token?grant_type=password', '/auth/sign_in'])(
    'loses what looks like one at %s, whose server has the log-in there',
    (path) => {
      expect(answered(`http://a.test${path}`, 'login')).toBe(without);
      expect(answered(`http://a.test${path}`, 'register')).toBe(without);
      expect(answered(`http://a.test${path}`, 'profile')).toBe(answer);
    },
  );

  it('loses it where nobody says what the call was, unless that read alone', () => {
    expect(answered('http://a.test/anything')).toBe(without);
    expect(answered('http://a.test/anything', undefined, 'PUT')).toBe(without);
    expect(answered('http://a.test/anything', undefined, 'GET')).toBe(answer);
  });
});

it('an answer repeats what was sent, which is no token that was not found', () => {
  const body = '{"email":"llavero-0f4c385c4d28502c@example.test"}';
  expect(redact({ url: 'http://a.test/register', body, answer: body }).answer).toBe(body);
  const other = body.replace('0f4c', '1f4c');
  expect(redact({ url: 'http://a.test/register', body, answer: other }).answer).toContain('<token>');
});

describe('what stays', () => {
  it.each([
    ['{"errors":{"password":["The password is too short."]}}', 422],
    ['{"password":["This field may not be blank."]}', 400],
    ['{"password":"must be longer than 8"}', 400],
    ['{"message":"password required","token_type":"Bearer","expires_in":3600}', 200],
    ['{"password_required":"yes","token_expires_at":"2026-12-01"}', 200],
  ])('is what an answer says about its fields: %s', (answer, status) => {
    expect(redact({ answer, status }).answer).toBe(answer);
  });

  it('is every other byte, in its order', () => {
    const answer = '\uFEFF{ "a" : [1, 2.50, "\\u00e9"],\r\n"a":null}  ';
    expect(redact({ answer }).answer).toBe(answer);
  });

  it('is an ordinary word that once stood under the name of a secret', () => {
    const secretRegistry = new SecretRegistry();
    redact({ answer: '{"session":"active","secret":"nothing"}' }, undefined, secretRegistry);
    const later = '{"state":"active","is":"nothing"}';
    expect(redact({ answer: later }, undefined, secretRegistry).answer).toBe(later);
  });
});

describe('references', () => {
  it('are equal for equal secrets, in all calls of a run, and lead back to them', () => {
    const secretRegistry = new SecretRegistry();
    const first = redact({ answer: JSON.stringify({ token }) }, token, secretRegistry);
    const second = redact({ headers: [['Authorization', `Bearer ${token}`]] }, undefined, secretRegistry);
    const ids = [first, second].map(({ all }) => /"id":"([^"]+)"/.exec(all)?.[1]);
    expect(ids[0]).toBe(ids[1]);
    expect(secretRegistry.valueOf(ids[0]!)).toBe(token);
  });

  it('have the id of the session that a token out of the vault belongs to', () => {
    const secretRegistry = new SecretRegistry();
    secretRegistry.bindToSession(token, 'session-1');
    const { all } = redact({ headers: [['Authorization', `Bearer ${token}`]] }, undefined, secretRegistry);
    expect(all).toContain('"id":"session-1"');
    expect(secretRegistry.valueOf('session-1')).toBe(token);
  });
});
