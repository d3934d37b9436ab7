import type { FastifyReply, FastifyRequest } from 'fastify';
import { messagesFor } from '../responses.ts';
import { toUser } from '../schemas.ts';
import type { AccountRecord } from '../stores/account-store.ts';
import { sendMockResponse } from './mock-responses.ts';
import type { MockContext } from './mock-context.ts';
import { pendingValuesIn } from './mock-pending-logins.ts';
import type { Scenario } from './mock-definition.ts';
import type { TokenStatus } from './mock-tokens.ts';

const scenarioOfStatus: Record<Exclude<TokenStatus['kind'], 'good'>, Scenario> = {
  malformed: 'token-malformed',
  foreign: 'token-foreign',
  altered: 'token-altered',
  unsigned: 'token-unsigned',
  'signature-cut': 'token-signature-cut',
  'claim-changed': 'token-claim-changed',
  ended: 'token-ended',
  expired: 'token-expired',
};

/** The token of the header with its status, or the scenario of a header without a token. */
async function readToken(
  { model, parts, tokens }: MockContext,
  authorization: string | undefined,
  operation: 'profile' | 'logout',
): Promise<{ token: string; read: TokenStatus } | { situation: Scenario }> {
  const [, scheme = '', token = ''] = /^(\S+) +(\S.*)$/.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() !== 'bearer') return { situation: 'token-missing' };
  if (scheme !== 'Bearer' && !model.rules.schemeIgnoresCase.value) return { situation: 'scheme-in-other-case' };
  return { token, read: await tokens.read(token, parts.now(), operation) };
}

/** The session of a request, or the scenario of one without. */
export async function findSession(
  mock: MockContext,
  { headers: { authorization } }: FastifyRequest,
): Promise<{ account: AccountRecord; tokenId: number } | { situation: Scenario; account?: AccountRecord | undefined }> {
  const found = await readToken(mock, authorization, 'profile');
  if ('situation' in found) return found;
  const { read } = found;
  return read.kind === 'good' ? read : { situation: scenarioOfStatus[read.kind], account: read.account };
}

/** Answers the profile for what a pending login gave, or for a session that waits for a code; undefined for another one. */
async function answerPending(
  mock: MockContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { adapter, model, pendingLogins } = mock;
  const values = pendingValuesIn(request, adapter);
  const deleted = mock.deletedAccounts.of(values[0] ?? '');
  if (deleted) return mock.respond(request, reply, 'profile', 'account-deleted', await mock.withUsername(deleted));
  const pending = pendingLogins.find(values);
  if (!pending) return undefined;
  const { account, isSession } = pending;
  const isOpen = !isSession && model.accountRules?.profileForPendingLogin.value === true;
  const situation = isOpen ? 'done' : isSession ? 'second-factor-required' : 'token-pending';
  return mock.respond(request, reply, 'profile', situation, await mock.withUsername(account));
}

export function createMockSession(mock: MockContext) {
  const { model, tokens, answers } = mock;
  const withoutAccept = answers.measured('profile', 'token-missing-without-accept');
  const isForBrowsers = withoutAccept?.status !== answers.measured('profile', 'token-missing')?.status;
  const forBrowsers = isForBrowsers ? withoutAccept : undefined;

  const handler =
    (operation: 'profile' | 'logout') =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const found = await readToken(mock, request.headers.authorization, operation);
      const hasPending = operation === 'profile' && model.accountRules !== undefined;
      const pending = hasPending ? await answerPending(mock, request, reply) : undefined;
      if (pending) return pending;
      const isRefused = 'situation' in found || found.read.kind !== 'good';
      // A server that leads a browser to its form, or fails at that, does so whatever the token.
      if (isRefused && forBrowsers && !/json/i.test(request.headers.accept ?? '')) {
        return sendMockResponse(
          request,
          reply,
          forBrowsers,
          'token-missing-without-accept',
          mock.templateValuesFor(request),
        );
      }
      if ('situation' in found) {
        const isPlain = request.headers.accept === undefined && found.situation === 'token-missing';
        return mock.respond(request, reply, operation, isPlain ? 'token-missing-without-accept' : found.situation);
      }
      const { token, read } = found;
      if (read.kind !== 'good') {
        return mock.respond(
          request,
          reply,
          operation,
          scenarioOfStatus[read.kind],
          read.account && (await mock.withUsername(read.account)),
        );
      }
      const { account, tokenId } = read;
      const isMeasured = answers.measured(operation, 'done') !== undefined;
      // The original has no such operation.
      if (!isMeasured && answers.measured(operation, 'unknown-path'))
        return mock.respond(request, reply, operation, 'unknown-path');
      // Of two at once with one token, the second comes too late.
      const isDone = operation === 'profile' || (await tokens.logOut(tokenId, account));
      if (isDone && !isMeasured)
        return reply.send(operation === 'profile' ? toUser(account) : { message: messagesFor(request).loggedOut });
      return mock.respond(request, reply, operation, isDone ? 'done' : 'token-ended', {
        ...(await mock.withUsername(account)),
        token,
      });
    };

  return { profile: handler('profile'), logout: handler('logout') };
}
