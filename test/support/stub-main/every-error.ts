import {
  ConnectionProblem,
  ProxyProblem,
  TlsProblem,
  type CertificateDetails,
} from '../../../preload/contract/connection.ts';
import type { AppError } from '../../../preload/contract/result.ts';

const certificate: CertificateDetails = {
  subject: 'CN=example.test, O=Example',
  issuer: 'CN=Example Private Authority',
  names: ['example.test', 'www.example.test', '192.0.2.1'],
  validFrom: '2025-01-01T00:00:00.000Z',
  validTo: '2025-12-31T23:59:59.000Z',
  sha256: Array.from({ length: 32 }, (_, index) => (index * 7 + 16).toString(16).toUpperCase()).join(':'),
};

/** One error of each kind, and of each reason within a kind. */
export const everyError: readonly AppError[] = [
  { kind: 'offline' },
  { kind: 'refused', host: 'example.test:8000', addresses: ['192.0.2.1:8000', '[2001:db8::1]:8000'] },
  { kind: 'dns', host: 'nowhere.example.test' },
  ...TlsProblem.options.map((problem) => ({
    kind: 'tls' as const,
    host: 'example.test',
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    problem,
    certificate,
  })),
  ...ProxyProblem.options.map((problem) => ({
    kind: 'proxy' as const,
    proxy: 'proxy.example.test:3128',
    problem,
    status: 502,
  })),
  ...ConnectionProblem.options.map((problem) => ({
    kind: 'connection-settings' as const,
    problem,
    file: '/home/ana/certificates/client.pfx',
  })),
  { kind: 'timeout', phase: 'connect', seconds: 10 },
  { kind: 'timeout', phase: 'first-byte', seconds: 20 },
  { kind: 'timeout', phase: 'total', seconds: 90 },
  { kind: 'cancelled' },
  { kind: 'not-an-api-answer', status: 200, reason: 'html', detail: 'Welcome to nginx!' },
  { kind: 'not-an-api-answer', status: 302, reason: 'redirect', detail: 'https://example.test/login' },
  { kind: 'not-an-api-answer', status: 200, reason: 'too-large' },
  { kind: 'not-an-api-answer', status: 200, reason: 'not-json' },
  { kind: 'not-an-api-answer', status: 200, reason: 'truncated' },
  { kind: 'validation', message: 'The given data was invalid.', fields: {}, form: ['Only on Mondays.'] },
  { kind: 'unauthenticated', message: 'These credentials do not match our records.' },
  { kind: 'throttled', message: 'Too Many Attempts.', retryAfterSeconds: 75 },
  { kind: 'throttled' },
  { kind: 'server-fault', status: 503, message: 'Service Unavailable' },
  { kind: 'unexpected', reason: 'no-token', status: 200 },
  { kind: 'unexpected', reason: 'further-step', status: 206 },
  { kind: 'unexpected', reason: 'fresh-token-refused', status: 401 },
  { kind: 'unexpected', reason: 'operation-missing', status: 404 },
  { kind: 'unexpected', reason: 'connection-lost', code: 'ECONNRESET' },
  { kind: 'unexpected', reason: 'other', status: 418, message: "I'm a teapot" },
  { kind: 'invalid-address', problem: 'empty' },
  { kind: 'invalid-address', problem: 'not-a-url' },
  { kind: 'invalid-address', problem: 'not-http' },
  { kind: 'invalid-address', problem: 'credentials' },
  { kind: 'invalid-address', problem: 'query' },
  { kind: 'service-stopped', message: 'listen EACCES: permission denied 127.0.0.1:4848' },
  { kind: 'not-now' },
  { kind: 'bug', id: 'b-42' },
];
