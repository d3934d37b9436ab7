import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, lstat, mkdir, readFile, readdir, rm, symlink, watch, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionChoices } from '../../../preload/contract/connection.ts';
import { openCallDatabase } from '../../../main/tools/calls/call-database.ts';
import { openConfig } from '../../../main/account/config/open-config.ts';
import { createFileNotices } from '../../../main/files/file-notices.ts';
import { quarantinePath } from '../../../main/files/quarantine.ts';
import { openRecoverableFile } from '../../../main/files/recoverable-file.ts';
import { isNetworkPath, assertLocalPath } from '../../../main/files/path-checks.ts';
import { readLimited } from '../../../main/files/read-limited.ts';
import { writeAtomically } from '../../../main/files/write-atomically.ts';
import { createLog } from '../../../main/files/log.ts';
import { validateConnectionForm } from '../../../main/account/servers/server-form.ts';
import { openSqlite } from '../../../main/service/stores/sqlite/open-sqlite.ts';
import { copyDatabase } from '../../../main/service/stores/sqlite/copy-database.ts';
import { Vault } from '../../../main/account/vault/vault.ts';
import { createFakeCipher } from '../../support/fake-cipher.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

/** Makes a folder in which somebody else may have put something, with a file of the person's beside it. */
async function makeFolder() {
  const root = await makeTemporaryFolder();
  const folder = path.join(root, 'profile');
  await mkdir(folder);
  const victim = path.join(root, '.bashrc');
  await writeFile(victim, 'as it was');
  return {
    root,
    folder,
    victim,
    of: (name: string) => path.join(folder, name),
    untouched: () => readFile(victim, 'utf8'),
  };
}

describe('a link in the way', () => {
  it.each([
    ['to a file', (victim: string) => victim],
    ['to nothing', (victim: string) => `${victim}.new`],
    ['to a folder', (victim: string) => path.dirname(victim)],
  ])('of a file that is written is an error: %s', async (_what, leadsTo) => {
    const { victim, of, untouched, folder } = await makeFolder();
    await symlink(leadsTo(victim), of('report.md'));
    await expect(writeAtomically(of('report.md'), 'new')).rejects.toMatchObject({
      code: 'ELOOP',
      message: /a link is in the way/,
    });
    expect([await untouched(), await readdir(folder), existsSync(`${victim}.new`)]).toEqual([
      'as it was',
      ['report.md'],
      false,
    ]);
  });

  it('leaves another name of the same file with what it had', async () => {
    const { victim, of, untouched } = await makeFolder();
    await link(victim, of('report.md'));
    await writeAtomically(of('report.md'), 'new');
    expect([await untouched(), await readFile(of('report.md'), 'utf8')]).toEqual(['as it was', 'new']);
  });

  it('cannot be put under a temporary name, which nobody can guess, and which is for this user alone', async () => {
    const { victim, folder, of, untouched } = await makeFolder();
    await symlink(victim, of(`report.md.${process.pid}.tmp`));
    const seen = new Set<string>();
    const ended = new AbortController();
    const watching = (async () => {
      for await (const { filename } of watch(folder, { signal: ended.signal }))
        if (filename?.endsWith('.tmp')) seen.add(filename);
    })().catch(() => undefined);
    for (let round = 0; round < 5; round++) await writeAtomically(of('report.md'), `round ${round}`);
    await expect.poll(() => seen.size).toBe(5);
    ended.abort();
    await watching;
    expect([await untouched(), await readFile(of('report.md'), 'utf8')]).toEqual(['as it was', 'round 4']);
    expect(Array.from(seen).filter((name) => !/^report\.md\.[0-9a-f]{16}\.tmp$/.test(name))).toEqual([]);
    expect((await lstat(of('report.md'))).mode & 0o777).toBe(0o600);
  });

  it('of the settings is an error that is told, and nothing is written to where it leads', async () => {
    const { victim, folder, of, untouched } = await makeFolder();
    await writeFile(victim, '{}');
    const notices = createFileNotices();
    const config = await openConfig(folder, notices, () => undefined);
    config.change({ lastEmails: { a: 'b' } });
    await config.flushWithBackup();
    expect(notices.list()).toEqual([]);
    await rm(of('config.json'));
    await symlink(victim, of('config.json'));
    config.change({ lastEmails: { a: 'c' } });
    await config.flushWithBackup();
    expect(notices.list()).toMatchObject([{ file: 'config.json', problem: 'not-written' }]);
    expect(await untouched()).toBe('{}');
  });

  it('of the vault keeps a new token in memory', async () => {
    const { victim, of, untouched } = await makeFolder();
    await writeFile(victim, JSON.stringify({ version: 1, entries: [], checksum: hash('sha256', '[]') }));
    const before = await untouched();
    await symlink(victim, of('vault.json'));
    const vault = new Vault({ file: of('vault.json'), cipher: createFakeCipher() });
    await vault.setPassword('server', 'ana', 'token');
    expect([vault.entryState('server', 'ana'), await untouched()]).toEqual(['memory', before]);
  });

  it('under the name that a damaged file is set aside as is not followed', async () => {
    const { victim, of, untouched, folder } = await makeFolder();
    await writeFile(of('a.json'), 'partly');
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await symlink(victim, quarantinePath(of('a.json')));
    await openRecoverableFile(of('a.json'), () => 'partly');
    expect([await untouched(), (await readdir(folder)).length]).toEqual(['as it was', 2]);
  });

  it.each(['', '-wal', '-shm', '-journal'])('of a database is an error: %j', async (part) => {
    const { victim, of, untouched } = await makeFolder();
    await writeFile(victim, '');
    await symlink(victim, of(`calls.sqlite${part}`));
    await symlink(victim, of(`service.sqlite${part}`));
    expect(() => openCallDatabase(of('calls.sqlite'))).toThrow(/a link is in the way/);
    const opened = await openSqlite(of('service.sqlite'));
    expect(opened).toMatchObject({
      ok: false,
      kind: 'unwritable',
      message: expect.stringMatching(/is a symbolic link\.$/),
    });
    expect(await untouched()).toBe('');
  });

  it('of a copy of a database is an error', async () => {
    const { victim, of, untouched } = await makeFolder();
    await symlink(victim, of('copy.sqlite'));
    const db = new DatabaseSync(':memory:');
    await expect(copyDatabase(db, of('copy.sqlite'))).rejects.toThrow(/a link is in the way/);
    db.close();
    expect(await untouched()).toBe('as it was');
  });

  it('of the log, or of its folder, leaves the log unwritten', async () => {
    for (const name of ['logs', 'logs/main.log']) {
      const { victim, root, of, untouched } = await makeFolder();
      if (name !== 'logs') await mkdir(of('logs'));
      await symlink(name === 'logs' ? root : victim, of(name));
      const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      createLog(of('logs'), (text) => text).warn('a sentence');
      await expect.poll(() => said.mock.calls.join()).toMatch(/a link is in the way/);
      said.mockRestore();
      expect([await untouched(), await readdir(root)]).toEqual(['as it was', ['.bashrc', 'profile']]);
    }
  });
});

