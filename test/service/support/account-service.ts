import { expect, onTestFinished } from 'vitest';
import { createTotpCode, parseTotpSecret } from '../../../main/interface/totp.ts';
import {
  startExtendedService,
  type ExtendedServiceOptions,
} from '../../../main/service/fault-injection/extended-service.ts';
import { cheapArgon2, START_MS } from './make-service.ts';

export const bob = { name: 'Bob Example', email: 'bob@example.test', password: 'the engine of Bob' };

type Person = { name: string; email: string; password: string };
type Body = Record<string, unknown>;
type Answer = { status: number; headers: Headers; body: Body };

/** Sends a request, whose body is JSON unless it is a text. */
function createSender(baseUrl: string) {
  return async function send(
    method: string,
    path: string,
    { body, token, language }: { body?: unknown; token?: string; language?: string } = {},
  ): Promise<Answer> {
    const response = await fetch(`${baseUrl}/api/v1/auth${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(language !== undefined && { 'accept-language': language }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  };
}

/** Starts the service with account calls, on a clock that stands until it is moved. */
export async function startWithAccountCalls(more: Partial<ExtendedServiceOptions> = {}) {
  const started = await startExtendedService({
    database: { file: ':memory:' },
    port: 0,
    argon2: cheapArgon2,
    clock: true,
    now: () => START_MS,
    faultInjection: {},
    accountCalls: true,
    ...more,
  });
  if (!started.ok) throw new Error(started.message);
  const { service } = started;
  onTestFinished(() => service.close());
  const { clock, data, faultInjection } = service;
  if (!clock || !data || !faultInjection) throw new Error('It was started without them');
  const nowMs = (): number => START_MS + clock.get().aheadMs;

  const send = createSender(service.baseUrl);
  const login = ({ email, password }: Omit<Person, 'name'>, more: Body = {}) =>
    send('POST', '/login', { body: { email, password, ...more } });

  async function tokenOf(person: Omit<Person, 'name'>, more: Body = {}): Promise<string> {
    const { status, body } = await login(person, more);
    expect([status, typeof body['token']]).toEqual([200, 'string']);
    return String(body['token']);
  }

  /** The code of a secret, some steps before or after the present one. */
  function codeOf(secret: string, steps = 0): string {
    const parsed = parseTotpSecret(secret);
    if (!parsed) throw new Error('no secret');
    return createTotpCode(parsed, nowMs() + steps * 30_000);
  }

  /** An account with a factor whose present code is unused, since its clock went on. */
  async function enroll(person: Person) {
    await send('POST', '/registro', { body: person });
    const token = await tokenOf(person);
    const begun = await send('POST', '/two-factor', { body: { password: person.password }, token });
    expect(begun.status).toBe(200);
    const secret = String(begun.body['secret']);
    const confirmed = await send('POST', '/two-factor/confirm', { body: { code: codeOf(secret) }, token });
    expect(confirmed.status).toBe(200);
    await advance(120_000);
    return { token, secret, recoveryCodes: begun.body['recoveryCodes'] as string[], begun: begun.body };
  }

  async function advance(advanceMs: number): Promise<void> {
    expect(await clock?.move({ advanceMs })).toMatchObject({ ok: true });
  }

  async function pendingTokenOf(person: Omit<Person, 'name'>): Promise<string> {
    const { status, body } = await login(person);
    expect(status).toBe(403);
    return String(body['pendingToken']);
  }

  return {
    service,
    data,
    faultInjection,
    send,
    login,
    tokenOf,
    codeOf,
    enroll,
    advance,
    pendingTokenOf,
    /** A code that is right in none of the steps around the present one. */
    wrongCodeOf: (secret: string): string => {
      const right = new Set(Array.from({ length: 30 }, (_, index) => codeOf(secret, index - 20)));
      return ['000000', '111111', '222222', '333333'].find((code) => !right.has(code)) ?? '444444';
    },
    profile: async (token: string): Promise<number> => (await send('GET', '/perfil', { token })).status,
  };
}
