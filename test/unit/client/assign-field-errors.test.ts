import { describe, expect, it } from 'vitest';
import { appErrorOfAnswer } from '../../../main/client/map-error.ts';
import { parseResponse } from '../../../main/client/parse-response.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import { read } from '../../support/answer-lines.ts';

const fieldsOf = (operation: Operation, message: string): string[] =>
  Object.keys(read(operation, 400, { message }).summary.fieldErrors ?? {});

function errorOf(operation: Operation, status: number, body: unknown): AppError {
  const answer = { status, headers: {}, body };
  return appErrorOfAnswer(operation, answer, parseResponse(operation, answer));
}

describe('a sentence about one field', () => {
  // The sentences are those of public servers, of frameworks and of their packs of languages, filled in:
  // https://github.com/Laravel-Lang/lang (de, fr, es, pt_BR), https://github.com/svenfuchs/rails-i18n (de, fr),
  // https://github.com/heartcombo/devise/wiki/I18n, https://supabase.com/docs/guides/auth/debugging/error-codes,
  // https://docs.djangoproject.com/en/5.2/topics/auth/passwords/, and public code found by its words.
  it.each([
    ['email', 'El correo ya está registrado'],
    ['email', '⚠️ El correo ya está registrado.'],
    ['email', 'Este correo ya está registrado'],
    ['email', 'Ya hay un usuario con ese correo electrónico.'],
    ['email', 'Ya existe una cuenta con ese email'],
    ['email', 'El campo correo electrónico ya ha sido registrado.'],
    ['email', 'Correo electrónico debe ser una dirección de correo válida.'],
    ['email', 'El usuario ya existe'],
    ['email', 'El usuario ya se encuentra registrado en el sistema'],
    ['password', 'La contraseña debe tener al menos 8 caracteres'],
    ['password', 'La clave es muy corta'],
    ['name', 'El nombre es obligatorio.'],
    ['email', 'Email já cadastrado. Use a página de login.'],
    ['email', 'E-mail já está em uso'],
    ['email', 'O valor informado para o campo e-mail já está em uso.'],
    ['email', 'Usuário com email já cadastrado!'],
    ['email', 'Usuário já existe'],
    ['password', 'O campo senha deve conter no mínimo 8 caracteres.'],
    ['password', 'A senha não pode ter menos de 6 caracteres'],
    ['name', 'O campo nome é obrigatório.'],
    ['email', "L'email est déjà utilisé."],
    ['email', 'Cet email est déjà utilisé. Connecte-toi sur /kalam.'],
    ['email', 'Cette adresse e-mail est déjà utilisée'],
    ['email', "Email n'est pas disponible"],
    ['email', "L'utilisateur existe déjà"],
    ['email', 'Un compte avec cette adresse e-mail existe déjà.'],
    ['password', 'Le mot de passe est trop faible.'],
    ['password', 'Le texte de mot de passe doit contenir au moins 8 caractères.'],
    ['name', 'Le champ nom est obligatoire.'],
    ['email', 'Diese E-Mail-Adresse ist bereits registriert'],
    ['email', 'E-Mail-Adresse ist bereits vergeben.'],
    ['email', 'E-Mail muss eine gültige E-Mail-Adresse sein.'],
    ['email', 'Benutzer existiert bereits'],
    ['email', 'Es gibt bereits ein Konto mit dieser E-Mail-Adresse.'],
    ['password', 'Passwort muss mindestens 8 Zeichen lang sein.'],
    ['password', 'Passwort ist zu kurz (weniger als 8 Zeichen)'],
    ['name', 'Name muss ausgefüllt werden'],
    ['password', 'Bitte gib ein Passwort ein.'],
    ['name', 'Bitte einen Namen eingeben'],
    ['name', 'A user with this name already exists.'],
    ['email', 'Email occupied'],
    ['email', 'This email address is already associated with another account. Please use a different email address.'],
    [
      'password',
      "Value at 'password' failed to satisfy constraint: Member must have length greater than or equal to 6",
    ],
    ['email', 'A user is already registered with this e-mail address.'],
    ['email', 'Unable to validate email address: invalid format'],
    ['email', 'You are already registered.'],
    ['email', 'auth/email-already-in-use'],
    ['email', 'EmailAlreadyExistsException'],
    ['password', 'The password is too similar to the email address.'],
    ['password', 'Password should be at least 6 characters. Password should contain at least one digit.'],
    ['password', 'WEAK_PASSWORD : Password should be at least 6 characters'],
    ['cpassword', 'Las contraseñas no coinciden.'],
    ['cpassword', 'As senhas não coincidem'],
    ['cpassword', 'Les mots de passe ne correspondent pas'],
    ['cpassword', 'Die Passwörter stimmen nicht überein'],
    ['cpassword', 'Confirm Password must match with Password'],
    // https://dev.kiwilimon.com/documentacion-im/register
    ['cpassword', 'Error: la contraseña repetida esta vacia'],
    ['cpassword', 'Error: las contraseñas no son idénticas'],
    ['email', 'Error: Correo existente'],
    // https://bump.sh/conductor/doc/conductor-api/operation/operation-post-auth-signup
    ['name', 'Invalid request parameter: name is required'],
    // Sentences that compare.
    ['password', 'The password is too similar to the username.'],
    ['password', 'Passwort darf nicht dem Benutzernamen entsprechen.'],
    ['cpassword', 'Please make sure the passwords match.'],
    ['cpassword', 'Verifica que las contraseñas sean iguales'],
    ['password', 'Passwords must match the required pattern'],
  ])('is of %s: %s', (field, message) => {
    expect(fieldsOf('register', message)).toEqual([field]);
  });

  it.each([
    'El nombre de usuario o correo ya está registrado',
    'Email or Username are already taken',
    'Please provide name, email and password',
    'Username already taken',
    'Ese nickname o email ya está en uso.',
    'A project with this name already exists.',
    'Este usuario ya tiene un perfil profesional',
    'Ya hay una sesión activa',
    'Email signups are disabled',
    "Cannot read properties of undefined (reading 'email')",
    'email is not defined',
    "Unknown column 'email' in 'field list'",
    'null value in column "name" of relation "users" violates not-null constraint',
    'Undefined index: email',
    "KeyError: 'password'",
    "'NoneType' object has no attribute 'email'",
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    'password authentication failed for user "postgres"',
    "Access denied for user 'root'@'localhost' (using password: YES)",
    'Invalid login: 535-5.7.8 Username and Password not accepted',
    "User 'foobar' already exists",
    'User with this CPF already exists',
    'Company name already taken',
    'Domain already registered',
    'Phone number already registered',
    'Last name is required',
    'Failed to send verification email',
    'Email confirmation required',
    'User registration is disabled',
    'User not found',
    'Invalid request. Contact us by email at help@example.test',
    'Too many attempts for this email. Try again in 5 minutes.',
    'You must wait 60 seconds before requesting another email',
    'Taken',
    'Something with this name or email already exists',
    'Email and username must be different',
    'Die E-Mail oder der Benutzername muss den Regeln entsprechen.',
  ])('is not guessed from: %s', (message) => {
    expect(fieldsOf('register', message)).toEqual([]);
  });

  it.each([
    ['email password', 'Email has already been taken and Password is too short (minimum is 8 characters)'],
    ['email password', 'Validation failed: Email has already been taken, Password is too short'],
    ['email password', 'User validation failed: email: Email is required, password: Path `password` is required.'],
    ['email password', 'email: must be a valid email address; password: cannot be blank.'],
    ['email password', '"email" must be a valid email. "password" length must be at least 8 characters long'],
    ['email password', 'Invalid email. Password too short.'],
    ['password', 'Password must be at least 8 characters, contain a number and a symbol'],
  ])('is one of several: %s', (fields, message) => {
    expect(fieldsOf('register', message).join(' ')).toBe(fields);
  });

  it('is of the repeated password only where the form has one', () => {
    expect(fieldsOf('registro', 'Passwords do not match')).toEqual([]);
  });

  it('says nothing of a field where a login tells that the credentials are wrong', () => {
    for (const message of ['Invalid password', 'Email not found', 'La contraseña es incorrecta', 'User does not exist'])
      expect(fieldsOf('login', message)).toEqual([]);
    expect(fieldsOf('login', 'Email is required')).toEqual(['email']);
  });

  it('is no matter of a profile', () => {
    expect(fieldsOf('profile', 'Email is required')).toEqual([]);
  });
});

