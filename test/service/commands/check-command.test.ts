import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../../main/check/reports/json-report.ts';
import { renderReport } from '../../../main/check/reports/render-report.ts';
import { reportForms } from '../../../preload/contract/names.ts';
import { makeReadOnly, makeSmallDisk } from '../../support/disks.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { reportWith } from '../../support/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { check, forms, quickly, readBack } from '../support/check.ts';
import { createCheck, secretsIn } from '../support/run-check.ts';
import { serviceAt, shipped } from '../support/service-at.ts';
import { closedPort } from '../../support/closed-port.ts';

describe('check', () => {
  it('passes the service, and answers every open point on standard output', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const { code, out, err } = await check([service.baseUrl, ...quickly]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^# Check report: (`http:\/\/127\.0\.0\.1:\d+`)\n\n\*\*All 9 requirements passed, no findings\*\*\n/,
    );
    expect(out).toContain('| Login response: Success status (login) | 200 |');
    expect(out).toContain('| Login response: Success fields (login) | `token` (string, secret)');
    expect(out).not.toContain('Not part of this run');
    const [, effectOfLogout = ''] = out.split('(line 58)');
    expect(effectOfLogout.split('(line 59)')[0]).toContain(
      '| The profile with the token that was logged out (profile) | rejected, 401',
    );
    expect(err).toMatch(/^1\/\d+ passed: A valid registration succeeds/m);
    expect(err).toMatch(/\nAll 9 requirements passed, no findings\n$/);
  });

  it('ends within seconds of a signal while every answer is made to be hard', async () => {
    const hard = ['\n'.repeat(60_000), `1 min${' '.repeat(120_000)}`, '"trace":[{'.repeat(6000)].join('at ');
    const server = await startRecordingServer(() => answer(429, { message: hard, hard }));
    let stoppedAt = 0;
    const { code } = await check([server.origin, ...quickly], {
      after(line, stop) {
        if (!line.startsWith('5/')) return;
        stoppedAt ||= performance.now();
        stop();
      },
    });
    expect(code).toBe(1);
    expect(stoppedAt).toBeGreaterThan(0);
    expect(performance.now() - stoppedAt).toBeLessThan(20_000);
    await server.close();
  });

  it('names the interface, as it was typed, in the commands that measure what is missing', async () => {
    const server = await serviceAt(await shipped('strapi'));
    const file = path.join(await makeTemporaryFolder(), "our server's.interface.json");
    await writeFile(file, JSON.stringify({ ...(await shipped('strapi')), name: 'Ours' }));
    const { out, err } = await check([server.baseUrl, ...quickly, '--interface', file]);
    const typed = `'${file.replace("'", String.raw`'\''`)}'`;
    expect(err).toContain(`To include them, run: llavero check ${server.baseUrl} --interface ${typed} --`);
    expect(out).toContain(`llavero check ${server.baseUrl} --interface FILE --`);
    const { out: ofShipped } = await check([server.baseUrl, ...quickly, '--interface', 'strapi']);
    expect(ofShipped).toContain(`llavero check ${server.baseUrl} --interface strapi --`);
  });

  it('writes all forms, readable by others, and leaves standard output alone', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const folder = await makeTemporaryFolder();
    const files = forms.map((form) => [form, path.join(folder, form)] as const);
    const reports = files.flatMap(([form, file]) => ['--report', `${form}=${file}`]);
    const { code, out } = await check([
      service.baseUrl,
      ...quickly,
      '--only',
      'login.answer',
      '--lang',
      'es',
      ...reports,
    ]);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const [md = '', html = '', json = '', junit = ''] = await Promise.all(
      files.map(([, file]) => readFile(file, 'utf8')),
    );
    expect(md).toContain('# Informe de la comprobación');
    expect(html).toContain('<html lang="es">');
    expect(readReport(json).ok).toBe(true);
    expect(junit).toContain('<testsuites tests="3" failures="0"');
    expect((await stat(path.join(folder, 'md'))).mode & 0o777).toBe(0o644 & ~process.umask());
  });

  it('writes no secret into any form, even of a server that shows them', async () => {
    const { service } = await startBuiltInServer({ defects: ['password-echoed', 'stack-traces'] }, { isEmpty: true });
    const { start, wire } = createCheck(service.baseUrl);
    const report = await start();
    const secrets = secretsIn(wire);
    expect(secrets.length).toBeGreaterThan(10);
    for (const form of reportForms) {
      const text = await renderReport(form, report, 'en');
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it('fails for a high finding unless it is told not to', async () => {
    const { service } = await startBuiltInServer({ defects: ['token-outlives-logout'] }, { isEmpty: true });
    const args = [service.baseUrl, ...quickly, '--only', 'logout.same-token-afterwards'];
    expect(await check(args)).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /\*\*1 high finding; all 4 requirements passed\*\*[^]*\n- \*\*high\*\*: \[The token still works after logging out\]/,
      ),
    });
    expect(await check([...args, '--fail-on', 'low'])).toMatchObject({ code: 1 });
    expect(await check([...args, '--fail-on', 'none'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 finding did not affect the exit code (use --fail-on high).'),
    });
  });

  it('fails for a stated case', async () => {
    // This is another application than the interface's: every path answers the same.
    const server = await startRecordingServer(() => {
      const body = '{"message":"ok","token":"7|abcdefghijklmnopqrstuvwxyzabcdefghijklmn"}';
      return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    });
    const { code, err } = await check([server.origin, ...quickly, '--only', 'login.wrong-password', '--bail']);
    expect(code).toBe(1);
    expect(err).toMatch(/1 of \d requirements failed/);
  });

  it.each(['localhost', '127.0.0.1'])('says with 3 and in one line that nothing answers at %s', async (host) => {
    const { code, out, err } = await check([`${host}:${await closedPort()}`, ...quickly]);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(
      /^No account was created, and nothing could be tested\.\nhttp:\/\/\S+:\d+: nothing responds at the address\n$/,
    );
  });

  it('names the findings that were not counted, with the option that counts them', async () => {
    const { service } = await startBuiltInServer({ defects: ['password-echoed', 'stack-traces'] }, { isEmpty: true });
    const { code, err } = await check([service.baseUrl, ...quickly, '--fail-on', 'none']);
    expect(code).toBe(0);
    expect(err).toContain('The check is complete.\n2 findings did not affect the exit code (use --fail-on medium).\n');
  });

  it('says with 3 that nothing answers also where a model was asked for, which cannot be learned', async () => {
    const file = path.join(await makeTemporaryFolder(), 'model.json');
    const { code, err } = await check([`127.0.0.1:${await closedPort()}`, ...quickly, '--mock-file', file]);
    expect([code, err]).toEqual([3, expect.stringContaining('nothing responds at the address')]);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('ends with a report of what was done when it is stopped', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const file = path.join(await makeTemporaryFolder(), 'report.json');
    const { code, err } = await check([service.baseUrl, ...quickly, '--report', `json=${file}`], {
      after(line, stop) {
        if (line.startsWith('10/')) stop();
      },
    });
    expect(code).toBe(1);
    expect(err).toContain('The check was cancelled');
    const report = await readBack(file);
    expect(report).toMatchObject({ version: 1, ended: { kind: 'cancelled' } });
    expect(report.cases.filter(({ outcome }) => outcome !== 'not-measured').length).toBeGreaterThan(5);
    expect(report.cases.filter(({ outcome }) => outcome === 'not-measured').length).toBeGreaterThan(20);
  });

  it('puts only the differences to an earlier report on standard output', async () => {
    const folder = await makeTemporaryFolder();
    const before = path.join(folder, 'before.json');
    const right = await startBuiltInServer({}, { isEmpty: true });
    const wrong = await startBuiltInServer({ defects: ['token-outlives-logout'] }, { isEmpty: true });
    // Times are not compared here: a busy machine blurs them in one run, and not in another.
    const tested = [...quickly, '--only', 'login.wrong-password,logout.same-token-afterwards,logout.twice'];
    const first = await check([right.service.baseUrl, ...tested, '--report', `json=${before}`]);
    expect(first.code).toBe(0);

    const same = await check([right.service.baseUrl, ...tested, '--compare', before]);
    expect(same.out).toMatch(/^Tests compared: [1-9]\d*\. Nothing differs\.$/m);
    const other = await check([wrong.service.baseUrl, ...tested, '--compare', before]);
    expect(other.out.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      expect.stringMatching(/^- \*\*The token after its logout\*\* — .*: rejected, 401.* → accepted, 200$/),
      expect.stringMatching(/^- \*\*Logging out twice\*\* — .*: rejected, 401.* → accepted, 200: `.*`$/),
      '- **new**: high, The token still works after logging out',
    ]);
  });

  it.each([
    ['that is not there', undefined, 'cannot be read (ENOENT)'],
    ['of a newer version', JSON.stringify({ ...reportWith('x'), version: 4 }), 'it has version 4'],
    ['that is broken', '{"schema":"llavero-', 'not JSON'],
  ])('sends nothing when it is to compare with a report %s', async (_name, content, says) => {
    const file = path.join(await makeTemporaryFolder(), 'earlier.json');
    if (content !== undefined) await writeFile(file, content);
    const server = await startRecordingServer(() => undefined);
    const { code, err } = await check([server.origin, '--compare', file]);
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(server.requests).toEqual([]);
  });

  it('sends nothing when the folder of a report does not exist', async () => {
    const server = await startRecordingServer(() => undefined);
    const file = path.join(await makeTemporaryFolder(), 'nowhere', 'report.md');
    expect(await check([server.origin, '--report', `md=${file}`])).toMatchObject({
      code: 2,
      err: expect.stringContaining('its folder does not exist'),
    });
    expect(server.requests).toEqual([]);
  });

  it('says the report on standard output and ends with 4 when the disk is full', async (context) => {
    const disk = await makeSmallDisk(context);
    const file = path.join(disk.folder, 'report.html');
    await writeFile(file, 'the report of yesterday');
    disk.fill();
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const { code, out, err } = await check([service.baseUrl, ...quickly, '--report', `html=${file}`]);
    expect(code).toBe(4);
    expect(out).toMatch(/^# Check report/);
    expect(err).toContain('(ENOSPC)');
    expect(await readFile(file, 'utf8')).toBe('the report of yesterday');
  });

  it('writes every report that was asked for, and ends with 4, when it fails itself', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const folder = await makeTemporaryFolder();
    const reports = forms.flatMap((form) => ['--report', `${form}=${path.join(folder, form)}`]);
    let isBroken = false;
    const { code, err } = await check([service.baseUrl, ...quickly, ...reports], {
      after(line) {
        if (isBroken || !line.startsWith('1/')) return;
        isBroken = true;
        throw new Error('a fault of ours');
      },
    });
    expect({ code, isBroken }).toEqual({ code: 4, isBroken: true });
    expect(err).toContain('a fault of ours');
    const texts = await Promise.all(forms.map((form) => readFile(path.join(folder, form), 'utf8')));
    for (const text of texts) expect(text).toContain('a fault of ours');
    expect(await readBack(path.join(folder, 'json'))).toMatchObject({ verdict: { exitCode: 4 } });
  });

  it('does the same when it may not write there', async (context) => {
    const folder = await makeReadOnly(context, await makeTemporaryFolder());
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const args = [service.baseUrl, ...quickly, '--only', 'login.answer', '--report'];
    const { code, out, err } = await check([...args, `json=${path.join(folder, 'report.json')}`]);
    expect(code).toBe(4);
    expect(out).toMatch(/^# Check report/);
    expect(err).toContain('(EROFS)');
  });
});
