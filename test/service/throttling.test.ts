import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { emailKey, rateLimitKey } from '../../main/service/domain/emails.ts';
import { createHashQueue } from '../../main/service/domain/hash-queue.ts';
import { createPasswords } from '../../main/service/domain/passwords.ts';
import { defaultLimits } from '../../main/service/limits.ts';
import { unlimitedRateLimitStore } from '../../main/service/stores/memory-rate-limit-store.ts';
import { ada, cheapArgon2, makeService } from './support/make-service.ts';

const wrong = { ...ada, password: 'not the one' };
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function statusesOf(answers: Promise<{ statusCode: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { statusCode } of await Promise.all(answers)) counts[statusCode] = (counts[statusCode] ?? 0) + 1;
  return counts;
}

const nth = (index: number) => ({ ...ada, email: `ada${index}@example.test` });

describe('failed logins', () => {
  it('are five a minute, then 429 with the time to wait, also for the right password', async () => {
    const service = await makeService();
    await service.registro(ada);
    for (const _ of times(5, String)) expect((await service.login(wrong)).statusCode).toBe(401);
    service.clock.ms += 15_500;
    const refused = await service.login(ada);

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('45');
    expect(refused.json()).toEqual({ message: 'Too many attempts. Try again in 45 seconds.' });

    service.clock.ms += 44_500;
    expect((await service.login(ada)).statusCode).toBe(200);
  });

  it('count in any stretch of a minute, not from one minute to the next', async () => {
    const service = await makeService();
    await service.registro(ada);
    await service.login(wrong);
    service.clock.ms += 59_000;
    for (const _ of times(4, String)) await service.login(wrong);
    expect((await service.login(ada)).statusCode).toBe(429);
    service.clock.ms += 1000;
    expect((await service.login(wrong)).statusCode).toBe(401);
    expect((await service.login(ada)).statusCode).toBe(429);
  });

  it('are five verified passwords of fifty guesses at once', async () => {
    const verified: string[] = [];
    const real = createPasswords(cheapArgon2);
    const passwords = {
      ...real,
      matches: (password: string, hash: string | undefined) => {
        verified.push(password);
        return real.matches(password, hash);
      },
    };
    const service = await makeService({ passwords });
    await service.registro(ada);

    expect(await statusesOf(times(50, () => service.login(wrong)))).toEqual({ 401: 5, 429: 45 });
    expect(verified).toHaveLength(5);
  });

  it('do not grow by logins that succeed', async () => {
    const service = await makeService();
    await service.registro(ada);
    for (const _ of times(4, String)) await service.login(wrong);
    for (const _ of times(20, String)) expect((await service.login(ada)).statusCode).toBe(200);
    expect((await service.login(wrong)).statusCode).toBe(401);
    expect((await service.login(ada)).statusCode).toBe(429);
  });

  it('count for unknown addresses too', async () => {
    const service = await makeService();
    for (const _ of times(5, String)) await service.login(wrong);
    expect((await service.login(wrong)).statusCode).toBe(429);
  });

  it('count together for every spelling of an address, and apart for another', async () => {
    const service = await makeService();
    await service.registro(ada);
    const spellings = [
      'ada@example.test',
      'ADA@example.test',
      ' ada@EXAMPLE.test ',
      'ⓐda@example.test',
      'ａｄａ@example.test',
    ];
    for (const email of spellings) expect((await service.login({ ...wrong, email })).statusCode).toBe(401);

    expect((await service.login(ada)).statusCode).toBe(429);
    expect((await service.login({ ...ada, email: 'eve@example.test' })).statusCode).toBe(401);
  });

  it('count together for all spellings of an account, whatever sign is in them', () => {
    const apart = Array.from({ length: 0x1ffff }, (_, point) => `a${String.fromCodePoint(point)}z@x.test`).filter(
      (email) => rateLimitKey(email) !== rateLimitKey(emailKey(email)),
    );
    expect(apart).toEqual([]);
  });

  it('count apart for each address they come from', async () => {
    const service = await makeService();
    await service.registro(ada);
    const from = (remoteAddress: string) =>
      service.app.inject({
        method: 'POST',
        url: '/api/v1/auth/login',
        remoteAddress,
        payload: { email: ada.email, password: 'not the one' },
      });
    for (const _ of times(5, String)) await from('127.0.0.1');
    expect((await from('127.0.0.1')).statusCode).toBe(429);
    expect((await from('127.0.0.2')).statusCode).toBe(401);
  });

  it('do not grow by requests that are no good', async () => {
    const service = await makeService();
    await service.registro(ada);
    for (const _ of times(6, String)) {
      expect((await service.post('login', '{')).statusCode).toBe(400);
      expect((await service.post('login', { email: ada.email })).statusCode).toBe(422);
      expect((await service.post('login', 'x', { 'content-type': 'text/plain' })).statusCode).toBe(415);
      expect((await service.post('login', { ...ada, more: 'x'.repeat(17_000) })).statusCode).toBe(413);
    }
    expect((await service.login(ada)).statusCode).toBe(200);
  });

  it('are without end when limits are off', async () => {
    const service = await makeService({ rateLimitStore: unlimitedRateLimitStore });
    expect(await statusesOf(times(30, () => service.login(wrong)))).toEqual({ 401: 30 });
  });
});

