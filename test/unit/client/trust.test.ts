import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionSettings } from '../../../preload/contract/connection.ts';
import { createTransport, type TransportOptions } from '../../../main/client/transport.ts';
import { createTrust } from '../../../main/client/trust.ts';
import { encryptedKeyOf, makeCertificate, pfxOf } from '../../support/certificates.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { writeFiles } from '../../support/temporary-folder.ts';

const authority = makeCertificate({ commonName: 'Private Authority', isAuthority: true });
const signed = makeCertificate({ commonName: 'server', names: ['127.0.0.1'], signedBy: authority });
const person = makeCertificate({ commonName: 'Ana', signedBy: authority });
const other = makeCertificate({ commonName: 'Eve', signedBy: authority });

async function attempt(settings: Partial<ConnectionSettings>, options: TransportOptions = {}) {
  const tls = { ...signed, ca: [authority.cert], requestCert: true, rejectUnauthorized: true };
  const server = await startRecordingServer(() => answer(200), tls);
  const connection = ConnectionSettings.parse(settings);
  const transport = createTransport({ systemCertificates: () => [authority.cert], ...options, connection });
  onTestFinished(async () => {
    transport.close();
    await server.close();
  });
  const send = (signal?: AbortSignal) =>
    transport.send({ method: 'POST', url: server.origin, headers: [], body: 'a secret' }, { signal });
  return { server, send };
}

const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

const files = () =>
  writeFiles({
    'client.pem': person.cert,
    'client.key': person.key,
    'sealed.key': encryptedKeyOf(person, 'right'),
    'client.pfx': pfxOf(person, 'right'),
    'other.key': other.key,
    'junk.txt': 'no certificate at all',
    'broken.pem': damaged,
  });
type Files = Awaited<ReturnType<typeof files>>;

const pem = (certificateFile: string, keyFile: string): Partial<ConnectionSettings> => ({
  clientCertificate: { form: 'pem', certificateFile, keyFile },
});
const pfx = (file: string): Partial<ConnectionSettings> => ({ clientCertificate: { form: 'pfx', file } });

type Case = [
  name: string,
  settings: (files: Files) => Partial<ConnectionSettings>,
  passphrase: string | undefined,
  problem: string,
  file?: keyof Files,
];

const cases: Case[] = [
  ['an authority that is not there', () => ({ authority: { file: '/nowhere/ca.pem' } }), undefined, 'authority-file'],
  ['a device without an end', () => ({ authority: { file: '/dev/zero' } }), undefined, 'authority-file'],
  ['a folder', () => ({ authority: { file: '/' } }), undefined, 'authority-file'],
  [
    'a file that is no authority',
    (f) => ({ authority: { file: f['junk.txt'] } }),
    undefined,
    'authority-content',
    'junk.txt',
  ],
  ['an authority that is damaged', (f) => ({ authority: { file: f['broken.pem'] } }), undefined, 'authority-content'],
  [
    'an authority that is one in part',
    () => ({
      authority: { pem: authority.cert + damaged },
    }),
    undefined,
    'authority-content',
  ],
  ['no text of an authority', () => ({ authority: { pem: '' } }), undefined, 'authority-content'],
  [
    'a certificate that is not there',
    (f) => pem('/nowhere/client.pem', f['client.key']),
    undefined,
    'client-certificate-file',
  ],
  ['a key that is not there', (f) => pem(f['client.pem'], '/nowhere/client.key'), undefined, 'client-certificate-file'],
  [
    'a file that is no certificate',
    (f) => pem(f['junk.txt'], f['client.key']),
    undefined,
    'client-certificate-content',
    'junk.txt',
  ],
  [
    'a file that is no key',
    (f) => pem(f['client.pem'], f['junk.txt']),
    undefined,
    'client-certificate-content',
    'junk.txt',
  ],
  ["somebody else's key", (f) => pem(f['client.pem'], f['other.key']), undefined, 'client-key-mismatch', 'other.key'],
  ['a wrong passphrase', (f) => pem(f['client.pem'], f['sealed.key']), 'wrong', 'passphrase-wrong', 'sealed.key'],
  ['an empty passphrase', (f) => pem(f['client.pem'], f['sealed.key']), '', 'passphrase-wrong'],
  ['no passphrase', (f) => pem(f['client.pem'], f['sealed.key']), undefined, 'passphrase-missing', 'sealed.key'],
  ['a PFX that is not there', () => pfx('/nowhere/client.pfx'), 'right', 'client-certificate-file'],
  ['a file that is no PFX', (f) => pfx(f['junk.txt']), 'right', 'client-certificate-content', 'junk.txt'],
  ['a wrong passphrase of a PFX', (f) => pfx(f['client.pfx']), 'wrong', 'passphrase-wrong', 'client.pfx'],
  ['no passphrase of a PFX', (f) => pfx(f['client.pfx']), undefined, 'passphrase-missing', 'client.pfx'],
];

