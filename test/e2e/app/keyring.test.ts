import { expect, describe, it } from 'vitest';
import { firstToken, startForeignServer } from '../../support/foreign-server.ts';
import { startEmptyBus } from '../../support/keyring.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { ana, createAccount, expectProfile, logOut, useServer } from '../../support/screens.ts';
import { signedInBefore, vaultWords } from '../../support/signed-in-before.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

describe('with a real keyring', () => {
  it('the session is there again after a restart, and no file contains the token', async () => {
    const { foreign, userDataDir, open } = await signedInBefore();
    const [token] = foreign.tokens.keys();
    expect(token).toBe(firstToken);
    expect(await filesContaining(userDataDir, token!)).toEqual([]);
    expect(await filesContaining(userDataDir, token!.split('|')[1]!)).toEqual([]);
    expect(await filesContaining(userDataDir, ana.password)).toEqual([]);

    const callsBefore = foreign.calls.length;
    const second = await open();
    await expectProfile(second.page, ana);
    // The stored profile is shown while the server is asked.
    await expect
      .poll(() => foreign.calls.slice(callsBefore).at(-1))
      .toMatchObject({
        path: '/app/api/v1/auth/perfil',
        headers: { authorization: `Bearer ${token}` },
      });
    await logOut(second.page);
    await expect.poll(() => foreign.tokens.size).toBe(0);
  });
});

describe('without a keyring', () => {
  it.each([
    ['a bus and a fixed password', async () => (await startEmptyBus()).env, /keyring of this system is not secure/],
    [
      'no bus',
      async () => ({ DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: undefined }),
      /this system offers no keyring/,
    ],
  ] as const)('the token is in no file, and the window says so: %s', async (_what, makeEnv, words) => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const { page, quit } = await launchApp({ userDataDir, env: await makeEnv(), args: ['--password-store=basic'] });
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await vaultWords(page, words);
    await quit();
    const [token] = foreign.tokens.keys();
    expect(await filesContaining(userDataDir, token!.split('|')[1]!)).toEqual([]);
    expect(await filesContaining(userDataDir, '"sealed"')).toEqual([]);
  });
});
