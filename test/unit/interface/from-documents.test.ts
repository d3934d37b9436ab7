import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readDescription } from '../../../main/interface/read-description.ts';
import { defaultInterface } from '../../../main/interface/shipped.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';

/** Three servers that no description ships for, described from their documents alone; `main/interface/README.md` tells of them. */
it.for([
  ['pocketbase', 'POST /api/collections/users/auth-with-password', 'Authorization: Bearer t'],
  ['payload', 'POST /api/users/login', 'Authorization: JWT t'],
  ['rocket-chat', 'POST /api/v1/login', 'X-Auth-Token: t, X-User-Id: 7'],
] as const)('%s is described from its documents alone', async ([name, login, credential]) => {
  const file = path.join(import.meta.dirname, `../../fixtures/interfaces/${name}.interface.json`);
  const read = readDescription(await readFile(file, 'utf8'));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const adapter = new ApiAdapter(read.description, 'https://x.test');
  expect(adapter.formatCall('login')).toBe(login);
  const { headers } = adapter.request('profile', { credential: { token: 't', outputs: { userId: '7' } } });
  expect(
    headers
      .slice(1)
      .map(([header, value]) => `${header}: ${value}`)
      .join(', '),
  ).toBe(credential);
});

it('the whole example of the README is read without a fault, and says what its text says', async () => {
  const readme = await readFile(path.join(import.meta.dirname, '../../../main/interface/README.md'), 'utf8');
  const read = readDescription(/```json\n([^]*?)```/.exec(readme)?.[1] ?? '');
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const adapter = new ApiAdapter(read.description, 'https://x.test', { apiKey: 'k' });
  expect(adapter.request('login', { fields: { email: 'a@b.test', password: 'p' } })).toMatchObject({
    url: 'https://x.test/v2/session',
    body: 'username=a%40b.test&password=p&grant_type=password',
  });
  expect(adapter.request('profile', { credential: { token: 't' } }).headers).toContainEqual(['Authorization', 'JWT t']);
});

it('a user name is what was chosen, or the part of the email before its sign', async () => {
  const file = path.join(import.meta.dirname, '../../fixtures/interfaces/rocket-chat.interface.json');
  const read = readDescription(await readFile(file, 'utf8'));
  const adapter = new ApiAdapter(read.ok ? read.description : defaultInterface, 'https://x.test');
  const sentFor = (more: object): unknown =>
    JSON.parse(
      adapter.request('registro', { fields: { name: 'Ana', email: 'ana@example.test', password: 'p', ...more } })
        .body ?? '',
    );
  const sent = { name: 'Ana', email: 'ana@example.test', pass: 'p' };
  expect(sentFor({})).toEqual({ ...sent, username: 'ana' });
  expect(sentFor({ username: 'ana.v' })).toEqual({ ...sent, username: 'ana.v' });
  expect(adapter.features.byUsername).toBe(false);
});
