import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startService, type Service } from '../../main/service/server.ts';
import { defaultArgon2Cost, type Argon2Cost } from '../../main/service/domain/passwords.ts';
import { createApi } from './api.ts';
import { folder, given, print, say } from './given.ts';

const older = { name: 'Older', email: 'older@example.test', password: 'hashed at the earlier cost' };
const newer = { name: 'Newer', email: 'newer@example.test', password: 'hashed at the cost of now' };
const unknown = { name: 'Unknown', email: 'unknown@example.test', password: 'never registered' };
const people = { older, newer, unknown };
type Who = keyof typeof people;
const everybody = Object.keys(people) as Who[];

/** The share of a login that a difference may have, where the machine itself varies by less. */
const MOST_DIFFERENCE = 0.1;

type LoginTimes = {
  name: 'login-times';
  /** The cost of password hashes before and after it was changed, as `--argon2` has it. */
  from: string;
  to: string;
  /** Wrong logins of each. */
  rounds: number;
  medianMs: Record<Who, number>;
  /** Between the medians that lie farthest apart. */
  differenceMs: number;
  /** From the first to the third quartile of the logins of an unknown email. */
  spreadMs: number;
  /** Whether the difference is more than a tenth of a login, and more than logins of one email differ by. */
  isTold: boolean;
};

const stronger: Argon2Cost = { memoryKiB: 65_536, passes: 3, lanes: 1 };

/** The changes that are looked at: a cost that is raised, and one that is lowered. */
const costChanges: [from: Argon2Cost, to: Argon2Cost][] = [
  [defaultArgon2Cost, stronger],
  [stronger, defaultArgon2Cost],
];

const textOf = ({ memoryKiB, passes, lanes }: Argon2Cost): string => `m=${memoryKiB},t=${passes},p=${lanes}`;

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

async function start(file: string, argon2: Argon2Cost): Promise<Service> {
  const started = await startService({ database: { file }, port: 0, rateLimit: 'off', argon2 });
  if (!started.ok) throw new Error(started.message);
  return started.service;
}

/**
 * Changes the cost of password hashes, and times wrong logins of an email with an older hash, one with a newer hash and
 * an unknown one, in turns.
 *
 * @param options.file a database that is not there yet
 */
async function proveLoginTimes(options: {
  file: string;
  from: Argon2Cost;
  to: Argon2Cost;
  rounds: number;
}): Promise<LoginTimes> {
  const { file, from, to, rounds } = options;
  const before = await start(file, from);
  await createApi(before.baseUrl).register(older);
  await before.close();

  const service = await start(file, to);
  const api = createApi(service.baseUrl);
  await api.register(newer);
  const times: Record<Who, number[]> = { older: [], newer: [], unknown: [] };
  // The first rounds open connections and compile.
  for (let round = -2; round < rounds; round += 1) {
    // Each comes first, second and last as often as the others.
    for (let place = 0; place < everybody.length; place += 1) {
      const who = everybody[(round + place + everybody.length) % everybody.length]!;
      const startedAt = performance.now();
      const answer = await api.login({ ...people[who], password: 'not the one' });
      if (answer?.status !== 401) throw new Error(`A wrong login was answered ${answer?.status}`);
      if (round >= 0) times[who].push(performance.now() - startedAt);
    }
  }
  await service.close();

  const medians = everybody.map((who) => quantile(times[who], 0.5));
  const [ofOlder = 0, ofNewer = 0, ofUnknown = 0] = medians.map(rounded);
  const difference = Math.max(...medians) - Math.min(...medians);
  const spread = quantile(times.unknown, 0.75) - quantile(times.unknown, 0.25);
  return {
    name: 'login-times',
    from: textOf(from),
    to: textOf(to),
    rounds,
    medianMs: { older: ofOlder, newer: ofNewer, unknown: ofUnknown },
    differenceMs: rounded(difference),
    spreadMs: rounded(spread),
    isTold: difference > Math.max(MOST_DIFFERENCE * Math.min(...medians), spread),
  };
}

const { rounds } = given({ rounds: z.number() });

it.each(costChanges)(
  'a wrong login does not tell who has an account, at the cost %o before and %o now',
  async (from, to) => {
    const change = `${textOf(from)} to ${textOf(to)}`;
    say(`login-times: ${rounds} wrong logins each after the change from ${change}`);
    const times = await proveLoginTimes({ file: path.join(folder, `${textOf(from)}.sqlite`), from, to, rounds });
    print(times);
    expect(times.isTold).toBe(false);
  },
);
