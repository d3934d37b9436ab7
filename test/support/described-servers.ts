import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer, twoFactor } from 'better-auth/plugins';
import { onTestFinished } from 'vitest';

type Request = { method: string; target: string; headers: IncomingMessage['headers']; body: string };
type Answer = { status: number; body?: unknown; headers?: Record<string, string | string[]> };

/** Starts a server that answers JSON, or a text as it is, and keeps what it was asked. It ends with the test. */
export async function startJsonServer(respond: (request: Request) => Answer | Promise<Answer>) {
  const requests: Request[] = [];
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const request = { method: incoming.method ?? '', target: incoming.url ?? '', headers: incoming.headers, body };
    requests.push(request);
    const { status, body: said, headers = {} } = await respond(request);
    outgoing.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    outgoing.end(said === undefined || typeof said === 'string' ? said : JSON.stringify(said));
  }
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
}

type Mail = { to: string; code?: string };

const person = { id: 1, name: 'Ana', email: 'ana@example.test' };

/**
 * Stands in for Laravel Breeze: a session that is a cookie, a cookie against forged requests whose header is asked for,
 * and both set again by every answer. It says every value back that it gets.
 */
export async function startLaravelLike() {
  const given: string[] = [];
  let session = '';
  let forgery = '';
  const isIn = { is: false };
  const server = await startJsonServer(({ method, target, headers }) => {
    const cookie = headers.cookie ?? '';
    const held = isIn.is && cookie.includes(`laravel_session=${session}`);
    const mayChange = method === 'GET' || headers['x-xsrf-token'] === `${forgery}=`;
    session = `laravel-session-${randomUUID()}`;
    forgery = `forgery-token-${randomUUID()}`;
    given.push(session, forgery);
    const set = {
      'Set-Cookie': [`XSRF-TOKEN=${forgery}%3D; path=/`, `laravel_session=${session}; path=/; httponly`, 'seen=1'],
      'X-Echo': cookie,
    };
    // Somebody without a description asks here.
    if (target === '/api/v1/auth/login') return { status: 204, headers: set };
    if (!mayChange) return { status: 419, body: { message: 'CSRF token mismatch.' }, headers: set };
    if (target === '/login' || target === '/register') isIn.is = true;
    if (target === '/sanctum/csrf-cookie' || target === '/login') return { status: 204, headers: set };
    if (target === '/api/user' && held) return { status: 200, body: { ...person, debug: cookie }, headers: set };
    if (target === '/logout' && held) isIn.is = false;
    return held ? { status: 204, headers: set } : { status: 401, body: { message: 'Unauthenticated.' }, headers: set };
  });
  return { ...server, given, end: () => void (isIn.is = false) };
}

/**
 * Stands in for Devise Token Auth: another token with each answer, but a blank one where `batch` says that it came at once,
 * and headers that a client may send back.
 */
export async function startDeviseLike() {
  const given: string[] = [];
  const does = { batch: false };
  const client = `client-${randomUUID()}`;
  const server = await startJsonServer(({ target, headers }) => {
    const isHeld = given.length > 0 && headers.authorization === `Bearer ${given.at(-1)}`;
    if (target === '/auth/sign_in' || (isHeld && !does.batch)) given.push(`turned-${randomUUID()}`);
    const turned = { Authorization: does.batch ? ' ' : `Bearer ${given.at(-1)}`, uid: person.email, client };
    if (target === '/auth/sign_in') return { status: 200, body: { data: person }, headers: turned };
    if (!isHeld) return { status: 401, body: { success: false, errors: ['Invalid login credentials'] } };
    if (target === '/auth/validate_token')
      return { status: 200, body: { success: true, data: person }, headers: turned };
    given.push('');
    return { status: 200, body: { success: true } };
  });
  return { ...server, given, does, client };
}

/** Stands in for GoTrue: tokens of an hour, and a refresh token that is taken once. */
export async function startGoTrueLike() {
  const given: string[] = [];
  const does = { refresh: 'renew' as 'renew' | 'refuse' | 'busy' | 'lose-answer' };
  let [access, refresh] = ['', ''];
  const tokens = (): Answer => {
    access = `access-${randomUUID()}`;
    refresh = `refresh-${randomUUID()}`;
    given.push(access, refresh);
    const user = { id: 'u1', email: person.email };
    return { status: 200, body: { access_token: access, refresh_token: refresh, expires_in: 3600, user } };
  };
  const server = await startJsonServer(({ target, headers, body }) => {
    if (headers.apikey !== 'anon-key-of-the-project') return { status: 401, body: { message: 'No API key found' } };
    if (target === '/auth/v1/token?grant_type=password') return tokens();
    if (target === '/auth/v1/token?grant_type=refresh_token') {
      if (does.refresh === 'busy') return { status: 429, body: { message: 'Try later' } };
      if (does.refresh === 'lose-answer') {
        refresh = `refresh-${randomUUID()}`;
        return { status: 502, body: { message: 'Bad gateway' } };
      }
      const isGood = does.refresh === 'renew' && body === JSON.stringify({ refresh_token: refresh });
      const refused = { code: 400, error_code: 'refresh_token_not_found', msg: 'Invalid Refresh Token' };
      return isGood ? tokens() : { status: 400, body: refused };
    }
    if (headers.authorization !== `Bearer ${access}`) return { status: 403, body: { code: 403, msg: 'invalid JWT' } };
    if (target === '/auth/v1/user') return { status: 200, body: person };
    [access, refresh] = ['', ''];
    return { status: 204 };
  });
  const ended = (): boolean => access === '' && refresh === '';
  /** The hour of the token has passed. */
  const over = (): void => void (access = 'none');
  return { ...server, given, does, ended, over, lose: () => void ([access, refresh] = ['', '']) };
}

/** Better-auth as its guide sets it up, in memory; with its plugin for bearer tokens if that is wanted. */
/** @param mails it takes the emails that the server sends; with it, accounts may have a second factor and be deleted */
export async function startBetterAuth({ withBearer = false, mails }: { withBearer?: boolean; mails?: Mail[] }) {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on a port has an address of this form.
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const database = new DatabaseSync(':memory:');
  const options = {
    database,
    baseURL: baseUrl,
    secret: 'only for a test on this machine, and for no longer than it runs',
    emailAndPassword: {
      enabled: true,
      sendResetPassword: async ({ user }: { user: { email: string } }) => void mails?.push({ to: user.email }),
    },
    emailVerification: {
      sendVerificationEmail: async ({ user }: { user: { email: string } }) => void mails?.push({ to: user.email }),
    },
    user: { deleteUser: { enabled: mails !== undefined } },
    plugins: [
      ...(withBearer ? [bearer()] : []),
      ...(mails
        ? [
            twoFactor({
              otpOptions: { sendOTP: async ({ user, otp }) => void mails.push({ to: user.email, code: otp }) },
            }),
          ]
        : []),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  };
  await (await getMigrations(options)).runMigrations();
  const handle = toNodeHandler(betterAuth(options));
  server.on('request', (request, response) => void handle(request, response));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    database.close();
  });
  return { baseUrl };
}
