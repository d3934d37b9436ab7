import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { startHttpProxy } from '../../support/proxies.ts';
import { portOf } from '../../support/recording-server.ts';
import {
  alertText,
  ana,
  answerQuestions,
  askAgain,
  createAccount,
  expectProfile,
  expectServer,
  pageHeading,
  logIn,
  questionsOf,
  seen,
  enterServer,
} from '../../support/screens.ts';

const certificateFor = (name: string) => makeCertificate({ commonName: name, names: ['127.0.0.2'] });

it('a server whose certificate nobody vouches for is shown with it, gets nothing until that is trusted, and may not change it', async () => {
  const certificate = certificateFor('staging of the tests');
  const foreign = await startForeignServer({ tls: certificate });
  const { page, app } = await launchApp();
  await enterServer(page, foreign.baseUrl);
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
  await seen(page.getByText(/Choose File › Ask me again/));
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
  await seen(page.getByText(/^Certificate trusted for this server/));
  await createAccount(page, ana);
  await expectProfile(page, ana);
  await seen(page.getByText(/You trusted this server’s certificate manually/));

  const { port } = foreign;
  await foreign.stop();
  const other = await startForeignServer({ tls: certificateFor('somebody else'), port });
  await page.getByRole('button', { name: 'Check again', exact: true }).click();
  await seen(page.getByText(/is not the one you trusted/));
  expect(other.calls).toEqual([]);
});

it('a server is reached through the proxy that a PAC script names', async () => {
  const foreign = await startForeignServer({ host: '127.0.0.1' });
  const proxy = await startHttpProxy();
  const script = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ns-proxy-autoconfig' });
    response.end(`function FindProxyForURL(url, host) {
      return host === 'shop.test' ? 'PROXY 127.0.0.1:${proxy.proxy.port}' : 'DIRECT';
    }`);
  });
  await new Promise<void>((resolve) => script.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void script.close());
  const { page } = await launchApp();
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await seen(pageHeading(page, 'Log in'));
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Servers', exact: true }).click();
  await button('New server').click();
  await field('Server name').fill('Shop');
  // The name leads nowhere but through the proxy.
  await field('Address').fill(foreign.baseUrl.replace('127.0.0.1', 'shop.test'));
  await page.locator('summary').filter({ hasText: 'Proxy' }).click();
  await field('Proxy').selectOption('Automatic (PAC script)');
  await field('Script address').fill(`http://127.0.0.1:${portOf(script)}/proxy.pac`);
  await button('Save').click();
  await button('Use Shop').click();
  // What is filled in before the server changes belongs to the server that was used until then.
  await expectServer(page, 'Shop');
  await page.keyboard.press('Alt+1');
  await createAccount(page, ana);
  await expectProfile(page, ana);
  expect(proxy.asked).toContain(`shop.test:${foreign.port}`);
});