describe('a text that is no sentence by itself', () => {
  it.each([
    ['email', 'has already been taken', 'Email has already been taken'],
    ['email', 'ya está en uso', 'Email ya está en uso'],
    ['email', 'no puede estar en blanco', 'Email no puede estar en blanco'],
    ['email', 'já está em uso', 'Email já está em uso'],
    ['email', "n'est pas disponible", "Email n'est pas disponible"],
    ['email', 'ist bereits vergeben', 'Email ist bereits vergeben'],
    ['email', 'Has to be real.', 'Has to be real.'],
    ['email', 'no such domain', 'no such domain'],
    ['user.emailAddress', "can't be blank", "Email address can't be blank"],
  ])('gets the name of its field: %s %s', (name, text, expected) => {
    const error = errorOf('register', 422, { errors: { [name]: [text] } });
    expect(error).toMatchObject({ kind: 'validation', fields: { email: [expected] } });
  });

  it('stays as it was sent in what was read', () => {
    const { summary } = read('register', 422, { errors: { email: ['has already been taken'] } });
    expect(summary.fieldErrors).toEqual({ email: ['has already been taken'] });
  });
});

describe('what a database says of a duplicate', () => {
  it.each([
    ['email', 'duplicate key value violates unique constraint "users_email_key"'],
    ['email', 'duplicate key value violates unique constraint "index_users_on_email"'],
    ['email', 'llave duplicada viola restricción de unicidad «users_email_key»'],
    ['email', 'la valeur d’une clé dupliquée rompt la contrainte unique « users_email_key »'],
    ['email', 'doppelter Schlüsselwert verletzt Unique-Constraint »users_email_key«'],
    ['email', "Duplicate entry 'ana@example.test' for key 'users.users_email_unique'"],
    ['email', 'UNIQUE constraint failed: users.email'],
    [
      'email',
      'E11000 duplicate key error collection: test.users index: email_1 dup key: { email: "ana@example.test" }',
    ],
    ['email', 'Unique constraint failed on the fields: (`email`)'],
    ['email', "Cannot insert duplicate key row in object 'dbo.Users' with unique index 'IX_Users_Email'."],
    ['email', 'ORA-00001: unique constraint (APP.USERS_EMAIL_UK) violated'],
    ['email', 'Unique index or primary key violation: "PUBLIC.UK_1 ON PUBLIC.USERS(EMAIL NULLS FIRST) VALUES 1"'],
    // https://github.com/jmprathab/MyHome/issues/88
    [
      'email',
      'could not execute statement; SQL [n/a]; constraint ["PUBLIC.UK_OB8KQYQQGMEFL0ACO34AKDTPE_INDEX_2 ON PUBLIC.USER(EMAIL) VALUES 52"; SQL statement: insert into user',
    ],
    // https://github.com/Plant-for-the-Planet-org/treecounter-app/issues/1558
    ['email', "Integrity constraint violation: 1062 Duplicate entry 'xxx@xxx.de' for key 'UNIQ_xxx'"],
    ['name', 'UNIQUE constraint failed: users.name'],
    ['something', 'duplicate key value violates unique constraint "UQ_97672ac88f789774dd47f7c8be3"'],
    ['something', "ER_DUP_ENTRY: Duplicate entry 'x' for key 'users.username'"],
  ])('is told as the fault of the server at 500: %s, %s', (duplicate, message) => {
    expect(errorOf('register', 500, { message })).toMatchObject({ kind: 'server-fault', status: 500, duplicate });
    expect(errorOf('registro', 500, message)).toMatchObject({ kind: 'server-fault', duplicate });
    const page = `<html><body><pre>Error: ${message.replaceAll('"', '&quot;').replaceAll("'", '&#39;')}</pre></body></html>`;
    expect(errorOf('register', 500, page)).toMatchObject({ kind: 'server-fault', duplicate });
  });

  it('stands under its field where the server refused with a right status', () => {
    const message = 'UNIQUE constraint failed: users.email';
    expect(errorOf('register', 409, { message })).toMatchObject({ kind: 'validation', fields: { email: [message] } });
  });

  it.each([
    ['a primary key', 'register', 'duplicate key value violates unique constraint "users_pkey"'],
    ['a login', 'login', 'duplicate key value violates unique constraint "sessions_token_key"'],
    ['another fault', 'register', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ] as const)('is not made of %s', (_what, operation, message) => {
    const error = errorOf(operation, 500, { message });
    expect(error).toMatchObject({ kind: 'server-fault' });
    expect(error).not.toHaveProperty('duplicate');
  });
});
