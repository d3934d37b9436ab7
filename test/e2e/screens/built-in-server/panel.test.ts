import { afterEach, describe, expect, it } from 'vitest';
import { eventually, expectNoComplaints, hasFocus, seen } from '../../../support/screens.ts';
import { firstStart, misbehaving, signedIn, staging } from '../../../support/stub-main/states.ts';
import type { StubApp } from '../../../support/stub-main/stub-app.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

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
    for (const name of ['People', 'Sessions']) {
      await page.keyboard.press('ArrowRight');
      await hasFocus(tab(name));
    }
    await seen(button('Revoke token 41'));
    const stops = [button('Refresh'), button('End all sessions'), panel().getByRole('region', { name: 'Sessions' })];
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
    await button('Turn all off').click();
    await says(/^Everything answers as it should/);
    expect(await panel().getByLabel('Stack traces in errors').isChecked()).toBe(false);
    expect(await button('Turn all off').getAttribute('aria-disabled')).toBe('true');
  });

  it('takes faults with their numbers, says which are wrong, and removes them one by one', async () => {
    await openAt('Behaviour');
    const kind = panel().getByLabel('Fault', { exact: true });
    const add = button('Add fault');
    const from = panel().getByLabel('Milliseconds', { exact: true });
    const to = panel().getByLabel('Milliseconds, maximum (if random)');
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
    await panel().getByLabel('How often').selectOption('A random share');
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
    await panel().getByLabel('Random seed').fill('77');
    await button('Apply').click();
    await says('Applied. The count restarts.');
    expect((await stub.callsOf('builtIn.behave')).at(-1)).toEqual({ seed: 77 });
  });

  it('that main refuses is said in words, and nothing that was typed is lost', async () => {
    await openAt('Behaviour');
    await panel().getByLabel('Requests', { exact: true }).fill('12');
    await stub.fails('builtIn.behave', { kind: 'invalid-fault' });
    await button('Add fault').click();
    await hasFocus(panel().getByRole('alert'));
    expect(await panel().getByRole('alert').innerText()).toContain('This fault is not valid.');
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
