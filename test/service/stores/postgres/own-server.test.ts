import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../../main/service/stores/postgres/open-postgres.ts';
import { startPostgres } from '../../../../scripts/postgres.mjs';
import { makeCertificate } from '../../../support/certificates.ts';
import { makeSmallDisk } from '../../../support/disks.ts';
import { writeFiles } from '../../../support/temporary-folder.ts';
import { describeWhere } from '../../../support/describe-where.ts';
import { freshDatabase, missingPackage, openStore, sql, urlWith } from './databases.ts';

describeWhere(missingPackage, 'TLS to the database', () => {
  const authority = makeCertificate({ commonName: 'authority', isAuthority: true });
  const other = makeCertificate({ commonName: 'another authority', isAuthority: true });
  const server = makeCertificate({ commonName: 'database', names: ['127.0.0.1'], signedBy: authority });
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    postgres = await startPostgres({ tls: { key: server.key, certificate: server.cert } });
  }, 120_000);
  afterAll(() => postgres.stop());

  const withTls = (search: string, hostname = '127.0.0.1') =>
    Object.assign(new URL(urlWith(postgres.url, { search })), { hostname }).href;
  const encrypted = `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'llavero'`;

  it.each([
    ['disable', '', '127.0.0.1', false],
    ['require', '', '127.0.0.1', true],
    ['require', 'authority', 'localhost', true],
    ['verify-ca', 'authority', 'localhost', true],
    ['verify-full', 'authority', '127.0.0.1', true],
  ])('is as sslmode=%s %s says, at %s', async (mode, root, host, isEncrypted) => {
    const files = await writeFiles({ authority: authority.cert });
    const { accounts } = await openStore(withTls(`sslmode=${mode}${root && `&sslrootcert=${files.authority}`}`, host));
    await accounts.ping();
    expect(await sql(postgres.url, encrypted)).toEqual([{ ssl: isEncrypted }]);
    await accounts.close();
  });

  it.each([
    ['verify-full', '', '127.0.0.1', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['verify-full', 'other', '127.0.0.1', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['verify-ca', 'other', '127.0.0.1', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['require', 'other', '127.0.0.1', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['verify-full', 'authority', 'localhost', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('refuses the server as sslmode=%s %s says, at %s', async (mode, root, host, cause) => {
    const files = await writeFiles({ authority: authority.cert, other: other.cert });
    const rootFile = root && `&sslrootcert=${root === 'other' ? files.other : files.authority}`;
    const port = new URL(postgres.url).port;
    expect(await openPostgres(withTls(`sslmode=${mode}${rootFile}`, host))).toEqual({
      ok: false,
      kind: 'tls-refused',
      message: `The server at ${host}:${port} does not give the TLS of sslmode=${root && mode === 'require' ? 'verify-ca' : mode}: ${cause}.`,
    });
  });
});

describeWhere(missingPackage, 'a database whose disk is full', () => {
  it('refuses what it cannot keep, answers what it has, and goes on when there is room', async (context) => {
    const disk = await makeSmallDisk(context, '12m');
    const place = path.join(disk.folder, 'tablespace');
    mkdirSync(place);
    execFileSync('chown', ['postgres', place]);
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    await sql(postgres.url, `CREATE TABLESPACE small LOCATION '${place}'`);
    const { accounts } = await openStore(await freshDatabase(postgres.url, 'TABLESPACE small'));
    const register = (index: number) =>
      accounts.createAccount({
        name: 'x'.repeat(200),
        email: `${index}@b`,
        emailKey: `${index}@b`,
        passwordHash: 'x',
        createdAtMs: 1,
      });
    const first = await register(0);
    expect(first).toMatchObject({ ok: true });
    const fill = () => {
      for (;;) appendFileSync(path.join(disk.folder, 'filler'), Buffer.alloc(4096));
    };
    expect(fill).toThrow(/ENOSPC/);

    let made = 1;
    const registerAll = async () => {
      for (;;) {
        await register(made);
        made += 1;
      }
    };
    await expect(registerAll()).rejects.toMatchObject({ code: 'LLAVERO_STORE_UNAVAILABLE', reason: 'full' });
    for (const key of ['0@b', `${made - 1}@b`]) expect(await accounts.findLogin(key)).toBeDefined();
    expect(await accounts.findLogin(`${made}@b`)).toBeUndefined();
    disk.free();
    expect(await register(made)).toMatchObject({ ok: true });
  }, 120_000);
});
