import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCalls } from '../../account-calls.ts';
import { recoveryDigest } from '../../domain/recovery-codes.ts';
import { sendErrorWith, sendTooManyRequests, sendValidationErrors } from '../../responses.ts';
import type { App } from '../../route-dependencies.ts';
import {
  ErrorResponse,
  LoginCodes,
  LoginResponse,
  PendingCodeBody,
  PendingLoginEnded,
  PendingRecoveryBody,
  ServerErrorResponse,
  validateBody,
} from '../../schemas.ts';
import type { AccountRecord } from '../../stores/account-store.ts';
import { createLoginResponse, issueToken } from '../issue-token.ts';
import { readBody, type AccountRouteDependencies } from './read-body.ts';

type SentCode = { field: 'code' | 'recoveryCode'; text: string };

const isRight = ({ store, verifyCode }: AccountCalls, accountId: number, { field, text }: SentCode): Promise<boolean> =>
  field === 'code' ? verifyCode(accountId, text) : store.useRecoveryCode(accountId, recoveryDigest(text));

/**
 * Checks a code. It is counted first, so that parallel guesses cannot bypass the limit.
 * @returns whether it was correct; if not, an error was sent
 */
async function acceptCode(
  request: FastifyRequest,
  reply: FastifyReply,
  accountCalls: AccountCalls,
  { kind, account, sent }: { kind: 'login' | 'pending'; account: AccountRecord; sent: SentCode },
): Promise<boolean> {
  const guess = await accountCalls.consumeGuess(kind, account.id);
  if (!guess.granted) {
    sendTooManyRequests(request, reply, guess.retryAfterSeconds);
    return false;
  }
  if (!(await isRight(accountCalls, account.id, sent))) {
    sendValidationErrors(request, reply, { [sent.field]: ['incorrect'] });
    return false;
  }
  await guess.giveBack();
  return true;
}

/**
 * Asks for the second factor of an account whose password was correct.
 * @returns whether the login goes on; if not, a response was sent
 */
export async function passSecondFactor(
  request: FastifyRequest,
  reply: FastifyReply,
  accountCalls: AccountCalls,
  account: AccountRecord,
): Promise<boolean> {
  // Without a factor, a code is ignored like any unknown field.
  if (!(await accountCalls.hasFactor(account.id))) return true;
  const body = await validateBody(LoginCodes, request.body);
  if (!body.ok) {
    sendValidationErrors(request, reply, body.kind === 'invalid' ? body.problems : {});
    return false;
  }
  const { code, recoveryCode } = body.value;
  if (code !== undefined) {
    const sent: SentCode = { field: 'code', text: code };
    return acceptCode(request, reply, accountCalls, { kind: 'login', account, sent });
  }
  if (recoveryCode !== undefined) {
    const sent: SentCode = { field: 'recoveryCode', text: recoveryCode };
    return acceptCode(request, reply, accountCalls, { kind: 'login', account, sent });
  }
  sendErrorWith(request, reply, 'second-factor-required', {
    code: 'second_factor_required',
    pendingToken: await accountCalls.pendingLogins.create(account),
    methods: ['totp', 'recovery'],
  });
  return false;
}

const bodies = {
  'login-code': { path: '/login/code', field: 'code', body: PendingCodeBody },
  'login-recovery-code': { path: '/login/recovery-code', field: 'recoveryCode', body: PendingRecoveryBody },
} as const;

/** The two routes that complete a login with its pending token. */
export function pendingLoginRoutes(app: App, parts: AccountRouteDependencies): void {
  const { accountCalls } = parts;
  const { pendingLogins } = accountCalls;

  for (const operationId of ['login-code', 'login-recovery-code'] as const) {
    const { path, field, body: schemaOfBody } = bodies[operationId];
    const schema = {
      operationId,
      body: schemaOfBody,
      response: { 200: LoginResponse, 401: PendingLoginEnded, '4xx': ErrorResponse, '5xx': ServerErrorResponse },
    };
    app.post(path, { schema }, async (request, reply) => {
      const ended = (): FastifyReply =>
        sendErrorWith(request, reply, 'pending-login-ended', { code: 'pending_login_ended' });
      const body = await readBody<Record<string, string>>(request, reply, parts, schemaOfBody);
      if (!body) return reply;
      const { pendingToken = '', [field]: text = '' } = body;
      const account = pendingLogins.tryCode(pendingToken);
      if (!account) return ended();
      const isAccepted = await acceptCode(request, reply, accountCalls, {
        kind: 'pending',
        account,
        sent: { field, text },
      });
      if (!isAccepted) return reply;
      // A concurrent request was first, or the account was deleted or got another password.
      if (!pendingLogins.finish(pendingToken)) return ended();
      return createLoginResponse(reply, account, await issueToken(parts, account.id));
    });
  }
}
