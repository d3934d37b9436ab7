import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import {
  alertText,
  ana,
  createAccount,
  expectProfile,
  heading,
  logIn,
  logOut,
  seen,
  useServer,
} from '../../support/screens.ts';

const certificateFor = (name: string) => makeCertificate({ commonName: name, names: ['127.0.0.2'] });

describe('a server whose certificate nobody vouches for', () => {
  it('is shown with its certificate, gets nothing until that is trusted, and may not change it', async () => {
    const certificate = certificateFor('staging of the tests');
    const foreign = await startForeignServer({ tls: certificate });
    const { page } = await launchApp();
    await useServer(page, foreign.baseUrl);
    await logIn(page, ana);
    expect(await alertText(page)).toContain('127.0.0.2');
    const main = page.getByRole('main');
    expect(await main.innerText()).toContain('staging of the tests');
    expect(await main.innerText()).toContain(certificate.sha256);
    expect(foreign.calls).toEqual([]);

    await page.getByRole('button', { name: 'Trust this certificate for this server' }).click();
    await seen(page.getByText(/trusted for this server now/));
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await seen(page.getByText(/trusted by one certificate that you chose/));

    const { port } = foreign;
    await foreign.stop();
    const other = await startForeignServer({ tls: certificateFor('somebody else'), port });
    await page.getByRole('button', { name: 'Check again', exact: true }).click();
    await seen(page.getByText(/another certificate than the one you trusted/));
    expect(other.calls).toEqual([]);
  });

  it('is refused again once it is no longer trusted', async () => {
    const foreign = await startForeignServer({ tls: certificateFor('staging of the tests') });
    const { page } = await launchApp();
    await useServer(page, foreign.baseUrl);
    await logIn(page, ana);
    await page.getByRole('button', { name: 'Trust this certificate for this server' }).click();
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await logOut(page);
    const before = foreign.calls.length;
    await page.getByRole('button', { name: 'Stop trusting it' }).click();
    await logIn(page, ana);
    expect(await alertText(page)).toContain('127.0.0.2');
    await seen(heading(page, 'Log in'));
    expect(foreign.calls.length).toBe(before);
  });
});