describe('a setting that cannot be used', () => {
  it.each(cases)('is named, and nothing is connected: %s', async (_case, settings, passphrase, problem, file) => {
    const written = await files();
    const { server, send } = await attempt(settings(written), { passphrase: async () => passphrase });
    const result = await send();
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: 'connection-settings', problem, ...(file && { file: written[file] }) },
    });
    expect(server.connections()).toBe(0);
  });

  it('is asked about again with the next call', async () => {
    const written = await files();
    const answers = ['wrong', 'right'];
    const { send } = await attempt(pfx(written['client.pfx']), { passphrase: async () => answers.shift() });
    expect(await send()).toMatchObject({ failure: { problem: 'passphrase-wrong' } });
    expect(await send()).toMatchObject({ ok: true });
    expect(await send()).toMatchObject({ ok: true });
    expect(answers).toEqual([]);
  });

  it('can be cancelled while the vault is asked', async () => {
    const written = await files();
    const asked = Promise.withResolvers<void>();
    const passphrase = (): Promise<never> => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const controller = new AbortController();
    const { server, send } = await attempt(pfx(written['client.pfx']), { passphrase });
    const sent = send(controller.signal);
    await asked.promise;
    controller.abort();
    expect(await sent).toMatchObject({ failure: { kind: 'cancelled' } });
    expect(server.connections()).toBe(0);
  });
});

describe('a certificate that is refused', () => {
  it('is described as a person needs it, as text', async () => {
    const odd = makeCertificate({
      commonName: 'evil\u202e\u0000, O=Google',
      names: ['a.test', '10.0.0.1', 'x'.repeat(900)],
      validDays: [-1, 1],
    });
    const server = await startRecordingServer(() => answer(200), odd);
    onTestFinished(() => server.close());
    const result = await createTransport({ systemCertificates: () => [] }).send({
      method: 'GET',
      url: server.origin,
      headers: [],
    });
    const certificate = result.ok || result.failure.kind !== 'tls' ? undefined : result.failure.certificate;
    expect(certificate).toMatchObject({
      names: ['a.test', '10.0.0.1', 'x'.repeat(500)],
      sha256: odd.sha256,
    });
    expect(certificate?.subject).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(Date.parse(certificate?.validTo ?? '') - Date.parse(certificate?.validFrom ?? '')).toBe(
      2 * 24 * 3600 * 1000,
    );
  });
});

describe('a server that speaks TLS 1.2 at most', () => {
  it('is talked to, and refuses by a handshake what has no client certificate', async () => {
    const tls = { ...signed, ca: [authority.cert], maxVersion: 'TLSv1.2' as const };
    for (const [requestCert, expected] of [
      [false, { ok: true, call: { security: { protocol: 'TLSv1.2' } } }],
      [true, { ok: false, failure: { kind: 'tls', problem: 'handshake' } }],
    ] as const) {
      const server = await startRecordingServer(() => answer(200), { ...tls, requestCert });
      onTestFinished(() => server.close());
      const transport = createTransport({ systemCertificates: () => [authority.cert] });
      expect(await transport.send({ method: 'POST', url: server.origin, headers: [] })).toMatchObject(expected);
    }
  });

  it('is refused when it speaks less', async () => {
    const tls = { ...signed, minVersion: 'TLSv1' as const, maxVersion: 'TLSv1.1' as const };
    const server = await startRecordingServer(() => answer(200), tls);
    onTestFinished(() => server.close());
    const transport = createTransport({ systemCertificates: () => [authority.cert] });
    expect(await transport.send({ method: 'POST', url: server.origin, headers: [] })).toMatchObject({
      failure: { kind: 'tls', problem: 'version' },
    });
  });
});

