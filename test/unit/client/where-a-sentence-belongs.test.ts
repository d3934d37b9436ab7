import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../preload/contract/names.ts';
import { appErrorOfAnswer } from '../../../main/client/map-error.ts';
import { parseResponse } from '../../../main/client/parse-response.ts';
import type { AppError } from '../../../preload/contract/result.ts';

function errorOf(operation: Operation, status: number, body: unknown): AppError {
  const answer = { status, headers: {}, body };
  return appErrorOfAnswer(operation, answer, parseResponse(operation, answer));
}

describe('a sentence about one of two fields', () => {
  const sentences = [
    'Usuario o contraseña no válidos',
    'Correo y/o contraseña incorrectos',
    'Invalid username or password',
    'The email/password combination is invalid',
    'Usuário ou senha inválidos',
    "Nom d'utilisateur ou mot de passe incorrect",
    'E-Mail oder Passwort ungültig',
    'Email o password non validi',
  ];

  it.each(sentences)('stands under neither, whatever it is filed under: %s', (message) => {
    expect(errorOf('login', 401, { message })).toEqual({ kind: 'unauthenticated', message });
    const filed = { message: 'Validation failed', errors: { email: [message] } };
    expect(errorOf('login', 422, filed)).toEqual({ kind: 'unauthenticated', message });
    expect(errorOf('registro', 422, filed)).toEqual({ kind: 'validation', fields: {}, form: [message] });
    expect(errorOf('registro', 422, { field: 'email', message })).toMatchObject({ message, fields: {}, form: [] });
  });

  it('does not compare the first field with two others', () => {
    const message = 'La contraseña no puede contener tu nombre o correo';
    expect(errorOf('registro', 422, { message })).toMatchObject({ fields: { password: [message] } });
  });
});

describe('a text of two halves', () => {
  it.each([
    'Email inválido, Muy corta',
    'Invalid email, too short',
    'Email is not valid | Too weak',
    'Correo inválido; demasiado corta',
    'E-mail inválido; Muito curta',
    'Adresse e-mail invalide, Trop court',
    'Ungültige E-Mail, zu kurz',
    'Email non valida, Troppo corta',
    'Email is invalid, Must have at least 8 characters',
    'Name is required, Too short, Invalid',
  ])('stands above the form where one half names no field: %s', (message) => {
    expect(errorOf('registro', 400, { message })).toMatchObject({ kind: 'validation', message, fields: {} });
  });

  it.each([
    ['Email inválido, contraseña muy corta', { email: ['Email inválido'], password: ['contraseña muy corta'] }],
    ['Password is too short, must have a digit', { password: ['Password is too short, must have a digit'] }],
    ['Email is invalid, please check it', { email: ['Email is invalid, please check it'] }],
    ['The email is required, and must be valid', { email: ['The email is required, and must be valid'] }],
    ['Email is invalid, Please check it', { email: ['Email is invalid, Please check it'] }],
  ])('stands under its fields where each half has one: %s', (message, fields) => {
    expect(errorOf('registro', 400, { message })).toMatchObject({ kind: 'validation', fields });
  });

  it.each([
    'Email or Username are already taken',
    'Username or email already exists',
    'El correo o el nombre de usuario ya existe',
    "L'e-mail ou le nom d'utilisateur est déjà pris",
    'E-Mail oder Benutzername bereits vergeben',
  ])('stands under Email where the other is a user name, which the form does not have: %s', (message) => {
    const error = { kind: 'validation', fields: { email: [message] } };
    expect(errorOf('registro', 400, { message })).toMatchObject(error);
    expect(errorOf('registro', 400, { error: { message, details: {} } })).toMatchObject(error);
    expect(errorOf('login', 400, { message })).not.toMatchObject(error);
  });
});

describe('a refused login', () => {
  it.each([
    ['La contraseña es incorrecta', 'password'],
    ['Incorrect password', 'password'],
    ['The password for this account is wrong.', 'password'],
    ['Email not found', 'email'],
    ['User not found', undefined],
    ['Usuario y contraseña no coinciden', undefined],
    ['These credentials do not match our records.', undefined],
  ])('is about the field that it names alone: %s', (message, field) => {
    expect(errorOf('login', 401, { message })).toEqual({ kind: 'unauthenticated', message, ...(field && { field }) });
  });
});
