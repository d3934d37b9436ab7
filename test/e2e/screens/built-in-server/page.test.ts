import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import {
  answerButton,
  button,
  openAt,
  question,
  region,
  rows,
  says,
  tab,
  toasts,
} from '../../../support/built-in-page.ts';
import { layoutShift, nothingMoved } from '../../../support/layout-shift.ts';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { firstStart, misbehaving, signedIn, staging } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const heading = () => page.getByRole('heading', { level: 1, name: 'Built-in server' });
const inRail = () => page.locator('[data-page="built-in"]');
const strip = () => region().getByRole('status').first();

describe('the page', () => {
  it('is entered by its shortcut and from the rail, not over a question, and takes the focus on its heading', async () => {
    await stub.start();
    await page.getByLabel('Email', { exact: true }).focus();
    await page.keyboard.press('Control+b');
    await hasFocus(heading());
    await page.keyboard.press('Control+b');
    expect(await region().count()).toBe(1);

    await tab('Sessions').click();
    await button('End all sessions').click();
    await hasFocus(answerButton('Keep sessions'));
    await page.keyboard.press('Control+t');
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await hasFocus(button('End all sessions'));
    await expectNotAsked('builtIn.revokeAllTokens');

    await page.locator('[data-page="account"]').click();
    await region().waitFor({ state: 'detached' });
    await inRail().click();
    await hasFocus(heading());
    expect(await inRail().getAttribute('aria-current')).toBe('page');
  });

  it('is not loaded before it is opened', async () => {
    await stub.start({ behaviour: misbehaving });
    const loaded = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('built-in-server')).length,
      );
    expect([await loaded(), await stub.callsOf('builtIn.choices')]).toEqual([0, []]);
    await page.keyboard.press('Control+b');
    await seen(region());
    expect(await loaded()).toBeGreaterThan(0);
  });

  it('is worked with the keys alone', async () => {
    await stub.start();
    await page.keyboard.press('Control+b');
    await hasFocus(heading());
    await page.keyboard.press('Tab');
    await hasFocus(tab('Behaviour'));
    for (const name of ['People', 'Sessions']) {
      await page.keyboard.press('ArrowRight');
      await hasFocus(tab(name));
    }
    await seen(button('Revoke token 41'));
    const row = (id: number) => rows().filter({ hasText: `person.${id}@example.test` });
    const moves = ['Add 1 minute', 'Add 1 hour', 'To newest session’s expiry', 'Back to now'];
    const stops = [...moves.map((name) => button(name)), button('Refresh'), button('End all sessions'), row(41)];
    for (const stop of [...stops, button('Expire token 41 now'), button('Revoke token 41')]) {
      await page.keyboard.press('Tab');
      await hasFocus(stop);
    }
    await page.keyboard.press('Enter');
    await toasts('Token 41 revoked.');
    // The row in its place has the focus now, and at the end the button that asks again.
    await hasFocus(row(42));
    expect(await button('Revoke token 41').count()).toBe(0);
    await button('Revoke token 42').click();
    await button('Revoke token 42').waitFor({ state: 'detached' });
    await button('Revoke token 43').click();
    await says('Nobody is logged in.');
    await hasFocus(button('Refresh'));
  });

  it('says where the server listens, and counts who is there and what was asked', async () => {
    await stub.start();
    await page.keyboard.press('Control+b');
    await says('http://127.0.0.1:4848');
    const tabs = async () =>
      (await region().getByRole('tab').allInnerTexts()).map((text) => text.replaceAll(/\s/g, ''));
    const counted = (...words: string[]) => eventually(async () => expect(await tabs()).toEqual(words));
    await counted('Behaviour', 'People500', 'Sessions3', 'Requests3', 'Data');
    await tab('Sessions').click();
    await button('Revoke token 41').click();
    await counted('Behaviour', 'People500', 'Sessions2', 'Requests3', 'Data');
    await stub.change({ builtIn: { state: 'starting' } });
    await says('Starting…');
    await stub.change({ builtIn: { state: 'failed', message: 'EACCES' } });
    await says('Not running');
  });
});

