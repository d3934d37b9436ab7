import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../preload/contract/names.ts';
import { appErrorOfAnswer } from '../../../main/client/map-error.ts';
import { readAnswer } from '../../../main/client/read-answer.ts';
import fixtures from '../../fixtures/unseen-answers.json' with { type: 'json' };

type Unseen = (typeof fixtures.answers)[number];

/** Returns what a person sees under each field, and above the form. */
function shown({ operation, status, body }: Unseen) {
  const answer = { status, headers: {}, body };
  // The operations of the file are these names.
  const asked = operation as Operation;
  const error = appErrorOfAnswer(asked, answer, readAnswer(asked, answer));
  const message = 'message' in error && error.message !== undefined ? [error.message] : [];
  if (error.kind !== 'validation') return { fields: {}, above: message };
  const isOfFields = Object.keys(error.fields).length > 0;
  return { fields: error.fields, above: isOfFields ? error.form : [...new Set([...message, ...error.form])] };
}

describe('an answer that nobody looked at before', () => {
  it.each(fixtures.answers)('is shown where a person expects it: $language, $of', (each) => {
    expect(shown(each)).toEqual({ fields: each.fields, above: each.above });
  });
});

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
