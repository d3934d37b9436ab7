import { describe, expect, it } from 'vitest';
import { ConnectionChoices, type ConnectionInput } from '../../../preload/contract/connection.ts';
import { validateConnectionForm, storedSecretsAfter } from '../../../main/account/servers/server-form.ts';

const nothing: ConnectionInput = {
  proxy: { mode: 'system' },
  authorityFile: '',
  clientCertificate: { form: 'none' },
  limits: { connectSeconds: '', firstByteSeconds: '', totalSeconds: '' },
  secrets: {},
};
const manual = { mode: 'manual', address: 'proxy.test:3128', username: '', noProxy: '' } as const;
const proxied = (proxy: Partial<typeof manual> | { address?: string; username?: string; noProxy?: string }) => ({
  ...nothing,
  proxy: { ...manual, ...proxy },
});
const limits = { connectSeconds: 10, firstByteSeconds: 20, totalSeconds: 30 };

/** The files that a person has chosen. */
const chosen = new Set([
  'authority /etc/ca.pem',
  'certificate /c',
  'key /k',
  'pac file:///etc/proxy.pac',
  'pfx /chosen.pfx',
]);
const parse = (entered: ConnectionInput, before?: Parameters<typeof validateConnectionForm>[2]) =>
  validateConnectionForm(entered, (purpose, file) => chosen.has(`${purpose} ${file}`), before);

describe('a connection as typed', () => {
  it.each<[string, ConnectionInput, ConnectionChoices]>([
    ['nothing typed', nothing, { proxy: { mode: 'system' }, limits }],
    [
      'a proxy, with hosts it is not for',
      proxied({
        address: ' socks5h://[::1]:1081 ',
        username: ' ana ',
        noProxy: 'a.test, *.b.test\n10.0.0.0/8;[::1]:80 *',
      }),
      {
        proxy: {
          mode: 'manual',
          proxy: { scheme: 'socks5', host: '::1', port: 1081 },
          username: 'ana',
          noProxy: ['a.test', '*.b.test', '10.0.0.0/8', '[::1]:80', '*'],
        },
        limits,
      },
    ],
    [
      'a script',
      { ...nothing, proxy: { mode: 'pac', url: ' http://wpad.test/wpad.dat ' } },
      { proxy: { mode: 'pac', url: 'http://wpad.test/wpad.dat' }, limits },
    ],
    [
      'a script that was chosen',
      { ...nothing, proxy: { mode: 'pac', url: 'file:///etc/proxy.pac' } },
      { proxy: { mode: 'pac', url: 'file:///etc/proxy.pac' }, limits },
    ],
    [
      'an authority and a client certificate',
      {
        ...nothing,
        authorityFile: '/etc/ca.pem',
        clientCertificate: { form: 'pem', certificateFile: '/c', keyFile: '/k' },
      },
      {
        proxy: { mode: 'system' },
        authority: { file: '/etc/ca.pem' },
        clientCertificate: { form: 'pem', certificateFile: '/c', keyFile: '/k' },
        limits,
      },
    ],
    [
      'limits, with a comma as in Spanish',
      { ...nothing, limits: { connectSeconds: '1,5', firstByteSeconds: ' 600 ', totalSeconds: '' } },
      { proxy: { mode: 'system' }, limits: { connectSeconds: 1.5, firstByteSeconds: 600, totalSeconds: 30 } },
    ],
  ])('is read: %s', (_what, entered, connection) => {
    expect(parse(entered)).toMatchObject({ ok: true, value: { connection } });
    expect(ConnectionChoices.parse(connection)).toEqual(connection);
  });

  it.each<[string, ConnectionInput, string]>([
    ['no proxy address', proxied({ address: ' ' }), 'proxy'],
    ['a proxy of another kind', proxied({ address: 'ftp://proxy.test' }), 'proxy'],
    ['a proxy with a path', proxied({ address: 'http://proxy.test/path' }), 'proxy'],
    ['a password without a user name', proxied({ address: 'http://:secret@proxy.test' }), 'proxyUsername'],
    ['a user name of 256 characters', proxied({ username: 'a'.repeat(256) }), 'proxyUsername'],
    ['a network with too long a prefix', proxied({ noProxy: '10.0.0.0/33' }), 'noProxy'],
    ['an address among the hosts', proxied({ noProxy: 'http://a.test' }), 'noProxy'],
    ['201 hosts', proxied({ noProxy: 'a '.repeat(201) }), 'noProxy'],
    ['an invalid script', { ...nothing, proxy: { mode: 'pac', url: 'wpad.dat' } }, 'pac'],
    ['a script in the text', { ...nothing, proxy: { mode: 'pac', url: 'data:,x' } }, 'pac'],
    ['a script with a password', { ...nothing, proxy: { mode: 'pac', url: 'http://a:b@wpad.test/' } }, 'pac'],
    ['an authority that nobody chose', { ...nothing, authorityFile: '/etc/passwd' }, 'authorityFile'],
    ['an authority that was chosen as a key', { ...nothing, authorityFile: '/k' }, 'authorityFile'],
    ['a file in another spelling', { ...nothing, authorityFile: '/etc/../etc/ca.pem' }, 'authorityFile'],
    ['a script that nobody chose', { ...nothing, proxy: { mode: 'pac', url: 'FILE:///etc/passwd' } }, 'pac'],
    ['a script at another computer', { ...nothing, proxy: { mode: 'pac', url: 'file://evil.test/x.pac' } }, 'pac'],
    [
      'a key that nobody chose',
      { ...nothing, clientCertificate: { form: 'pem', certificateFile: '/c', keyFile: '/etc/shadow' } },
      'clientCertificate',
    ],
    ['a PFX that nobody chose', { ...nothing, clientCertificate: { form: 'pfx', file: '/c' } }, 'clientCertificate'],
    ['no file', { ...nothing, clientCertificate: { form: 'pfx', file: '' } }, 'clientCertificate'],
    [
      'a certificate without its key',
      { ...nothing, clientCertificate: { form: 'pem', certificateFile: '/c', keyFile: '' } },
      'clientCertificate',
    ],
    ...['0', '601', '-1', 'ten', '1e9', 'Infinity', 'NaN'].map((text): [string, ConnectionInput, string] => [
      `a limit of ${text}`,
      { ...nothing, limits: { ...nothing.limits, totalSeconds: text } },
      'limits',
    ]),
  ])('is refused, with the field named: %s', (_what, entered, field) => {
    expect(parse(entered)).toEqual({ ok: false, error: { kind: 'invalid-connection', field } });
  });
});

