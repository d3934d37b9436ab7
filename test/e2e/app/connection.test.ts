import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificate, pfxOf } from '../../support/certificates.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts';
import { portOf } from '../../support/recording-server.ts';
import {
  hasFocus,
  ana,
  createAccount,
  expectProfile,
  expectServer,
  heading,
  seen,
  typeInto,
} from '../../support/screens.ts';
import { writeFiles } from '../../support/temporary-folder.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const room = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Rooms' }).getByRole('button', { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function newServer(page: Page, name: string, address: string): Promise<void> {
  await seen(heading(page, 'Log in'));
  await room(page, 'Servers');
  await button(page, 'New server').click();
  await field(page, 'Server name').fill(name);
  await typeInto(field(page, 'Address'), address);
  for (const fold of ['Proxy', 'Certificates']) await page.locator('summary').filter({ hasText: fold }).click();
}

async function saveAndUse(page: Page, name: string): Promise<void> {
  await button(page, 'Save').click();
  await button(page, `Use ${name}`).click();
  // What is filled in before the server changes belongs to the server that was used until then.
  await expectServer(page, name);
  await room(page, 'Account');
}

/** Starts a server whose name leads nowhere but through a proxy of the tests. */
async function startBehindProxy(tls?: Parameters<typeof startForeignServer>[0]) {
  const foreign = await startForeignServer({ host: '127.0.0.1', ...tls });
  return { ...foreign, baseUrl: foreign.baseUrl.replace('127.0.0.1', 'shop.test') };
}

describe('a server behind a proxy', () => {
  it.each(['http', 'socks5'] as const)('is used through it, with a password: %s', async (scheme) => {
    const login = { username: 'ana', password: 'secret of the proxy' };
    const foreign = await startBehindProxy();
    const proxy = await (scheme === 'http' ? startHttpProxy({ login }) : startSocksProxy({ login }));
    const { page, userDataDir, quit } = await launchApp();
    await newServer(page, 'Shop', foreign.baseUrl);
    await field(page, 'Proxy').selectOption('Manual');
    await field(page, 'Proxy address').fill('not an address');
    await button(page, 'Save').click();
    await seen(page.getByText('This is not the address of a proxy.'));
    await hasFocus(field(page, 'Proxy address'));

    await typeInto(field(page, 'Proxy address'), `${scheme}://127.0.0.1:${proxy.proxy.port}`);
    await field(page, 'User name at the proxy').fill(login.username);
    await button(page, 'Test connection').click();
    await seen(page.getByText(/asks for a user name and a password, or does not accept/));
    await field(page, 'Password at the proxy').fill(login.password);
    await button(page, 'Test connection').click();
    await seen(page.getByText('It asks for a login, as expected.'));
    await saveAndUse(page, 'Shop');
    await seen(page.getByText(/The connection to this server is not encrypted/));
    await createAccount(page, ana);
    await expectProfile(page, ana);
    expect(new Set(proxy.asked)).toEqual(new Set([`shop.test:${foreign.port}`]));
    await quit();
    const config = await readFile(path.join(userDataDir, 'config.json'), 'utf8');
    expect(config).toContain(`"port": ${proxy.proxy.port}`);
    expect(config).not.toContain(login.password);
  });

  it('is reached through the proxy that a PAC script names', async () => {
    const foreign = await startBehindProxy();
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
    await newServer(page, 'Shop', foreign.baseUrl);
    await field(page, 'Proxy').selectOption('Automatic (PAC script)');
    await typeInto(field(page, 'Address of the script'), `http://127.0.0.1:${portOf(script)}/proxy.pac`);
    await saveAndUse(page, 'Shop');
    await createAccount(page, ana);
    await expectProfile(page, ana);
    expect(proxy.asked).toContain(`shop.test:${foreign.port}`);
  });
});

describe('a server with a private authority that asks for a client certificate', () => {
  it('is reached once both are chosen; a wrong passphrase is said and saves nothing', async () => {
    const authority = makeCertificate({ commonName: 'Authority of the tests', isAuthority: true });
    const certificate = makeCertificate({ commonName: 'Server', names: ['127.0.0.2'], signedBy: authority });
    const client = makeCertificate({ commonName: 'Ana', signedBy: authority });
    const foreign = await startForeignServer({
      tls: { ...certificate, requestCert: true, rejectUnauthorized: true, ca: authority.cert },
    });
    const files = await writeFiles({ 'ca.pem': authority.cert, 'me.pfx': pfxOf(client, 'open sesame') });
    const { page, app } = await launchApp();
    await newServer(page, 'Shop', foreign.baseUrl);
    await button(page, 'Test connection').click();
    await seen(page.getByText(/issued by an authority that this computer does not know/));

    const willChoose = (file: string) =>
      app.evaluate(({ dialog }, chosen) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
      }, file);
    await willChoose(files['ca.pem']);
    await button(page, 'Choose… Private CA certificate').press('Enter');
    await expect.poll(() => field(page, 'Private CA certificate').inputValue()).toBe(files['ca.pem']);
    await button(page, 'Test connection').click();
    await seen(page.getByText(/asks for a client certificate, or does not accept yours/));

    await field(page, 'Client certificate').selectOption('One file for both (PFX, PKCS #12)');
    await willChoose(files['me.pfx']);
    await button(page, 'Choose… PFX file').press('Enter');
    await expect.poll(() => field(page, 'PFX file').inputValue()).toBe(files['me.pfx']);
    await field(page, 'Passphrase').fill('guess');
    await button(page, 'Save').click();
    await seen(page.getByText('The passphrase of the client certificate is wrong.'));
    expect(await field(page, 'PFX file').inputValue()).toBe(files['me.pfx']);
    await field(page, 'Passphrase').fill('open sesame');
    await saveAndUse(page, 'Shop');
    await createAccount(page, ana);
    await expectProfile(page, ana);
    expect(foreign.calls.length).toBeGreaterThan(1);
  });
});
