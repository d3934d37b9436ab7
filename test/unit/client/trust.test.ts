import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionSettings } from '../../../preload/contract/connection.ts';
import { createTransport, type TransportOptions } from '../../../main/client/transport.ts';
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
  [
    'an authority that is none',
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
    'a certificate that is none',
    (f) => pem(f['junk.txt'], f['client.key']),
    undefined,
    'client-certificate-content',
    'junk.txt',
  ],
  [
    'a key that is none',
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
  ['a PFX that is none', (f) => pfx(f['junk.txt']), 'right', 'client-certificate-content', 'junk.txt'],
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
      failure: { kind: 'tls', problem: 'handshake' },
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
