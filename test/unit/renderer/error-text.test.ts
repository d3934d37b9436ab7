import { describe, expect, it } from 'vitest';
import { AppError } from '../../../preload/contract/result.ts';
import { withoutWait, type During, errorText, shorten } from '../../../renderer/error-text.ts';
import { technicalIn } from '../../support/plain-words.ts';
import { everyError } from '../../support/stub-main/every-error.ts';
import { inEnglish, inLanguage, inSpanish } from '../../support/in-language.ts';
import { t } from '../../../renderer/i18n.ts';

/** Errors of the pages that the Workbench alone has, and of a form whose fields are about proxies and certificates. */
const ofTheWorkbench: ReadonlySet<AppError['kind']> = new Set([
  'import-refused',
  'invalid-header',
  'run-refused',
  'not-a-command',
  'not-replayable',
  'invalid-connection',
  'invalid-origin',
]);
const everyDuring: During[] = ['login', 'register', 'check', 'logout', 'server', 'change-password', 'delete-account'];
const everyTried: During[] = [
  'trial-csrf',
  'trial-register',
  'trial-login',
  'trial-profile',
  'trial-refresh',
  'trial-logout',
];
/** Errors that no call over the network comes to. */
const atNoCall: ReadonlySet<AppError['kind']> = new Set([
  'invalid-address',
  'invalid-connection',
  'invalid-header',
  'invalid-fault',
  'invalid-interface',
  'invalid-origin',
  'import-refused',
  'not-a-command',
  'not-replayable',
  'run-refused',
]);

const languages = ['en', 'es'] as const;

describe('a wrong PIN', () => {
  it.each([4, 2, 1])('says in its first sentences how many tries are left and what follows: %i', (triesLeft) => {
    const [en, es] = languages.map((language) =>
      inLanguage(language, () => errorText({ kind: 'wrong-pin', triesLeft }, 'server')),
    );
    expect(en!.message).toMatch(new RegExp(`: ${triesLeft}, then .* are removed from this computer`));
    expect(es!.message).toMatch(new RegExp(`: ${triesLeft}; después se quitan de este equipo`));
  });

  it('says in its first sentence what was removed with the last try', () => {
    expect(inEnglish(() => errorText({ kind: 'wrong-pin', triesLeft: 0 }, 'server')).message).toContain('were removed');
    expect(inSpanish(() => errorText({ kind: 'wrong-pin', triesLeft: 0 }, 'server')).message).toContain('se quitaron');
  });
});