describe('the clock', () => {
  it('is moved and put back, says how far it is ahead on every screen, and moves nothing else', async () => {
    await openAt('Sessions');
    await says('In sync with this computer');
    expect(await button('Back to now').getAttribute('aria-disabled')).toBe('true');
    await seen(button('Revoke token 41'));
    const before = await layoutShift(page);
    await button('Add 1 minute').click();
    await says('1 minute ahead of this computer');
    await button('Add 1 hour').click();
    await says('1 hour, 1 minute ahead of this computer');
    await button('To newest session’s expiry').click();
    await says('30 days, 1 hour ahead of this computer');
    expect(await stub.callsOf('builtIn.moveClock')).toEqual(
      ['minute', 'hour', 'newest-token-end'].map((to) => ({ to })),
    );
    expect([before, await layoutShift(page)]).toEqual([nothingMoved, nothingMoved]);
    await page.locator('[data-page="account"]').click();
    await page.getByRole('button', { name: 'Clock ahead' }).click();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await eventually(async () => expect(await page.getByRole('button', { name: 'Clock ahead' }).count()).toBe(0));
  });

  it('says why it was not moved, and stays', async () => {
    await openAt('Sessions');
    await stub.fails('builtIn.moveClock', { kind: 'clock-not-moved', reason: 'shared' });
    await button('Add 1 hour').click();
    await hasFocus(region().getByRole('alert'));
    expect(await region().getByRole('alert').innerText()).toContain('Another program uses the database');
    await says('In sync with this computer');
  });
});

describe('what clients do wrong', () => {
  it('stands beside the requests with those that show it, and goes with them', async () => {
    await openAt('Requests');
    const report = () => region().getByRole('region', { name: 'Client problems' });
    const lines = report().getByRole('listitem').filter({ hasText: 'Retry-After ignored' });
    await eventually(async () =>
      expect((await lines.first().innerText()).replaceAll(/[\s\u202f]+/g, ' ')).toMatch(
        /^Retry-After ignored The client retried before the wait was over\. Seen 12 times \S+( AM)? POST \/api\/v1\/auth\/login 429 \S+( AM)? POST \/api\/v1\/auth\/login no response$/,
      ),
    );
    await button('Clear').click();
    await seen(report().getByText('None so far.'));
  });
});

