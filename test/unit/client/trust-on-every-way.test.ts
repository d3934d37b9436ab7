import type { LookupFunction } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionSettings, type ProxyAddress } from '../../../preload/contract/connection.ts';
import { AppError } from '../../../preload/contract/result.ts';
import { appErrorOfFailure } from '../../../main/client/map-error.ts';
import { createTransport, type TransportOptions } from '../../../main/client/transport.ts';
import { encryptedKeyOf, makeCertificate, pfxOf } from '../../support/certificates.ts';
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts';
import { answer, startRecordingServer, type RecordingServer } from '../../support/recording-server.ts';
import { writeFiles } from '../../support/temporary-folder.ts';

const name = 'api.example.test';
const authority = makeCertificate({ commonName: 'Private Authority', isAuthority: true });
const strangeAuthority = makeCertificate({ commonName: 'Strange Authority', isAuthority: true });
const signed = makeCertificate({ commonName: name, names: [name, '127.0.0.1'], signedBy: authority });
const selfSigned = makeCertificate({ commonName: name, names: [name] });
const strange = makeCertificate({ commonName: name, names: [name], signedBy: strangeAuthority });
const otherHost = makeCertificate({ commonName: name, names: ['www.example.test'], signedBy: authority });
const expired = makeCertificate({ commonName: name, names: [name], signedBy: authority, validDays: [-30, -1] });
const early = makeCertificate({ commonName: name, names: [name], signedBy: authority, validDays: [1, 30] });
const selfSignedExpiredElsewhere = makeCertificate({
  commonName: 'elsewhere',
  names: ['elsewhere.test'],
  validDays: [-30, -1],
});
const person = makeCertificate({ commonName: 'Ana', signedBy: authority });
const stranger = makeCertificate({ commonName: 'Eve', signedBy: strangeAuthority });
const passphrase = 'contraseña larga';
const login = { username: 'ana', password: 'p:ä ß' };

type Settings = Partial<ConnectionSettings>;
type Trust = { options?: TransportOptions; settings?: Settings };

const trustsNothing: Trust = { options: { systemCertificates: () => [] } };
const trustsSystem: Trust = { options: { systemCertificates: () => [authority.cert] } };
const trustsAuthority: Trust = { ...trustsNothing, settings: { authority: { pem: authority.cert } } };

/** Every way to a server. The proxies know the server's name, and for a direct way it is looked up here. */
const routes: [name: string, prepare: () => Promise<{ trust: Trust; proxy?: string; asked?: string[] }>][] = [
  ['directly', async () => ({ trust: {} })],
  ['through an HTTP proxy, by CONNECT', async () => manual(await startHttpProxy())],
  ['through an HTTP proxy that wants credentials', async () => manual(await startHttpProxy({ login }), login)],
  ['through an HTTPS proxy', async () => manual(await startHttpProxy({ tls: proxyCertificate }))],
  ['through SOCKS 5', async () => manual(await startSocksProxy())],
  ['through SOCKS 5 that wants credentials', async () => manual(await startSocksProxy({ login }), login)],
  [
    "by the system's proxy settings",
    async () => {
      const { proxy, asked } = await startHttpProxy();
      const resolveProxy = async (): Promise<string> => `PROXY ${proxy.host}:${proxy.port}; DIRECT`;
      return { trust: { options: { resolveProxy } }, proxy: text(proxy), asked };
    },
  ],
  [
    'by a PAC script',
    async () => {
      const { proxy, asked } = await startSocksProxy();
      const resolveProxy = async (_origin: string, pacUrl?: string): Promise<string> =>
        pacUrl === 'http://pac.test/proxy.pac' ? `SOCKS5 ${proxy.host}:${proxy.port}` : 'DIRECT';
      const pac = { mode: 'pac' as const, url: 'http://pac.test/proxy.pac' };
      return { trust: { options: { resolveProxy }, settings: { proxy: pac } }, proxy: text(proxy), asked };
    },
  ],
];

/** This authority counts as a public one in the tests: it is trusted with every trust below. */
const proxyAuthority = makeCertificate({ commonName: 'Authority of proxies', isAuthority: true });
const proxyCertificate = makeCertificate({ commonName: 'proxy', names: ['127.0.0.1'], signedBy: proxyAuthority });

const text = ({ scheme, host, port }: ProxyAddress): string => `${scheme}://${host}:${port}`;

function manual({ proxy, asked }: { proxy: ProxyAddress; asked: string[] }, credentials?: typeof login) {
  const settings: Settings = {
    proxy: {
      mode: 'manual',
      proxy,
      noProxy: ['elsewhere.test'],
      ...(credentials && { username: credentials.username }),
    },
  };
  const options: TransportOptions = { proxyPassword: async () => credentials?.password };
  return { trust: { settings, options }, proxy: text(proxy), asked };
}

const lookup: LookupFunction = (hostname, { all }, callback) => {
  expect(hostname).toBe(name);
  process.nextTick(() =>
    all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  );
};

/** Sends a secret to a server with this certificate, and says what became of it. */
async function attempt(prepare: (typeof routes)[number][1], trust: Trust, tls: TlsOptions) {
  const server = await startRecordingServer(() => answer(200, 'welcome'), tls);
  const route = await prepare();
  const systemCertificates = trust.options?.systemCertificates ?? (() => []);
  const transport = createTransport({
    lookup,
    ...route.trust.options,
    ...trust.options,
    systemCertificates: () => [proxyAuthority.cert, ...systemCertificates()],
    connection: ConnectionSettings.parse({ ...route.trust.settings, ...trust.settings }),
  });
  onTestFinished(async () => {
    transport.close();
    await server.close();
  });
  const url = `https://${name}:${server.port}/login`;
  const result = await transport.send({ method: 'POST', url, headers: [], body: 'a secret' });
  expect(route.asked).toEqual(route.proxy && [`${name}:${server.port}`]);
  expect(result.call.proxy).toBe(route.proxy);
  return { server, result };
}

