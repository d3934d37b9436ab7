import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runChild } from '../../scripts/child-process.mjs';
import { serverNames, whyNot } from '../servers/start-server.ts';

const root = path.resolve(import.meta.dirname, '../..');

type ServersSummary = {
  name: 'servers';
  servers: string[];
  /** Why each of the others was left out. */
  skipped: string[];
  /** Of the tests: 0 when nothing differs. */
  code: number;
};

/** Runs the tests of `test/e2e/servers/` with all servers, and hands on what each of them compared. */
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
  return { name: 'servers', servers, skipped, code };
}
