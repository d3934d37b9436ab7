import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { describeCommand } from '../../../main/commands/describe-command.ts';
import { loadInterface } from '../../../main/commands/load-interface.ts';
import { readDescription } from '../../../main/interface/read-description.ts';
import { shippedInterface } from '../../../main/interface/shipped.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const fixtures = path.resolve(import.meta.dirname, '../../fixtures/import');

/** Runs the command with a text on standard input. */
async function describing(args: string[], input = '') {
  const said = { out: '', err: '' };
  const code = await describeCommand(args, {
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
    stop: new AbortController().signal,
    env: {},
    input: () => Readable.from([Buffer.from(input)]),
  });
  return { code, ...said };
}

/** A log-in with its profile, which shows no credential and no answer. */
const commands = `curl https://api.shop.test/auth/login -d '{"email":"a@b.test","password":"S3cret-ana!"}'
curl https://api.shop.test/users/me`;

describe('the description of a text', () => {
  it.each(['shop.openapi-3.yaml', 'shop.postman.json', 'shop.curl.txt', 'shop.har', 'shop.bru'])(
    'prints a description of %s that is read without a fault',
    async (name) => {
      const { code, out, err } = await describing([path.join(fixtures, name)]);
      expect({ code, read: readDescription(out).ok }).toEqual({ code: 0, read: true });
      expect(err).toContain('Sure: calls.login (POST /api/auth/sign-in)');
      expect(out + err).not.toMatch(/S3cret|hWc1Zx3bN5mQ7rT9|ana@example/);
    },
  );

  it('reads standard input, and says of each guess what it is and why', async () => {
    const { code, out, err } = await describing(['-'], commands);
    expect({ code, login: JSON.parse(out) as unknown }).toMatchObject({
      code: 0,
      login: { calls: { login: { path: '/auth/login' }, profile: { path: '/users/me' } } },
    });
    expect(err).toMatch(/^Guess: security \(Authorization: Bearer\)/m);
  });

  it('ends with 1 where the log-in or the profile is missing, and prints what there is', async () => {
    const { code, out, err } = await describing(
      ['-', '--lang', 'es'],
      'curl https://api.shop.test/users/me -H "Authorization: Bearer x"',
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ calls: { profile: { method: 'GET' } } });
    expect(err).toContain('Falta el inicio de sesión');
  });

  it('reads the folder of a collection', async () => {
    const folder = await makeTemporaryFolder();
    await mkdir(path.join(folder, 'auth'));
    const login =
      'post {\n  url: https://api.shop.test/auth/login\n  body: json\n}\n\nbody:json {\n  {"email": "a@b.test", "password": "x"}\n}\n';
    await writeFile(path.join(folder, 'auth/login.bru'), `meta {\n  name: Log in\n}\n\n${login}`);
    await writeFile(
      path.join(folder, 'me.bru'),
      'meta {\n  name: Me\n}\n\nget {\n  url: https://api.shop.test/me\n}\n',
    );
    const { code, out } = await describing([folder]);
    expect({ code, calls: (JSON.parse(out) as { calls: object }).calls }).toMatchObject({
      code: 0,
      calls: { login: { path: '/auth/login' }, profile: { path: '/me' } },
    });
  });

  it('says which shipped description it is', async () => {
    const strapi = await shippedInterface('strapi');
    const text = `curl http://127.0.0.1:1337/api/auth/local -d '{"identifier":"a@b.test","password":"x"}'`;
    const { code, out, err } = await describing(['-'], text);
    expect({ code, name: (JSON.parse(out) as { name: string }).name }).toEqual({ code: 0, name: strapi?.name });
    expect(err).toContain('whose own description is used');
  });

  it('says what of the text was not read as it stands there', async () => {
    const { code, err } = await describing(
      ['-'],
      'curl https://x.test/login -d @login.json\ncurl https://x.test/me -H “Authorization: Bearer x”',
    );
    expect(code).toBe(0);
    expect(err).toContain('The content of login.json is not in the text.');
    expect(err).toContain('Typographic quotation marks were read as straight ones.');
  });

  it.each([
    [['no-such-file.yaml'], '', 2, 'no-such-file.yaml'],
    [[], '', 2, 'The file is missing'],
    [['a', 'b'], '', 2, 'The command takes one FILE and options only.'],
    [['-'], 'Dear team, the login is at the usual place.', 1, 'is not known'],
    [['-'], '{"name":"Ours","calls":{"login":{"path":"/../x"},"profile":{"path":"/me"}}}', 1, 'calls.login.path'],
    [['-'], '{"openapi":"3.1.0","paths":{}}', 1, 'no login'],
    [['-'], '', 1, 'is not known'],
  ])('answers %j in one sentence', async (args, input, code, says) => {
    const said = await describing(args, input);
    expect({ code: said.code, out: said.out }).toEqual({ code, out: '' });
    expect(said.err).toContain(says);
    expect(said.err).not.toMatch(/\n {4}at /);
  });
});

describe('--interface', () => {
  const at = async (text: string): Promise<string> => {
    const file = path.join(await makeTemporaryFolder(), 'pasted.txt');
    await writeFile(file, text);
    return file;
  };
  const load = (from: string, address: string) => loadInterface({ from, values: {} }, address, 'en');

  it('takes what describe reads, at the address of the line', async () => {
    const loaded = await load(path.join(fixtures, 'shop.postman.json'), 'http://127.0.0.1:8000');
    expect(loaded).toMatchObject({ ok: true, adapter: { baseUrl: 'http://127.0.0.1:8000' } });
    expect(loaded.ok && loaded.adapter.path('login')).toBe('/api/auth/sign-in');
  });

  it('tells guesses apart from what the text says, and never counts the address of the file as one', async () => {
    const loaded = await load(await at(commands), 'http://127.0.0.1:8000');
    expect(loaded.ok && loaded.guesses.join('\n')).toMatch(/^Guess: security/m);
    expect(loaded.ok && loaded.guesses.join('\n')).not.toContain('address');
  });

  it('refuses a text without a log-in, and says what is missing', async () => {
    const loaded = await load(
      await at('curl https://x.test/users/me -H "Authorization: Bearer x"'),
      'http://127.0.0.1',
    );
    expect(loaded).toMatchObject({ ok: false, sentence: expect.stringContaining('The login is missing') });
  });
});