describe('the settings of a connection', () => {
  it('have defaults for everything', () => {
    expect(ConnectionSettings.parse({})).toEqual({
      proxy: { mode: 'system' },
      pins: [],
      limits: { connectSeconds: 10, firstByteSeconds: 20, totalSeconds: 30 },
    });
  });

  it.each([
    ['a proxy without a port', { proxy: { mode: 'manual', proxy: { scheme: 'http', host: 'a' } } }],
    ['a proxy of another kind', { proxy: { mode: 'manual', proxy: { scheme: 'ftp', host: 'a', port: 1 } } }],
    ['a PAC script in the address', { proxy: { mode: 'pac', url: 'data:text/plain,x' } }],
    ['a fingerprint of another length', { pins: ['AA:BB'] }],
    ['no time at all', { limits: { connectSeconds: 0 } }],
    ['endless time', { limits: { totalSeconds: Infinity } }],
    ['a key in the settings', { clientCertificate: { form: 'pem', certificateFile: 'a', key: 'secret' } }],
    ['null', null],
  ])('cannot be %s', (_case, settings) => {
    expect(ConnectionSettings.safeParse(settings).success).toBe(false);
  });
});

describe('the authorities that count', () => {
  const context = vi.spyOn(tls, 'createSecureContext');
  const listed = async (options: Parameters<typeof createTrust>[0]): Promise<unknown> => {
    context.mockClear();
    expect(await createTrust(options).forServer()).toMatchObject({ ok: true });
    return context.mock.calls[0]?.[0]?.ca;
  };
  const systemCertificates = (): string[] => [authority.cert];

  it('are on Linux the system’s alone, and the person’s own beside them', async () => {
    expect(await listed({ systemCertificates, platform: 'linux' })).toEqual([authority.cert]);
    const own = { pem: other.cert };
    const listedToo = await listed({ systemCertificates, platform: 'linux', authority: own });
    expect(listedToo).toEqual([authority.cert, other.cert.trim()]);
  });

  it.each([
    ['where a Linux system has none', { systemCertificates: () => [], platform: 'linux' }],
    ['on Windows', { systemCertificates, platform: 'win32' }],
    ['on macOS', { systemCertificates, platform: 'darwin' }],
  ] as const)('are those that come with Electron too, %s', async (_where, options) => {
    expect(await listed(options)).toEqual([...tls.rootCertificates, ...options.systemCertificates()]);
  });

  it('of the system are what Node says, without those that are bundled', async () => {
    const { 'authority.pem': file } = await writeFiles({ 'authority.pem': authority.cert });
    const script = `const tls = require('node:tls'); console.log(JSON.stringify(tls.getCACertificates('system')))`;
    // With certificates of its own to load on another thread, this Node crashes now and then.
    const { NODE_EXTRA_CA_CERTS: _extra, ...inherited } = process.env;
    const env = { ...inherited, SSL_CERT_FILE: file, SSL_CERT_DIR: path.dirname(file) };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
    const found = new Set((JSON.parse(stdout) as string[]).map((pem) => new X509Certificate(pem).fingerprint256));
    expect([...found]).toEqual([authority.sha256]);
  });

  it('are not all, whatever the environment says of refusing', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await startRecordingServer(
      () => answer(200),
      makeCertificate({ commonName: 'x', names: ['127.0.0.1'] }),
    );
    onTestFinished(() => server.close());
    const sent = createTransport({ systemCertificates }).send({ method: 'GET', url: server.origin, headers: [] });
    expect(await sent).toMatchObject({ ok: false, failure: { kind: 'tls', problem: 'self-signed' } });
    expect(server.requests).toEqual([]);
  });
});
