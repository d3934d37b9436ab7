import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ConnectionChoices } from '../../preload/contract/connection.ts';
import { Dialect, isPlainName, ServerDetails } from '../../preload/contract/models.ts';
import type { ImportProblem } from '../../preload/contract/result.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { headerNameProblem, mostHeaders } from '../client/extra-headers.ts';
import { isRunHere, type ServerElsewhere, type StoredServer } from '../config/config.ts';
import { readLimited } from '../files/read-limited.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** A person has far fewer servers, so a larger file is not one of ours. */
export const maxFileBytes = 1024 * 1024;
const maxServers = 500;

const kind = 'llavero-servers';
const version = 1;

/**
 * One server as exported: no id, no session, no token, and nothing of this computer. So the files of a connection
 * stay behind, and with them whom a person trusts.
 */
const FileServer = ServerDetails.omit({ pinned: true }).extend({
  name: z.string().min(1).max(100).refine(isPlainName),
  address: z.string().max(2_000),
  dialect: Dialect,
  connection: ConnectionChoices.pick({ proxy: true, limits: true }).prefault({}),
  /** The names of extra headers. Their values are for whoever imports the file to enter. */
  extraHeaders: z
    .array(z.string().refine((name) => headerNameProblem(name) === undefined))
    .max(mostHeaders)
    .refine((names) => new Set(names.map((name) => name.toLowerCase())).size === names.length)
    .optional(),
});

const ServersFile = z.object({
  kind: z.literal(kind),
  version: z.literal(version),
  servers: z.array(FileServer).max(maxServers),
});

type ReadFile = { ok: true; servers: ServerElsewhere[] } | { ok: false; reason: ImportProblem; detail?: string };

function inFile(server: StoredServer): z.input<typeof FileServer> {
  const { name, baseUrl, colour, notes, registrationPath, production, dialect, connection, extraHeaders } = server;
  const { proxy, limits } = connection;
  const names = extraHeaders.map((each) => each.name);
  return {
    name,
    address: baseUrl,
    colour,
    notes,
    registrationPath,
    production,
    dialect,
    connection: { proxy, limits },
    ...(names.length > 0 && { extraHeaders: names }),
  };
}

/** Writes these servers into a file, without those that run here: every installation has the built-in server, and a double is exported as its model. */
function writeServers(servers: readonly StoredServer[]): string {
  const file: z.input<typeof ServersFile> = {
    kind,
    version,
    servers: servers.filter(({ id }) => !isRunHere(id)).map(inFile),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Reads all of a file of servers, under new ids, or nothing. Unknown fields are left out. It never throws. */
function parseServers(text: string): ReadFile {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { ok: false, reason: 'not-json' };
  }
  const header = z.object({ kind: z.literal(kind), version: z.unknown() }).safeParse(content);
  if (!header.success) return { ok: false, reason: 'not-servers' };
  if (header.data.version !== version) return { ok: false, reason: 'other-version' };
  const parsed = ServersFile.safeParse(content);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    return { ok: false, reason: 'wrong-content', ...(path !== '' && { detail: path.slice(0, 100) }) };
  }
  const servers: ServerElsewhere[] = [];
  for (const [index, { address, extraHeaders: names = [], ...details }] of parsed.data.servers.entries()) {
    // This cuts off exactly what is added here, so that an `/api` of the server's own stays.
    const canonical = parseBaseUrl(`${address}/api/v1/auth`);
    if (!canonical.ok || canonical.value !== address)
      return { ok: false, reason: 'wrong-content', detail: `servers.${index}.address` };
    const extraHeaders = names.map((each) => ({ name: each, isSet: false }));
    servers.push({
      ...details,
      id: randomUUID(),
      baseUrl: address,
      pins: [],
      secrets: [],
      extraHeaders,
      agreed: [],
    });
  }
  return { ok: true, servers };
}

/** Reads a file of at most {@link maxFileBytes}. */
export async function readServersFile(file: string): Promise<ReadFile> {
  const read = await readLimited(file, maxFileBytes);
  if (read.ok) return parseServers(read.content.toString('utf8'));
  return { ok: false, reason: read.reason, ...(read.code !== undefined && { detail: read.code }) };
}

/** Answers Node's error code when the file cannot be written. */
export async function writeServersFile(file: string, servers: readonly StoredServer[]): Promise<string | undefined> {
  try {
    await writeAtomically(file, writeServers(servers));
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}
