// As better-auth's guide sets it up, on the database of Node: email and password, and a session cookie; with BEARER in the
// environment also its plugin for bearer tokens. After https://www.better-auth.com/docs/installation and
// https://www.better-auth.com/docs/plugins/bearer
import { createServer } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer } from 'better-auth/plugins';

const { PORT, DATA = '.', BEARER } = process.env;

const options = {
  database: new DatabaseSync(path.join(DATA, 'accounts.db')),
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: 'only for a test on this machine, and for no longer than it runs',
  emailAndPassword: { enabled: true },
  plugins: BEARER === undefined ? [] : [bearer()],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const handle = toNodeHandler(betterAuth(options));
createServer((request, response) => void handle(request, response)).listen(Number(PORT), '127.0.0.1');