async function clientCertificate(form: 'pem' | 'pem with a passphrase' | 'pfx', identity = person): Promise<Trust> {
  const files = await writeFiles({
    'client.pem': identity.cert,
    'client.key': identity.key,
    'sealed.key': encryptedKeyOf(identity, passphrase),
    'client.pfx': pfxOf(identity, passphrase),
  });
  const keyFile = form === 'pem' ? files['client.key'] : files['sealed.key'];
  return {
    options: { ...trustsSystem.options, ...(form !== 'pem' && { passphrase: async () => passphrase }) },
    settings: {
      clientCertificate:
        form === 'pfx'
          ? { form: 'pfx', file: files['client.pfx'] }
          : { form: 'pem', certificateFile: files['client.pem'], keyFile },
    },
  };
}

/** Expects that all connections are over, and that nothing came within TLS. */
async function expectSilence(server: RecordingServer): Promise<void> {
  await expect.poll(() => server.openConnections()).toBe(0);
  expect(server.receivedBytes()).toBe(0);
}

const asksForCertificate: TlsOptions = { ...signed, ca: [authority.cert], requestCert: true, rejectUnauthorized: true };

const good: [name: string, trust: () => Promise<Trust>, tls: TlsOptions][] = [
  ['an authority of the system', async () => trustsSystem, signed],
  ['a private authority in text', async () => trustsAuthority, signed],
  [
    'a private authority in a file',
    async () => {
      const files = await writeFiles({ 'ca.pem': `Some words\n${strangeAuthority.cert}\n${authority.cert}` });
      return { ...trustsNothing, settings: { authority: { file: files['ca.pem'] } } };
    },
    signed,
  ],
  ['a pin', async () => ({ ...trustsNothing, settings: { pins: [selfSigned.sha256] } }), selfSigned],
  ['one of two pins', async () => ({ settings: { pins: [strange.sha256, selfSigned.sha256] } }), selfSigned],
  [
    'a pin on an expired certificate for another name',
    async () => ({ ...trustsNothing, settings: { pins: [selfSignedExpiredElsewhere.sha256] } }),
    selfSignedExpiredElsewhere,
  ],
  ['a client certificate in PEM', () => clientCertificate('pem'), asksForCertificate],
  [
    'a client certificate in PEM with a passphrase',
    () => clientCertificate('pem with a passphrase'),
    asksForCertificate,
  ],
  ['a client certificate in PFX', () => clientCertificate('pfx'), asksForCertificate],
];

const bad: [name: string, trust: () => Promise<Trust>, tls: TlsOptions, problem: string][] = [
  ['a self-signed certificate', async () => trustsSystem, selfSigned, 'self-signed'],
  ['an unknown authority', async () => trustsSystem, strange, 'unknown-issuer'],
  ['a private authority that is not chosen', async () => trustsNothing, signed, 'unknown-issuer'],
  ['another host', async () => trustsAuthority, otherHost, 'wrong-host'],
  ['an expired certificate', async () => trustsAuthority, expired, 'expired'],
  ['a certificate of tomorrow', async () => trustsAuthority, early, 'not-yet-valid'],
  [
    'another certificate than the pinned one',
    async () => ({ ...trustsNothing, settings: { pins: [strange.sha256] } }),
    selfSigned,
    'changed',
  ],
  [
    'a good certificate that is not the pinned one',
    async () => ({ ...trustsSystem, settings: { pins: [selfSigned.sha256] } }),
    signed,
    'changed',
  ],
];

describe.each(routes)('a server reached %s', (_route, prepare) => {
  it.each(good)('is trusted by %s', async (by, trust, tls) => {
    const { server, result } = await attempt(prepare, await trust(), tls);
    expect(result).toMatchObject({
      ok: true,
      response: { status: 200, body: 'welcome' },
      call: {
        security: { protocol: 'TLSv1.3', pinned: by.includes('pin'), certificate: { validTo: expect.any(String) } },
      },
    });
    expect(server.requests.map(({ body }) => body)).toEqual(['a secret']);
  });

  it.each(bad)('gets no byte of a request when it shows %s', async (_case, trust, tls, problem) => {
    const { server, result } = await attempt(prepare, await trust(), tls);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'tls', host: `${name}:${server.port}`, problem } });
    await expectSilence(server);
    const error = result.ok ? undefined : AppError.parse(appErrorOfFailure(result.failure));
    const sha256 = error?.kind === 'tls' ? error.certificate?.sha256 : undefined;
    expect([selfSigned, strange, signed, otherHost, expired, early].map((each) => each.sha256)).toContain(sha256);
  });

  it('reads no request without the client certificate it asks for', async () => {
    const { server, result } = await attempt(prepare, trustsSystem, asksForCertificate);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'tls', problem: 'client-certificate' } });
    await expectSilence(server);
  });

  it("reads no request with a stranger's client certificate", async () => {
    const { server, result } = await attempt(prepare, await clientCertificate('pem', stranger), asksForCertificate);
    expect(result.ok).toBe(false);
    await expectSilence(server);
  });
});
