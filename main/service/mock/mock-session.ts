import type { FastifyReply, FastifyRequest } from 'fastify';
import { messagesFor } from '../responses.ts';
import { toUser } from '../schemas.ts';
import { sendMockResponse } from './mock-responses.ts';
import type { MockContext } from './mock-context.ts';
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

export function createMockSession(mock: MockContext) {
  const { model, parts, tokens, answers } = mock;
  const withoutAccept = answers.measured('profile', 'token-missing-without-accept');
  const isForBrowsers = withoutAccept?.status !== answers.measured('profile', 'token-missing')?.status;
  const forBrowsers = isForBrowsers ? withoutAccept : undefined;

  /** The token of the header with its status, or the scenario of a header without a token. */
  async function readToken(
    authorization: string | undefined,
    operation: 'profile' | 'logout',
  ): Promise<{ token: string; read: TokenStatus } | { situation: Scenario }> {
    const [, scheme = '', token = ''] = /^(\S+) +(\S.*)$/.exec(authorization ?? '') ?? [];
    if (scheme.toLowerCase() !== 'bearer') return { situation: 'token-missing' };
    if (scheme !== 'Bearer' && !model.rules.schemeIgnoresCase.value) return { situation: 'scheme-in-other-case' };
    return { token, read: await tokens.read(token, parts.now(), operation) };
  }

  const handler =
    (operation: 'profile' | 'logout') =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const found = await readToken(request.headers.authorization, operation);
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
