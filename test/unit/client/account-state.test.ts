import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { appErrorOfAnswer } from '../../../main/client/map-error.ts';
import { parseResponse } from '../../../main/client/parse-response.ts';

/** Answers by what they mean: status, body and perhaps a header. The first are of a login, the last two of a registration. */
const states: Record<string, [status: number, body: unknown, header?: string][]> = JSON.parse(
  readFileSync(new URL('../../fixtures/login-states.json', import.meta.url), 'utf8'),
);

/** What a person is told of an answer in each list of the file. */
const told: Record<string, object> = {
  'second-step': { kind: 'unexpected', reason: 'mfa-required' },
  'logged-in': { ok: true },
  'change-password': { kind: 'account-held', state: 'change-password' },
  unconfirmed: { kind: 'account-held', state: 'unconfirmed' },
  pending: { kind: 'account-held', state: 'pending' },
  refused: { kind: 'unauthenticated' },
  accepted: { kind: 'unexpected', reason: 'no-token' },
  'registration-refused': { ok: false },
  registered: { ok: true },
};

describe.each(Object.entries(told))('an answer is read as %s', (list, expected) => {
  it.each(states[list] ?? [])('%i %j %s', (status, body, header = '') => {
    const operation = list.startsWith('regist') ? 'registro' : 'login';
    const answer = { status, body, headers: header === '' ? {} : Object.fromEntries([header.split(': ')]) };
    const reading = parseResponse(operation, answer);
    const isOk = reading.summary.ok;
    expect(isOk ? { ok: true } : { ok: false, ...appErrorOfAnswer(operation, answer, reading) }).toMatchObject(
      expected,
    );
  });
});

it('an answer that asks for a second step, or for another password, gives no token', () => {
  const asking = [...(states['second-step'] ?? []), ...(states['change-password'] ?? [])];
  const tokens = asking.map(([status, body]) => parseResponse('login', { status, headers: {}, body }).summary.token);
  expect(tokens.filter((token) => token !== undefined)).toEqual([]);
});

it('what a profile says of second factors and passwords asks for nothing', () => {
  const user = { id: 7, email: 'ana@example.test', name: 'Ana' };
  for (const more of [{ mfa_required: true }, { status: '2fa_required' }, { mustChangePassword: true }])
    expect(parseResponse('profile', { status: 200, headers: {}, body: { user, ...more } }).verdict).toBe('ok');
});

it('an answer of many members is looked at for a bounded part of it', () => {
  const body = Object.fromEntries(Array.from({ length: 5000 }, (_each, at) => [`key${at}`, { deep: true }]));
  expect(parseResponse('login', { status: 200, headers: {}, body: { ...body, mfa_required: true } }).verdict).toBe(
    'accepted-without-token',
  );
});

const asksToConfirm = (message: string | undefined) =>
  parseResponse('register', { status: 201, headers: {}, body: { message } }).trace.confirmFirst ?? false;

describe('a registration that wants its email confirmed', () => {
  it.each([
    'We sent a link to vera@example.test',
    'Please check your inbox to confirm your email address.',
    'User registered. Verify your account before logging in.',
    'Registro exitoso. Revisa tu correo para activar tu cuenta.',
    'Te enviamos un enlace de confirmación.',
    'Bitte bestätigen Sie Ihre E-Mail-Adresse.',
  ])('is known by its words: %s', (message) => {
    expect(asksToConfirm(message)).toBe(true);
  });

  it.each(['User registered successfully', 'Usuario creado con éxito', 'Welcome!', 'Account created', undefined])(
    'is not made up: %s',
    (message) => {
      expect(asksToConfirm(message)).toBe(false);
    },
  );
});
