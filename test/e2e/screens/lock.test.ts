import { describe, expect, it } from 'vitest';
import { hasFocus, seen } from '../../support/screens.ts';
import { firstStart, heldSessions, locked, production, signedIn } from '../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();

const profile = {
  servers: [...firstStart.servers, production],
  activeServerId: production.id,
  sessions: heldSessions,
  session: signedIn,
};

const heading = () => page.getByRole('heading', { name: 'Locked', exact: true });

describe('a window that is locked', () => {
  it.each([
    ['over the profile', async () => undefined],
    [
      'over the sessions',
      async () => {
        await page.getByRole('button', { name: 'Accounts', exact: true }).click();
        await page.getByRole('menuitem', { name: 'All sessions' }).click();
        await seen(page.getByRole('main').getByText('carl@example.test').first());
      },
    ],
    [
      'over the question for a host',
      async () => {
        await stub.fails('sessions.logout', {
          kind: 'production-not-confirmed',
          serverId: production.id,
          host: 'shop.example.test',
        });
        await page.getByRole('button', { name: 'Log out', exact: true }).click();
        await seen(page.getByRole('dialog'));
      },
    ],
    ['over the calls', () => page.keyboard.press('Control+e')],
  ])('shows nothing of the screen before it in its next frame: %s', async (_where, open) => {
    await stub.start(profile);
    await seen(page.getByRole('heading', { name: 'Details' }));
    await open();
    expect(await page.title()).toContain('Shop');
    // This is what the screen shows in the first frame after the news, before any transition could have run.
    const frame = page.evaluate(
      () =>
        new Promise<{ html: string; title: string; colour: string | undefined }>((resolve) => {
          window.events['app.changed'](() =>
            requestAnimationFrame(() =>
              resolve({
                html: document.body.outerHTML,
                title: document.title,
                colour: document.documentElement.dataset['serverColour'],
              }),
            ),
          );
        }),
    );
    await page.evaluate(() => undefined);
    await stub.send(locked);
    const { html, title, colour } = await frame;
    expect(html).toContain('Locked');
    expect(html).not.toMatch(/ana|Prueba|Shop|shop\.example|role="dialog"/i);
    expect(title).toBe('Locked – Llavero');
    expect(colour).toBeUndefined();
  });

  it('asks for the PIN, says what is wrong with it, and opens', async () => {
    await stub.start(profile);
    await stub.send(locked);
    await seen(heading());
    await seen(page.getByText('Locked because the computer was idle.'));
    const pin = page.getByLabel('PIN', { exact: true });
    // Before any mistake, nothing is said of tries.
    expect(await page.getByText(/Tries left/).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Show PIN' }).count()).toBe(1);
    await expect.poll(() => pin.evaluate((input) => input === document.activeElement)).toBe(true);
    await stub.fails('lock.unlock', { kind: 'wrong-pin', triesLeft: 4 });
    await pin.fill('0000');
    await pin.press('Enter');
    expect(await (await seen(page.getByRole('alert'))).innerText()).toMatch(
      /Wrong PIN\. Tries left: 4, then .* are removed from this computer/,
    );
    expect(await pin.inputValue()).toBe('');
    // It is typed again at once.
    await hasFocus(pin);
    await stub.answer('lock.unlock', { state: { ...firstStart, ...profile } });
    await pin.fill('1234');
    await page.getByRole('button', { name: 'Unlock', exact: true }).click();
    await seen(page.getByRole('heading', { name: 'Details' }));
    await expect.poll(() => stub.callsOf('lock.unlock')).toEqual([{ pin: '0000' }, { pin: '1234' }]);
  });

  it('is left without the PIN once the person agreed', async () => {
    await stub.start(profile);
    await stub.send(locked);
    const forgot = page.getByRole('button', { name: 'Forgot PIN: log out instead' });
    await forgot.click();
    await hasFocus(page.getByRole('button', { name: 'Keep the sessions' }));
    await page.keyboard.press('Escape');
    await expectNotAsked('lock.resetForgottenPin');
    await forgot.click();
    await stub.answer('lock.resetForgottenPin', {
      state: { ...firstStart, session: { step: 'signed-out', notice: { kind: 'pin-forgotten' } } },
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click();
    await seen(page.getByText('Sessions removed.'));
  });

  it('without a PIN asks for a press', async () => {
    await stub.start();
    await stub.send({ ...locked, pin: false });
    await seen(heading());
    await page.keyboard.press('Enter');
    await expect.poll(() => stub.callsOf('lock.unlock')).toEqual([{}]);
  });

  it('keeps language and theme, and no way to anything else', async () => {
    await stub.start();
    await stub.send(locked);
    await seen(heading());
    await page.getByRole('button', { name: 'Settings' }).click();
    await seen(page.getByRole('menuitemradio', { name: 'Español' }));
    expect(await page.getByRole('menuitem').count()).toBe(0);
  });
});

describe('where tokens are', () => {
  it.each([
    [{ state: 'protected', backend: 'gnome_libsecret', unreadable: 0, before: [] }, /protected by GNOME Keyring/],
    [{ state: 'protected', backend: 'kwallet6', unreadable: 0, before: [] }, /protected by KWallet/],
    [{ state: 'protected', backend: 'secret-service', unreadable: 0, before: [] }, /protected by the system keyring/],
    [{ state: 'protected', backend: 'keychain', unreadable: 0, before: [] }, /protected by the macOS Keychain/],
    [{ state: 'protected', backend: 'dpapi', unreadable: 0, before: [] }, /protected by Windows \(DPAPI\)/],
    [
      { state: 'protected', backend: 'dpapi', unreadable: 1, before: [] },
      /unreadable after a keyring change: 1\. They are kept aside/,
    ],
    [
      { state: 'protected', backend: 'gnome_libsecret', unreadable: 2, before: ['kwallet5'] },
      /encrypted by KWallet, unreadable for GNOME Keyring: 2\./,
    ],
    [{ state: 'not-asked' }, /No sessions to protect yet/],
    [{ state: 'locked' }, /keyring is locked or not responding/],
    [{ state: 'memory-only', reason: 'no-keyring' }, /Memory only: no keyring/],
    [{ state: 'memory-only', reason: 'keyring-failed' }, /Memory only: .* failed/],
    [{ state: 'memory-only', reason: 'file-unreadable' }, /Memory only: the encrypted sessions file/],
  ] as const)('is said in words: %o', async (vault, words) => {
    await stub.start({ vault: 'before' in vault ? { ...vault, before: [...vault.before] } : vault });
    // The bar says it in a few words, and behind the press in sentences.
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: /^(?:No s|S)essions|^Memory only/ })
      .click();
    const explained = page.getByRole('dialog');
    await seen(explained.getByText(words));
    expect(await explained.getByRole('button', { name: 'Try again' }).count()).toBe(
      vault.state === 'protected' || vault.state === 'not-asked' ? 0 : 1,
    );
  });

  it('can be asked for again where a session waits for it', async () => {
    await stub.start({
      vault: { state: 'locked' },
      session: { step: 'signed-out', notice: { kind: 'vault-locked' } },
    });
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => stub.callsOf('vault.retry')).toHaveLength(1);
  });
});