describe('registrations', () => {
  it('are ten a minute, then 429 with the time to wait', async () => {
    const service = await makeService();
    expect(await statusesOf(times(25, (index) => service.registro(nth(index))))).toEqual({ 201: 10, 429: 15 });
    const refused = await service.register({ ...nth(99), cpassword: ada.password });

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    service.clock.ms += 60_000;
    expect((await service.registro(nth(99))).statusCode).toBe(201);
  });

  it('count when the email is taken, so that nobody can try many emails', async () => {
    const service = await makeService();
    await service.registro(ada);
    const spellings = ['ada@example.test', 'ADA@example.test', ' ada@EXAMPLE.test '];
    const probe = (index: number) => {
      const body = { ...ada, email: spellings[index % 3], cpassword: ada.password };
      return index % 2 ? service.register(body) : service.registro(body);
    };
    expect(await statusesOf(times(200, probe))).toEqual({ 422: 9, 429: 191 });
    expect((await service.registro(nth(1))).statusCode).toBe(429);
    service.clock.ms += 60_000;
    expect((await service.registro(nth(1))).statusCode).toBe(201);
  });

  it('count when two of one email come at once, of which the second finds it taken', async () => {
    const service = await makeService();
    for (const index of [1, 2, 3, 4]) await Promise.all([service.registro(nth(index)), service.registro(nth(index))]);
    expect(await statusesOf(times(6, (index) => service.registro(nth(index + 10))))).toEqual({ 201: 2, 429: 4 });
  });

  it('do not grow by bodies that are no good, which are told nothing of the email', async () => {
    const service = await makeService();
    await service.registro(ada);
    const wrongFields = [
      { name: '' },
      { name: 7 },
      { password: 'short' },
      { password: 'password' },
      { cpassword: 'x' },
    ];
    for (const _ of times(12, String)) {
      for (const field of wrongFields) {
        const [taken, free] = [ada, nth(1)].map((person) => service.registro({ ...person, ...field }));
        expect((await taken!).statusCode).toBe(422);
        expect((await taken!).body).toBe((await free!).body);
      }
      expect((await service.registro('{')).statusCode).toBe(400);
      expect((await service.registro('x', { 'content-type': 'text/plain' })).statusCode).toBe(415);
      expect((await service.registro({ ...ada, more: 'x'.repeat(17_000) })).statusCode).toBe(413);
    }
    expect(await statusesOf(times(10, (index) => service.registro(nth(index))))).toEqual({ 201: 9, 429: 1 });
  });

  it('tell nothing of an email while there is no room for their hashes', async () => {
    const held = Promise.withResolvers<void>();
    const hashQueue = createHashQueue({ atOnce: 1, waiting: 0 });
    const service = await makeService({ hashQueue });
    await service.registro(ada);
    const busy = hashQueue.run(() => held.promise);
    const answers = [await service.registro(ada), await service.registro(nth(1))];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
    expect(answers[0]?.body).toBe(answers[1]?.body);
    held.resolve();
    await busy;
  });
});

describe('everything that one client tries', () => {
  const manyLogins = { most: 1000, windowSeconds: 60 };
  const limits = { ...defaultLimits, login: manyLogins, client: { most: 20, windowSeconds: 60 } };

  it('is limited when all of it succeeds, fifty at once included', async () => {
    const service = await makeService({ limits });
    await service.registro(ada);
    expect(await statusesOf(times(50, () => service.login(ada)))).toEqual({ 200: 19, 429: 31 });
    expect((await service.login(nth(1))).statusCode).toBe(429);
    expect((await service.login(ada)).headers['retry-after']).toBe('60');
    service.clock.ms += 60_000;
    expect((await service.login(ada)).statusCode).toBe(200);
  });

  it('is limited when the fields are wrong, which counts for nothing else', async () => {
    const service = await makeService({ limits });
    await service.registro(ada);
    const long = { ...ada, password: `a${'\u0301\u0316'.repeat(3500)}` };
    const normalize = vi.spyOn(String.prototype, 'normalize');
    onTestFinished(() => normalize.mockRestore());
    const answers = [
      ...times(12, () => service.registro(long)),
      ...times(6, () => service.login({ ...ada, email: '' })),
    ];
    expect(await statusesOf(answers)).toEqual({ 422: 18 });
    expect(normalize.mock.contexts.filter((text) => String(text).length > 1024)).toEqual([]);
    expect((await service.login(ada)).statusCode).toBe(200);
    expect(await statusesOf([service.registro(long), service.login(long), service.post('login', '[]')])).toEqual({
      429: 3,
    });
  });

  it('is three hundred a minute unless told otherwise', async () => {
    const service = await makeService({
      limits: { ...defaultLimits, login: manyLogins },
      hashQueue: createHashQueue({ atOnce: 2, waiting: 1000 }),
    });
    await service.registro(ada);
    expect(await statusesOf(times(302, () => service.login(ada)))).toEqual({ 200: 299, 429: 3 });
  });
});
