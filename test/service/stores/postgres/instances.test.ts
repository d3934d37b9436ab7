import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { startPostgres } from '../../../../scripts/postgres.mjs';
import { ada } from '../../support/make-service.ts';
import { describeWhere } from '../../../support/describe-where.ts';
import { freshDatabase, freshRole, missingPackage, sql } from './databases.ts';

// Each case starts processes, and others may use the machine too.
vi.setConfig({ testTimeout: 60_000 });

const CLI = fileURLToPath(new URL('../../../../main/commands/cli.ts', import.meta.url));
const Ready = z.object({ baseUrl: z.string() });
const LoggedIn = z.object({ token: z.string() });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Starts `serve` as a process on a port of its own. A variable names its database unless `args` do. */
function serve(url: string | undefined, args: string[] = []) {
  const env = { ...process.env, ...(url !== undefined && { LLAVERO_DATABASE_URL: url }) };
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...args], {
    cwd: tmpdir(),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, ...said }));
  return {
    ended,
    stop: () => child.kill('SIGTERM'),
    async baseUrl(): Promise<string> {
      while (!said.out.includes('\n')) {
        const end = await Promise.race([once(child.stdout, 'data').then(() => undefined), ended]);
        if (end) throw new Error(`It ended before it was ready: ${JSON.stringify(end)}`);
      }
      return Ready.parse(JSON.parse(said.out)).baseUrl;
    },
  };
}

