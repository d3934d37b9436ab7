import { messagesFor, sendError, sendServiceUnavailable, sendValidationErrors } from '../../responses.ts';
import type { App } from '../../route-dependencies.ts';
import {
  EmailBody,
  ErrorResponse,
  LogoutResponse as DoneResponse,
  PasswordBody,
  PasswordChangeBody,
  ServerErrorResponse,
} from '../../schemas.ts';
import { bearerOf, type BearerCheck } from '../require-bearer.ts';
import { confirmPassword } from './confirm-password.ts';
import { factorRoutes } from './factor-routes.ts';
import { readBody, type AccountRouteDependencies } from './read-body.ts';
import { pendingLoginRoutes } from './second-factor.ts';

const response = { 200: DoneResponse, '4xx': ErrorResponse, '5xx': ServerErrorResponse };

function passwordRoute(app: App, parts: AccountRouteDependencies, requireBearer: BearerCheck): void {
  const { accountCalls, hashQueue, passwords, now } = parts;
  const schema = { operationId: 'change-password', body: PasswordChangeBody, response };

  app.put('/password', { onRequest: requireBearer, schema }, async (request, reply) => {
    const body = await readBody(request, reply, parts, PasswordChangeBody);
    if (!body) return reply;
    const { tokenId, account } = bearerOf(request);
    const sent = { call: 'change-password', field: 'currentPassword', password: body.currentPassword } as const;
    const login = await confirmPassword(request, reply, parts, sent);
    if (!login) return reply;
    const hashed = await hashQueue.run(() => passwords.hash(body.newPassword));
    if (!hashed.ok) return sendServiceUnavailable(request, reply, 'busy', hashed.retryAfterSeconds);
    const isChanged = await accountCalls.store.changePassword({
      accountId: account.id,
      from: login.passwordHash,
      to: hashed.value,
      keepTokenId: tokenId,
      atMs: now(),
    });
    // A concurrent change was first.
    if (!isChanged) return sendValidationErrors(request, reply, { currentPassword: ['incorrect'] });
    accountCalls.pendingLogins.endAllOf(account.id);
    return { message: messagesFor(request).accountCalls.passwordChanged };
  });
}

function deletionRoute(app: App, parts: AccountRouteDependencies, requireBearer: BearerCheck): void {
  const { accountCalls } = parts;
  const schema = { operationId: 'delete-account', body: PasswordBody, response };

  app.delete('/account', { onRequest: requireBearer, schema }, async (request, reply) => {
    const body = await readBody(request, reply, parts, PasswordBody);
    if (!body) return reply;
    const { account } = bearerOf(request);
    const sent = { call: 'delete-account', field: 'password', password: body.password } as const;
    if (!(await confirmPassword(request, reply, parts, sent))) return reply;
    if (!(await accountCalls.store.deleteAccount(account.id))) return sendError(request, reply, 'unauthenticated');
    accountCalls.pendingLogins.endAllOf(account.id);
    return { message: messagesFor(request).accountCalls.accountDeleted };
  });
}

const emailRoutes = {
  'forgot-password': { path: '/password/forgot', text: 'resetRequested' },
  'resend-confirmation': { path: '/email/resend', text: 'confirmationRequested' },
} as const;

/** All routes beyond the default API. */
export function accountRoutes(app: App, parts: AccountRouteDependencies, requireBearer: BearerCheck): void {
  pendingLoginRoutes(app, parts);
  factorRoutes(app, parts, requireBearer);
  passwordRoute(app, parts, requireBearer);
  deletionRoute(app, parts, requireBearer);

  for (const operationId of ['forgot-password', 'resend-confirmation'] as const) {
    const { path, text } = emailRoutes[operationId];
    app.post(path, { schema: { operationId, body: EmailBody, response } }, async (request, reply) => {
      const body = await readBody(request, reply, parts, EmailBody);
      // The account is not looked up, so that neither the response nor its time reveals whether it exists.
      return body ? { message: messagesFor(request).accountCalls[text] } : reply;
    });
  }
}
