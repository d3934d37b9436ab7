import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import en from '../../../../preload/contract/locales/window/en.json' with { type: 'json' };
import type { AppError } from '../../../../preload/contract/result.ts';
import { firstStart, signedIn } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
beforeEach(() => stub.start());
afterEach(() => expectNoComplaints(stub));

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const signedInState = { ...firstStart, session: signedIn };

async function typeLogin() {
  await field('Email').fill('ana@example.test');
  await field('Password').fill(' p|ñ 漢 ');
}

describe('the form to log in', () => {
  it('is ready to type at start', async () => {
    await hasFocus(field('Email'));
    expect(await page.title()).toBe('Log in – Llavero');
    expect(await heading('Log in').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('sends exactly what was typed, and leads to the profile with the focus on its heading', async () => {
    await typeLogin();
    await stub.answer('session.login', { state: signedInState });
    await button('Log in').click();
    await hasFocus(heading('Ana Prueba'));
    await expect
      .poll(() => stub.callsOf('session.login'))
      .toEqual([{ email: 'ana@example.test', password: ' p|ñ 漢 ', remember: true }]);
    expect(await page.title()).toBe('Profile – Llavero');
    expect(await page.content()).not.toContain('p|ñ');
  });

  it('leads to the profile by way of the page while a screen reader listens, so that the focus is never lost', async () => {
    await stub.start({ ...firstStart, screenReader: true });
    await typeLogin();
    await stub.answer('session.login', { state: { ...signedInState, screenReader: true } });
    await button('Log in').focus();
    await page.evaluate(() => {
      const reached: string[] = [];
      Object.assign(window, { reached });
      document.addEventListener('focusin', () => reached.push(document.activeElement?.localName ?? ''));
    });
    await page.keyboard.press('Enter');
    await hasFocus(heading('Ana Prueba'));
    expect(await page.evaluate(() => Reflect.get(window, 'reached'))).toEqual(['main', 'h1']);
    expect(await page.locator('main').getAttribute('tabindex')).toBeNull();
  });

  it('sends nothing while a field is empty, and goes to the first one', async () => {
    await field('Email').fill('ana@example.test');
    await button('Log in').click();
    await hasFocus(field('Password'));
    expect(await page.locator('[id$="-error"]').innerText()).toBe('Enter your password.');
    expect(await field('Password').getAttribute('aria-invalid')).toBe('true');
    await expectNotAsked('session.login');
  });

  it('says that an email was cleaned before it was sent, until it is changed', async () => {
    await typeLogin();
    await field('Email').fill('<ana@example.test>, ');
    const { emailCleaned } = en.field;
    expect(await page.getByText(emailCleaned).count()).toBe(0);
    await stub.fails('session.login', { kind: 'unauthenticated' });
    await button('Log in').click();
    await seen(page.getByRole('status').filter({ hasText: emailCleaned }));
    await expect.poll(() => stub.callsOf('session.login')).toMatchObject([{ email: 'ana@example.test' }]);
    await field('Email').press('End');
    await field('Email').pressSequentially('x');
    await page.getByText(emailCleaned).waitFor({ state: 'detached' });
  });

  it('holds no blank for what may come, and its top stays when something comes', async () => {
    const placeOf = async (element: ReturnType<typeof field>) => (await element.boundingBox())!;
    const [email, password] = await Promise.all([field('Email'), field('Password')].map(placeOf));
    expect(password!.y - email!.y).toBeLessThan(90);
    const before = await placeOf(heading('Log in'));
    await button('Log in').click();
    await hasFocus(field('Email'));
    await seen(page.getByText('Enter your email.'));
    expect(await placeOf(heading('Log in'))).toEqual(before);
  });

  it('is in the middle of a large window', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await stub.start(firstStart);
    const card = (await page.locator('main div:has(> h1)').boundingBox())!;
    const under = (await page.getByText('No account, no network.').boundingBox())!;
    const middle = (card.y + under.y + under.height) / 2;
    expect(Math.abs(middle - (52 + 1080 - 28) / 2)).toBeLessThan(24);
    const area = (await page.locator('main').boundingBox())!;
    expect(Math.abs(card.x + card.width / 2 - area.x - area.width / 2)).toBeLessThan(8);
    await page.setViewportSize({ width: 1200, height: 800 });
  });

  it('leaves it to the server what an email is', async () => {
    await field('Email').fill('not an email');
    await field('Password').fill('x');
    await stub.fails('session.login', { kind: 'validation', fields: { email: ['Bad.'] }, form: [] });
    await button('Log in').click();
    await hasFocus(field('Email'));
    await expect.poll(() => stub.callsOf('session.login')).toHaveLength(1);
  });

  const main = () => page.getByRole('main');

  it('keeps what was typed after a refusal, selects the password, and says the rest behind “Why?”', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'unauthenticated', message: 'Wrong <b>password</b>' });
    await button('Log in').click();
    await seen(page.getByRole('alert'));
    expect(await page.getByRole('alert').innerText()).toBe('Account or password not accepted.');
    await hasFocus(field('Password'));
    expect(await page.evaluate(() => document.getSelection()?.toString())).not.toBe('');
    const says = main().getByText('Server message: “Wrong <b>password</b>”');
    expect(await says.isVisible()).toBe(false);
    await button('Why?').click();
    await seen(says);
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
    expect(await page.locator(`id=${described}`).innerText()).toBe('Server message:\n“Too short.”\n“Too plain.”');
    await field('Password').press('End');
    await field('Password').pressSequentially('x');
    await page.locator(`id=${described}`).waitFor({ state: 'detached' });
  });

  it('says a refusal to a screen reader by the focus instead', async () => {
    await stub.start({ ...firstStart, screenReader: true });
    await typeLogin();
    await stub.fails('session.login', { kind: 'unauthenticated', message: 'No.' });
    await button('Log in').click();
    await hasFocus(page.getByRole('alert'));
    expect(await page.getByRole('alert').getAttribute('aria-live')).toBe('off');
  });

  it('takes what it says away with the next attempt', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'offline' });
    await button('Log in').click();
    await hasFocus(page.getByRole('alert'));
    await stub.answer('session.login', 'hold');
    await button('Log in').click();
    await seen(page.getByText('Waiting for the server…'));
    expect(await page.getByRole('alert').count()).toBe(0);
    await stub.release('session.login', { ok: false, error: { kind: 'cancelled' } });
    await seen(page.getByText('Cancelled.'));
  });

  it('says that a question is open, shows it, and answers it with no once the form is left', async () => {
    await typeLogin();
    await stub.answer('session.login', 'hold');
    await button('Log in').click();
    await stub.change({ asking: true });
    await button('Show dialog').click();
    await expect.poll(() => stub.callsOf('app.showQuestion')).toHaveLength(1);
    expect(await button('Waiting for your answer').getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('link', { name: 'Create account' }).click();
    await expect.poll(() => stub.callsOf('session.cancel')).toHaveLength(1);
    await stub.release('session.login', { ok: false, error: { kind: 'cancelled' } });
  });

  it('shows what belongs to no field of this screen in the alert', async () => {
    await typeLogin();
    const error: AppError = { kind: 'validation', fields: { name: ['The name is odd.'] }, form: ['Not today.'] };
    await stub.fails('session.login', error);
    await button('Log in').click();
    const alert = page.getByRole('alert');
    await hasFocus(alert);
    await button('Why?').click();
    expect(await main().innerText()).toContain('The name is odd.');
    expect(await main().innerText()).toContain('Not today.');
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
    await expect.poll(() => stub.callsOf('session.login')).toHaveLength(1);

    await button('Cancel').click();
    await expect.poll(() => stub.callsOf('session.cancel')).toHaveLength(1);
    await stub.release('session.login', { ok: false, error: { kind: 'cancelled' } });
    await hasFocus(page.getByRole('status').filter({ hasText: 'Cancelled.' }));
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await button('Cancel').count()).toBe(0);
    expect(await field('Password').inputValue()).toBe(' p|ñ 漢 ');
  });

  it('says nothing of waiting until the server is late', async () => {
    await typeLogin();
    await stub.answer('session.login', 'hold');
    // Timers of this length do not end by themselves here, so that the test is as quick or slow as the machine.
    await page.evaluate(() => {
      const own = Object.getOwnPropertyDescriptor(window, 'setTimeout')!;
      const begin = window.setTimeout.bind(window);
      const late: (() => void)[] = [];
      const hold = (work: () => void, ms: number) => (ms === 200 ? late.push(work) : begin(work, ms));
      Object.assign(window, {
        setTimeout: hold,
        makeLate() {
          Object.defineProperty(window, 'setTimeout', own);
          for (const work of late) work();
          return late.length;
        },
      });
    });
    await button('Log in').click();
    await expect.poll(() => button('Log in').getAttribute('aria-busy')).toBe('true');
    expect(await button('Cancel').count()).toBe(0);
    expect(await page.getByText('Waiting for the server…').count()).toBe(0);
    expect(await page.evaluate(() => Reflect.get(window, 'makeLate')())).toBe(1);
    await button('Cancel').waitFor();
    expect(await page.getByText('Waiting for the server…').count()).toBe(1);
    await stub.release('session.login', { ok: false, error: { kind: 'cancelled' } });
    await eventually(async () => expect(await button('Cancel').count()).toBe(0));
  });

  it('counts down in the button when throttled, can be focused meanwhile, and sends nothing', async () => {
    await typeLogin();
    const message = 'Too many login attempts. Please try again in 59 seconds.';
    await stub.fails('session.login', { kind: 'throttled', message, retryAfterSeconds: 59 });
    const again = button('Log in again');
    await button('Log in').click();
    await hasFocus(page.getByRole('alert'));
    await expectText(again, /^Log in again\s\(in \d\d s\)$/);
    const [first, width] = [await again.innerText(), (await again.boundingBox())!.width];
    await seen(page.getByText('You can try again in 59 seconds'));
    // The button alone has the seconds: any other text would still name them when they are over.
    await button('Why?').click();
    await seen(main().getByText('“Too many login attempts.”'));
    expect(await main().locator('[data-message]').innerText()).not.toMatch(/\d/);
    expect(await again.getAttribute('aria-disabled')).toBe('true');
    await again.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => again.innerText()).not.toBe(first);
    expect((await again.boundingBox())!.width).toBe(width);
    expect(await stub.callsOf('session.login')).toHaveLength(1);
  });

  it('sends nothing when a wait is over, and takes its notice away, with the focus back at the button', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'throttled', retryAfterSeconds: 1 });
    await button('Log in').click();
    await seen(page.getByText('You can try again now'));
    await hasFocus(button('Log in'));
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await stub.callsOf('session.login')).toHaveLength(1);
    await button('Log in').press('Enter');
    await expect.poll(() => stub.callsOf('session.login')).toHaveLength(2);
  });

  it('shows an error right below the button at 800 × 600, over the links, which follow it, and moves nothing', async () => {
    await page.setViewportSize({ width: 800, height: 600 });
    onTestFinished(() => page.setViewportSize({ width: 1000, height: 700 }));
    await typeLogin();
    const submit = button('Log in');
    const before = (await submit.boundingBox())!;
    await stub.fails('session.login', { kind: 'offline' });
    await submit.click();
    const alert = page.getByRole('alert');
    await hasFocus(alert);
    const text = (await alert.boundingBox())!;
    const after = (await submit.boundingBox())!;
    expect(text.y - after.y - after.height).toBeLessThan(80);
    // The whole sentence and the advice are in sight, and the button with them.
    expect(text.y + 50).toBeLessThan(600 - 28);
    expect(after.y).toBeGreaterThan(52);
    expect(Math.abs(after.y - before.y)).toBeLessThan(40);
    const links = page.getByRole('link', { name: 'Create account' });
    expect(await links.count()).toBe(1);
    expect((await links.boundingBox())!.y).toBeGreaterThan(text.y + text.height);
  });

  it('shows an error with all of its edges in a small window', async () => {
    await page.setViewportSize({ width: 480, height: 400 });
    onTestFinished(() => page.setViewportSize({ width: 1000, height: 700 }));
    await typeLogin();
    await stub.fails('session.login', { kind: 'offline' });
    await button('Log in').click();
    const alert = page.getByRole('alert');
    await hasFocus(alert);
    const cut = await alert.evaluate((text) => {
      const box = text.parentElement!.parentElement!.getBoundingClientRect();
      const area = text.closest('main')!.getBoundingClientRect();
      return { top: box.top - area.top, bottom: Math.min(area.bottom, window.innerHeight) - box.bottom };
    });
    expect(cut.top).toBeGreaterThanOrEqual(0);
    expect(cut.bottom).toBeGreaterThanOrEqual(0);
  });

  it('promises to remember nobody where sessions are kept in memory only, and leaves it to main what a later keyring may keep', async () => {
    await stub.start({ vault: { state: 'memory-only', reason: 'no-keyring' } });
    await seen(page.getByText('Sessions cannot be stored safely here.'));
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await typeLogin();
    await button('Log in').click();
    await expect.poll(() => stub.callsOf('session.login')).toMatchObject([{ remember: true }]);
  });

  it('does not block a throttled form when the server gave no number', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'throttled' });
    await button('Log in').click();
    await hasFocus(page.getByRole('alert'));
    expect(await button('Log in').getAttribute('aria-disabled')).toBe('false');
  });

  it('shows the password on demand, says so, and does not submit by that', async () => {
    await typeLogin();
    const toggle = button('Show password');
    expect(await toggle.getAttribute('aria-pressed')).toBe('false');
    await toggle.click();
    expect(await toggle.getAttribute('aria-pressed')).toBe('true');
    expect(await field('Password').getAttribute('type')).toBe('text');
    await seen(page.getByText('Password visible.'));
    await toggle.click();
    await seen(page.getByText('Password hidden.'));
    expect(await field('Password').getAttribute('type')).toBe('password');
    await expectNotAsked('session.login');
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