describe('the behaviour', () => {
  const dialect = (name: string) => region().getByRole('radio', { name, exact: true });
  const wrong = (name: string) => region().getByRole('switch', { name, exact: true });
  /** A choice is shown once main has it, so that `check` may look too early. */
  const turnOn = async (choice: Locator) => {
    await choice.click();
    await eventually(async () => expect(await choice.isChecked()).toBe(true));
  };

  it('counts at once, is said in the strip, and can be turned off in one press', async () => {
    await openAt('Behaviour');
    await says('No faults active');
    expect(await dialect('Llavero').isChecked()).toBe(true);
    await turnOn(dialect('Spring Boot'));
    await turnOn(wrong('Stack traces in errors'));
    await expect
      .poll(() => stub.callsOf('builtIn.setBehaviour'))
      .toEqual([{ dialect: 'spring' }, { defects: ['stack-traces'] }]);
    await says('Response format: Spring Boot. Simulated vulnerabilities: 1.');
    await says('1 active');
    await button('Turn all off').click();
    await says('No faults active');
    expect(await wrong('Stack traces in errors').isChecked()).toBe(false);
    expect(await button('Turn all off').getAttribute('aria-disabled')).toBe('true');
    await hasFocus(button('Turn all off'));
    await page.keyboard.press('Enter');
    await expect.poll(() => stub.callsOf('builtIn.setBehaviour')).toHaveLength(3);
  });

  it('shows how a login is answered now', async () => {
    await openAt('Behaviour');
    const example = () => region().getByRole('region', { name: 'Example login response' });
    const expectJson = (json: object) =>
      eventually(async () =>
        expect((await example().innerText()).replaceAll(/\s/g, '')).toContain(JSON.stringify(json)),
      );
    await turnOn(dialect('Django REST'));
    await expectJson({ key: '12|Qm3…' });
    await turnOn(wrong('Password returned'));
    await turnOn(wrong('Guessable tokens'));
    await expectJson({ key: '12|0…03', password: 'the-password' });
    await seen(example().getByText('200', { exact: true }));
    await seen(example().getByText('Changes with your settings here.'));
    await button('Add fault').click();
    await seen(example().getByText('Simulated login faults can replace it.'));
  });

  it('moves nothing that a person has not pressed, whatever is turned on', async () => {
    await openAt('Behaviour');
    await seen(dialect('Spring Boot'));
    const before = await layoutShift(page);
    await turnOn(dialect('Tutorial, error: true'));
    for (const name of ['Stack traces in errors', 'Password returned', 'Guessable tokens']) await turnOn(wrong(name));
    await region().getByLabel('Fault', { exact: true }).selectOption('Too many requests (429)');
    const atFaults = await layoutShift(page);
    await button('Add fault').click();
    await toasts('Added: Too many requests (429) at Login.');
    expect(before).toEqual(nothingMoved);
    expect(await layoutShift(page)).toEqual(atFaults);
    // Why a press failed stands below its button, and pushes only what is below.
    await stub.fails('builtIn.setBehaviour', { kind: 'invalid-fault' });
    const top = () => button('Add fault').evaluate((element: HTMLElement) => element.offsetTop);
    const placed = await top();
    await button('Add fault').click();
    await hasFocus(region().getByRole('alert'));
    expect(await top()).toBe(placed);
    await button('Turn all off').click();
    await says('No faults active');
  });

  it('names a fault in words, and puts a status behind them', async () => {
    await openAt('Behaviour');
    const names = (label: string) =>
      page.getByRole('main').getByLabel(label, { exact: true }).locator('option', { hasText: /\d/ }).allInnerTexts();
    await expect.poll(() => names('Fault')).toEqual(['Server error (500)', 'Too many requests (429)']);
    await stub.change({ language: 'es' });
    await eventually(async () =>
      expect(await names('Fallo')).toEqual(['Error del servidor (500)', 'Demasiadas peticiones (429)']),
    );
  });

  it('takes faults with their numbers, says which are wrong, and removes them one by one', async () => {
    await openAt('Behaviour');
    const kind = region().getByLabel('Fault', { exact: true });
    const add = button('Add fault');
    const from = region().getByLabel('Milliseconds', { exact: true });
    const to = region().getByLabel('Milliseconds, maximum (if random)');
    expect(await kind.locator('option').allInnerTexts()).not.toContain('Expired token');
    await region().getByLabel('Operation').selectOption('Profile');
    expect(await kind.locator('option').allInnerTexts()).toContain('Expired token');

    await kind.selectOption('Latency');
    expect(await from.inputValue()).toBe('1000');
    await to.fill('900');
    await add.click();
    await hasFocus(to);
    await says('The second number must not be smaller than the first.');
    await from.fill('60001');
    await add.click();
    await says('Enter a whole number from 0 to 60000.');
    expect(await to.inputValue()).toBe('900');
    await from.fill('100');
    await region().getByLabel('How often').selectOption('chance');
    await region().getByLabel('Percentage').fill('12,5');
    await add.click();
    await toasts('Added: Latency at Profile.');
    await kind.selectOption('Too many requests (429)');
    await region().getByLabel('How often').selectOption('times');
    await region().getByLabel('Requests', { exact: true }).fill('3');
    await add.click();
    await eventually(async () => expect(await rows().count()).toBe(3));
    expect((await stub.callsOf('builtIn.setBehaviour')).at(-1)).toEqual({
      faults: [
        { operation: 'profile', kind: 'latency', amount: { probability: 0.125 }, parameter: { least: 100, most: 900 } },
        { operation: 'profile', kind: '429', amount: { count: 3 }, parameter: { least: 30, most: 30 } },
      ],
    });
    expect((await rows().nth(1).innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'Profile gets Latency (Milliseconds: 100–900) 12.5% of all Remove',
    );
    await says('3 of 3 left');

    await button('Remove Latency at Profile').click();
    await toasts('Removed: Latency at Profile.');
    await hasFocus(button('Remove Too many requests (429) at Profile'));
    await page.keyboard.press('Enter');
    await says('No faults.');
    await hasFocus(region().getByLabel('Operation'));
    await region().getByLabel('Random seed').fill('77');
    await button('Apply').click();
    await toasts('Applied. The count restarts.');
    expect((await stub.callsOf('builtIn.setBehaviour')).at(-1)).toEqual({ seed: 77 });
  });

  it('that main refuses is said in words, and nothing that was typed is lost', async () => {
    await openAt('Behaviour');
    await region().getByLabel('Requests', { exact: true }).fill('12');
    await stub.fails('builtIn.setBehaviour', { kind: 'invalid-fault' });
    await button('Add fault').click();
    await hasFocus(region().getByRole('alert'));
    expect(await region().getByRole('alert').innerText()).toContain('This fault is not valid.');
    expect(await region().getByLabel('Requests', { exact: true }).inputValue()).toBe('12');
  });

  it('that cannot be turned off stays in the strip, with a reason', async () => {
    await openAt('Behaviour', { behaviour: misbehaving });
    await stub.fails('builtIn.setBehaviour', { kind: 'bug', id: 'b-42' });
    await button('Turn all off').click();
    await hasFocus(region().getByRole('alert'));
    await expectText(strip(), 'Response format: Spring Boot. Simulated vulnerabilities: 2. Simulated faults: 2.');
    expect(await button('Turn all off').getAttribute('aria-disabled')).toBe('false');
  });
});

describe('the mark of misbehaviour', () => {
  const mark = () => page.getByText('Simulated faults are active.').first();
  const chip = () => page.getByRole('contentinfo').getByRole('button', { name: 'Faults active', exact: true });

  // Where there is less room, the chips of the status bar become one.
  beforeEach(() => page.setViewportSize({ width: 1200, height: 800 }));

  it('is in the status bar whatever server is used and whatever is shown, and says what is wrong', async () => {
    await stub.start({
      servers: [...firstStart.servers, staging],
      activeServerId: staging.id,
      behaviour: misbehaving,
    });
    await chip().click();
    const opened = page.getByRole('dialog', { name: 'Faults active' });
    const text = await (await seen(opened)).innerText();
    expect(text).toContain('Response format: Spring Boot.');
    expect(text).toContain('Simulated vulnerabilities: Stack traces in errors, Password returned.');
    expect(text).toMatch(/[Ff]aults: Too many requests \(429\) at Login, Latency at Profile\./);
    await page.keyboard.press('Escape');

    // What is announced stays as it is while the faults count down.
    const status = page.getByRole('contentinfo').getByRole('status').filter({ has: mark() });
    const announced = await status.innerText();
    await stub.change({ behaviour: { ...misbehaving, left: [1, null] } });
    await stub.change({ session: signedIn });
    expect(await status.innerText()).toBe(announced);
    await expectText(inRail(), /Faults active/i);
  });

  it('leads to the page, where the strip says the same and stays still while the faults count down', async () => {
    await stub.start({ behaviour: misbehaving });
    await chip().click();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await hasFocus(heading());
    await says('2 of 3 left');
    const text = await strip().innerText();
    await stub.change({ behaviour: { ...misbehaving, left: [1, null] } });
    await says('1 of 3 left');
    expect(await strip().innerText()).toBe(text);
  });
});