describe('an error in words', () => {
  it('is tried for every kind of the contract', () => {
    const kinds = AppError.options.map((option) => option.shape.kind.value);
    expect(new Set(everyError.map(({ kind }) => kind))).toEqual(new Set(kinds));
  });

  it.each(everyError.map((error) => [JSON.stringify(error), error] as const))(
    'has sentences of its own in both languages: %s',
    (_name, error) => {
      for (const during of everyDuring) {
        const en = inEnglish(() => errorText(error, during));
        const es = inSpanish(() => errorText(error, during));
        for (const text of [en.message, en.advice, es.message, es.advice]) {
          expect(text).toMatch(/[.…0-9m]$/);
          expect(text).not.toMatch(/error\.|\{\{|undefined|NaN|\[object/);
        }
        const message = ('message' in error && error.message) || '';
        for (const said of [en, es]) expect(Object.values(said).join('\n')).toContain(message);
        expect(es.message).not.toBe(en.message);
        expect(es.advice).not.toBe(en.advice);
      }
    },
  );

  it.each(everyTried)('blames nobody but the description in a trial of it: %s', (during) => {
    const said = everyError
      .filter(({ kind }) => !atNoCall.has(kind))
      .flatMap((error) =>
        languages.flatMap((language) =>
          inLanguage(language, () => [false, true].map((plain) => errorText(error, during, plain))),
        ),
      )
      .map(({ message, advice }) => `${message} ${advice}`);
    for (const text of said) {
      expect(text).not.toMatch(/error\.[a-z]|\{\{|undefined|\[object/);
      expect(text).not.toMatch(
        /\b(?:tell|send the details to) (?:it|the)\b|check the (?:address|port|spelling)|address and its path|under Servers/i,
      );
      expect(text).not.toMatch(
        /\b(?:avisa|detalles) a quien|comprueba (?:la dirección(?! y el puerto del proxy)|el puerto)|en Servidores/i,
      );
    }
  });

  it.each<[During, AppError, string, string]>([
    [
      'trial-login',
      { kind: 'unauthenticated' },
      'The server did not accept this account. Correct it or its password, or change “Fields” if both are right.',
      'El servidor no aceptó esta cuenta. Corrígela, o su contraseña, o cambia «Campos» si ambas son correctas.',
    ],
    [
      'trial-register',
      { kind: 'validation', fields: {}, form: [] },
      'The server did not accept the data sent. Change “Registration”: names, contents or encoding.',
      'El servidor no aceptó los datos enviados. Cambia «Registro»: los nombres, el contenido o la codificación.',
    ],
    [
      'trial-profile',
      { kind: 'unexpected', reason: 'operation-missing', status: 404 },
      'The server does not offer this operation. Change the method or the path of “Profile”.',
      'El servidor no ofrece esta operación. Cambia el método o la ruta de «Perfil».',
    ],
    [
      'trial-refresh',
      { kind: 'unauthenticated' },
      'The server rejected the renewal. Change “Renewal”: what it sends, or the place of the refresh token.',
      'El servidor rechazó la renovación. Cambia «Renovación»: lo que envía, o el lugar del token de renovación.',
    ],
    [
      'trial-logout',
      { kind: 'unexpected', reason: 'operation-missing', status: 404 },
      'The server does not offer this operation. Change the method or the path of “Logout”.',
      'El servidor no ofrece esta operación. Cambia el método o la ruta de «Cierre de sesión».',
    ],
  ])('names the part that is to be changed: %s', (during, error, english, spanish) => {
    for (const plain of [false, true]) {
      const en = inEnglish(() => errorText(error, during, plain));
      const es = inSpanish(() => errorText(error, during, plain));
      expect([`${en.message} ${en.advice}`, `${es.message} ${es.advice}`]).toEqual([english, spanish]);
    }
  });

  it('says something else for every kind and reason', () => {
    const sentences = everyError.map((error) => inEnglish(() => errorText(error, 'login')));
    expect(new Set(sentences.map(({ message, advice }) => `${message} ${advice}`)).size).toBe(everyError.length);
  });

  it('repeats the server message as it is, without letting it stand in for a placeholder or another text', () => {
    const message = '<b>{{host}}</b> $t(app.name) & more';
    const said = inEnglish(() => errorText({ kind: 'unauthenticated', message }, 'login'));
    expect(said.serverMessage).toBe(message);
    expect(inEnglish(() => t('error.serverMessage', { text: message }))).toBe(`Server message: “${message}”`);
  });

  it('says of a missing logout that trying again does not help, and of others that the address may be wrong', () => {
    const error: AppError = { kind: 'unexpected', reason: 'operation-missing', status: 404 };
    expect(inEnglish(() => errorText(error, 'logout')).advice).toMatch(/^Retrying does not help/);
    expect(inSpanish(() => errorText(error, 'logout')).advice).toMatch(/^Reintentarlo no sirve/);
    expect(inEnglish(() => errorText(error, 'login')).advice).toMatch(/^Check the address/);
  });

  it('shows what the administrator needs to find a request that a protection stopped', () => {
    const detail = 'Cloudflare, Ray ID 8f1c2d3e4a5b6c7d-MAD';
    const error: AppError = { kind: 'not-an-api-answer', status: 403, reason: 'protection-page', detail };
    expect(inEnglish(() => errorText(error, 'login')).detail).toBe(`HTTP 403, ${detail}`);
  });

  it('has no detail that the sentence says already', () => {
    const host = '127.0.0.1:9201';
    const refused = (...addresses: string[]) =>
      inEnglish(() => errorText({ kind: 'refused', host, addresses }, 'login')).detail;
    expect(refused(host)).toBeUndefined();
    expect(refused('[::1]:9201', host)).toBe('[::1]:9201');
  });

  it.each(['en', 'es'] as const)('has no technical word for an owner of an account, in %s', (language) => {
    const found = everyError
      .filter(({ kind }) => !ofTheWorkbench.has(kind))
      .flatMap((error) => everyDuring.map((during) => inLanguage(language, () => errorText(error, during, true))))
      .flatMap(({ message, advice }) => technicalIn(`${message} ${advice}`, language));
    expect(found).toEqual([]);
  });

  it('of an answer with nothing in it says that it is empty', () => {
    const error: AppError = { kind: 'unexpected', reason: 'empty', status: 200 };
    const said = inEnglish(() => errorText(error, 'login'));
    expect(said.message).toContain('empty (status 200)');
    expect(said.detail).toBeUndefined();
    expect(inSpanish(() => errorText(error, 'check')).message).toContain('vacía (200)');
  });

  it.each([
    ['Too many login attempts. Please try again in 57 seconds.', 'Too many login attempts.'],
    ['Demasiados intentos. Inténtelo de nuevo en 1 minuto.', 'Demasiados intentos.'],
    ['Retry after 42s', undefined],
    ['Locked after 5 wrong passwords.', 'Locked after 5 wrong passwords.'],
  ])('leaves the seconds to the countdown beside it: %s', (message, serverMessage) => {
    const error: AppError = { kind: 'throttled', message, retryAfterSeconds: 57 };
    const said = inEnglish(() => withoutWait(errorText(error, 'login'), error));
    expect(said.serverMessage).toBe(serverMessage);
    expect(said.advice).not.toMatch(/\d/);
  });

  it('of a registration over a duplicate names the fault, and leaves the words of the database to the details', () => {
    const message = 'duplicate key value violates unique constraint "users_email_key"';
    const error: AppError = { kind: 'server-fault', status: 500, message, duplicate: 'email' };
    const said = inEnglish(() => errorText(error, 'register'));
    expect(said).not.toHaveProperty('serverMessage');
    expect(said.detail).toBe(`HTTP 500, ${message}`);
    expect(said.advice).not.toMatch(/later/);
  });

  it('invents no waiting time', () => {
    const said = inEnglish(() => errorText({ kind: 'throttled' }, 'login'));
    expect(`${said.message} ${said.advice}`).not.toMatch(/\d/);
  });

  it.each([
    ['register', 'error.perhapsRegistered'],
    ['change-password', 'error.perhapsChanged'],
    ['delete-account', 'error.perhapsDeleted'],
  ] as const)('warns that it may have worked where main says so: %s', (situation, key) => {
    const hint = inEnglish(() => t(key));
    const warns = (error: AppError, during: During): boolean =>
      inEnglish(() => errorText(error, during)).advice.includes(hint);
    const unsure: AppError[] = [
      { kind: 'cancelled', perhapsDone: true },
      { kind: 'timeout', phase: 'total', seconds: 30, perhapsDone: true },
      { kind: 'unexpected', reason: 'connection-lost', code: 'ECONNRESET', perhapsDone: true },
      { kind: 'not-an-api-answer', status: 201, reason: 'truncated', perhapsDone: true },
      { kind: 'broken-http', problem: 'length', code: 'x', perhapsDone: true },
      { kind: 'server-fault', status: 504, perhapsDone: true },
    ];
    const certain: AppError[] = [
      { kind: 'cancelled' },
      { kind: 'server-fault', status: 500, duplicate: 'email' },
      { kind: 'refused', host: 'x', addresses: [] },
    ];
    expect(unsure.filter((error) => !warns(error, situation))).toEqual([]);
    expect(certain.filter((error) => warns(error, situation))).toEqual([]);
    expect([...unsure, ...certain].filter((error) => warns(error, 'login'))).toEqual([]);
  });
});

describe('a text from outside', () => {
  it('is one line of limited length, and no character is cut in half', () => {
    const long = shorten(`a\n\tb ${'😀'.repeat(1000)}`);
    expect(long.startsWith('a b 😀')).toBe(true);
    expect(Array.from(long).length).toBe(401);
    expect(long.isWellFormed()).toBe(true);
  });
});
