import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppState } from '../../../preload/contract/models.ts';
import { eventually, hasFocus, seen } from '../../support/screens.ts';
import { demoSession, firstStart, misbehaving, signedIn, staging } from '../../support/stub-main/states.ts';
import { openStubApp, type StubApp } from '../../support/stub-main/stub-app.ts';

let stub: StubApp;
let page: Page;

beforeAll(async () => {
  stub = await openStubApp();
  page = stub.page;
});
afterAll(() => stub.close());
afterEach(() => {
  const complaints = stub.complaints.splice(0);
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('\n')}`);
});

const panel = () => page.getByRole('dialog', { name: 'Built-in server', exact: true });
const tab = (name: string) => panel().getByRole('tab', { name, exact: true });
const button = (name: string | RegExp) => panel().getByRole('button', { name, exact: typeof name === 'string' });
const mark = () => page.getByText('The built-in server misbehaves on purpose.');
const rows = () => panel().getByRole('row');

const says = (text: string | RegExp) => seen(panel().getByText(text).first());

async function openAt(name: string, state: Parameters<StubApp['start']>[0] = {}) {
  await stub.start(state);
  await page.keyboard.press('Control+b');
  await tab(name).click();
  await seen(panel().getByRole('tabpanel', { name, exact: true }));
}

describe('the panel', () => {
  it('is opened by its shortcut and from the menu, not over another dialog, and gives the focus back', async () => {
    await stub.start();
    const email = page.getByLabel('Email', { exact: true });
    await email.focus();
    await page.keyboard.press('Control+b');
    await hasFocus(tab('Behaviour'));
    await page.keyboard.press('Control+b');
    expect(await panel().count()).toBe(1);
    await page.keyboard.press('Escape');
    await hasFocus(email);

    const menu = page.getByRole('button', { name: 'Servers', exact: true });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Sessions' }).click();
    await page.keyboard.press('Control+b');
    expect(await panel().count()).toBe(0);
    await page.keyboard.press('Escape');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Built-in server' }).click();
    await hasFocus(tab('Behaviour'));
    await page.keyboard.press('Escape');
    await hasFocus(page.getByRole('heading', { name: 'Log in' }));
  });

  it('is not loaded before it is opened', async () => {
    await stub.start({ behaviour: misbehaving });
    const loaded = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('built-in-server')).length,
      );
    expect([await loaded(), await stub.callsOf('builtIn.choices')]).toEqual([0, []]);
    await page.keyboard.press('Control+b');
    await seen(panel());
    expect(await loaded()).toBeGreaterThan(0);
  });

  it('is worked with the keys alone', async () => {
    await stub.start();
    await page.keyboard.press('Control+b');
    await hasFocus(tab('Behaviour'));
    for (const name of ['Accounts', 'Sessions']) {
      await page.keyboard.press('ArrowRight');
      await hasFocus(tab(name));
    }
    await seen(button('Revoke token 41'));
    const stops = [button('Refresh'), button('Sign everyone out'), panel().getByRole('region', { name: 'Sessions' })];
    for (const stop of [...stops, button('Expire token 41 now'), button('Revoke token 41')]) {
      await page.keyboard.press('Tab');
      await hasFocus(stop);
    }
    await page.keyboard.press('Enter');
    await says('Token 41 was revoked.');
    await hasFocus(panel().getByRole('region', { name: 'Sessions' }));
    expect(await button('Revoke token 41').count()).toBe(0);
  });
});

describe('the behaviour', () => {
  it('counts at once, is said in the mark, and can be turned off in one press', async () => {
    await openAt('Behaviour');
    await says(/^Everything answers as it should/);
    await panel().getByLabel('Answers as').selectOption('Spring Boot');
    await panel().getByLabel('Stack traces in errors').check();
    expect(await stub.callsOf('builtIn.behave')).toEqual([{ dialect: 'spring' }, { wrong: ['stack-traces'] }]);
    await says(/It answers as Spring Boot. Wrong on purpose: Stack traces in errors./);
    await button('All off').click();
    await says(/^Everything answers as it should/);
    expect(await panel().getByLabel('Stack traces in errors').isChecked()).toBe(false);
    expect(await button('All off').getAttribute('aria-disabled')).toBe('true');
  });

  it('takes faults with their numbers, says which are wrong, and removes them one by one', async () => {
    await openAt('Behaviour');
    const kind = panel().getByLabel('Fault', { exact: true });
    const add = button('Add fault');
    const from = panel().getByLabel('Milliseconds', { exact: true });
    const to = panel().getByLabel('Milliseconds, at most (if random)');
    expect(await kind.locator('option').allInnerTexts()).not.toContain('Expired token');
    await panel().getByLabel('Operation').selectOption('Profile');
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
    await panel().getByLabel('How often').selectOption('By chance');
    await panel().getByLabel('Percent').fill('12,5');
    await add.click();
    await says('Added: Latency at Profile.');
    await kind.selectOption('Error 429');
    await panel().getByLabel('How often').selectOption('The next requests');
    await panel().getByLabel('Requests', { exact: true }).fill('3');
    await add.click();
    await eventually(async () => expect(await rows().count()).toBe(3));
    expect((await stub.callsOf('builtIn.behave')).at(-1)).toEqual({
      faults: [
        { operation: 'perfil', kind: 'latency', amount: { probability: 0.125 }, parameter: { least: 100, most: 900 } },
        { operation: 'perfil', kind: '429', amount: { count: 3 }, parameter: { least: 30, most: 30 } },
      ],
    });
    expect((await rows().nth(1).innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'Profile Latency (100–900) 12.5% of all Remove',
    );
    await says('Left: 3 of 3');

    await button('Remove Latency at Profile').click();
    await says('Removed: Latency at Profile.');
    await hasFocus(panel().getByRole('heading', { name: 'Faults' }));
    await panel().getByLabel('Seed of chance').fill('77');
    await button('Apply').click();
    await says('Applied. Counting begins anew.');
    expect((await stub.callsOf('builtIn.behave')).at(-1)).toEqual({ seed: 77 });
  });

  it('that main refuses is said in words, and nothing that was typed is lost', async () => {
    await openAt('Behaviour');
    await panel().getByLabel('Requests', { exact: true }).fill('12');
    await stub.fails('builtIn.behave', { kind: 'invalid-fault' });
    await button('Add fault').click();
    await hasFocus(panel().getByRole('alert'));
    expect(await panel().getByRole('alert').innerText()).toContain('There can be no such fault.');
    expect(await panel().getByLabel('Requests', { exact: true }).inputValue()).toBe('12');
  });
});

describe('the mark', () => {
  it('is on every screen while anything is on, whatever server is used, and says what', async () => {
    await stub.start({
      servers: [...firstStart.servers, staging],
      activeServerId: staging.id,
      behaviour: misbehaving,
    });
    const status = page.getByRole('status').filter({ has: mark() });
    const text = await (await seen(status)).innerText();
    expect(text).toContain('It answers as Spring Boot.');
    expect(text).toContain('Wrong on purpose: Stack traces in errors, Password echoed.');
    expect(text).toContain('Faults: Error 429 at Log in, Latency at Profile.');
    // What is announced stays as it is while the faults count down.
    await stub.change({ behaviour: { ...misbehaving, left: [1, null] } });
    await stub.change({ session: signedIn });
    await seen(page.getByRole('heading', { name: 'Profile' }));
    expect(await status.innerText()).toBe(text);

    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await mark().waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('heading', { name: 'Profile' }));
    expect(await stub.callsOf('builtIn.behave')).toEqual([{ dialect: null, wrong: [], faults: [] }]);
  });

  it('stays, with a reason, when it cannot be turned off', async () => {
    await stub.start({ behaviour: misbehaving });
    await stub.fails('builtIn.behave', { kind: 'bug', id: 'b-42' });
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await hasFocus(page.getByRole('alert'));
    await seen(mark());
  });
});

describe('the tables', () => {
  it('show 500 accounts in pages, with names of every kind as text', async () => {
    await openAt('Accounts');
    await says('1–50 of 500');
    await says('<script>alert(1)</script>');
    expect(await rows().count()).toBe(51);
    // A name of 255 letters takes two lines, and no more of the width than the table has.
    const long = await rows().nth(3).boundingBox();
    expect(long!.height).toBeLessThan(80);
    for (let turn = 0; turn < 9; turn += 1) await button('Next').click();
    await says('451–500 of 500');
    await says('person.500@example.test');
    await button('Next').press('Enter');
    expect(await button('Next').getAttribute('aria-disabled')).toBe('true');
    expect(await stub.callsOf('builtIn.accounts')).toHaveLength(10);
  });

  it('offer to sign in as the seeded accounts alone, and close over the profile', async () => {
    await openAt('Accounts');
    const signIn = (number: number) => button(`Sign in as person.${number}@example.test`);
    await seen(signIn(1));
    expect(await signIn(2).count()).toBe(0);
    await stub.answer('demo.signInAs', 'hold');
    await signIn(1).click();
    await says('Signing in…');
    await stub.release('demo.signInAs', { ok: false, error: { kind: 'not-seeded' } });
    await hasFocus(panel().getByRole('alert'));
    await says('The password of this account is not known here.');

    await stub.answer('demo.signInAs', 'hold');
    await signIn(1).focus();
    await page.keyboard.press('Enter');
    await says('Signing in…');
    await stub.change({ sessions: [demoSession], session: signedIn });
    const { value } = await page.evaluate(() => window.api.app.state(undefined) as Promise<{ value: AppState }>);
    await stub.release('demo.signInAs', { ok: true, value });
    await panel().waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('heading', { name: 'Profile' }));
    expect(await stub.callsOf('demo.signInAs')).toEqual([{ id: 1 }, { id: 1 }]);
  });

  it('end sessions one by one and all together, after a question', async () => {
    await openAt('Sessions');
    await says('expired');
    await button('Expire token 42 now').click();
    await says('Token 42 has expired: the next request with it is refused.');
    await hasFocus(button('Expire token 42 now'));
    await button('Sign everyone out').click();
    await hasFocus(button('Keep them'));
    await page.keyboard.press('Enter');
    await hasFocus(button('Sign everyone out'));
    expect(await stub.callsOf('builtIn.signEveryoneOut')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await says('Sessions ended: 3');
    await says('Nobody is signed in here.');
  });

  it('show requests as they come, with what was done to them', async () => {
    await openAt('Requests');
    await seen(rows().nth(3));
    const cells = await rows().nth(2).getByRole('cell').allInnerTexts();
    expect(cells.slice(1)).toEqual(['GET /api/v1/auth/perfil', 'no answer', '812 ms', 'Latency, Connection reset']);
    expect(await rows().nth(1).innerText()).toContain('GET, no such path');
    const asked = (await stub.callsOf('builtIn.requests')).length;
    await stub.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.send('builtIn.requested', null),
    );
    await eventually(async () => expect(await stub.callsOf('builtIn.requests')).toHaveLength(asked + 1));
    await button('Clear').click();
    await says(/^No request yet/);
  });

  it('say why they could not be read', async () => {
    await stub.start();
    await stub.fails('builtIn.accounts', { kind: 'database-unavailable', reason: 'locked' });
    await page.keyboard.press('Control+b');
    await tab('Accounts').click();
    await says('Another program holds the database of the built-in server.');
    expect(await panel().getByRole('table').count()).toBe(0);
  });
});

describe('the data', () => {
  it('is replaced after a question, brought back, copied and restored', async () => {
    await openAt('Data');
    await says('Accounts now: 500');
    await button('Replace everything…').click();
    await says(/Accounts that go: 500/);
    await hasFocus(button('Keep what is there'));
    await page.keyboard.press('Enter');
    expect(await stub.callsOf('builtIn.reset')).toEqual([]);
    await panel().getByLabel('Nothing').check();
    await panel().getByLabel('Seed of the people').fill('9');
    await button('Replace everything…').click();
    await button('Replace now').click();
    await says('Replaced. Accounts now: 0');
    expect(await stub.callsOf('builtIn.reset')).toEqual([{ set: 'empty', seed: 9 }]);
    // Where nothing is lost, nothing is asked.
    await panel().getByLabel('Three people').check();
    await button('Replace everything…').click();
    await says('Replaced. Accounts now: 3');

    await button('Undo').click();
    await says('Brought back. Accounts now: 0');
    expect(await button('Undo').getAttribute('aria-disabled')).toBe('true');
    await button('Make a snapshot').click();
    await says('The snapshot was made.');
    await button(/^Restore the snapshot of/).click();
    await button('Restore now').click();
    await says('Restored. Accounts now: 7');
  });

  it('loses one snapshot after a question, and the focus stays in the panel', async () => {
    await openAt('Data');
    await button('Make a snapshot').click();
    await seen(button(/^Delete the snapshot of/));
    await button('Make a snapshot').click();
    const deleting = button(/^Delete the snapshot of/);
    await eventually(async () => expect(await deleting.count()).toBe(2));
    await deleting.first().click();
    await says(/^Delete the snapshot of .*\? Nothing brings it back/);
    await hasFocus(button('Keep what is there'));
    await page.keyboard.press('Enter');
    await hasFocus(deleting.first());
    expect(await stub.callsOf('builtIn.removeSnapshot')).toEqual([]);

    await page.keyboard.press('Enter');
    await hasFocus(button('Keep what is there'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await says('The snapshot was deleted.');
    await hasFocus(panel().getByRole('heading', { name: 'Snapshots' }));
    expect(await stub.callsOf('builtIn.removeSnapshot')).toEqual([{ id: 's1' }]);
    await eventually(async () => expect(await deleting.count()).toBe(1));

    await stub.fails('builtIn.removeSnapshot', { kind: 'copy-failed', reason: 'not-removed' });
    await deleting.click();
    await button('Delete now').click();
    await hasFocus(panel().getByRole('alert'));
    await says('The snapshot could not be deleted.');
    expect(await deleting.count()).toBe(1);
  });

  it('stays as it was when no copy could be kept, with the reason', async () => {
    await openAt('Data');
    await stub.fails('builtIn.reset', { kind: 'copy-failed', reason: 'unwritable' });
    await button('Replace everything…').click();
    await button('Replace now').click();
    await hasFocus(panel().getByRole('alert'));
    await says('No copy could be kept, so nothing was changed.');
    await says('Accounts now: 500');
    expect(await button('Undo').getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the demo', () => {
  const offer = () => page.getByRole('button', { name: 'Try offline', exact: true });

  it('is offered while nobody has a session, and says that it leaves another server', async () => {
    await stub.start();
    await seen(offer());
    const servers = [...firstStart.servers, staging];
    await stub.start({ servers, activeServerId: staging.id });
    await seen(page.getByText('This switches to the built-in server.'));
    await stub.start({ servers, activeServerId: staging.id, sessions: [demoSession] });
    await seen(page.getByLabel('Password', { exact: true }));
    expect(await offer().count()).toBe(0);
  });

  it('is started by one press, and what keeps it from starting is said', async () => {
    await stub.start();
    await stub.fails('demo.start', { kind: 'demo-taken', email: 'demo@llavero.invalid' });
    await page.getByLabel('Email', { exact: true }).fill('typed@example.test');
    await offer().focus();
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('alert'));
    expect(await page.getByRole('alert').innerText()).toContain('demo@llavero.invalid');
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('typed@example.test');
  });

  it('is marked on its profile alone, and begins anew in one press', async () => {
    await stub.start({ session: signedIn, sessions: [{ ...demoSession, isDemo: false }] });
    await seen(page.getByRole('heading', { name: 'Profile' }));
    expect(await page.getByText('DEMO', { exact: true }).count()).toBe(0);
    await stub.change({ sessions: [demoSession] });
    await seen(page.getByRole('region', { name: 'DEMO' }));
    await stub.fails('demo.reset', { kind: 'database-unavailable', reason: 'full' });
    const reset = page.getByRole('button', { name: 'Reset the demo', exact: true });
    await reset.click();
    await hasFocus(page.getByRole('alert'));
    await reset.click();
    await seen(page.getByText('The demo begins anew.'));
    expect(await stub.callsOf('demo.reset')).toHaveLength(2);
  });
});
