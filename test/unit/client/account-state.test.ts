import { describe, expect, it } from 'vitest';
import { appErrorOfAnswer } from '../../../main/client/map-error.ts';
import { readAnswer } from '../../../main/client/read-answer.ts';

function errorOf(status: number, body: unknown) {
  const answer = { status, headers: {}, body };
  return appErrorOfAnswer('login', answer, readAnswer('login', answer));
}

describe('a login that is refused for the state of the account', () => {
  it.each([
    // Supabase, Better Auth, Cognito, Keycloak, and words of public servers.
    ['unconfirmed', 400, { code: 'email_not_confirmed', msg: 'Email not confirmed' }],
    ['unconfirmed', 403, { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' }],
    ['unconfirmed', 400, { __type: 'UserNotConfirmedException', code: 'UserNotConfirmedException', message: 'Nope.' }],
    ['unconfirmed', 401, { error: 'invalid_grant', error_description: 'Account not verified' }],
    ['unconfirmed', 403, { message: 'Please verify your email address before logging in.' }],
    ['unconfirmed', 401, { message: 'Debes verificar tu correo antes de iniciar sesión.' }],
    ['unconfirmed', 403, { mensaje: 'Tu cuenta no está verificada' }],
    ['locked', 423, {}],
    ['locked', 401, { message: 'Your account is locked.' }],
    ['locked', 403, { message: 'Cuenta bloqueada' }],
    ['disabled', 403, { message: 'This account has been disabled' }],
    ['disabled', 401, { message: 'User is suspended.' }],
    ['disabled', 403, { error: 'La cuenta está desactivada.' }],
  ] as const)('is told as %s (%i %j)', (state, status, body) => {
    expect(errorOf(status, body)).toMatchObject({ kind: 'account-held', state });
  });

  it.each([
    [401, { message: 'Invalid email or password' }],
    [401, { message: 'Wrong password' }],
    [422, { errors: { email: ['The email is not valid.'] } }],
    [403, { message: 'Forbidden' }],
    [401, { message: 'No account with that email' }],
  ])('is told apart from a wrong email or password (%i %j)', (status, body) => {
    expect(errorOf(status, body).kind).not.toBe('account-held');
  });
});

const asksToConfirm = (message: string | undefined) =>
  readAnswer('register', { status: 201, headers: {}, body: { message } }).why.confirmFirst ?? false;

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

it('a redirect to the other registration path says that this one is not there', () => {
  const answer = { status: 308, headers: { location: '/api/v1/auth/register' }, body: '' };
  expect(appErrorOfAnswer('registro', answer, readAnswer('registro', answer))).toMatchObject({
    kind: 'unexpected',
    reason: 'operation-missing',
  });
});
