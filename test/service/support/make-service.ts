import { onTestFinished } from 'vitest';
import { createApp, defaultTimeouts, type AppOptions } from '../../../main/service/app.ts';
import { createHashQueue } from '../../../main/service/domain/hash-queue.ts';
import { createPasswords, type Argon2Cost } from '../../../main/service/domain/passwords.ts';
import { defaultLimits } from '../../../main/service/limits.ts';
import { createMemoryRateLimitStore } from '../../../main/service/stores/memory-rate-limit-store.ts';
import { openSqlite } from '../../../main/service/stores/sqlite/open-sqlite.ts';

/** This is the least that Argon2 allows, since its strength is not tested here. */
export const cheapArgon2: Argon2Cost = { memoryKiB: 8, passes: 1, lanes: 1 };

export const ada = { name: 'Ada Lovelace', email: 'ada@example.test', password: 'analytical engine' };

export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

const url = (path: string): string => `/api/v1/auth/${path}`;

/** Makes the whole service without a port, over a database in memory and with a clock that stands until it is moved. */
export async function makeService(changes: Partial<AppOptions> = {}) {
  const opened = await openSqlite(':memory:');
  if (!opened.ok) throw new Error(opened.message);
  const clock = { ms: START_MS };
  const log: string[] = [];
  const parts: AppOptions = {
    accounts: opened.accounts,
    rateLimitStore: createMemoryRateLimitStore(() => clock.ms),
    passwords: createPasswords(cheapArgon2),
    hashQueue: createHashQueue({ atOnce: 2, waiting: 100 }),
    tokenUses: { note: () => undefined },
    hosts: { allowed: [], secure: false },
    limits: defaultLimits,
    tokenLifetimeSeconds: 30 * 86_400,
    now: () => clock.ms,
    timeouts: defaultTimeouts,
    log: (line) => log.push(line),
    ...changes,
  };
  const app = await createApp(parts);
  onTestFinished(async () => {
    await app.close();
    await opened.accounts.close();
  });

  type Headers = Record<string, string>;
  const post = (path: string, payload: unknown, headers: Headers = {}) =>
    app.inject({
      method: 'POST',
      url: url(path),
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    });

  return {
    app,
    accounts: opened.accounts,
    clock,
    log,
    post,
    registro: (body: unknown, headers?: Headers) => post('registro', body, headers),
    register: (body: unknown, headers?: Headers) => post('register', body, headers),
    login: ({ email, password }: { email: string; password: string }, headers?: Headers) =>
      post('login', { email, password }, headers),
    perfil: (token: string) => app.inject({ url: url('perfil'), headers: { authorization: `Bearer ${token}` } }),
    salir: (token: string) =>
      app.inject({ method: 'POST', url: url('salir'), headers: { authorization: `Bearer ${token}` } }),
    async tokenOf(credentials: { email: string; password: string }): Promise<string> {
      const { token } = (await post('login', { email: credentials.email, password: credentials.password })).json<{
        token: string;
      }>();
      return token;
    },
  };
}
