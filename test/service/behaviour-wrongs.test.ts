import { verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../main/service/domain/passwords.ts';
import { Misbehaviour } from '../../main/service/lab/behaviour.ts';
import type { BehaviourSettings } from '../../main/service/lab/settings.ts';
import { ada, cheapArgon2 } from './support/make-service.ts';
import { type WrongName, wrongNames } from '../../preload/contract/names.ts';
import { startBuiltInServer } from './support/behaviour.ts';

const names = wrongNames;
const eve = { name: 'Eve Example', email: 'eve@example.test', password: 'quite another one' };

/** Instants and ids of requests differ from run to run. */
const steady = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>');

/** Collects all that a tester can learn of the service in one run: a status and a body by what was done. */
async function observe(settings: Partial<BehaviourSettings>) {
  const { post, perfil, salir, login, token } = await startBuiltInServer(settings);
  const seen: Record<string, string> = {};
  const note = async (what: string, response: Response): Promise<string> => {
    const body = await response.text();
    const challenge = response.headers.get('www-authenticate') ?? '';
    seen[what] = steady(`${response.status} ${challenge} ${body.replaceAll(/"\d+\|\w+"/g, '"<token>"')}`);
    return body;
  };

  await note('registro', await post('registro', eve));
  await note('register', await post('register', { ...eve, email: 'two@example.test', cpassword: eve.password }));
  await note('taken email', await post('registro', eve));
  await note('cpassword differs', await post('register', { ...eve, email: 'three@example.test', cpassword: 'other' }));
  await note('cpassword missing', await post('register', { ...eve, email: 'four@example.test' }));
  const differs = { ...eve, email: 'five@example.test', cpassword: 'other' };
  await note('cpassword differs on registro', await post('registro', differs));
  await note('fields', await post('register', { name: 7, password: 'short' }));
  await note('not JSON', await post('login', '{'));
  await note('not an object', await post('login', '[]'));
  const first = JSON.parse(await note('login', await login())) as { token: string };
  const second = (await (await login()).json()) as { token: string };
  await note('wrong password', await login({ ...ada, password: 'not the one' }));
  await note('unknown email', await login({ ...ada, email: 'nobody@example.test' }));
  await note('perfil', await perfil(first.token));
  await note('perfil in Spanish', await perfil(`${first.token}x`));
  await note('salir', await salir(first.token));
  await note('perfil after salir', await perfil(first.token));
  await note('salir again', await salir(first.token));
  await note('perfil of another session', await perfil(token));
  const [one, two] = [first, second].map((answer) => answer.token.split('|')[1]!.slice(0, 40));
  seen['tokens'] = /^\d+$/.test(one!) && Number(two) === Number(one) + 1 ? 'count up' : 'are random';
  return seen;
}

/** This is seen of each fault, and nothing else may be. */
const traces: Record<WrongName, Record<string, RegExp>> = {
  'token-outlives-logout': {
    'perfil after salir': /^200 .*ada@example\.test/,
    'salir again': /^200 /,
  },
  'password-echoed': {
    registro: /^201 .*"password":"quite another one"/,
    register: /^201 .*"password":"quite another one"/,
    login: /^200 .*"password":"analytical engine"/,
  },
  'unknown-email-by-body': { 'unknown email': /^401 Bearer \{"message":"No account has this email\."\}$/ },
  'unknown-email-by-time': {},
  'stack-traces': Object.fromEntries(
    [
      'taken email',
      'cpassword differs',
      'cpassword missing',
      'cpassword differs on registro',
      'fields',
      'not JSON',
      'not an object',
      'wrong password',
      'unknown email',
      'perfil in Spanish',
      'perfil after salir',
      'salir again',
    ].map((what) => [what, /^4\d\d .*"stack":"Error: .* {4}at /]),
  ),
  'tokens-guessable': { tokens: /^count up$/ },
  'cpassword-ignored': {
    'cpassword differs': /^201 /,
    'cpassword missing': /^201 /,
    'cpassword differs on registro': /^201 /,
    fields: /^422 (?:(?!confirmation).)*$/,
  },
  'password-hash-in-profile': {
    perfil: /^200 .*"password_hash":"\$argon2id\$/,
    'perfil of another session': /^200 .*"password_hash":"\$argon2id\$/,
  },
};

/** Makes a pattern for a line that names what was done, and then the trace. */
const after = (what: string, trace: RegExp): RegExp => new RegExp(`^${what}: ${trace.source.slice(1)}`);

describe('a service that is wrong on purpose', () => {
  it.each(names)('is seen to be wrong in this way, and in no other: %s', async (name) => {
    const ordinary = await observe({});
    const wrong = await observe({ wrong: [name] });
    const differing = Object.keys(ordinary).filter((what) => wrong[what] !== ordinary[what]);
    expect(differing.toSorted()).toEqual(Object.keys(traces[name]).toSorted());
    for (const [what, trace] of Object.entries(traces[name]))
      expect(`${what}: ${wrong[what]}`).toMatch(after(what, trace));
  });

  it('has no faults of these when nothing is on', async () => {
    const ordinary = await observe({});
    expect(ordinary['tokens']).toBe('are random');
    expect(ordinary['wrong password']).toBe(ordinary['unknown email']);
    expect(ordinary['perfil after salir']).toMatch(/^401 Bearer/);
    expect(Object.values(ordinary).join('\n')).not.toMatch(/stack|hash|"password":"|argon2/);
  });

  it('computes a hash for a known email, and none for an unknown one, when the time is to tell them apart', async () => {
    let computed = 0;
    const passwords = createPasswords(cheapArgon2, (hash, password) => {
      computed += 1;
      return verify(hash, password);
    });
    const known = await passwords.hash('a password');
    for (const on of [1, 0]) {
      const wrong = new Misbehaviour({ wrong: on ? ['unknown-email-by-time'] : [] }).passwords(passwords);
      computed = 0;
      expect(await wrong.matches('a password', undefined)).toBe(false);
      expect(computed).toBe(1 - on);
      expect(await wrong.matches('a password', known)).toBe(true);
      expect(computed).toBe(2 - on);
    }
  });

  it('is wrong in several ways at once, in a dialect too', async () => {
    const { post, login, perfil, token } = await startBuiltInServer({
      wrong: ['password-echoed', 'unknown-email-by-body', 'password-hash-in-profile'],
      dialect: 'sanctum',
    });
    expect(await (await post('registro', eve)).json()).toMatchObject({ password: eve.password });
    expect(await (await perfil(token)).json()).toHaveProperty('password_hash');
    const unknown = await login({ ...ada, email: 'nobody@example.test' });
    expect([unknown.status, await unknown.json()]).toEqual([
      422,
      { message: 'The selected email is invalid.', errors: { email: ['The selected email is invalid.'] } },
    ]);
    expect(await (await login({ ...ada, password: 'not the one' })).json()).toMatchObject({
      message: 'The provided credentials are incorrect.',
    });
  });
});
