import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../main/client/read-answer.ts';

describe('a message under a name in French or German', () => {
  it.each([
    [{ erreurs: [{ champ: 'email', message: 'Adresse invalide' }] }, { email: ['Adresse invalide'] }],
    [{ fehler: [{ feld: 'passwort', nachricht: 'zu kurz' }] }, { passwort: ['zu kurz'] }],
    [{ fehler: { email: ['ist bereits vergeben'] } }, { email: ['ist bereits vergeben'] }],
  ])('names its field: %o', (body, fieldErrors) => {
    expect(readAnswer('register', { status: 400, headers: {}, body }).meaning.fieldErrors).toEqual(fieldErrors);
  });

  it.each([{ fehler: true, nachricht: 'Geschlossen' }, { erfolg: false, meldung: 'Geschlossen' }, { erreur: 'Fermé' }])(
    'says with a status of success that it failed: %o',
    (body) => {
      const { ok, message } = readAnswer('register', { status: 200, headers: {}, body }).meaning;
      expect([ok, message]).toEqual([false, Object.values(body).at(-1)]);
    },
  );

  it('is told of a success, too', () => {
    const body = { nachricht: 'Logout erfolgreich.' };
    expect(readAnswer('salir', { status: 200, headers: {}, body }).meaning).toEqual({
      ok: true,
      message: body.nachricht,
    });
  });
});

describe('a sentence that compares', () => {
  it.each([
    ['password', 'The password is too similar to the username.'],
    ['password', 'Passwort darf nicht dem Benutzernamen entsprechen.'],
    ['cpassword', 'Please make sure the passwords match.'],
    ['cpassword', 'Verifica que las contraseñas sean iguales'],
    ['', 'Email and username must be different'],
    ['', 'Die E-Mail oder der Benutzername muss den Regeln entsprechen.'],
    ['password', 'Passwords must match the required pattern'],
  ])('is about %s: %s', (field, message) => {
    const { fieldErrors } = readAnswer('register', { status: 400, headers: {}, body: { message } }).meaning;
    expect(Object.keys(fieldErrors ?? {}).join(' ')).toBe(field);
  });
});
