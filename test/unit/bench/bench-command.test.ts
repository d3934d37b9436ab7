import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const entry = path.resolve(import.meta.dirname, '../../bench/run.ts');
const run = promisify(execFile);

const Figure = z.object({ name: z.string(), value: z.number().positive(), ratio: z.number().positive() });

it('the bench measures the service, and writes a table for people and a file for scripts', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const json = path.join(folder, 'figures.json');
  const args = ['--only', 'service', '--runs', '1', '--seconds', '0.5', '--json', json];
  const { stdout, code } = await run(process.execPath, [entry, ...args]).then(
    (ended) => ({ ...ended, code: 0 }),
    (failed: unknown) => z.object({ stdout: z.string(), code: z.number() }).parse(failed),
  );
  // What so short a bench measures may be outside its budget, which its code says too.
  expect(code).toBe(stdout.includes('**') ? 1 : 0);
  const { figures } = z.object({ figures: z.array(Figure) }).parse(JSON.parse(await readFile(json, 'utf8')));
  expect(figures.map(({ name }) => name)).toEqual([
    'profiles beside a constant response',
    'profiles beside better-auth',
    'processor for a profile, beside a constant response',
    'processor for a profile, beside better-auth',
  ]);
  for (const { name, ratio } of figures) expect(stdout).toMatch(new RegExp(`^\\| ${name} \\|.* ${ratio} \\|`, 'm'));
  expect(stdout).toMatch(/^.+ cores, .*Electron \d.*SQLite 3.*load .* before and .* after$/m);
});

it.each([
  ['what it does not measure', ['--only', 'service,dreams'], 'dreams'],
  ['no number of runs', ['--runs', '0'], '--runs'],
  ['an option that it does not know', ['--quick'], '--quick'],
])('the bench refuses %s with a sentence', async (_what, args, named) => {
  const refused = run(process.execPath, [entry, ...args]);
  await expect(refused).rejects.toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(named) });
});
