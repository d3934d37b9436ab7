import { describe, expect, it } from 'vitest';
import { parseResponse } from '../../../main/client/parse-response.ts';
import { pipe, read } from '../../support/answer-lines.ts';

describe('an answer in words', () => {
  it.each([
    'Unauthorized',
    'Unauthenticated.',
    'No token provided',
    'Token is missing',
    'No autorizado',
    'Invalid token',
  ])('did not log out where words alone ask for a token at 200: %s', (message) =>
    expect(read('logout', 200, { message }).verdict).toBe('ended'),
  );

  it.each([
    'Token revoked',
    'Your token has been invalidated.',
    'Session expired successfully',
    'You are no longer logged in.',
    'Logged out. Please sign in again.',
    'Sesión cerrada, el token ya no es válido',
    'Tokens deleted',
  ])('logged out at 200: %s', (message) => expect(read('logout', 200, { message }).verdict).toBe('ok'));

  it.each([
    'User registered successfully',
    'User has been registered.',
    'The account was created. You can already log in.',
    'Usuario registrado correctamente',
    '¡Ya estás registrado! Ya puedes iniciar sesión.',
    'Tu cuenta ya está lista',
    'Account created. The user does not exist in the old system.',
    'Usuário cadastrado com sucesso',
    'Benutzer erfolgreich registriert',
    'Welcome! A mail was sent to your address.',
    'Your email must be verified before you log in.',
    'Please check your email, and enter the code we sent.',
    'Your account was created, but your email is not confirmed yet.',
    'Revisa tu correo: debes confirmar tu cuenta.',
    'Tu correo debe ser confirmado.',
    'Revisa tu correo: puede estar en spam.',
    'Check your email. It may be in spam.',
    'Your password was saved. The name is public.',
  ])('is an account at 200: %s', (message) => {
    expect(read('registro', 201, { message }).verdict).toBe('ok');
  });

  it('says where the token was and by which rule', () => {
    expect(read('login', 200, { data: { access_token: pipe } }).trace.token).toEqual({
      path: 'data.access_token',
      rule: 'a field named access_token',
    });
  });
});

describe('a profile', () => {
  it('says nothing about the session when another host asks for a login', () => {
    const answer = { status: 302, headers: { Location: 'http://portal.test/login' }, body: '' };
    expect(parseResponse('profile', { ...answer, url: 'https://x.test/api/v1/auth/perfil' }).verdict).toBe('unknown');
    expect(parseResponse('profile', { ...answer, url: 'https://portal.test/api/v1/auth/perfil' }).verdict).toBe(
      'ended',
    );
  });
});

describe('the profile of somebody who is known', () => {
  const knownUsers = ['ana@example.test', 'ana', '7', 'c0ffee'];
  const readAs = (body: unknown) => parseResponse('profile', { status: 200, headers: {}, body, knownUsers });

  it.each([
    [{ logged_in_as: 'ana@example.test' }, { email: 'ana@example.test' }],
    [{ identity: 'Ana@Example.test' }, { email: 'Ana@Example.test' }],
    [{ msg: 'ok', current: { handle: 'ana' } }, { name: 'ana' }],
    [{ message: 'ana@example.test' }, { email: 'ana@example.test' }],
    [{ result: { account: 7 } }, { id: '7' }],
    [[{ owner: 'c0ffee' }], { name: 'c0ffee' }],
    ['"ana@example.test"', { email: 'ana@example.test' }],
  ])('is a value that equals who logged in: %j', (body, user) => {
    expect(readAs(body)).toMatchObject({ verdict: 'ok', summary: { user } });
    expect(parseResponse('profile', { status: 200, headers: {}, body }).verdict).toBe('unknown');
  });

  it.each([
    [
      [
        { id: 3, firstname: 'Bea' },
        { id: 4, email: 'Ana@example.test' },
      ],
      { id: 4, email: 'Ana@example.test' },
    ],
    [{ data: [{ id: 3, name: 'Bea' }, { username: 'ana' }] }, { name: 'ana' }],
    [
      { count: 2, results: [{ email: 'bea@example.test' }, { email: 'ana@example.test', name: 'Ana' }] },
      { name: 'Ana' },
    ],
    [
      {
        user: [
          { _id: 'c0ffee', name: 'Ana' },
          { _id: 'decaf', name: 'Bea' },
        ],
      },
      { id: 'c0ffee' },
    ],
    [[{ id: 3, name: 'Bea' }], { name: 'Bea' }],
    [{ count: 1, results: [{ id: 3, email: 'bea@example.test' }] }, { email: 'bea@example.test' }],
    [
      {
        id: 3,
        name: 'Bea',
        roles: [
          { id: 1, name: 'ana' },
          { id: 2, name: 'b' },
        ],
      },
      { name: 'Bea' },
    ],
    [{ user: { id: 3, name: 'Bea' }, sessions: [{ id: 1 }, { id: 2 }] }, { name: 'Bea' }],
  ])('is the one of a list that is known, or its only one: %j', (body, user) => {
    expect(readAs(body)).toMatchObject({ verdict: 'ok', summary: { user } });
  });

  it.each([
    [
      [
        { firstname: 'Dave', lastname: 'Gray' },
        { firstname: 'John', lastname: 'Smith' },
      ],
    ],
    [
      {
        data: [
          { id: 3, email: 'bea@example.test' },
          { id: 4, email: 'cleo@example.test' },
        ],
      },
    ],
    [{ count: 2, results: [{ email: 'bea@example.test' }, { email: 'cleo@example.test' }] }],
    [
      {
        user: [
          { id: 3, name: 'Bea' },
          { id: 4, name: 'Cleo' },
        ],
      },
    ],
    [
      {
        data: {
          users: [
            { id: 3, email: 'bea@example.test' },
            { id: 4, email: 'cleo@example.test' },
          ],
        },
      },
    ],
    [
      [
        { id: 7, name: 'A lamp' },
        { id: 8, name: 'A chair' },
      ],
    ],
    [
      [
        { email: 'ana@example.test', name: 'Ana' },
        { email: 'ana@example.test', name: 'Bea' },
      ],
    ],
    [['bea', 'cleo']],
  ])('is no list of several: %j', (body) => {
    const { verdict, summary } = readAs(body);
    expect(verdict).toBe('unknown');
    expect(summary).not.toHaveProperty('user');
  });

  it.each([
    { message: 'Hello ana@example.test' },
    { message: 'ana is not known' },
    { logged_in_as: null },
    { logged_in_as: 'bea@example.test' },
    { status: 7, message: 'Welcome' },
    { error: 'ana@example.test' },
    { errors: { about: 'ana' } },
    { success: false, about: 'ana' },
    { people: [{ login_name: 'bea' }, { login_name: 'ana' }] },
  ])('is no part of a sentence, no code and no failure: %j', (body) => {
    expect(readAs(body).verdict).not.toBe('ok');
  });
});
