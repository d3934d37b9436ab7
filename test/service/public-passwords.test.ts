import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoUser } from '../../main/service/data/demo-user.ts';
import { createSeedUsers, type SeedUser } from '../../main/service/data/seed-users.ts';
import {
  startExtendedService,
  type ExtendedServiceOptions,
} from '../../main/service/fault-injection/extended-service.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { ada, cheapArgon2 } from './support/make-service.ts';
import type { SeedName } from '../../preload/contract/names.ts';
import { startBuiltInServer } from './support/fault-injection.ts';

/** A database with a set of made-up people, the demo, and ada, as the application leaves it. */
async function filled(set: SeedName) {
  const file = path.join(await makeTemporaryFolder(), 'service.sqlite');
  const { service, post, login } = await startBuiltInServer({}, { database: { file }, isEmpty: true });
  await service.data!.reset(set, 7);
  await service.data!.demoUser();
  await post('registro', ada);
  const people: SeedUser[] = [...createSeedUsers(set, 7), demoUser];
  // The second hash is as strong as any: what an account was made with tells nothing.
  for (const person of people.slice(0, 2)) expect((await login(person)).status).toBe(200);
  await service.close();
  return { file, people };
}

/** What logging in with some credentials answers at a service that is started again. */
async function startOn(file: string, options: Partial<ExtendedServiceOptions>) {
  const limits = { login: { most: 50, windowSeconds: 60 } };
  const started = await startExtendedService({ database: { file }, port: 0, argon2: cheapArgon2, limits, ...options });
  if (!started.ok) throw new Error(started.message);
  onTestFinished(() => started.service.close());
  return async ({ email, password }: { email: string; password: string }) => {
    const answer = await fetch(`http://127.0.0.1:${started.service.port}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    return { status: answer.status, body: await answer.text() };
  };
}

describe('accounts whose passwords everybody knows', () => {
  it.each([
    ['beyond loopback', 'three', { listen: '0.0.0.0', allowHosts: ['double.test'] }],
    ['beyond loopback', 'awkward', { listen: '::', allowHosts: ['double.test'] }],
    ['behind a proxy', 'three', { trustedProxies: ['127.0.0.1'] }],
    ['under a name of the network', 'three', { allowHosts: ['localhost', 'double.test'] }],
  ] as const)('do not log in %s, as with a wrong password: %s', async (_where, set, options) => {
    const { file, people } = await filled(set);
    const login = await startOn(file, options);
    const refused = await login({ email: 'nobody@example.test', password: 'not the one' });
    expect(refused.status).toBe(401);
    for (const { email, password } of people) {
      for (const spelled of [email, ` ${email.toUpperCase()} `]) {
        expect(await login({ email: spelled, password })).toEqual(refused);
      }
    }
    expect((await login(ada)).status).toBe(200);
  });

  it('log in on loopback', async () => {
    const { file, people } = await filled('three');
    const login = await startOn(file, { allowHosts: ['localhost'] });
    for (const person of people) expect((await login(person)).status).toBe(200);
  });

  it('are others than those with the same email and a password of their own', async () => {
    const file = path.join(await makeTemporaryFolder(), 'service.sqlite');
    const own = [demoUser, ...createSeedUsers('three', 7)].map(({ name, email }) => ({
      name,
      email,
      password: 'a password of its own',
    }));
    const { service, post } = await startBuiltInServer({}, { database: { file }, isEmpty: true });
    for (const person of own) await post('registro', person);
    await service.close();
    const login = await startOn(file, { listen: '0.0.0.0', allowHosts: ['double.test'] });
    for (const person of own) expect((await login(person)).status).toBe(200);
  });
});
