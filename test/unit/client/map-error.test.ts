import { describe, expect, it } from 'vitest';
import { appErrorOfAnswer, appErrorOfFailure } from '../../../main/client/map-error.ts';
import { parseResponse } from '../../../main/client/parse-response.ts';
import { failureOf, hasOutsideAddress } from '../../../main/client/transport-failure.ts';

describe('an answer', () => {
  it('limits server texts and takes control and direction characters out', () => {
    const body = { message: `a\u0000\u001b[31m\u202eb${'x'.repeat(2_000)}` };
    const answer = { status: 409, headers: {}, body };
    const error = appErrorOfAnswer('registro', answer, parseResponse('registro', answer));
    const message = error.kind === 'validation' ? (error.message ?? '') : '';
    expect(message).toHaveLength(500);
    expect(message).toMatch(/^a \[31m bx+…$/);
  });

  it.each([
    ['login', '', 'login-not-found'],
    ['login', 'Cannot POST /api/login', 'operation-missing'],
    ['profile', '', 'operation-missing'],
  ] as const)(
    'with status 404 is one of several things only at a login, and without a body: %s %j',
    (operation, body, reason) => {
      const answer = { status: 404, headers: {}, body };
      const error = appErrorOfAnswer(operation, answer, parseResponse(operation, answer));
      expect(error).toMatchObject({ kind: 'unexpected', reason, status: 404 });
    },
  );
});

const coded = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });

describe('a request without an answer', () => {
  const url = 'https://host.test:8443/x';
  const host = 'host.test:8443';

  it.each([
    [coded('ENOTFOUND'), true, { kind: 'dns', host }],
    [coded('EAI_AGAIN'), true, { kind: 'name-server', host }],
    [coded('EAI_AGAIN'), false, { kind: 'offline' }],
    [coded('ENETUNREACH'), false, { kind: 'offline' }],
    [
      coded('ENETUNREACH', { address: '10.0.0.1', port: 1 }),
      true,
      { kind: 'no-route', host, addresses: ['10.0.0.1:1'] },
    ],
    [coded('ETIMEDOUT', { address: '10.0.0.1', port: 1 }), true, { kind: 'refused', host, addresses: ['10.0.0.1:1'] }],
    [
      coded('EPERM', { address: '10.0.0.1', port: 1 }),
      true,
      { kind: 'blocked-here', host, addresses: ['10.0.0.1:1'], code: 'EPERM' },
    ],
    [coded('ECONNREFUSED', { address: '::1', port: 1 }), false, { kind: 'refused', host, addresses: ['[::1]:1'] }],
    [coded('CERT_HAS_EXPIRED'), true, { kind: 'tls', host, code: 'CERT_HAS_EXPIRED', problem: 'expired' }],
    [
      coded('ERR_TLS_CERT_ALTNAME_INVALID'),
      true,
      { kind: 'tls', host, code: 'ERR_TLS_CERT_ALTNAME_INVALID', problem: 'wrong-host' },
    ],
    [
      coded('ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED'),
      true,
      { kind: 'tls', host, code: 'ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED', problem: 'client-certificate' },
    ],
    [coded('ECONNRESET'), true, { kind: 'unexpected', reason: 'connection-lost', code: 'ECONNRESET' }],
    [new Error('no code'), true, { kind: 'unexpected', reason: 'connection-lost', code: 'UNKNOWN' }],
  ])('is sorted by its code: %s', (error, network, expected) => {
    expect(appErrorOfFailure(failureOf(error, url, undefined, () => network))).toEqual(expected);
  });

  it('is said of the address where something answered', () => {
    const error = new AggregateError([
      coded('ENETUNREACH', { address: '2001:db8::1', port: 80 }),
      coded('ECONNREFUSED', { address: '192.0.2.1', port: 80 }),
    ]);
    expect(appErrorOfFailure(failureOf(error, url, undefined, () => false))).toMatchObject({ kind: 'refused' });
    expect(failureOf(error, url, undefined, () => true)).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['nothing', {}, false],
    ['itself alone', { lo: [{ address: '127.0.0.1', internal: true }] }, false],
    [
      'addresses it gave itself',
      {
        eth0: [
          { address: '169.254.7.1', internal: false },
          { address: 'fe80::1', internal: false },
        ],
      },
      false,
    ],
    ['a network', { eth0: [{ address: '192.168.1.2', internal: false }] }, true],
    ['a network of IPv6', { eth0: [{ address: 'fd00::2', internal: false }] }, true],
  ])('knows whether there is a network, from %s', (_what, interfaces, expected) => {
    expect(hasOutsideAddress(interfaces)).toBe(expected);
  });

  it('names both addresses of a name when both refuse', () => {
    const error = new AggregateError([
      coded('ECONNREFUSED', { address: '::1', port: 80 }),
      coded('ECONNREFUSED', { address: '127.0.0.1', port: 80 }),
    ]);
    expect(appErrorOfFailure(failureOf(error, 'http://localhost/x'))).toEqual({
      kind: 'refused',
      host: 'localhost',
      addresses: ['[::1]:80', '127.0.0.1:80'],
    });
  });

  it.each([
    [
      { kind: 'too-large', status: 200, limitBytes: 1 },
      { kind: 'not-an-api-answer', status: 200, reason: 'too-large' },
    ],
    [
      { kind: 'truncated', status: 200, code: 'x' },
      { kind: 'not-an-api-answer', status: 200, reason: 'truncated' },
    ],
    [
      { kind: 'timeout', phase: 'total', seconds: 30 },
      { kind: 'timeout', phase: 'total', seconds: 30 },
    ],
    [
      { kind: 'broken-http', problem: 'other', code: 'HPE_INVALID' },
      { kind: 'broken-http', problem: 'other', code: 'HPE_INVALID' },
    ],
    [
      { kind: 'undecodable', status: 200, code: 'Z_DATA_ERROR' },
      { kind: 'not-an-api-answer', status: 200, reason: 'undecodable', detail: 'Z_DATA_ERROR' },
    ],
    [
      { kind: 'unsendable', code: 'ERR_INVALID_CHAR' },
      { kind: 'unexpected', reason: 'unsendable', code: 'ERR_INVALID_CHAR' },
    ],
    [{ kind: 'cancelled' }, { kind: 'cancelled' }],
  ] as const)('%o becomes %o', (failure, expected) => {
    expect(appErrorOfFailure(failure)).toEqual(expected);
  });
});

it.each([
  ['of the email', { username: 'email' }, { email: ['Username is taken.'] }],
  ['of a field of its own', { username: 'username', name: 'name' }, { username: ['Username is taken.'] }],
  ['of the name', { username: 'name' }, { name: ['Username is taken.'] }],
  ['unknown', {}, { name: ['Username is taken.'] }],
])('what a server says of a user name that was made %s stands at that field', (_what, fieldsByMember, fields) => {
  const answer = { status: 400, headers: {}, body: { username: ['Username is taken.'] }, fieldsByMember };
  const error = appErrorOfAnswer('registro', answer, parseResponse('registro', answer));
  expect(error).toMatchObject({ kind: 'validation', fields });
});
