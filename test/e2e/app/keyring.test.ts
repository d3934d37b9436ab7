import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { startKeyring } from '../../support/keyring.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { ana, createAccount, expectProfile, heading, logOut, seen, useServer } from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

/** Ana is logged in to a foreign server, the keyring has her token, and the application has been closed. */
async function signedInBefore() {
  const foreign = await startForeignServer();
  const userDataDir = await makeProfile();
  const { env } = await startKeyring();
  const open = () => launchApp({ userDataDir, env, args: ['--password-store=gnome-libsecret'] });
  const first = await open();
  await useServer(first.page, foreign.baseUrl);
  await createAccount(first.page, ana);
  await expectProfile(first.page, ana);
  await first.quit();
  return { foreign, userDataDir, open };
}

describe('with a real keyring', () => {
  it('the session is there again after a restart, and no file contains the token', async () => {
    const { foreign, userDataDir, open } = await signedInBefore();
    const [token] = foreign.tokens.keys();
    expect(token).toMatch(/^\d+\|/);
    expect(await filesContaining(userDataDir, token!)).toEqual([]);
    expect(await filesContaining(userDataDir, token!.split('|')[1]!)).toEqual([]);
    expect(await filesContaining(userDataDir, ana.password)).toEqual([]);

    const second = await open();
    await expectProfile(second.page, ana);
    expect(foreign.calls.at(-1)).toMatchObject({
      path: '/app/api/v1/auth/perfil',
      headers: { authorization: `Bearer ${token}` },
    });
    await logOut(second.page);
    expect(foreign.tokens.size).toBe(0);
  });

  it('the session with the embedded service survives a restart, wherever it listens', async () => {
    const userDataDir = await makeProfile();
    const { env } = await startKeyring();
    const open = () => launchApp({ userDataDir, env, args: ['--password-store=gnome-libsecret'] });
    const first = await open();
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    const address = await first.page.evaluate(() => window.api.app.state(undefined));
    await first.quit();

    const { port } = new URL(
      address.ok && !address.value.locked && address.value.service.state === 'running'
        ? address.value.service.baseUrl
        : '',
    );
    // Takes the port of the first start, so that the second one gets another.
    const inTheWay = await startForeignServer({ host: '127.0.0.1', port: Number(port) });
    const second = await open();
    await expectProfile(second.page, ana);
    await seen(second.page.getByText(/Checked/));
    expect(inTheWay.calls).toEqual([]);
  });

  it('a session that the server no longer knows ends with a word about it', async () => {
    const { foreign, open } = await signedInBefore();
    foreign.tokens.clear();

    const second = await open();
    await seen(heading(second.page, 'Log in'));
    await seen(second.page.getByText(/session.*ended/i));
    expect(await second.page.getByLabel('Email', { exact: true }).inputValue()).toBe(ana.email);
  });

  it('a server that is down at start does not end the session', async () => {
    const { foreign, open } = await signedInBefore();
    await foreign.stop();

    const second = await open();
    await expectProfile(second.page, ana);
    await seen(second.page.getByText(/could not be checked/i));
    await second.quit();
    const third = await open();
    await expectProfile(third.page, ana);
  });
});
