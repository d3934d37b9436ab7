import { verify } from '@node-rs/argon2';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTokenSecret } from '../../main/service/domain/bearer.ts';
import { clientNetwork } from '../../main/service/domain/client-network.ts';
import { createHashQueue } from '../../main/service/domain/hash-queue.ts';
import { createPasswords } from '../../main/service/domain/passwords.ts';
import { defaultLimits } from '../../main/service/limits.ts';
import { createStoreUnavailableError } from '../../main/service/stores/account-store.ts';
import { openSqlite } from '../../main/service/stores/sqlite/open-sqlite.ts';
import { startTokenSweep } from '../../main/service/token-sweep.ts';
import { createTokenUses } from '../../main/service/token-uses.ts';
import { ada, cheapArgon2, makeService, START_MS } from './support/make-service.ts';

const DAY_MS = 86_400_000;

/** Makes a task that ends when the test says so. */
function heldTask() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  return {
    started: started.promise,
    finish: resolve,
    run: () => {
      started.resolve();
      return promise;
    },
  };
}

describe('the queue of hashes', () => {
  it('runs so many at once, keeps so many waiting, and turns the next away', async () => {
    const queue = createHashQueue({ atOnce: 1, waiting: 1 });
    const [first, second] = [heldTask(), heldTask()];
    const running = queue.run(first.run);
    const waiting = queue.run(second.run);
    expect(await queue.run(async () => 'never')).toEqual({ ok: false, retryAfterSeconds: 1 });
    await first.started;
    first.finish('one');
    expect(await running).toEqual({ ok: true, value: 'one' });
    second.finish('two');
    expect(await waiting).toEqual({ ok: true, value: 'two' });
    expect(await queue.run(async () => 'three')).toEqual({ ok: true, value: 'three' });
  });

  it('goes on after a task that failed', async () => {
    const queue = createHashQueue({ atOnce: 1, waiting: 0 });
    await expect(queue.run(() => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
    expect(await queue.run(async () => 1)).toEqual({ ok: true, value: 1 });
  });

  it('answers 503 with the time to wait, and counts nothing against a client that was turned away', async () => {
    const held = heldTask();
    const hashQueue = createHashQueue({ atOnce: 1, waiting: 0 });
    const limits = {
      ...defaultLimits,
      login: { most: 1, windowSeconds: 60 },
      registration: { most: 1, windowSeconds: 60 },
    };
    const service = await makeService({ hashQueue, limits });
    const busy = hashQueue.run(held.run);
    await held.started;
    for (const call of [service.registro, service.register, service.login]) {
      for (const _ of [1, 2, 3]) {
        const answer = await call({ ...ada, cpassword: ada.password } as never);
        expect(answer.statusCode).toBe(503);
        expect(answer.headers['retry-after']).toBe('1');
        expect(answer.json()).toEqual({
          message: 'Too many logins and registrations at once. Try again shortly.',
        });
      }
    }
    held.finish('done');
    await busy;
    expect((await service.registro(ada)).statusCode).toBe(201);
    expect((await service.login(ada)).statusCode).toBe(200);
  });
});

describe('a hash that cost less than one does now', () => {
  it('is replaced at the next login, once', async () => {
    const service = await makeService();
    await service.registro(ada);
    const before = await service.accounts.findLogin(ada.email);
    const stronger = createPasswords({ ...cheapArgon2, memoryKiB: 16 });
    const now = await makeService({ passwords: stronger, accounts: service.accounts });
    expect((await now.login({ ...ada, password: 'not the one' })).statusCode).toBe(401);
    expect(await service.accounts.findLogin(ada.email)).toEqual(before);
    expect((await now.login(ada)).statusCode).toBe(200);
    const after = await service.accounts.findLogin(ada.email);
    expect(after?.passwordHash).toContain('$m=16,t=1,p=1$');
    expect((await now.login(ada)).statusCode).toBe(200);
    expect(await service.accounts.findLogin(ada.email)).toEqual(after);
  });

  it.each([
    ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', false],
    ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', false],
    ['$argon2id$v=19$m=19455,t=2,p=1$c2FsdA$aGFzaA', true],
    ['$argon2id$v=19$m=65536,t=1,p=1$c2FsdA$aGFzaA', true],
    ['$2y$10$abcdefghijklmnopqrstuv', true],
  ])('is told from others: %s', (hash, outdated) => {
    expect(createPasswords({ memoryKiB: 19_456, passes: 2, lanes: 1 }).isOutdated(hash)).toBe(outdated);
  });
});

describe('the time of a login', () => {
  const cheap = cheapArgon2;
  const costs = [cheap, { ...cheap, memoryKiB: 64 }, { ...cheap, passes: 3 }, { memoryKiB: 256, passes: 2, lanes: 2 }];

  it.each(costs.map((_, index) => index))(
    'is that of the same hashes for every email, whatever its own cost was: now cost %i',
    async (current) => {
      const computed: string[] = [];
      const passwords = createPasswords(costs[current]!, (hash, password) => {
        computed.push(String(hash).split('$')[3]!);
        return verify(hash, password);
      });
      const service = await makeService({ passwords });
      for (const [index, cost] of costs.entries()) {
        const email = `ada${index}@example.test`;
        const passwordHash = await createPasswords(cost).hash(ada.password);
        await service.accounts.createAccount({ ...ada, email, emailKey: email, passwordHash, createdAtMs: 1 });
      }
      passwords.learnCosts(await service.accounts.hashPrefixes());
      const seen: string[][] = [];
      for (const index of [...costs.keys(), 99]) {
        for (const password of ['not the one', ...(index < costs.length ? [ada.password] : [])]) {
          computed.length = 0;
          const answer = await service.login({ email: `ada${index}@example.test`, password });
          expect(answer.statusCode).toBe(password === ada.password ? 200 : 401);
          seen.push([...computed]);
        }
      }
      expect(seen[0]).toHaveLength(costs.length);
      expect(seen).toEqual(seen.map(() => seen[0]));
    },
  );

  it('learns a cost that another instance brought, and keeps to it', async () => {
    let computed = 0;
    const passwords = createPasswords(cheap, (hash, password) => {
      computed += 1;
      return verify(hash, password);
    });
    const stronger = await createPasswords({ ...cheap, passes: 2 }).hash('a password');
    expect(await passwords.matches('a password', undefined)).toBe(false);
    expect(computed).toBe(1);
    expect(await passwords.matches('a password', stronger)).toBe(true);
    expect(await passwords.matches('a password', undefined)).toBe(false);
    expect(computed).toBe(5);
  });

  it('is that of a wrong password for a hash that nobody can read', async () => {
    const passwords = createPasswords(cheap);
    for (const hash of ['', 'x', '$2y$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=8,t=1,p=1']) {
      expect(await passwords.matches('a password', hash)).toBe(false);
    }
  });
});

describe('attempts of one client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '20010db800010002/64'],
    ['2001:db8:1:2::', '20010db800010002/64'],
    ['::1', '0000000000000000/64'],
    ['203.0.113.7:50123', '203.0.113.7'],
    ['[2001:db8:1:2:3::9]:443', '20010db800010002/64'],
    ['[::ffff:203.0.113.7]', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80000000000000/64'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['203.0.113.7:50123:1', 'unknown'],
    ['', 'unknown'],
  ])('%s counts as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});

describe('a database that does not answer now', () => {
  it('makes an answer of 503 with the time to wait, and is named in the log and not to the client', async () => {
    const opened = await openSqlite(':memory:');
    if (!opened.ok) throw new Error(opened.message);
    onTestFinished(() => opened.accounts.close());
    const gone = () => Promise.reject(createStoreUnavailableError('full', new Error('secret path')));
    const accounts = { ...opened.accounts, findSession: gone, createAccount: gone, ping: gone };
    const service = await makeService({ accounts });
    const answers = [
      await service.registro(ada),
      await service.perfil(`1|${createTokenSecret()}`),
      await service.app.inject('/health'),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('5');
      expect(answer.json()).toEqual({
        message: 'The accounts cannot be reached right now. Try again shortly.',
      });
    }
    expect(service.log).toHaveLength(3);
    expect(service.log[0]).toMatch(/^Request \S+ was refused for now: The database cannot be used now: full$/);
  });

  it('is told by /health, which answers 200 otherwise', async () => {
    const service = await makeService();
    const answer = await service.app.inject('/health');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('tokens at rest', () => {
  it('are noted as used in one write for many requests', async () => {
    const written: Map<number, number>[] = [];
    const accounts = { noteTokenUses: async (uses: ReadonlyMap<number, number>) => void written.push(new Map(uses)) };
    let at = 5;
    const uses = createTokenUses({ accounts, now: () => at, log: () => undefined });
    uses.note(1);
    uses.note(2);
    at = 9;
    uses.note(1);
    expect(written).toEqual([]);
    await uses.stop();
    expect(written).toEqual([
      new Map([
        [1, 9],
        [2, 5],
      ]),
    ]);
  });

  it('are noted five at a time, so that no request waits for many, and all of them at the end', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const sizes: number[] = [];
    const first = Promise.withResolvers<void>();
    const accounts = {
      async noteTokenUses(uses: ReadonlyMap<number, number>) {
        sizes.push(uses.size);
        first.resolve();
      },
    };
    const uses = createTokenUses({ accounts, now: () => 1, log: () => undefined });
    for (let id = 1; id <= 12; id += 1) uses.note(id);
    vi.advanceTimersByTime(60_000);
    await first.promise;
    uses.note(13);
    expect(sizes).toEqual([5]);
    await uses.stop();
    expect(sizes).toEqual([5, 5, 2, 1]);
  });

  it('are swept a month after their end, however many', async () => {
    const opened = await openSqlite(':memory:');
    if (!opened.ok) throw new Error(opened.message);
    const { accounts } = opened;
    onTestFinished(() => accounts.close());
    const created = await accounts.createAccount({ ...ada, emailKey: ada.email, passwordHash: 'x', createdAtMs: 1 });
    if (!created.ok) throw new Error(created.kind);
    const tokenUntil = (expiresAtMs: number) =>
      accounts.createToken({
        accountId: created.account.id,
        secretDigest: new Uint8Array(32),
        createdAtMs: 1,
        expiresAtMs,
      });
    const dead = [];
    for (let count = 0; count < 1200; count += 1) dead.push(await tokenUntil(START_MS - 31 * DAY_MS));
    const kept = [await tokenUntil(START_MS - 29 * DAY_MS), await tokenUntil(START_MS + DAY_MS)];
    const deleted = Promise.withResolvers<void>();
    const stop = startTokenSweep({
      accounts: {
        async deleteExpiredTokens(before, most) {
          const count = await accounts.deleteExpiredTokens(before, most);
          if (count < most) deleted.resolve();
          return count;
        },
      },
      now: () => START_MS,
      log: () => undefined,
    });
    await deleted.promise;
    await stop();
    for (const id of dead) expect(await accounts.findSession(id)).toBeUndefined();
    for (const id of kept) expect(await accounts.findSession(id)).toBeDefined();
  });
});
