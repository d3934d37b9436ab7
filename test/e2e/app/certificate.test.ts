import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import {
  alertText,
  ana,
  answerQuestions,
  askAgain,
  createAccount,
  expectProfile,
  heading,
  logIn,
  logOut,
  questionsOf,
  seen,
  useServer,
} from '../../support/screens.ts';

const certificateFor = (name: string) => makeCertificate({ commonName: name, names: ['127.0.0.2'] });

describe('a server whose certificate nobody vouches for', () => {
  it('is shown with its certificate, gets nothing until that is trusted, and may not change it', async () => {
    const certificate = certificateFor('staging of the tests');
    const foreign = await startForeignServer({ tls: certificate });
    const { page, app } = await launchApp();
    await useServer(page, foreign.baseUrl);
    await logIn(page, ana);
    expect(await alertText(page)).toContain('127.0.0.2');
    const main = page.getByRole('main');
    expect(await main.innerText()).toContain('staging of the tests');
    expect(await main.innerText()).toContain(certificate.sha256);
    expect(foreign.calls).toEqual([]);

    const trust = page.getByRole('button', { name: 'Trust this certificate for this server' });
    await answerQuestions(app, false);
    await trust.click();
    await seen(page.getByText('Cancelled.'));
    await trust.click();
    await seen(page.getByText(/choose File › Ask me again/));
    expect(await questionsOf(app)).toEqual([
      expect.objectContaining({
        message: `Trust this certificate for ${foreign.host}:${foreign.port}?`,
        detail: expect.stringContaining(`SHA-256: ${certificate.sha256}`),
        defaultId: 1,
        cancelId: 1,
      }),
    ]);
    await askAgain(app);
    await answerQuestions(app, true);
    await trust.click();
    await seen(page.getByText(/trusted for this server now/));
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await seen(page.getByText(/You, not an authority, trust this server's certificate/));

    const { port } = foreign;
    await foreign.stop();
    const other = await startForeignServer({ tls: certificateFor('somebody else'), port });
    await page.getByRole('button', { name: 'Check again', exact: true }).click();
    await seen(page.getByText(/a different certificate from the one you trusted/));
    expect(other.calls).toEqual([]);
  });

  it('is refused again once it is no longer trusted', async () => {
    const foreign = await startForeignServer({ tls: certificateFor('staging of the tests') });
    const { page, app } = await launchApp();
    await answerQuestions(app, true);
    await useServer(page, foreign.baseUrl);
    await logIn(page, ana);
    await page.getByRole('button', { name: 'Trust this certificate for this server' }).click();
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await logOut(page);
    const before = foreign.calls.length;
    await page.getByRole('button', { name: 'Own certificate' }).click();
    await page.getByRole('button', { name: 'Stop trusting it' }).click();
    await logIn(page, ana);
    expect(await alertText(page)).toContain('127.0.0.2');
    await seen(heading(page, 'Log in'));
    expect(foreign.calls.length).toBe(before);
  });
});
