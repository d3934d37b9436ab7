import { describe, expect, it } from 'vitest';
import { ada, makeService } from './support/make-service.ts';

const twice = { ...ada, cpassword: ada.password };

describe('registration', () => {
  it.each([
    ['registro', ada],
    ['register', twice],
  ])('answers 201 with the user and no token at /%s', async (path, body) => {
    const service = await makeService();
    const answer = await service.post(path, body);

    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      message: 'The account was created.',
      user: { id: 1, name: ada.name, email: ada.email, created_at: '2026-01-02T03:04:05.678Z' },
    });
    expect((await service.login(ada)).statusCode).toBe(200);
  });

  it('asks for cpassword at /register only', async () => {
    const service = await makeService();

    expect((await service.register(ada)).json()).toEqual({
      message: 'The password confirmation field is required.',
      errors: { cpassword: ['The password confirmation field is required.'] },
    });
    expect((await service.registro(ada)).statusCode).toBe(201);
  });

  it.each(['registro', 'register'])('refuses a cpassword that differs at /%s', async (path) => {
    const service = await makeService();
    const answer = await service.post(path, { ...twice, cpassword: 'analytical motor' });

    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual(['cpassword']);
    expect((await service.login(ada)).statusCode).toBe(401);
  });

  it('says everything that is wrong at once, in the order of the form', async () => {
    const service = await makeService();
    const answer = await service.register({ name: ' ', email: 'ada', password: 'password', cpassword: 'other' });

    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({
      message: 'The name field is required. (and 3 more errors)',
      errors: {
        name: ['The name field is required.'],
        email: ['The email field must be a valid email address.'],
        password: ['The given password is one of the most used ones. Choose a different one.'],
        cpassword: ['The password confirmation field must match password.'],
      },
    });
  });

  it('says everything in Spanish to clients that prefer it', async () => {
    const service = await makeService();
    const answer = await service.register({ password: 'corta' }, { 'accept-language': 'ca, es-AR;q=0.9, en;q=0.2' });

    expect(answer.json()).toEqual({
      message: 'El campo nombre es obligatorio. (y 3 errores más)',
      errors: {
        name: ['El campo nombre es obligatorio.'],
        email: ['El campo correo electrónico es obligatorio.'],
        password: ['El campo contraseña debe tener al menos 8 caracteres.'],
        cpassword: ['El campo repetición de la contraseña es obligatorio.'],
      },
    });
  });

  it.each([
    ['name', 'a number', 7],
    ['name', 'null', null],
    ['name', 'a list', ['Ada']],
    ['email', 'an object', { a: 1 }],
    ['password', 'a boolean', true],
    ['cpassword', 'a number', 12_345_678],
  ])('refuses %s when it is %s', async (field, _what, value) => {
    const service = await makeService();
    const answer = await service.registro({ ...twice, [field]: value });

    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual([field]);
    expect(answer.json<{ message: string }>().message).toContain('must be a string');
  });

  it.each([
    ['name', 'A\0da', 'null byte'],
    ['name', 'Ada \ud800', 'lone surrogate'],
    ['email', 'a\0@example.test', 'null byte'],
    ['email', '\udfff@example.test', 'lone surrogate'],
    ['password', 'analytical\0engine', 'null byte'],
    ['password', 'analytical \udc00', 'lone surrogate'],
    ['cpassword', 'analytical\0engine', 'null byte'],
  ])('refuses %s %j with a %s and stores nothing', async (field, value) => {
    const service = await makeService();
    const answer = await service.register({ ...twice, [field]: value });

    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ errors: Record<string, string[]> }>().errors[field]?.[0]).toContain(
      'must not contain null characters or broken Unicode',
    );
    expect(await service.accounts.findLogin(ada.email)).toBeUndefined();
  });

  it.each([
    ['a@b', 201],
    ['ñandú@correo.example', 201],
    [`${'l'.repeat(64)}@example.test`, 201],
    [`${'l'.repeat(65)}@example.test`, 422],
    [`a@${'d'.repeat(252)}`, 201],
    [`a@${'d'.repeat(253)}`, 422],
    [`${'e'.repeat(287)}@example.test`, 422],
    ['no-at-sign', 422],
    ['two@at@signs', 422],
    ['@example.test', 422],
    ['ada@', 422],
    ['a da@example.test', 422],
    ['ada@exam\nple.test', 422],
  ])('judges the address %s as %i', async (email, status) => {
    const service = await makeService();
    const answer = await service.registro({ ...ada, email });

    expect(answer.statusCode).toBe(status);
    expect(Object.keys(answer.json<{ errors?: object }>().errors ?? {})).toEqual(status === 422 ? ['email'] : []);
  });

  it.each([
    ['x'.repeat(7), 422],
    ['qpwoeiru', 201],
    [`z${'ab'.repeat(64)}`, 422],
    ['xy'.repeat(64), 201],
    ['💎🚀🌊🔭🎻🧭🪁', 422],
    ['💎🚀🌊🔭🎻🧭🪁🦉', 201],
    // It is eight characters as typed, and four in NFC.
    ['e\u0301'.repeat(4), 422],
    ['        ', 201],
    ['iloveyou', 422],
    ['ILoveYou', 422],
  ])('judges the password %j as %i', async (password, status) => {
    const service = await makeService();
    expect((await service.registro({ ...ada, password })).statusCode).toBe(status);
  });

  it.each([
    ['n'.repeat(255), 201],
    ['n'.repeat(256), 422],
    ['😀'.repeat(255), 201],
    ['\t', 422],
  ])('judges a name of 1 to 255 characters: %s is %i', async (name, status) => {
    const service = await makeService();
    expect((await service.registro({ ...ada, name })).statusCode).toBe(status);
  });

  it('takes an address for the same in any case and with blanks around it', async () => {
    const service = await makeService();
    await service.registro({ ...ada, email: '  Ada@Example.TEST ' });
    const answer = await service.registro({ ...ada, email: 'aDA@example.test' });

    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({
      message: 'The email has already been taken.',
      errors: { email: ['The email has already been taken.'] },
    });
    const login = await service.login({ ...ada, email: ' ADA@example.test' });
    expect(login.json<{ user: { email: string } }>().user.email).toBe('Ada@Example.TEST');
  });

  it('makes one account of two registrations of one address at once', async () => {
    const service = await makeService();
    const answers = await Promise.all([service.registro(ada), service.register(twice), service.registro(ada)]);

    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
    const taken = answers.find(({ statusCode }) => statusCode === 422);
    expect(taken?.json()).toHaveProperty('errors.email', ['The email has already been taken.']);
  });

  it('keeps a password with its blanks, and the same in every Unicode form', async () => {
    const service = await makeService();
    await service.registro({ ...ada, password: ' contrase\u00f1a mía ' });

    expect((await service.login({ ...ada, password: ' contrasen\u0303a mi\u0301a ' })).statusCode).toBe(200);
    expect((await service.login({ ...ada, password: 'contraseña mía' })).statusCode).toBe(401);
  });

  it('ignores unknown fields, keeps the last of duplicate keys, and is not moved by prototype keys', async () => {
    const service = await makeService();
    const answer = await service.registro(
      `{"name":"Eve","__proto__":{"name":"Mallory","id":9},"constructor":{"prototype":{"id":9}},"id":77,"admin":true,` +
        `"email":"${ada.email}","password":"${ada.password}","name":"Ada"}`,
    );

    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ user: { id: 1, name: 'Ada' } });
    expect(answer.json<{ user: object }>().user).not.toHaveProperty('admin');
    expect({}).not.toHaveProperty('id');
  });

  it('never takes a field from a prototype key', async () => {
    const service = await makeService();
    const answer = await service.registro(`{"__proto__":${JSON.stringify(ada)}}`);

    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual(['name', 'email', 'password']);
  });
});