const post = (baseUrl: string, path: string, body: unknown, token?: string) =>
  fetch(`${baseUrl}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
const profile = (baseUrl: string, token: string) =>
  fetch(`${baseUrl}/api/v1/auth/perfil`, { headers: { authorization: `Bearer ${token}` } });
const tokenFrom = async (baseUrl: string, credentials: typeof ada): Promise<string> =>
  LoggedIn.parse(await (await post(baseUrl, 'login', credentials)).json()).token;

describeWhere(missingPackage, 'several instances on one PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 120_000);
  afterAll(() => postgres.stop());

  async function twoInstances(args: string[] = []) {
    const url = await freshDatabase(postgres.url);
    const runs = [serve(url, args), serve(url, args)] as const;
    return { url, runs, urls: [await runs[0].baseUrl(), await runs[1].baseUrl()] as const };
  }

  it('start at once on an empty database, four of them, and print only their addresses until they end on SIGTERM', async () => {
    const url = await freshDatabase(postgres.url);
    const runs = times(4, () => serve(url));
    await Promise.all(runs.map((run) => run.baseUrl()));
    expect(await sql(url, 'SELECT version FROM llavero.schema_version')).toEqual([{ version: 2 }]);
    for (const run of runs) run.stop();
    const name = new URL(url).pathname.slice(1);
    const err = `Accounts are stored in the PostgreSQL database "${name}" at ${new URL(url).host}.\n`;
    for (const { ended } of runs) expect(await ended).toMatchObject({ code: 0, err });
    expect(await sql(url, "SELECT 1 FROM pg_stat_activity WHERE application_name = 'llavero'")).toEqual([]);
  });

  it('count failed logins together, and refuse the sixth on both', async () => {
    const { urls } = await twoInstances();
    await post(urls[0], 'registro', ada);
    const wrong = { ...ada, password: 'not the one' };
    for (const index of times(5, Number)) expect((await post(urls[index % 2]!, 'login', wrong)).status).toBe(401);
    for (const baseUrl of urls) {
      const refused = await post(baseUrl, 'login', ada);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('honour a token of the other one until it is revoked there, and not one request longer', async () => {
    const { urls } = await twoInstances();
    await post(urls[0], 'registro', ada);
    for (const [here, there] of [urls, [urls[1], urls[0]] as const]) {
      const token = await tokenFrom(here, ada);
      for (const baseUrl of [there, here, there]) expect((await profile(baseUrl, token)).status).toBe(200);
      expect((await post(here, 'salir', {}, token)).status).toBe(200);
      for (const baseUrl of [there, here]) expect((await profile(baseUrl, token)).status).toBe(401);
    }
  });

  it.each(['restart', 'kill'] as const)(
    'answer 503 while the database is away after a %s, and go on by themselves with all they had said',
    async (way) => {
      const { url, urls } = await twoInstances(['--rate-limit', 'off']);
      await post(urls[0], 'registro', ada);
      const token = await tokenFrom(urls[0], ada);
      const counts: Record<number, number> = {};
      const accepted: string[] = [];
      const over = new AbortController();
      const readers = times(4, async (index) => {
        while (!over.signal.aborted) {
          const { status } = await profile(urls[index % 2]!, token);
          counts[status] = (counts[status] ?? 0) + 1;
        }
      });
      const writers = times(2, async (index) => {
        for (let round = 0; !over.signal.aborted; round++) {
          const email = `${way}-${index}-${round}@example.test`;
          const { status } = await post(urls[index]!, 'registro', { ...ada, email });
          counts[status] = (counts[status] ?? 0) + 1;
          if (status === 201) accepted.push(email);
        }
      });
      const until = async (isSo: () => boolean) => {
        while (!isSo()) await profile(urls[0], token);
      };

      await until(() => accepted.length >= 5);
      if (way === 'kill') {
        await postgres.kill();
        await until(() => (counts[503] ?? 0) >= 10);
      }
      await postgres.restart();
      const before = accepted.length;
      await until(() => accepted.length >= before + 5);
      over.abort();
      await Promise.all([...readers, ...writers]);

      expect(Object.keys(counts).filter((status) => !['200', '201', '503'].includes(status))).toEqual([]);
      const rows = z.array(z.object({ email: z.string() })).parse(await sql(url, 'SELECT email FROM llavero.accounts'));
      const kept = new Set(rows.map(({ email }) => email));
      expect(accepted.filter((email) => !kept.has(email))).toEqual([]);
    },
  );

  it('end in the middle of requests on SIGTERM, and leave no connection', async () => {
    const { url, runs, urls } = await twoInstances(['--rate-limit', 'off']);
    await post(urls[0], 'registro', ada);
    const answers = times(20, () => post(urls[0], 'login', ada).catch(() => undefined));
    await Promise.race(answers);
    runs[0].stop();
    expect(await runs[0].ended).toMatchObject({ code: 0 });
    const statuses = (await Promise.all(answers)).map((answer) => answer?.status ?? 200);
    expect(new Set(statuses)).toEqual(new Set([200]));
    runs[1].stop();
    await runs[1].ended;
    expect(await sql(url, "SELECT 1 FROM pg_stat_activity WHERE application_name = 'llavero'")).toEqual([]);
  });

  it('say in one sentence and with the code 3 why they cannot start, without the password', async () => {
    const url = await freshDatabase(postgres.url);
    const role = await freshRole(url);
    const wrong = (part: (of: URL) => void): string => {
      const changed = new URL(role.url);
      part(changed);
      return changed.href;
    };
    for (const [from, sentence] of [
      [wrong((of) => (of.password = 'of-a-test-not')), 'refuses the login: password authentication failed'],
      [role.url, 'The user has too few rights in the database'],
    ] as const) {
      const { code, out, err } = await serve(undefined, ['--database', from]).ended;
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toContain(sentence);
      expect(err).not.toContain('of-a-test');
      expect(err.split('\n')).toHaveLength(2);
    }
    expect(await sql(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'llavero'")).toEqual([]);
  });

  it('follow the option --data rather than the variable that names a server', async () => {
    const run = serve('postgres://nobody@127.0.0.1:1/none', ['--data', '/dev/null/data']);
    expect(await run.ended).toMatchObject({ code: 3, err: expect.stringContaining('/dev/null/data') });
    const wrong = serve('mysql://ada:secret@x/y');
    expect(await wrong.ended).toMatchObject({ code: 2, err: expect.not.stringContaining('secret') });
  });
});