describe('the files of a connection that a server has already', () => {
  it('may stay, for what they are there for', () => {
    const files = { authorityFile: '/mine.pem', clientCertificate: { form: 'pfx', file: '/me.pfx' } } as const;
    const before = {
      connection: ConnectionChoices.parse({
        authority: { file: '/mine.pem' },
        clientCertificate: files.clientCertificate,
      }),
      secrets: [],
    };
    expect(parse({ ...nothing, ...files }, before)).toMatchObject({ ok: true });
    expect(parse({ ...nothing, authorityFile: '/me.pfx' }, before)).toMatchObject({ ok: false });
  });
});

describe('the secrets of a connection', () => {
  const withPassword = proxied({ address: 'http://ana:s%20ecret@proxy.test:3128' });
  const before = () => {
    const read = parse(withPassword);
    if (!read.ok) throw new Error('not read');
    return { connection: read.value.connection, secrets: ['proxyPassword'] as const };
  };

  it('are taken out of an address with credentials', () => {
    const read = parse(withPassword);
    expect(read).toMatchObject({
      ok: true,
      value: { connection: { proxy: { username: 'ana' } }, secrets: { proxyPassword: 's ecret' } },
    });
    expect(JSON.stringify(before().connection)).not.toContain('ecret');
  });

  it.each<[string, ConnectionInput, string | undefined]>([
    ['stay while the proxy and the name at it do', proxied({ username: 'ana' }), undefined],
    ['go with another proxy', proxied({ address: 'other.test:3128', username: 'ana' }), ''],
    ['go with another port', proxied({ address: 'proxy.test:3129', username: 'ana' }), ''],
    ['go with another name', proxied({ username: 'eva' }), ''],
    ['go without a name', proxied({}), ''],
    ['go without a proxy', nothing, ''],
    ['go when they are emptied', { ...proxied({ username: 'ana' }), secrets: { proxyPassword: '' } }, ''],
    ['are replaced', { ...proxied({ username: 'eva' }), secrets: { proxyPassword: 'new' } }, 'new'],
  ])('%s', (_what, entered, proxyPassword) => {
    const read = parse(entered, before());
    if (!read.ok) throw new Error('not read');
    expect(read.value.secrets.proxyPassword).toBe(proxyPassword);
    const kept = proxyPassword !== '';
    expect(storedSecretsAfter(read.value.secrets, ['proxyPassword']).includes('proxyPassword')).toBe(kept);
  });

  it('lose the passphrase with the client certificate', () => {
    const pfx = { ...nothing, clientCertificate: { form: 'pfx', file: '/chosen.pfx' } as const };
    const first = parse({ ...pfx, secrets: { passphrase: 'open' } });
    if (!first.ok) throw new Error('not read');
    expect(storedSecretsAfter(first.value.secrets, [])).toEqual(['passphrase']);
    const known = { connection: first.value.connection, secrets: ['passphrase'] as const };
    const same = parse(pfx, known);
    expect(same.ok && storedSecretsAfter(same.value.secrets, ['passphrase'])).toEqual(['passphrase']);
    const none = parse(nothing, known);
    expect(none.ok && storedSecretsAfter(none.value.secrets, ['passphrase'])).toEqual([]);
  });
});