describe('a path to another computer', () => {
  const shares = [
    String.raw`\\evil\share\a`,
    '//evil/share/a',
    String.raw`\/evil\share`,
    String.raw`\\?\UNC\evil\a`,
    String.raw`\\.\pipe\a`,
    ' \\\\evil\\a',
  ];
  it.each(shares)('is known on Windows: %s', (file) => expect(isNetworkPath(file, 'win32')).toBe(true));
  it.each([String.raw`C:\Users\ana`, 'a', '.', String.raw`\a`, '/a', ''])('is not seen on Windows in: %j', (file) =>
    expect(isNetworkPath(file, 'win32')).toBe(false),
  );

  it('is neither read, written nor kept', async () => {
    const file = String.raw`\\evil.test\share\a.har`;
    expect(() => assertLocalPath(file)).toThrow('leads to another computer');
    expect(await readLimited(file, 10)).toEqual({ ok: false, reason: 'unreadable', code: 'network-path' });
    await expect(writeAtomically(file, '')).rejects.toMatchObject({ code: 'network-path' });
    const entered = {
      proxy: { mode: 'system' },
      authorityFile: file,
      clientCertificate: { form: 'none' },
      limits: {},
      secrets: {},
    } as never;
    expect(validateConnectionForm(entered, () => true)).toMatchObject({ ok: false, error: { field: 'authorityFile' } });
  });

  it.each([
    ['file:///home/ana/proxy.pac', true],
    ['file:///C:/proxy.pac', true],
    ['https://proxy.test//a.pac', true],
    ['file://evil.test/share/proxy.pac', false],
    ['file:////evil.test/share/proxy.pac', false],
    ['file:/proxy.pac', false],
    ['file:///.//evil.test/share', false],
    ['file:///%5C%5Cevil.test/share', false],
    [String.raw`file:\\evil.test\share`, false],
    [String.raw`file:///\evil.test\share`, false],
    ['file:///\t/evil.test/share', false],
  ])('is no address of a PAC script: %j %s', (url, isTaken) => {
    expect(ConnectionChoices.safeParse({ proxy: { mode: 'pac', url } }).success).toBe(isTaken);
  });
});
