import { createTotpSecret, formatOtpauthUrl } from '../../../interface/totp.ts';
import { createRecoveryCodes, recoveryDigest } from '../../domain/recovery-codes.ts';
import { messagesFor, sendError, sendValidationErrors } from '../../responses.ts';
import type { App } from '../../route-dependencies.ts';
import {
  CodeBody,
  ErrorResponse,
  LogoutResponse as DoneResponse,
  NewFactorResponse,
  PasswordBody,
  ServerErrorResponse,
} from '../../schemas.ts';
import { bearerOf, type BearerCheck } from '../require-bearer.ts';
import { confirmPassword } from './confirm-password.ts';
import { readBody, type AccountRouteDependencies } from './read-body.ts';

/** The two routes that add a second factor to an account. */
export function factorRoutes(app: App, parts: AccountRouteDependencies, requireBearer: BearerCheck): void {
  const { accountCalls } = parts;
  const errors = { '4xx': ErrorResponse, '5xx': ServerErrorResponse };

  app.post(
    '/two-factor',
    {
      onRequest: requireBearer,
      schema: { operationId: 'enable-factor', body: PasswordBody, response: { 200: NewFactorResponse, ...errors } },
    },
    async (request, reply) => {
      const body = await readBody(request, reply, parts, PasswordBody);
      if (!body) return reply;
      const { account } = bearerOf(request);
      const sent = { call: 'enable-factor', field: 'password', password: body.password } as const;
      if (!(await confirmPassword(request, reply, parts, sent))) return reply;
      const secret = createTotpSecret();
      const recoveryCodes = createRecoveryCodes();
      const recoveryDigests = recoveryCodes.map(recoveryDigest);
      if (!(await accountCalls.store.createFactor({ accountId: account.id, secret, recoveryDigests })))
        return sendError(request, reply, 'factor-active');
      return { secret, otpauthUrl: formatOtpauthUrl('Llavero', account.email, secret), recoveryCodes };
    },
  );

  app.post(
    '/two-factor/confirm',
    {
      onRequest: requireBearer,
      schema: { operationId: 'confirm-factor', body: CodeBody, response: { 200: DoneResponse, ...errors } },
    },
    async (request, reply) => {
      const body = await readBody(request, reply, parts, CodeBody);
      if (!body) return reply;
      const outcome = await accountCalls.confirmFactor(bearerOf(request).account.id, body.code);
      if (outcome === 'active') return sendError(request, reply, 'factor-active');
      if (outcome === 'wrong-code') return sendValidationErrors(request, reply, { code: ['incorrect'] });
      return { message: messagesFor(request).accountCalls.factorConfirmed };
    },
  );
}
