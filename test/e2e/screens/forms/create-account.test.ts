import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../../../preload/contract/result.ts';
import { chooseRegistrationPath, expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { firstStart, production, signedIn, staging } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
beforeEach(() => stub.start());
afterEach(() => expectNoComplaints(stub));

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const signedInState = { ...firstStart, session: signedIn };

describe('the form to create an account', () => {
  beforeEach(async () => {
    await link('Create account').click();
    await hasFocus(field('Name'));
  });

  const account = { name: 'Ana', email: 'ana@example.test', password: 'secret', cpassword: '' };
  const fill = async () => {
    await field('Name').fill(account.name);
    await field('Email').fill(account.email);
    await field('Password').fill(account.password);
  };

  it('registers at /registro unless told otherwise, without a repeated password', async () => {
    await seen(page.getByText('Creates the account at /registro.', { exact: true }));
    expect(await field('Repeat password').count()).toBe(0);
    await fill();
    await stub.answer('session.register', { state: signedInState });
    await button('Create account').click();
    await hasFocus(heading('Ana Prueba'));
    await expect
      .poll(() => stub.callsOf('session.register'))
      .toEqual([{ path: 'registro', ...account, remember: true }]);
  });

  it('asks for the repeated password at /register, and compares the two', async () => {
    await chooseRegistrationPath(page, '/register');
    await fill();
    await field('Repeat password').fill('Secret');
    await button('Create account').click();
    await hasFocus(field('Repeat password'));
    expect(await page.locator('[id$="-error"]').innerText()).toBe('The passwords do not match.');
    await field('Repeat password').fill('secret');
    await button('Create account').click();
    await expect
      .poll(() => stub.callsOf('session.register'))
      .toEqual([{ path: 'register', ...account, cpassword: 'secret', remember: true }]);
  });

  it('is filled with a made-up person, whose password is hidden until it is shown', async () => {
    await field('Name').fill('Somebody');
    await button('Fill with a made-up person').click();
    await expectText(page.getByRole('status').filter({ hasText: 'filled' }), /^Form filled in\.$/);
    expect(await field('Name').inputValue()).not.toBe('Somebody');
    expect(await field('Password').getAttribute('type')).toBe('password');
    await button('Create account').click();
    await expect
      .poll(() => stub.callsOf('session.register'))
      .toMatchObject([{ email: expect.stringMatching(/@example\.com$/) }]);
  });

  it('is filled with nobody made up at a production server, nor in the Simple face but at the built-in server', async () => {
    const openWith = async (state: Parameters<typeof stub.start>[0]) => {
      await stub.start(state);
      await link('Create account').click();
      await hasFocus(field('Name'));
      return button('Fill with a made-up person').count();
    };
    const simple = { settings: { ...firstStart.settings, workbench: false } };
    expect(await openWith({ servers: [production], activeServerId: production.id })).toBe(0);
    expect(await openWith({ servers: [staging], activeServerId: staging.id, ...simple })).toBe(0);
    expect(await openWith({ servers: [staging], activeServerId: staging.id })).toBe(1);
    expect(await openWith(simple)).toBe(1);
  });

  it('begins with the path that is known of the server', async () => {
    const [builtIn] = firstStart.servers;
    await stub.start({ servers: [{ ...builtIn!, registrationPath: 'register' }] });
    await link('Create account').click();
    await seen(page.getByText('Creates the account at /register.', { exact: true }));
    await seen(field('Repeat password'));
  });

  const missing: AppError = { kind: 'unexpected', reason: 'operation-missing', status: 404 };
  const goOn = () => button('Try the other registration path');

  it.each([
    ['registro', 'register'],
    ['register', 'registro'],
  ] as const)('sends to the other path in one press where /%s is not there', async (path, other) => {
    if (path === 'register') await chooseRegistrationPath(page, '/register');
    await fill();
    if (path === 'register') await field('Repeat password').fill(account.password);
    await stub.fails('session.register', missing);
    await button('Create account').click();
    await hasFocus(page.getByRole('alert'));
    await stub.answer('session.register', { state: signedInState });
    await goOn().click();
    await hasFocus(heading('Ana Prueba'));
    await expect
      .poll(() => stub.callsOf('session.register'))
      .toMatchObject([{ path }, { path: other, password: account.password, cpassword: account.password }]);
  });

  it('shows both passwords with either toggle', async () => {
    await chooseRegistrationPath(page, '/register');
    await button('Show password').last().click();
    expect(await field('Password').getAttribute('type')).toBe('text');
    expect(await field('Repeat password').getAttribute('type')).toBe('text');
  });

  it('advises on a password in words while it is typed, in the language of the window, and keeps nobody from it', async () => {
    await field('Name').fill('Ana Vega');
    const advice = page.locator('[id$="-description"]').first();
    for (const [password, words] of [
      ['Ana Vega', /Weak|Very weak/],
      ['primavera', /Weak|Very weak/],
      ['trombone fjord lampara kiosk', /Strong/],
    ] as const) {
      await field('Password').fill(password);
      await expectText(advice, words);
    }
    await stub.change({ language: 'es' });
    await seen(page.getByText('Fuerte.'));
    await stub.change({ language: 'en' });
    await fill();
    await button('Create account').click();
    await expect.poll(() => stub.callsOf('session.register')).toHaveLength(1);
  });

  it('puts what fits no field into one summary, which takes the focus and counts the fields', async () => {
    await fill();
    const fields = { password: ['Too common.'], email: ['Taken.'] };
    await stub.fails('session.register', { kind: 'validation', fields, form: ['terms: must be accepted'] });
    await button('Create account').click();
    const summary = page.getByRole('alert');
    await hasFocus(summary);
    await button('Why?').click();
    await seen(page.getByText('Fields to change: 2'));
  });

  it('takes the focus to the first field that the server did not accept', async () => {
    await fill();
    const fields = { password: ['Too common.'], email: ['Taken.'] };
    await stub.fails('session.register', { kind: 'validation', message: 'Taken.', fields, form: [] });
    await button('Create account').click();
    await hasFocus(field('Email'));
    expect(await page.locator('[id$="-error"]').allInnerTexts()).toEqual([
      'Server message: “Taken.”',
      'Server message: “Too common.”',
    ]);
    expect(await field('Password').inputValue()).toBe('secret');
  });

  it('leads to log in where the account may exist already', async () => {
    await fill();
    await stub.fails('session.register', { kind: 'timeout', phase: 'total', seconds: 30, perhapsDone: true });
    await button('Create account').click();
    expect(await (await seen(page.getByRole('alert'))).innerText()).toBe('It may exist already.');
    await button('Try to log in').click();
    await hasFocus(field('Password'));
    expect(await field('Email').inputValue()).toBe(account.email);
  });

  it('takes name and email along to the other screen and back', async () => {
    await fill();
    await link('Log in').click();
    await hasFocus(field('Password'));
    expect(await field('Email').inputValue()).toBe(account.email);
    expect(await field('Password').inputValue()).toBe('');
    await link('Create account').click();
    expect(await field('Name').inputValue()).toBe(account.name);
  });

  it('leads to log in, email filled and explained, when the login afterwards failed', async () => {
    await fill();
    const notice = { kind: 'registered-not-logged-in', email: account.email, error: { kind: 'not-now' } } as const;
    const state = { ...firstStart, session: { step: 'signed-out', notice } as const };
    await stub.answer('session.register', { state, value: 'not-logged-in' });
    await button('Create account').click();
    await hasFocus(field('Password'));
    expect(await page.getByRole('alert').innerText()).toContain('Account created');
    expect(await heading('Log in').count()).toBe(1);
    expect(await field('Email').inputValue()).toBe(account.email);
  });

  const lost = { kind: 'unexpected', reason: 'connection-lost', code: 'ECONNRESET', perhapsDone: true } as const;
  it.each<[string, AppError, string]>([
    [
      'a refusal',
      { kind: 'validation', message: 'Taken.', fields: { email: ['Taken.'] }, form: [] },
      'Server message: “Taken.”',
    ],
    ['a lost answer', lost, 'It may exist already.'],
    ['500', { kind: 'server-fault', status: 500, perhapsDone: true }, 'It may exist already.'],
    ['a wait', { kind: 'throttled', retryAfterSeconds: 40 }, 'Try again in'],
  ])('tells each registration by its own answer, whatever came of the one before: %s', async (_what, error, says) => {
    const register = async (email: string) => {
      await fill();
      await field('Email').fill(email);
      await button('Create account').click();
    };
    const notice = { kind: 'registered-not-logged-in', email: account.email, error: { kind: 'not-now' } } as const;
    const made = { ...firstStart, session: { step: 'signed-out', notice } } as const;
    await stub.answer('session.register', { state: made, value: 'not-logged-in' });
    await register(account.email);
    await hasFocus(field('Password'));
    await link('Create account').click();
    await stub.answer('session.register', 'hold');
    await register('bea@example.test');
    // Whatever main says of itself meanwhile is no answer.
    await stub.change({ session: { ...made.session, email: 'x@example.test' } });
    await stub.release('session.register', { ok: false, error });
    await seen(page.getByText(says));
    expect(await heading('Create account').count()).toBe(1);
    expect(await field('Email').inputValue()).toBe('bea@example.test');
    const third = { ...notice, email: 'eva@example.test' };
    const state = { ...firstStart, session: { step: 'signed-out', notice: third } } as const;
    await stub.answer('session.register', { state, value: 'not-logged-in' });
    if (error.kind === 'throttled') return;
    await register(third.email);
    await hasFocus(field('Password'));
    expect(await field('Email').inputValue()).toBe(third.email);
  });
});

describe('an account at a production server', () => {
  it.each([
    ['another server is shown', () => stub.change({ activeServerId: firstStart.activeServerId })],
    [
      'the form is another one',
      () => stub.change({ servers: [...firstStart.servers, { ...production, registrationPath: 'register' }] }),
    ],
    ['somebody is logged in', () => stub.change({ session: signedIn })],
  ])('sends no registration whose question was left: %s', async (_what, leave) => {
    await stub.start({ servers: [...firstStart.servers, production], activeServerId: production.id });
    await link('Create account').click();
    for (const name of ['Name', 'Email', 'Password']) await field(name).fill('ana@example.test');
    await stub.fails('session.register', {
      kind: 'production-not-confirmed',
      serverId: production.id,
      host: 'shop.example.test',
    });
    await button('Create account').click();
    const dialog = page.getByRole('dialog', { name: /production server/ });
    await dialog.waitFor();
    await leave();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => stub.callsOf('session.register')).toHaveLength(1);
    await expectNotAsked('servers.confirmProduction');
  });
});
