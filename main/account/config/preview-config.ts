import path from 'node:path';
import { readIfUnchanged } from '../../files/recoverable-file.ts';
import type { Config } from './config.ts';
import { configVersion, defaultConfig, defaultServer } from './default-config.ts';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads `config.json` without its schema, whose library takes main longer than all else before the first frame
 * (`npm run bench -- --only start`). It reads a file that equals its backup, which was whole when it was validated, or
 * none, of a new user.
 *
 * @returns undefined if the schema must be asked. Another program may have changed both files, so any part may have
 * another type: it is for display only
 */
export function previewConfig(folder: string): Config | undefined {
  const read = readIfUnchanged(path.join(folder, 'config.json'));
  const content: unknown = read && JSON.parse(read.text ?? '{}');
  if (!isObject(content) || (content['version'] ?? configVersion) !== configVersion) return undefined;
  const completed = complete(content, defaultConfig);
  const { servers } = completed;
  if (!Array.isArray(servers) || !servers.every(isCurrentServer)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- So a valid file is parsed (`test/unit/config/preview-config.test.ts`).
  return { ...completed, servers: servers.map(completeServer) } as unknown as Config;
}

/** Earlier builds wrote `double` for `mock`. */
const isCurrentServer = (server: unknown): server is JsonObject =>
  isObject(server) && typeof server['id'] === 'string' && !('double' in server);

function completeServer(server: JsonObject): JsonObject {
  const completed = complete(server, defaultServer);
  const { connection } = completed;
  if (!isObject(connection) || !isObject(connection['proxy']) || connection['proxy']['mode'] !== 'manual')
    return completed;
  return { ...completed, connection: { ...connection, proxy: { noProxy: [], ...connection['proxy'] } } };
}

/** Adds the defaults that are missing, also in objects within it. */
function complete(content: JsonObject, defaults: JsonObject): JsonObject {
  const nested = Object.entries(defaults).flatMap(([name, usual]) => {
    const value = content[name];
    return isObject(usual) && isObject(value) ? [[name, complete(value, usual)] as const] : [];
  });
  return { ...defaults, ...content, ...Object.fromEntries(nested) };
}
