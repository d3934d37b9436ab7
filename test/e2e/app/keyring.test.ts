import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { startKeyring } from '../../support/keyring.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { ana, createAccount, expectProfile, heading, logOut, seen, useServer } from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const args = ['--password-store=gnome-libsecret'];

describe('with a real keyring', () => {
  it('the session is there again after a restart, and no file contains the token', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const { env } = await startKeyring();

    const first = await launchApp({ userDataDir, env, args });
    await useServer(first.page, foreign.baseUrl);
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    await first.quit();
    const [token] = foreign.tokens.keys();
    expect(token).toMatch(/^\d+\|/);
    expect(await filesContaining(userDataDir, token!)).toEqual([]);
    expect(await filesContaining(userDataDir, token!.split('|')[1]!)).toEqual([]);
    expect(await filesContaining(userDataDir, ana.password)).toEqual([]);

    const second = await launchApp({ userDataDir, env, args });
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
    // Takes the port that the first start would like, so that the second start has another one.
    const first = await launchApp({ userDataDir, env, args });
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    const address = await first.page.evaluate(() => window.api.app.state(undefined));
    await first.quit();

    const { port } = new URL(
      address.ok && address.value.service.state === 'running' ? address.value.service.baseUrl : '',
    );
    const inTheWay = await startForeignServer({ host: '127.0.0.1', port: Number(port) });
    const second = await launchApp({ userDataDir, env, args });
    await expectProfile(second.page, ana);
    await seen(second.page.getByText(/Checked/));
    expect(inTheWay.calls).toEqual([]);
  });

  it('a session that the server no longer knows ends with a word about it', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const { env } = await startKeyring();
    const first = await launchApp({ userDataDir, env, args });
    await useServer(first.page, foreign.baseUrl);
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    await first.quit();
    foreign.tokens.clear();

    const second = await launchApp({ userDataDir, env, args });
    await seen(heading(second.page, 'Log in'));
    await seen(second.page.getByText(/session.*ended/i));
    expect(await second.page.getByLabel('Email', { exact: true }).inputValue()).toBe(ana.email);
  });

  it('a server that is down at start does not end the session', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const { env } = await startKeyring();
    const first = await launchApp({ userDataDir, env, args });
    await useServer(first.page, foreign.baseUrl);
    await createAccount(first.page, ana);
    await expectProfile(first.page, ana);
    await first.quit();
    await foreign.stop();

    const second = await launchApp({ userDataDir, env, args });
    await expectProfile(second.page, ana);
    await seen(second.page.getByText(/could not be checked/i));
    await second.quit();
    const third = await launchApp({ userDataDir, env, args });
    await expectProfile(third.page, ana);
  });
});
