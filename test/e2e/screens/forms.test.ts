import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually, hasFocus } from '../../support/screens.ts';
import type { Session, User } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { firstStart, heldSessions, signedIn, staging } from '../../support/stub-main/states.ts';
import { openStubApp, type StubApp } from '../../support/stub-main/stub-app.ts';

let stub: StubApp;
let page: Page;

beforeAll(async () => {
  stub = await openStubApp();
  page = stub.page;
});
afterAll(() => stub.close());
beforeEach(() => stub.start());
afterEach(() => {
  const complaints = stub.complaints.splice(0);
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('\n')}`);
});

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const server = () => page.getByRole('combobox', { name: 'Server', exact: true });
const signedInState = { ...firstStart, revision: 50, session: signedIn };

/** Waits until the condition holds, without counting on how long that takes. */

async function typeLogin() {
  await field('Email').fill('ana@example.test');
  await field('Password').fill(' p|ñ 漢 ');
}

describe('log in', () => {
  it('is ready to type at start', async () => {
    await hasFocus(field('Email'));
    expect(await page.title()).toBe('Log in – Llavero');
    expect(await heading('Log in').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('sends exactly what was typed, and leads to the profile with the focus on its heading', async () => {
    await typeLogin();
    await stub.answer('session.login', { ok: true, value: signedInState });
    await button('Log in').click();
    await hasFocus(heading('Profile'));
    expect(await stub.callsOf('session.login')).toEqual([
      { email: 'ana@example.test', password: ' p|ñ 漢 ', remember: true },
    ]);
    expect(await page.title()).toBe('Profile – Llavero');
    expect(await page.content()).not.toContain('p|ñ');
  });

  it('sends nothing while a field is empty, and goes to the first one', async () => {
    await field('Email').fill('ana@example.test');
    await button('Log in').click();
    await hasFocus(field('Password'));
    expect(await page.getByRole('alert').innerText()).toBe('Enter your password.');
    expect(await field('Password').getAttribute('aria-invalid')).toBe('true');
    expect(await stub.callsOf('session.login')).toEqual([]);
  });

  it('leaves it to the server what an email is', async () => {
    await field('Email').fill('not an email');
    await field('Password').fill('x');
    await stub.fails('session.login', { kind: 'validation', fields: { email: ['Bad.'] }, form: [] });
    await button('Log in').click();
    await hasFocus(field('Email'));
    expect(await stub.callsOf('session.login')).toHaveLength(1);
  });

  it('keeps what was typed after an error, and takes the focus to the alert', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'unauthenticated', message: 'Wrong <b>password</b>' });
    await button('Log in').click();
    const alert = page.getByRole('alert');
    await hasFocus(alert);
    expect(await alert.innerText()).toContain('The server says: Wrong <b>password</b>');
    expect(await field('Email').inputValue()).toBe('ana@example.test');
    expect(await field('Password').inputValue()).toBe(' p|ñ 漢 ');
  });

  it('puts the texts of the server under their fields until these are changed', async () => {
    await typeLogin();
    const error: AppError = { kind: 'validation', fields: { password: ['Too short.', 'Too plain.'] }, form: [] };
    await stub.fails('session.login', error);
    await button('Log in').click();
    await hasFocus(field('Password'));
    const described = await field('Password').getAttribute('aria-describedby');
    expect(await page.locator(`id=${described}`).innerText()).toBe('Too short. Too plain.');
    await field('Password').press('End');
    await field('Password').pressSequentially('x');
    await eventually(async () => expect(await page.getByRole('alert').count()).toBe(0));
  });

  it('shows what belongs to no field of this screen in the alert', async () => {
    await typeLogin();
    const error: AppError = { kind: 'validation', fields: { name: ['The name is odd.'] }, form: ['Not today.'] };
    await stub.fails('session.login', error);
    await button('Log in').click();
    const alert = page.getByRole('alert');
    await hasFocus(alert);
    expect(await alert.innerText()).toContain('The name is odd.');
    expect(await alert.innerText()).toContain('Not today.');
  });

  it('asks once however often it is pressed, keeps the focus, and can be cancelled without an error', async () => {
    await typeLogin();
    await stub.answer('session.login', 'hold');
    await button('Log in').focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Enter');
    await field('Password').press('Enter');
    await button('Log in').focus();
    await button('Cancel').waitFor();
    expect(await button('Log in').getAttribute('aria-busy')).toBe('true');
    expect(await button('Log in').getAttribute('aria-disabled')).toBe('true');
    await hasFocus(button('Log in'));
    expect(await stub.callsOf('session.login')).toHaveLength(1);

    await button('Cancel').click();
    await eventually(async () => expect(await stub.callsOf('session.cancel')).toHaveLength(1));
    await stub.release('session.login', { ok: false, error: { kind: 'cancelled' } });
    await hasFocus(page.getByRole('status').filter({ hasText: 'Cancelled.' }));
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await button('Cancel').count()).toBe(0);
    expect(await field('Password').inputValue()).toBe(' p|ñ 漢 ');
  });

  it('counts down when throttled, can be focused meanwhile, and works again at zero', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'throttled', retryAfterSeconds: 2 });
    await button('Log in').click();
    await page.getByRole('timer').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('2 seconds');
    expect(await button('Log in').getAttribute('aria-disabled')).toBe('true');
    await button('Log in').press('Enter');
    await hasFocus(button('Log in'));
    expect(await stub.callsOf('session.login')).toHaveLength(1);

    await eventually(async () => expect(await button('Log in').getAttribute('aria-disabled')).toBe('false'));
    expect(await page.getByRole('timer').innerText()).toBe('You can try again now');
    await button('Log in').press('Enter');
    await eventually(async () => expect(await stub.callsOf('session.login')).toHaveLength(2));
  });

  it('does not block a throttled form when the server gave no number', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'throttled' });
    await button('Log in').click();
    await hasFocus(page.getByRole('alert'));
    expect(await page.getByRole('timer').count()).toBe(0);
    expect(await button('Log in').getAttribute('aria-disabled')).toBe('false');
  });

  it('shows the password on demand, says so, and does not submit by that', async () => {
    await typeLogin();
    const toggle = button('Show password');
    expect(await toggle.getAttribute('aria-pressed')).toBe('false');
    await toggle.click();
    expect(await toggle.getAttribute('aria-pressed')).toBe('true');
    expect(await field('Password').getAttribute('type')).toBe('text');
    await toggle.click();
    expect(await field('Password').getAttribute('type')).toBe('password');
    expect(await stub.callsOf('session.login')).toEqual([]);
  });

  it('lets passwords be pasted, and tells password managers what the fields are', async () => {
    await field('Email').fill('pasted secret');
    await field('Email').press('ControlOrMeta+A');
    await field('Email').press('ControlOrMeta+C');
    await field('Password').press('ControlOrMeta+V');
    expect(await field('Password').inputValue()).toBe('pasted secret');
    expect(await field('Email').getAttribute('autocomplete')).toBe('username');
    expect(await field('Password').getAttribute('autocomplete')).toBe('current-password');
  });

  it('offers the email of the last session', async () => {
    await stub.start({ session: { step: 'signed-out', email: 'ana@example.test' } });
    expect(await field('Email').inputValue()).toBe('ana@example.test');
  });
});

describe('create account', () => {
  beforeEach(async () => {
    await link('Create account').click();
    await hasFocus(heading('Create account'));
  });

  const account = { name: 'Ana', email: 'ana@example.test', password: 'secret', cpassword: '' };
  const fill = async () => {
    await field('Name').fill(account.name);
    await field('Email').fill(account.email);
    await field('Password').fill(account.password);
  };

  it('registers at /registro unless told otherwise, without a repeated password', async () => {
    const group = page.getByRole('radiogroup', { name: 'Registration path' });
    expect(await group.getByRole('radio', { name: '/registro', exact: true }).isChecked()).toBe(true);
    expect(await field('Repeat password').count()).toBe(0);
    await fill();
    await stub.answer('session.register', { ok: true, value: signedInState });
    await button('Create account').click();
    await hasFocus(heading('Profile'));
    expect(await stub.callsOf('session.register')).toEqual([{ path: 'registro', ...account, remember: true }]);
  });

  it('asks for the repeated password at /register, and compares the two', async () => {
    await page.getByRole('radio', { name: '/register', exact: true }).check();
    await fill();
    await field('Repeat password').fill('Secret');
    await button('Create account').click();
    await hasFocus(field('Repeat password'));
    expect(await page.getByRole('alert').innerText()).toBe('This is not the same as the password above.');
    await field('Repeat password').fill('secret');
    await button('Create account').click();
    await eventually(async () =>
      expect(await stub.callsOf('session.register')).toEqual([
        { path: 'register', ...account, cpassword: 'secret', remember: true },
      ]),
    );
  });

  it('has one toggle for both passwords', async () => {
    await page.getByRole('radio', { name: '/register', exact: true }).check();
    await button('Show password').click();
    expect(await field('Password').getAttribute('type')).toBe('text');
    expect(await field('Repeat password').getAttribute('type')).toBe('text');
  });

  it('takes the focus to the first field that the server did not accept', async () => {
    await fill();
    const fields = { password: ['Too common.'], email: ['Taken.'] };
    await stub.fails('session.register', { kind: 'validation', message: 'Taken.', fields, form: [] });
    await button('Create account').click();
    await hasFocus(field('Email'));
    expect(await page.getByRole('alert').allInnerTexts()).toEqual(['Taken.', 'Too common.']);
    expect(await field('Password').inputValue()).toBe('secret');
  });

  it('takes name and email along to the other screen and back', async () => {
    await fill();
    await link('Log in').click();
    await hasFocus(heading('Log in'));
    expect(await field('Email').inputValue()).toBe(account.email);
    expect(await field('Password').inputValue()).toBe('');
    await link('Create account').click();
    expect(await field('Name').inputValue()).toBe(account.name);
  });

  it('leads to log in, email filled and explained, when the login afterwards failed', async () => {
    await fill();
    const notice = { kind: 'registered-not-logged-in', email: account.email, error: { kind: 'not-now' } } as const;
    const value = { ...firstStart, revision: 9, session: { step: 'signed-out', notice } as const };
    await stub.answer('session.register', { ok: true, value });
    await button('Create account').click();
    await hasFocus(page.getByRole('alert'));
    expect(await page.getByRole('alert').innerText()).toContain('Your account was created');
    expect(await heading('Log in').count()).toBe(1);
    expect(await field('Email').inputValue()).toBe(account.email);
  });
});

describe('profile', () => {
  it('shows the known fields first, every other one as text, and no secret', async () => {
    await stub.start({ session: signedIn });
    await hasFocus(heading('Profile'));
    const terms = await page.getByRole('term').allInnerTexts();
    expect(terms).toEqual(['Name', 'Email', 'ID', 'created_at', 'address.city', 'bio', 'password_hash']);
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('hidden: the server sent a secret here');
    expect(text).toMatch(/Checked with the server at \d/);
  });

  it('asks the server again, and keeps the session when it does not answer', async () => {
    await stub.start({ session: signedIn });
    await stub.answer('sessions.check', 'hold');
    await button('Check again').click();
    const error = { kind: 'offline' } as const;
    await stub.change({ session: { ...signedIn, check: { state: 'unchecked', error } } });
    await stub.release('sessions.check', { ok: false, error });
    await page.getByText('Could not be checked: This computer has no network connection.').waitFor();
    // Main says it twice, with the state and with the answer; the screen says it once.
    await button('Check again').and(page.locator('[aria-busy=false]')).waitFor();
    expect(await page.getByText('This computer has no network connection.').count()).toBe(1);
    expect(await stub.callsOf('sessions.check')).toEqual([{ id: 's1' }]);
    expect(await page.getByText('Ana Prueba').count()).toBe(1);
    await hasFocus(button('Check again'));
  });

  it('shows who it was while the session is restored', async () => {
    await stub.start({ session: { step: 'restoring', sessionId: 's1', user: { name: 'Ana Prueba', rest: [] } } });
    await page.getByText('Checking with the server…').waitFor();
    expect(await page.getByText('Ana Prueba').count()).toBe(1);
    await stub.change({ session: { step: 'signed-out', notice: { kind: 'session-ended' } } });
    await hasFocus(page.getByRole('alert').filter({ hasText: 'Your session has ended' }));
  });

  it('logs out once, and says where that leads', async () => {
    await stub.start({ session: signedIn });
    await stub.answer('sessions.logout', 'hold');
    await button('Log out').press('Enter');
    await button('Log out').press('Enter');
    const session = { step: 'signed-out', notice: { kind: 'logged-out' } } as const;
    await stub.release('sessions.logout', { ok: true, value: { ...firstStart, revision: 9, session } });
    await hasFocus(page.getByRole('status').filter({ hasText: 'You are logged out.' }));
    expect(await heading('Log in').count()).toBe(1);
    expect(await stub.callsOf('sessions.logout')).toHaveLength(1);
  });

  it('says of a server without a logout that retrying does not help, wherever it is tried again', async () => {
    const error: AppError = { kind: 'unexpected', reason: 'operation-missing', status: 404 };
    const noHelp = page.getByText(/Retrying does not help/);
    await stub.start({
      session: { step: 'signed-out', notice: { kind: 'logged-out-no-way-to-tell', error } },
      sessions: heldSessions,
    });
    await page.getByText(/this server has no way to be told/).waitFor();
    expect(await noHelp.count()).toBe(1);
    await stub.fails('sessions.revoke', error);
    await button('Retry revoking').click();
    await eventually(async () => expect(await noHelp.count()).toBe(2));

    await stub.start({ sessions: heldSessions });
    await button('Servers').click();
    await page.getByRole('menuitem', { name: 'Sessions' }).click();
    await stub.fails('sessions.revoke', error);
    await button('Retry revoking for carl@example.test').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByRole('dialog').getByRole('alert').innerText()).toMatch(/Retrying does not help/);
  });
});

describe('the server', () => {
  it('is an address typed in: Enter selects it, and the field shows what main made of it', async () => {
    await server().fill('staging.example.test:8000/app/');
    const value = {
      ...firstStart,
      revision: 5,
      servers: [...firstStart.servers, staging],
      activeServerId: staging.id,
    };
    await stub.answer('servers.chooseAddress', { ok: true, value });
    await server().press('Enter');
    await eventually(async () => expect(await server().inputValue()).toBe(staging.name));
    expect(await stub.callsOf('servers.chooseAddress')).toEqual([{ address: 'staging.example.test:8000/app/' }]);
  });

  it('says beside the field what is wrong with an address, and keeps it', async () => {
    await server().fill('ftp://x');
    await stub.fails('servers.chooseAddress', { kind: 'invalid-address', problem: 'not-http' });
    await server().press('Enter');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('http:// or https://');
    expect(await server().getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'));
    expect(await server().inputValue()).toBe('ftp://x');
  });

  it('is not changed by leaving the field, nor by Escape', async () => {
    await server().fill('elsewhere');
    await server().press('Tab');
    await eventually(async () => expect(await server().inputValue()).toBe('Built-in'));
    await server().fill('elsewhere');
    await server().press('Escape');
    await eventually(async () => expect(await server().inputValue()).toBe('Built-in'));
    expect(await stub.callsOf('servers.chooseAddress')).toEqual([]);
  });

  it('is chosen among the known ones with the arrows', async () => {
    await stub.start({ servers: [...firstStart.servers, staging] });
    await server().focus();
    await server().press('ArrowDown');
    await page.getByRole('option', { name: /^Built-in http:\/\/127\.0\.0\.1:4848$/ }).waitFor();
    await server().press('ArrowDown');
    await eventually(async () => {
      const active = await server().getAttribute('aria-activedescendant');
      expect(await page.locator(`id=${active}`).innerText()).toContain(staging.baseUrl);
    });
    await server().press('Enter');
    await eventually(async () => expect(await stub.callsOf('servers.choose')).toEqual([{ id: 'staging' }]));
  });

  it('takes the error of another server off the screen, not what was typed', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'validation', fields: { email: ['Unknown.'] }, form: [] });
    await button('Log in').click();
    await hasFocus(field('Email'));
    await stub.change({ servers: [...firstStart.servers, staging], activeServerId: staging.id });
    await eventually(async () => expect(await page.getByRole('alert').count()).toBe(0));
    expect(await field('Email').inputValue()).toBe('ana@example.test');
  });
});

describe('the window', () => {
  it('ignores a state that is older than the one it shows', async () => {
    await stub.change({ version: '9.9.9' });
    await page.getByText('Version 9.9.9').waitFor();
    await stub.send({ ...firstStart, revision: 1, version: '0.0.1' });
    // An answer arrives after the events that were sent before it, so the older state has been seen by then.
    await page.evaluate(() => window.api.app.state());
    expect(await page.getByText('Version 9.9.9').count()).toBe(1);
  });

  it('follows the language and the theme without a restart', async () => {
    await button('Settings').click();
    await page.getByRole('menuitemradio', { name: 'Español' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await eventually(async () =>
      expect(await stub.callsOf('settings.change')).toEqual([{ language: 'es' }, { theme: 'dark' }]),
    );
    await stub.change({ language: 'es', settings: { ...firstStart.settings, language: 'es', theme: 'dark' } });
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await page.title()).toBe('Iniciar sesión – Llavero');
  });

  it('says when the built-in service does not run, and which Electron this is', async () => {
    await stub.start({ builtIn: { state: 'failed', message: 'listen EACCES' } });
    const alert = page.getByRole('alert');
    expect(await alert.innerText()).toContain('The built-in server could not be started.');
    expect(await alert.innerText()).toContain('listen EACCES');
    expect(await page.getByText('Third-party Electron 42.0.0').count()).toBe(1);
  });

  it('does not scroll sideways at 320 pixels', async () => {
    const long = 'x'.repeat(300);
    const rest: User['rest'] = [{ masked: false, path: long, value: long }];
    const sessions: Session[] = [
      { step: 'signed-out' },
      { ...signedIn, user: { name: long, email: `${long}@example.test`, rest } },
    ];
    for (const session of sessions) {
      await stub.start({ session, vault: { state: 'memory-only', reason: 'weak-keyring' } });
      await page.setViewportSize({ width: 320, height: 256 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1000, height: 700 });
  });

  it('can be used by keyboard alone', async () => {
    await hasFocus(field('Email'));
    await page.keyboard.type('ana@example.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type('secret');
    await page.keyboard.press('Tab');
    await hasFocus(button('Show password'));
    await page.keyboard.press('Tab');
    await hasFocus(page.getByRole('checkbox', { name: 'Remember me on this computer' }));
    await page.keyboard.press('Tab');
    await hasFocus(button('Log in'));
    await page.keyboard.press('Tab');
    await hasFocus(link('Create account'));
    await page.keyboard.press('Enter');
    await hasFocus(heading('Create account'));
    await page.keyboard.press('Tab');
    await hasFocus(field('Name'));
    await page.keyboard.type('Ana');
    await page.keyboard.press('Tab');
    expect(await field('Email').inputValue()).toBe('ana@example.test');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('secret');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('secret');
    await stub.answer('session.register', { ok: true, value: signedInState });
    await page.keyboard.press('Enter');
    await hasFocus(heading('Profile'));
    await page.keyboard.press('Tab');
    await hasFocus(button('Check again'));
    await page.keyboard.press('Tab');
    await hasFocus(button('Log out'));
    await page.keyboard.press('Space');
    await eventually(async () => expect(await stub.callsOf('sessions.logout')).toHaveLength(1));
    expect(await stub.callsOf('session.register')).toEqual([
      {
        path: 'register',
        name: 'Ana',
        email: 'ana@example.test',
        password: 'secret',
        cpassword: 'secret',
        remember: true,
      },
    ]);
  });
});
