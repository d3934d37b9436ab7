import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { runChild } from '../../scripts/child-process.mjs';
import { serverNames, startServer, whyNot, type RunningServer, type ServerName } from '../servers/start-server.ts';
import { checkAt, startService } from './findings.ts';

const root = path.resolve(import.meta.dirname, '../..');

type ServersSummary = {
  name: 'servers';
  servers: string[];
  /** Why each of the others was left out. */
  skipped: string[];
  /** Of the tests: 0 when nothing differs. */
  code: number;
  /** Those at which a run at the defaults took longer than {@link mostSeconds}. */
  slow: string[];
};

/** A run at the defaults takes no longer, where it is not throttled. */
const mostSeconds = 60;

/**
 * Runs the tests of `test/e2e/servers/` with all servers, and hands on what each of them compared. Then it runs `check`
 * at each of them in real time.
 */
export async function proveServers(options: {
  only: readonly string[];
  folder: string;
  onCompared: (compared: object) => void;
}): Promise<ServersSummary> {
  const { only, folder, onCompared } = options;
  const wanted = serverNames.filter((name) => only.includes(name));
  const skipped = wanted.flatMap((name) => whyNot(name) ?? []);
  const servers = wanted.filter((name) => whyNot(name) === undefined);
  const file = path.join(folder, 'compared');
  const env = { ...process.env, LLAVERO_SERVERS: servers.join(), LLAVERO_SERVERS_COMPARED: file };
  const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'e2e', 'test/e2e/servers/'];
  const code = servers.length === 0 ? 0 : await runChild(process.execPath, args, { env, cwd: root, stdout: 'stderr' });
  const compared = await readFile(file, 'utf8').catch(() => '');
  for (const line of compared.split('\n').filter(Boolean)) onCompared(JSON.parse(line) as object);
  const slow = [];
  for (const server of [...servers, 'service'] as const) {
    const figures = await atDefaults(server, folder);
    onCompared(figures);
    if (figures.seconds > mostSeconds) slow.push(server);
  }
  return { name: 'servers', servers, skipped, code, slow };
}

/** Runs `check` without any option, and says what it took. The service is started as `serve` does it. */
async function atDefaults(server: ServerName | 'service', parent: string) {
  const folder = await mkdtemp(path.join(parent, 'defaults-'));
  const running: RunningServer = server === 'service' ? await startService(folder) : await startServer(server);
  try {
    const { durationMs, calls, accounts, throttlings = [] } = await checkAt(running.origin, folder, []);
    const seconds = Math.round(durationMs / 100) / 10;
    const part = 'check at the defaults';
    const made = accounts.filter(({ state }) => state === 'made').length;
    return { name: 'servers', server, part, seconds, calls, accounts: made, throttled: throttlings.length };
  } finally {
    await running.stop();
  }
}
