import { readFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const Package = z.object({ version: z.string() });

async function versionOf(name: string): Promise<string> {
  const file = path.join(projectRoot, 'node_modules', name, 'package.json');
  return Package.parse(JSON.parse(await readFile(file, 'utf8'))).version;
}

/** Says for people on what machine the figures were taken. */
export async function describeMachine(): Promise<Record<string, string>> {
  const cores = cpus();
  const { electron, node, sqlite } = process.versions;
  const [fastify, betterAuth, autocannon] = await Promise.all(['fastify', 'better-auth', 'autocannon'].map(versionOf));
  return {
    machine: `${cores[0]?.model ?? 'unknown processor'}, ${cores.length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}, load at the start ${loadavg()[0]?.toFixed(1)}`,
    versions: `Electron ${electron}, Node ${node}, Fastify ${fastify}, better-auth ${betterAuth}, SQLite ${sqlite}, autocannon ${autocannon}`,
  };
}
