import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { createLog } from '../../main/files/log.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const token = '7|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';

async function everythingIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.join('\n');
}

it('the log holds what went wrong, for its owner alone, without the secrets of the run however they are spelt', async () => {
  const folder = path.join(await makeTemporaryFolder(), 'logs');
  const secretRegistry = new SecretRegistry();
  secretRegistry.register(token, 'token');
  secretRegistry.register('correct "horse" battery', 'password');
  const log = createLog(folder, (text) => secretRegistry.mask(text));
  log.warn('a file could not be read', new Error(`at https://a.test/?t=${encodeURIComponent(token)}`));
  const cause = new Error(`body: ${JSON.stringify({ password: 'correct "horse" battery' })}`);
  const id = log.report(new Error(`no answer for ${token}`, { cause }));
  log.warn('no error at all', { token });
  await expect.poll(() => everythingIn(folder)).toContain('no error at all');
  const text = await everythingIn(folder);
  expect(text).toContain('a file could not be read');
  expect(text).toContain(`${id} Error: no answer for •••`);
  expect(text).toContain('caused by Error: body: {"password":"•••"}');
  expect(text).not.toMatch(/q8ZrT3vLmN6xWc0|horse/);
  expect((await stat(path.join(folder, 'main.log'))).mode & 0o777).toBe(0o600);
});

it('the log does not grow without end: there are two files of a megabyte at most', async () => {
  const folder = path.join(await makeTemporaryFolder(), 'logs');
  const log = createLog(folder, (text) => text);
  for (let n = 0; n < 40; n++) log.warn(`${n} ${'x'.repeat(100_000)}`);
  log.warn('the last line');
  await expect.poll(() => everythingIn(folder)).toContain('the last line');
  expect((await readdir(folder)).toSorted()).toEqual(['main.log', 'main.old.log']);
  for (const name of await readdir(folder)) {
    expect((await stat(path.join(folder, name))).size).toBeLessThan(1024 * 1024 + 200_000);
  }
});
