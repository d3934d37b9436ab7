// As better-auth's guide sets it up, on the database of Node: email and password, and a session cookie; with BEARER in the
// environment also its plugin for bearer tokens, with TWO_FACTOR its plugin for a second factor, deletion of accounts, and
// mails that are lines of the file `mails.jsonl`. After https://www.better-auth.com/docs/installation,
// https://www.better-auth.com/docs/plugins/bearer, https://www.better-auth.com/docs/plugins/2fa and
// https://www.better-auth.com/docs/concepts/users-accounts
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer, twoFactor } from 'better-auth/plugins';

const { PORT, DATA = '.', BEARER, TWO_FACTOR } = process.env;

/** @param {'code' | 'reset' | 'verify'} kind */
const mailing =
  (kind) =>
  async (/** @type {{ user: { email: string }, otp?: string, url?: string }} */ { user, otp, url }) =>
    appendFileSync(path.join(DATA, 'mails.jsonl'), `${JSON.stringify({ to: user.email, kind, code: otp, url })}\n`);

const accountCalls = {
  emailAndPassword: { enabled: true, sendResetPassword: mailing('reset') },
  emailVerification: { sendVerificationEmail: mailing('verify') },
  user: { deleteUser: { enabled: true } },
};

const options = {
  database: new DatabaseSync(path.join(DATA, 'accounts.db')),
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: 'only for a test on this machine, and for no longer than it runs',
  emailAndPassword: { enabled: true },
  ...(TWO_FACTOR !== undefined && accountCalls),
  plugins: [
    ...(BEARER === undefined ? [] : [bearer()]),
    ...(TWO_FACTOR === undefined ? [] : [twoFactor({ otpOptions: { sendOTP: mailing('code') } })]),
  ],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const handle = toNodeHandler(betterAuth(options));
createServer((request, response) => void handle(request, response)).listen(Number(PORT), '127.0.0.1');
