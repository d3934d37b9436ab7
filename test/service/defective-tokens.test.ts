import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  startExtendedService,
  type ExtendedService,
  type ExtendedServiceOptions,
} from '../../main/service/fault-injection/extended-service.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { ada, cheapArgon2 } from './support/make-service.ts';
import { type DefectName, defectNames } from '../../preload/contract/names.ts';
import { startBuiltInServer } from './support/fault-injection.ts';

const names = defectNames;
const outlives: DefectName = 'token-outlives-logout';
const all = { offset: 0, limit: 100 };

/** The status of the profile for each token. */
const statuses = (service: Pick<ExtendedService, 'port'>, tokens: readonly string[]): Promise<number[]> =>
  Promise.all(
    tokens.map(async (token) => {
      const url = `http://127.0.0.1:${service.port}/api/v1/auth/perfil`;
      return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
    }),
  );

/** With its database in a file, which `again` serves once the service has ended. */
async function startOnDisk(defects: DefectName[] = []) {
  const file = path.join(await makeTemporaryFolder(), 'service.sqlite');
  const started = await startBuiltInServer({}, { database: { file } });
  started.behaviour.set({ defects });
  return {
    ...started,
    tokenOfLogin: async () => ((await (await started.login()).json()) as { token: string }).token,
    again: async (options: Partial<ExtendedServiceOptions> = {}): Promise<ExtendedService> => {
      await started.service.close();
      const next = await startExtendedService({ database: { file }, port: 0, argon2: cheapArgon2, ...options });
      if (!next.ok) throw new Error(next.message);
      onTestFinished(() => next.service.close());
      return next.service;
    },
  };
}

const beyondLoopback = { listen: '0.0.0.0', allowHosts: ['double.test'] };

describe('a token that was made in a wrong mode', () => {
  it.each(names)('ends with it: %s', async (name) => {
    const { service, behaviour, tokenOfLogin, token } = await startOnDisk([name]);
    const made = await tokenOfLogin();
    expect(await statuses(service, [token, made])).toEqual([200, 200]);
    behaviour.set({ defects: [] });
    expect(await statuses(service, [token, made])).toEqual([200, 401]);
    behaviour.set({ defects: [name] });
    expect(await statuses(service, [token, made])).toEqual([200, 401]);
    expect((await service.data?.sessions(all))?.rows.map(({ tokenId }) => tokenId)).toEqual([1]);
  });

  it.each([
    ['on loopback', {}],
    ['beyond loopback', beyondLoopback],
    ['in the same wrong mode', { faultInjection: { defects: ['tokens-guessable'] } } as const],
  ])('is not there at the next start %s', async (_where, options) => {
    const { tokenOfLogin, token, again } = await startOnDisk(['tokens-guessable']);
    const made = await tokenOfLogin();
    expect(await statuses(await again(options), [token, made])).toEqual([200, 401]);
  });

  it('is refused meanwhile by another process on the same database', async () => {
    const file = path.join(await makeTemporaryFolder(), 'service.sqlite');
    const ordinary = await startExtendedService({ database: { file }, port: 0, argon2: cheapArgon2 });
    if (!ordinary.ok) throw new Error(ordinary.message);
    onTestFinished(() => ordinary.service.close());
    const { service, behaviour, login, token } = await startBuiltInServer({}, { database: { file } });
    behaviour.set({ defects: ['tokens-guessable'] });
    const { token: made } = (await (await login()).json()) as { token: string };
    expect(await statuses(service, [token, made])).toEqual([200, 200]);
    expect(await statuses(ordinary.service, [token, made])).toEqual([200, 401]);
  });

  it('ends when one of several modes does, and not before', async () => {
    const { service, behaviour, tokenOfLogin } = await startOnDisk(['tokens-guessable', 'stack-traces']);
    const made = await tokenOfLogin();
    behaviour.set({ defects: ['stack-traces', 'tokens-guessable', 'password-echoed'] });
    expect(await statuses(service, [made])).toEqual([200]);
    const later = await tokenOfLogin();
    behaviour.set({ defects: ['stack-traces', 'password-echoed'] });
    expect(await statuses(service, [made, later])).toEqual([401, 401]);
  });

  it('ends too when a dialect gave it for a registration', async () => {
    const { service, behaviour, post } = await startOnDisk(['tokens-guessable']);
    behaviour.set({ dialect: 'sanctum' });
    const registered = await post('registro', { ...ada, email: 'eve@example.test' });
    const made = /\d+\|\w{48}/.exec(await registered.text())?.[0] ?? '';
    expect(await statuses(service, [made])).toEqual([200]);
    behaviour.set({ defects: [] });
    expect(await statuses(service, [made])).toEqual([401]);
  });

  it('ends when the mode is switched off and on again while many log in', async () => {
    const { service, behaviour, tokenOfLogin } = await startOnDisk(['tokens-guessable']);
    const logins = Array.from({ length: 50 }, () => tokenOfLogin());
    const first = await Promise.race(logins);
    behaviour.set({ defects: [] });
    behaviour.set({ defects: ['tokens-guessable'] });
    const tokens = await Promise.all(logins);
    expect(await statuses(service, [first])).toEqual([401]);
    behaviour.set({ defects: [] });
    expect(await statuses(service, tokens)).toEqual(tokens.map(() => 401));
  });
});

describe('a token that was logged out while logout ends nothing', () => {
  it.each([
    ['when the mode is switched off', 'off'],
    ['at the next start', {}],
    ['at the next start beyond loopback', beyondLoopback],
    ['at the next start in the same mode', { faultInjection: { defects: [outlives] } }],
  ] as const)('ends %s, whenever it was made', async (_when, next) => {
    const { service, behaviour, salir, tokenOfLogin, token, again } = await startOnDisk();
    const kept = await tokenOfLogin();
    behaviour.set({ defects: [outlives] });
    const made = await tokenOfLogin();
    for (const each of [token, made]) {
      expect([(await salir(each)).status, (await salir(each)).status]).toEqual([200, 200]);
    }
    expect(await statuses(service, [kept, token, made])).toEqual([200, 200, 200]);
    if (next === 'off') behaviour.set({ defects: [] });
    expect(await statuses(next === 'off' ? service : await again(next), [kept, token, made])).toEqual([200, 401, 401]);
  });

  it('ends for good when it is logged out fifty times at once', async () => {
    const { service, behaviour, salir, token } = await startOnDisk([outlives]);
    const answers = await Promise.all(Array.from({ length: 50 }, () => salir(token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    behaviour.set({ defects: [] });
    behaviour.set({ defects: [outlives] });
    expect(await statuses(service, [token])).toEqual([401]);
  });

  it('is not restored by the undo of a reset that was made while it was valid', async () => {
    const { service, behaviour, salir, token } = await startOnDisk([outlives]);
    await salir(token);
    expect(await service.data!.reset('three', 1)).toMatchObject({ ok: true });
    behaviour.set({ defects: [] });
    expect(await service.data!.undo()).toEqual({ ok: true });
    expect(await statuses(service, [token])).toEqual([401]);
  });
});
