import { describe, expect, it } from 'vitest';
import { readDatabaseUrl } from '../../../../main/service/stores/postgres/database-url.ts';

describe('the URL of a database', () => {
  it.each([
    ['postgres://ada:s%40crt@db.example:6543/accounts', { host: 'db.example', port: 6543, password: 's@crt' }],
    ['postgresql://ada@db.example/accounts', { user: 'ada', port: 5432, tls: 'verify-full', at: 'db.example:5432' }],
    ['postgres://localhost/accounts', { host: 'localhost', tls: 'disable' }],
    ['postgres://127.0.0.1/accounts?sslmode=require', { tls: 'require' }],
    ['postgres://[::1]:5433/my%20accounts', { host: '::1', database: 'my accounts', tls: 'disable', at: '[::1]:5433' }],
    ['postgres://db/a?sslmode=disable', { tls: 'disable' }],
    ['postgres://db/a?sslmode=require&sslrootcert=/a/b.pem', { tls: 'verify-ca', rootCertificate: '/a/b.pem' }],
    ['postgres://db/a?sslmode=verify-full&sslrootcert=/a/b.pem', { tls: 'verify-full', rootCertificate: '/a/b.pem' }],
  ])('%s is read', (text, url) => {
    expect(readDatabaseUrl(text)).toMatchObject({ ok: true, url });
  });

  it.each([
    ['', /must have the form/],
    ['db.example/accounts', /must have the form/],
    ['https://ada:secret@db.example/accounts', /must have the form/],
    ['postgres://ada:secret@db:99999/accounts', /must have the form/],
    ['postgres://ada:secret@/accounts', /must have the form/],
    ['postgres:///accounts', /must name a host and a database/],
    ['postgres://ada:secret@db', /must name a host and a database/],
    ['postgres://ada:secret@db/', /must name a host and a database/],
    ['postgres://ada:secr#et@db/accounts', /must (have the form|name a host)/],
    ['postgres://ada:secret%@db/a', /"%" that is not followed/],
    ['postgres://ada:secret%ff@db/a', /"%" that is not followed/],
    ['postgres://ada:secret@db/a?sslmode=allow', /^The sslmode .* one of disable, .*verify-full\.$/],
    ['postgres://ada:secret@db/a?sslcert=x', /has a parameter other than sslmode and sslrootcert/],
  ])('%s is refused in one sentence without its password', (text, sentence) => {
    const read = readDatabaseUrl(text);
    expect(read).toEqual({ ok: false, message: expect.stringMatching(sentence) });
    expect(JSON.stringify(read)).not.toContain('secr');
  });
});
