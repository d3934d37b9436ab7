import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, expectNoComplaints, expectText, hasFocus } from '../../../support/screens.ts';
import { firstStart, production, staging } from '../../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
beforeEach(() => stub.start());
afterEach(() => expectNoComplaints(stub));

const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('the extra headers of a server', () => {
  const several = { servers: [...firstStart.servers, staging, production], activeServerId: production.id };
  const group = (number: number) => page.getByRole('group', { name: `Header ${number}`, exact: true });
  const name = (number: number) => group(number).getByLabel('Name', { exact: true });
  const value = (number: number) => group(number).getByLabel('Value', { exact: true });
  const sent = async () => {
    const calls = (await stub.callsOf('servers.edit')) as { enteredConnection?: { headers?: unknown } }[];
    return calls.at(-1)?.enteredConnection?.headers;
  };

  async function openFold(state: Parameters<typeof stub.start>[0] = several) {
    await stub.start(state);
    await page.keyboard.press('Alt+5');
    await page.locator('summary').filter({ hasText: 'Extra headers' }).click();
  }

  it('are named, with a word where a value is, and only what is typed is sent', async () => {
    await openFold();
    await expectText(
      page.locator('summary').filter({ hasText: 'Extra headers' }),
      /CF-Access-Client-Id, CF-Access-Client-Secret, X-Api-Key/,
    );
    expect(await name(2).inputValue()).toBe('CF-Access-Client-Secret');
    expect(await value(2).inputValue()).toBe('');
    expect(await value(2).getAttribute('type')).toBe('password');
    expect(await value(2).getAttribute('placeholder')).toBe('Set. Type to replace it');
    expect(await value(3).getAttribute('placeholder')).toBe('Not set yet');
    await value(3).fill('typed');
    await button('Remove CF-Access-Client-Id').click();
    await hasFocus(button('Add header'));
    await page.keyboard.press('Enter');
    await hasFocus(name(3));
    await page.keyboard.type('X-New');
    await page.keyboard.press('Tab');
    await page.keyboard.type('new value');
    await page.keyboard.press('Enter');
    await expect.poll(sent).toEqual([
      { name: 'CF-Access-Client-Secret', value: '' },
      { name: 'X-Api-Key', value: 'typed' },
      { name: 'X-New', value: 'new value' },
    ]);
    // What was typed is gone from the form once main has it.
    await eventually(async () => expect(await value(2).inputValue()).toBe(''));
  });

  it('say under the field what is wrong with one of them, which gets the focus', async () => {
    await openFold();
    await stub.fails('servers.edit', {
      kind: 'invalid-header',
      row: 1,
      problem: 'value-characters',
      name: 'CF-Access-Client-Secret',
    });
    await value(2).fill('é');
    await button('Save').click();
    await hasFocus(value(2));
    await expectText(group(2), /The value of CF-Access-Client-Secret has a character not allowed in a header/);
    expect(await value(2).getAttribute('aria-invalid')).toBe('true');
    expect(await name(2).getAttribute('aria-invalid')).not.toBe('true');
  });

  it('say that a value is to be entered again once another address is typed', async () => {
    await openFold();
    await page.getByLabel('Address', { exact: true }).fill('https://elsewhere.example.test');
    expect(await value(1).getAttribute('placeholder')).toBe('Enter it again for this address');
  });

  it('are shown to an owner of an account only where a server has some', async () => {
    const settings = { ...firstStart.settings, workbench: false };
    await openFold({ ...several, settings });
    await stub.start({ ...several, activeServerId: staging.id, settings });
    await page.keyboard.press('Alt+5');
    await page.locator('summary').filter({ hasText: 'Time limits' }).waitFor();
    expect(await page.locator('summary').filter({ hasText: 'Extra headers' }).count()).toBe(0);
  });
});
