import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const entry = path.resolve(import.meta.dirname, '../../bench/run.ts');
const run = promisify(execFile);

const Figure = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  value: z.number().positive(),
  unit: z.string(),
  ratio: z.number().positive().nullable(),
  budget: z.number().nullable(),
  runs: z.int().positive(),
  interval: z.tuple([z.number().positive(), z.number().positive()]),
  spread: z.number().nonnegative(),
});

/** What a command that failed has left behind. */
const Ended = z.object({ stdout: z.string(), stderr: z.string(), code: z.number() });

it('the bench measures the service, and writes a table for people and one line of JSON per figure for scripts', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const json = path.join(folder, 'figures.json');
  const args = ['--quick', '--runs', '1', '--seconds', '0.5', '--accounts', '10,100', '--json', json];
  const { stdout, stderr, code } = await run(process.execPath, [entry, ...args]).then(
    (ended) => ({ ...ended, code: 0 }),
    (failed: unknown) => Ended.parse(failed),
  );
  // What so short a bench measures may be outside its budget, which its code says too.
  expect({ code, stderr }).toMatchObject({ code: /^Outside their budgets: /m.test(stdout) ? 1 : 0 });

  const lines = stdout.split('\n');
  const figures = lines.filter((line) => line.startsWith('{')).map((line) => Figure.parse(JSON.parse(line)));
  expect(figures.map(({ name }) => name)).toEqual([
    'profile-rate-to-constant',
    'profile-rate-to-better-auth',
    'constant-rate',
    'better-auth-rate',
    'profile-cpu-to-constant',
    'better-auth-cpu-to-profile',
    'profile-p50-idle',
    'profile-p99-idle',
    'profile-p99-during-logins',
    'login-p50',
    'seed-10-accounts',
    'seed-100-accounts',
    'login-lookup-p99-10-accounts',
    'profile-p99-10-accounts',
    'login-lookup-p99-100-accounts',
    'profile-p99-100-accounts',
  ]);
  for (const { name } of figures) expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true);
  expect(stdout).toMatch(/^machine: .+ cores.*\nversions: Electron \d.*Fastify 5.*better-auth 1\.6.*SQLite 3/m);
  const written: unknown = JSON.parse(await readFile(json, 'utf8'));
  expect(z.object({ figures: z.array(Figure) }).parse(written).figures).toEqual(figures);
});

it.each([
  ['what it does not measure', ['--only', 'rates,dreams'], 'dreams'],
  ['a measurement of the application among the quick ones', ['--quick', '--only', 'memory'], 'memory'],
  ['no number of runs', ['--runs', '0'], '--runs'],
])('the bench refuses %s with a sentence', async (_what, args, named) => {
  const refused = run(process.execPath, [entry, ...args]);
  await expect(refused).rejects.toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(named) });
});
