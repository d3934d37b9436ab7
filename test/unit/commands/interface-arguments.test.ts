import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCheckArguments } from '../../../main/commands/check-command.ts';
import { resolveInterface } from '../../../main/commands/perform-check.ts';
import { loadInterface } from '../../../main/commands/load-interface.ts';
import { shippedInterface } from '../../../main/interface/shipped.ts';
import { shippedNames } from '../../../main/interface/shipped-files.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** What `check` makes of a command line: the interface that it then speaks, or the sentence that refuses it. */
async function reached(typed: string, env: Record<string, string> = {}, language = 'en') {
  const usage = await parseCheckArguments(typed.split(' '), env);
  if (usage.kind !== 'run') return usage.kind === 'wrong' ? usage.sentence : '';
  const loaded = await loadInterface(usage.run.interface, usage.run.baseUrl, language);
  return loaded.ok
    ? { at: loaded.adapter.baseUrl, logIn: loaded.adapter.path('login'), secrets: loaded.secrets }
    : loaded.sentence;
}

it('a shipped description is loaded by its name, and is one', async () => {
  for (const name of shippedNames) expect((await shippedInterface(name))?.name).toBeTruthy();
  expect(await shippedInterface('constructor')).toBeUndefined();
});

describe('the address of a server of another interface', () => {
  it.each([
    ['http://127.0.0.1:1337', 'http://127.0.0.1:1337'],
    ['http://127.0.0.1:1337/api', 'http://127.0.0.1:1337'],
    ['http://127.0.0.1:1337/api/auth/local/', 'http://127.0.0.1:1337'],
    ['http://127.0.0.1:1337/shop/api/users/me', 'http://127.0.0.1:1337/shop'],
    ['http://127.0.0.1:1337/api/v1/auth/login', 'http://127.0.0.1:1337/api/v1/auth/login'],
  ])('loses what was pasted along: %s', async (typed, at) => {
    expect(await reached(`${typed} --interface strapi`)).toMatchObject({ at, logIn: '/api/auth/local' });
  });

  it('stays what it is without a description', async () => {
    expect(await reached('http://127.0.0.1:1337/api/v1/auth/login')).toMatchObject({ at: 'http://127.0.0.1:1337' });
  });
});

it.each([
  ['en', 'curl -d sekret https://h/login', 'Give only the address of the server'],
  ['es', 'http://h:99999', 'un puerto es un número del 1 al 65535'],
  ['es', 'http://a.test, http://b.test/?key=sekret', 'varias direcciones'],
  ['en', '::1:8000', 'http://[::1]:8000'],
  ['en', 'https://{tenant}.example.com', 'filled in'],
  ['en', '???', 'is not the address of a server'],
])('a text that is no address gets one sentence with the cause (%s): %s', async (lang, typed, says) => {
  const usage = await parseCheckArguments([`--lang=${lang}`, typed], {});
  expect(usage).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining(says) });
  expect(JSON.stringify(usage)).not.toContain('sekret');
});

it('an interface without a registration needs an account', async () => {
  const measuring = async (more: string) => {
    const usage = await parseCheckArguments(`http://127.0.0.1 --interface oauth-password${more}`.split(' '));
    if (usage.kind !== 'run') throw new Error('the usage is wrong');
    return resolveInterface(usage.run);
  };
  expect(await measuring('')).toMatchObject({ ok: false, sentence: expect.stringContaining('has no registration') });
  expect(await measuring(' --email ana@example.test --password-stdin')).toMatchObject({ ok: true });
});

describe('a variable', () => {
  it('comes out of the environment, and a secret one is kept from reports', async () => {
    const typed = 'http://127.0.0.1 --interface supabase-gotrue --var apikey=KEY';
    expect(await reached(typed, { KEY: 'sekret-of-the-gateway' })).toMatchObject({
      secrets: ['sekret-of-the-gateway'],
    });
  });

  it.each([
    ['supabase-gotrue', 'its variable “apikey” has no value', 'su variable «apikey» no tiene valor'],
    ['supabase-gotrue --var other=KEY', 'it has no variable “other”', 'no tiene ninguna variable «other»'],
    [
      'keycloak --var realm=UP',
      "the value of its variable “realm” could lead away from the server's address",
      'el valor de su variable «realm» podría llevar fuera de la dirección del servidor',
    ],
  ])('that is wrong is told in one sentence: %s', async (typed, english, spanish) => {
    const [from = ''] = typed.split(' ');
    const line = `http://127.0.0.1 --interface ${typed}`;
    const env = { KEY: 'x', UP: '..' };
    expect(await reached(line, env)).toBe(`The description “${from}” cannot be used: ${english}.`);
    expect(await reached(line, env, 'es')).toBe(`La descripción «${from}» no se puede usar: ${spanish}.`);
  });

  it('never has its value on the command line', async () => {
    expect(await reached('http://127.0.0.1 --interface strapi --var key=my-secret-value')).toBe(
      'The option --var takes NAME=VARIABLE, the name of an environment variable that holds the value.',
    );
    expect(await reached('http://127.0.0.1 --var key=KEY')).toBe(
      'The option --var needs an --interface or a --server.',
    );
    expect(await reached('http://127.0.0.1 --interface strapi --var a=KEY --var a=KEY')).toBe(
      'The option --var takes each name once.',
    );
  });
});

describe('a file', () => {
  const calls = { login: { path: '/in' }, profile: { path: '/me' } };
  const at = async (content: string): Promise<string> => {
    const file = path.join(await makeTemporaryFolder(), 'our.interface.json');
    writeFileSync(file, content);
    return file;
  };

  it('says its interface', async () => {
    const file = await at(JSON.stringify({ name: 'Ours', calls }));
    expect(await reached(`http://127.0.0.1/in --interface ${file}`)).toMatchObject({
      at: 'http://127.0.0.1',
      logIn: '/in',
    });
  });

  it('has each of its faults told in a line, whatever stands in it', async () => {
    const up = { ...calls, profile: { path: '/../me' } };
    const file = await at(JSON.stringify({ name: 'Ours', calls: up, headers: { Host: 'x' } }));
    const sentence = await reached(`http://127.0.0.1 --interface ${file}`);
    if (typeof sentence !== 'string') throw new Error('the description was taken');
    expect(sentence.replaceAll(/“[^”]*json”/g, 'it').split('\n')).toEqual([
      "The description it cannot be used: calls.profile.path could lead away from the server's address.",
      'The description it cannot be used: headers names the header “Host”, which Llavero or the connection sets itself, or which is none.',
    ]);
    expect(await reached(`http://127.0.0.1 --interface ${await at('{"\\u001b[2J": 1}')}`)).not.toContain('\u001b');
    expect(
      await reached(`http://127.0.0.1 --interface ${await at(`{"calls":{"login":"${'x'.repeat(300_000)}"}}`)}`),
    ).toContain('more than 64 KiB');
  });

  it('that is not there is refused with the names that are', async () => {
    expect(await reached('http://127.0.0.1 --interface strapy')).toMatch(
      /“strapy” is neither .*\(ENOENT\).* djoser, .*strapi/,
    );
  });
});
