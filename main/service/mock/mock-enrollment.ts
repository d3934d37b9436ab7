import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCall } from '../../interface/account-calls.ts';
import { parseTotpSecret } from '../../interface/totp.ts';
import { recoveryDigest } from '../domain/recovery-codes.ts';
import { sendError } from '../responses.ts';
import { checkRepeatedPassword, requireAccountSession } from './mock-account-session.ts';
import type { MockContext } from './mock-context.ts';
import type { AccountFields, MockSecondFactor } from './mock-second-factor.ts';
import { placeholdersIn, renderSegments } from './render-response.ts';

type Sent = { call: AccountCall; fields: AccountFields };

/** The secret and the recovery codes that the answer to a call gives. */
function createFactor(call: AccountCall, { answers, parts, random }: MockContext) {
  const answer = answers.measured(call, 'done');
  const recoveryCodes: string[] = [];
  let secret: string | undefined;
  for (const each of answer ? placeholdersIn(answer) : []) {
    if (each.place === 'factor-secret') secret ??= random('base32', each.count);
    if (each.place === 'recovery-code')
      recoveryCodes[each.index] ??= renderSegments(each.segments, random, parts.now());
  }
  // A mock file may leave out some.
  return { secret, recoveryCodes: Array.from(recoveryCodes, (code) => code ?? '') };
}

const storeFactor = (
  { parts: { factors } }: MockContext,
  accountId: number,
  secret: string,
  recoveryCodes: readonly string[],
): Promise<boolean> =>
  factors.createFactor({
    accountId,
    secret,
    recoveryDigests: recoveryCodes.filter((code) => code !== '').map(recoveryDigest),
  });

/** Answers the beginning of an enrollment, or a challenge within it. */
export async function startEnrollment(
  request: FastifyRequest,
  reply: FastifyReply,
  { call, fields }: Sent,
  mock: MockContext,
): Promise<void> {
  const found = await requireAccountSession(request, reply, call, mock);
  if (!found) return;
  const { account, login } = found;
  const situation = await checkRepeatedPassword(request, reply, { call, fields, login }, mock);
  if (situation === undefined) return;
  const values = { sent: fields, ...(await mock.withUsername(account)) };
  if (situation !== 'done') {
    mock.respond(request, reply, call, situation, values);
    return;
  }
  const { secret, recoveryCodes } = createFactor(call, mock);
  // What the original does to an active factor was not tested.
  if (secret !== undefined && !(await storeFactor(mock, account.id, secret, recoveryCodes)))
    sendError(request, reply, 'factor-active');
  else
    mock.respond(request, reply, call, 'done', {
      ...values,
      ...(secret !== undefined && { newFactor: { secret, recoveryCodes } }),
    });
}

/** Confirms a factor by its first code. A client may send the secret, and some servers take no other. */
export async function confirmEnrollment(
  request: FastifyRequest,
  reply: FastifyReply,
  { call, fields }: Sent,
  { mock, secondFactor }: { mock: MockContext; secondFactor: MockSecondFactor },
): Promise<void> {
  const { factors } = mock.parts;
  const found = await requireAccountSession(request, reply, call, mock);
  if (!found) return;
  const { id } = found.account;
  const stored = await factors.findFactor(id);
  const { code, secret: sent } = fields;
  const { recoveryCodes } = createFactor(call, mock);
  const secret = typeof sent === 'string' && parseTotpSecret(sent) ? sent : stored?.secret;
  const values = { sent: fields, ...(await mock.withUsername(found.account)) };
  const isCode = typeof code === 'string' && code !== '';
  if (secret === undefined || !isCode || !(await secondFactor.isRightTotp(id, secret, code))) {
    mock.respond(request, reply, call, isCode ? 'wrong-code' : 'missing-code', values);
    return;
  }
  const isNew = secret !== stored?.secret || recoveryCodes.length > 0;
  if (isNew && !(await storeFactor(mock, id, secret, recoveryCodes))) {
    sendError(request, reply, 'factor-active');
    return;
  }
  await factors.activateFactor(id, secret);
  mock.respond(request, reply, call, 'done', { ...values, newFactor: { secret, recoveryCodes } });
}
