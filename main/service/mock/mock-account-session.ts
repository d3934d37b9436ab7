import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCall } from '../../interface/account-calls.ts';
import { sendServiceUnavailable } from '../responses.ts';
import type { AccountRecord, LoginRecord } from '../stores/account-store.ts';
import type { MockContext } from './mock-context.ts';
import { registrationKey, truncatePassword } from './mock-registration.ts';
import type { AccountFields } from './mock-second-factor.ts';
import { findSession } from './mock-session.ts';
import { placeholdersIn, renderText } from './render-response.ts';

export type AccountSession = { account: AccountRecord; login: LoginRecord; tokenId: number };

/** False if the id in the path of a call is not that of the account. */
function isOwnPath(
  request: FastifyRequest,
  call: AccountCall,
  account: AccountRecord,
  { adapter, answers, templateValuesFor }: MockContext,
): boolean {
  const profile = answers.measured('profile', 'done');
  const ids = profile ? placeholdersIn(profile).filter(({ place }) => place === 'id') : [];
  const hasId = adapter.accountPathFault(call, {}) !== undefined;
  if (ids.length === 0 || !hasId) return true;
  const values = templateValuesFor(request, { account });
  const own = new Set(ids.map((id) => encodeURIComponent(renderText([id], values))));
  return request.originalUrl.split(/[/?]/).some((segment) => own.has(segment));
}

/** The session of a call about the account; undefined if a refusal was sent. */
export async function requireAccountSession(
  request: FastifyRequest,
  reply: FastifyReply,
  call: AccountCall,
  mock: MockContext,
): Promise<AccountSession | undefined> {
  const found = await findSession(mock, request);
  if ('situation' in found) {
    mock.respond(request, reply, call, found.situation, found.account && (await mock.withUsername(found.account)));
    return undefined;
  }
  const { account, tokenId } = found;
  const login = await mock.parts.accounts.findLogin(registrationKey(account.email, mock.model.rules));
  if (login && isOwnPath(request, call, account, mock)) return { account, login, tokenId };
  mock.respond(request, reply, call, login ? 'unknown-path' : 'token-foreign');
  return undefined;
}

/** Whether the password that a call repeats is right; undefined if none could be checked now, which was answered. */
export async function checkRepeatedPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { call, fields, login }: { call: AccountCall; fields: AccountFields; login: LoginRecord },
  { adapter, model, parts }: MockContext,
): Promise<'done' | 'missing-password' | 'wrong-password' | undefined> {
  if (!adapter.fieldNamesOf(call).includes('password')) return 'done';
  const { password } = fields;
  if (password === undefined) return 'missing-password';
  if (typeof password !== 'string') return 'wrong-password';
  const matches = await parts.hashQueue.run(() =>
    parts.passwords.matches(truncatePassword(password, model.rules), login.passwordHash),
  );
  if (matches.ok) return matches.value ? 'done' : 'wrong-password';
  sendServiceUnavailable(request, reply, 'busy', matches.retryAfterSeconds);
  return undefined;
}
