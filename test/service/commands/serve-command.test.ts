import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ada } from '../support/make-service.ts';
import { folder, postJson, serve, CLI, watch } from '../support/serve-process.ts';

describe('serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'says where it is in one line of JSON, serves, and ends on %s',
    async (signal) => {
      const data = join(folder(), 'new', 'data');
      const run = serve(['--port', '0', '--data', data]);
      const { baseUrl } = await run.ready();
      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await postJson(baseUrl, 'registro', ada)).status).toBe(201);
      run.child.kill(signal);

      expect(await run.ended).toEqual({
        code: 0,
        signal: null,
        out: `${JSON.stringify({ baseUrl })}\n`,
        err: `Accounts are stored in ${join(data, 'service.sqlite')}.\n`,
      });
      expect(readdirSync(data)).toEqual(['service.sqlite']);
      expect(statSync(data).mode & 0o777).toBe(0o700);
    },
  );

  it('keeps accounts from one run to the next, in ./llavero-data unless told otherwise', async () => {
    const cwd = folder();
    const first = serve(['--port=0'], cwd);
    await postJson((await first.ready()).baseUrl, 'registro', ada);
    first.child.kill('SIGTERM');
    await first.ended;

    const second = serve(['--port', '0', '--data', 'llavero-data'], cwd);
    expect((await postJson((await second.ready()).baseUrl, 'login', ada)).status).toBe(200);
  });

  it('counts attempts unless told not to', async () => {
    const guess = { email: ada.email, password: 'not the one' };
    const statuses = async (run: ReturnType<typeof serve>) => {
      const { baseUrl } = await run.ready();
      const answers = await Promise.all(Array.from({ length: 7 }, () => postJson(baseUrl, 'login', guess)));
      return answers.map(({ status }) => status).toSorted((a, b) => a - b);
    };
    expect(await statuses(serve(['--port', '0', '--data', folder()]))).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const off = serve(['--port', '0', '--data', folder(), '--rate-limit', 'off']);
    expect(await statuses(off)).toEqual([401, 401, 401, 401, 401, 401, 401]);
  });

  it('ends when the process that started it with a channel is gone', async () => {
    const child = fork(CLI, ['serve', '--port', '0', '--data', folder()], {
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const run = watch(child);
    await run.ready();
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('answers with one sentence and the code 3 when it cannot start', async () => {
    const broken = folder();
    writeFileSync(join(broken, 'service.sqlite'), 'no database, and long enough to be seen as none\n'.repeat(50));
    const running = serve(['--port', '0', '--data', folder()]);
    const port = new URL((await running.ready()).baseUrl).port;
    const file = join(folder(), 'file');
    writeFileSync(file, '');

    for (const [args, sentence] of [
      [['--port', port, '--data', folder()], `Port ${port} is already in use by another program.`],
      [['--port', '0', '--data', broken], 'is damaged (file is not a database)'],
      [['--port', '0', '--data', join(file, 'data')], 'cannot be written: ENOTDIR.'],
    ] as const) {
      const { code, out, err } = await serve([...args]).ended;
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toContain(sentence);
      expect(err.split('\n')).toHaveLength(2);
    }
  });

  it('writes what its clients did wrong when it ends, and does not start where it cannot', async () => {
    const data = folder();
    const file = join(data, 'clients.json');
    const run = serve(['--port', '0', '--data', data, '--client-report', file]);
    const { baseUrl } = await run.ready();
    const read = () => JSON.parse(readFileSync(file, 'utf8')) as unknown;
    expect(read()).toEqual({ version: 1, isComplete: false, requests: 0, lines: [] });
    await postJson(baseUrl, 'registro', ada);
    const cookie = (await postJson(baseUrl, 'login', ada)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await fetch(`${baseUrl}/api/v1/auth/perfil`, { headers: { cookie } });
    run.child.kill('SIGTERM');
    const says = 'The client sent cookies, which the API does not use.';
    expect((await run.ended).err.split('\n').slice(1)).toEqual([says, '']);
    const shown = { method: 'GET', route: '/api/v1/auth/perfil', status: 401 };
    expect(read()).toMatchObject({
      isComplete: true,
      requests: 3,
      lines: [{ fault: 'cookies-kept', says, count: 1, shownBy: [[shown]] }],
    });

    const nowhere = await serve(['--port', '0', '--data', data, '--client-report', join(file, 'x')]).ended;
    expect(nowhere).toMatchObject({ code: 3, out: '' });
    expect(nowhere.err).toMatch(/^The client report cannot be written: ENOTDIR[^\n]*\n$/);
  });

  it('misbehaves as told, says so, and behaves well at the next start', async () => {
    const data = folder();
    const wrong = ['--dialect', 'sanctum', '--wrong', 'password-echoed', '--wrong', 'stack-traces'];
    const faults = ['--fault', 'registro:500:1', '--fault', 'login:429=9:0.5', '--seed', '7'];
    const bad = serve(['--port', '0', '--data', data, ...wrong, ...faults]);
    const { baseUrl } = await bad.ready();
    expect((await postJson(baseUrl, 'registro', ada)).status).toBe(500);
    const registered = await postJson(baseUrl, 'registro', ada);
    expect(await registered.json()).toMatchObject({ token_type: 'Bearer', password: ada.password });
    bad.child.kill('SIGTERM');
    expect((await bad.ended).err.split('\n')[1]).toBe(
      'Simulated: response format sanctum; faults registro:500:1 login:429=9:0.5 with seed 7; vulnerabilities password-echoed, stack-traces.',
    );

    const good = serve(['--port', '0', '--data', data]);
    expect(await (await postJson((await good.ready()).baseUrl, 'login', ada)).json()).toMatchObject({
      token_type: 'Bearer',
    });
    good.child.kill('SIGTERM');
    expect((await good.ended).err).not.toContain('on purpose');
  });
});
