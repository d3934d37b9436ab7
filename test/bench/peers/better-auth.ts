import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { z } from 'zod';
import { announce, argument } from './announce.ts';

/** This is better-auth as its guide sets it up: email and password, a session cookie, nothing cached, no limits. */
const { file } = z.object({ file: z.string() }).parse(argument());

const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');

const server = createServer();
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('There is no port');
const baseUrl = `http://127.0.0.1:${address.port}`;

const options = {
  database,
  baseURL: baseUrl,
  secret: 'only for a bench on this machine, and for no longer than it runs',
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const handle = toNodeHandler(betterAuth(options));
server.on('request', (request, response) => void handle(request, response));
announce({ baseUrl });
