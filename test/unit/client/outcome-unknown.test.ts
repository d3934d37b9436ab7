import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../main/client/client.ts';
import { createTransport } from '../../../main/client/transport.ts';
import type { TransportLimits } from '../../../main/client/pending-call.ts';
import { badAnswers, brokenHttp } from '../../support/bad-answers.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { answer, portOf, startRecordingServer, type Respond } from '../../support/recording-server.ts';

const ana = { name: 'Ana', email: 'ana@example.test', password: 'contraseña 123', cpassword: '' };
const untrusted = makeCertificate({ commonName: 'server', names: ['127.0.0.1'] });

const clientFor = (baseUrl: string, limits: Partial<TransportLimits> = {}) => {
  const transport = createTransport({ limits });
  onTestFinished(() => transport.close());
  return createClient({ transport, baseUrl });
};

/** Registers, or logs in, at a server that answers in this way. */
async function trying(respond: Respond, operation: 'register' | 'login' = 'register', tls = false) {
  const server = await startRecordingServer(respond, tls ? untrusted : undefined);
  onTestFinished(server.close);
  const client = clientFor(server.origin, { firstByteSeconds: 0.3, totalSeconds: 0.5 });
  const result = operation === 'login' ? await client.login(ana) : await client.register({ ...ana, path: 'registro' });
  return result.ok ? undefined : result.error;
}

const json = { 'Content-Type': 'application/json' };
const { notHttp: _notHttp, http2: _http2, ...unread } = badAnswers;

describe('a registration may have been done', () => {
  it.each(Object.entries({ ...unread, ...brokenHttp }))(
    'when its answer cannot be read: %s',
    async (_name, respond) => {
      expect(await trying(respond)).toMatchObject({ perhapsDone: true });
      expect(await trying(respond, 'login')).not.toHaveProperty('perhapsDone');
    },
  );

  it.each<[string, string]>([
    ['a fault', answer(500, { message: 'Server Error' }, json)],
    ['a gateway that did not wait', answer(504, '', json)],
    ['JSON that ends too early', answer(201, '{"user": {"id": 7', json)],
    ['a page', answer(200, '<html><title>Welcome</title></html>', { 'Content-Type': 'text/html' })],
    ['a redirect to another page', answer(302, '', { Location: '/home' })],
    ['a coding that it has not', answer(201, 'no Brotli', { 'Content-Encoding': 'br' })],
  ])('when it was answered with %s', async (_name, answered) => {
    expect(await trying(() => answered)).toMatchObject({ perhapsDone: true });
  });

  it('when it was cancelled while it waited for the answer', async () => {
    const stop = new AbortController();
    const server = await startRecordingServer(() => {
      stop.abort();
      return undefined;
    });
    onTestFinished(server.close);
    const result = await clientFor(server.origin).register({ ...ana, path: 'registro' }, stop.signal);
    expect(result).toEqual({ ok: false, error: { kind: 'cancelled', perhapsDone: true } });
  });
});

describe('a registration was not done', () => {
  it.each<[string, string]>([
    ['a refusal', answer(422, { message: 'No.', errors: { email: ['Taken.'] } })],
    ['a refusal that cannot be read', answer(413, '{"mess', json)],
    ['too many attempts', answer(429, { message: 'Too many attempts.' })],
    ['a path that is not there', answer(404, { message: 'Not Found' })],
    ['an operation that is not there', answer(501, { message: 'Not Implemented' })],
    [
      'what is there already',
      answer(500, { message: 'duplicate key value violates unique constraint "users_email_key"' }),
    ],
    ['a refusal with 200', answer(200, { success: false, message: 'The email is taken.' })],
  ])('when it was answered with %s', async (_name, answered) => {
    const error = await trying(() => answered);
    expect(error).toBeDefined();
    expect(error).not.toHaveProperty('perhapsDone');
  });

  it('when nothing of it was written: refused, not found, not trusted, cancelled, or never connected', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const port = portOf(closed);
    await new Promise((resolve) => closed.close(resolve));
    const register = (baseUrl: string, signal?: AbortSignal) =>
      clientFor(baseUrl).register({ ...ana, path: 'registro' }, signal);
    for (const result of [
      await register(`http://127.0.0.1:${port}`),
      await register('http://nobody.invalid'),
      await register(`http://127.0.0.1:${port}`, AbortSignal.abort()),
    ]) {
      expect(result).toMatchObject({ ok: false });
      expect(!result.ok && result.error).not.toHaveProperty('perhapsDone');
    }
    const error = await trying(() => answer(200), 'register', true);
    expect(error).toMatchObject({ kind: 'tls' });
    expect(error).not.toHaveProperty('perhapsDone');
  });
});
