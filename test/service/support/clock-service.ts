import { expect, onTestFinished } from 'vitest';
import {
  startExtendedService,
  type ExtendedServiceOptions,
} from '../../../main/service/fault-injection/extended-service.ts';
import { ada, cheapArgon2, START_MS } from './make-service.ts';

/** Starts the service on a clock that stands by itself, so that only a move takes it anywhere. */
export async function startWithClock(
  database: ExtendedServiceOptions['database'],
  more: Partial<ExtendedServiceOptions> = {},
) {
  const started = await startExtendedService({
    database,
    port: 0,
    argon2: cheapArgon2,
    clock: true,
    now: () => START_MS,
    tokenLifetimeSeconds: 3600,
    ...more,
  });
  if (!started.ok) throw new Error(started.message);
  const { service } = started;
  onTestFinished(() => service.close());
  const { clock } = service;
  const url = (path: string): string => `${service.baseUrl}/api/v1/auth/${path}`;
  const post = (path: string, body: unknown) =>
    fetch(url(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const login = (credentials: { email: string; password: string } = ada) =>
    post('login', { email: credentials.email, password: credentials.password });
  return {
    service,
    post,
    login,
    move: async (advanceMs: number) => {
      expect(await clock?.move({ advanceMs })).toMatchObject({ ok: true });
    },
    to: (to: 'newest-token-end' | 'now') => clock?.move({ to }),
    ahead: () => clock?.get().aheadMs,
    token: async (): Promise<string> => {
      const { token } = (await (await login()).json()) as { token: string };
      return token;
    },
    statusOf: async (token: string): Promise<number> =>
      (await fetch(url('perfil'), { headers: { authorization: `Bearer ${token}` } })).status,
  };
}
