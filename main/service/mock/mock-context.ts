import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defaultInterface } from '../../interface/shipped.ts';
import { ApiAdapter } from '../../interface/api-adapter.ts';
import { createOldPasswords } from '../domain/old-passwords.ts';
import type { AccountRecord } from '../stores/account-store.ts';
import { originalMethod } from '../translate-request.ts';
import { createDeletedAccounts } from './deleted-accounts.ts';
import { createMockResponses, sendMockResponse } from './mock-responses.ts';
import type { MockDependencies } from './mock-token-store.ts';
import { createMockPendingLogins } from './mock-pending-logins.ts';
import { mockRateLimits } from './mock-rate-limits.ts';
import { alphabets, type MockOperation, type MockDefinition, type Scenario } from './mock-definition.ts';
import type { TemplateValues } from './render-response.ts';
import { createMockTokens } from './mock-tokens.ts';

export type MockContext = ReturnType<typeof createMockContext>;

const random: TemplateValues['random'] = (of, count) => {
  const signs = alphabets[of];
  // Bytes above the last whole multiple would make the first signs likelier.
  const most = 256 - (256 % signs.length);
  let text = '';
  while (text.length < count)
    for (const byte of randomBytes(count - text.length)) if (byte < most) text += signs[byte % signs.length] ?? '';
  return text;
};

/** In a longer body a number that JavaScript does not hold changes: keeping its digits takes fifty times as long as reading it. */
const longestWithDigits = 16_384;

/** Reads JSON of which a number comes back in an answer with the digits that it was sent with. */
const parseKeepingDigits = (text: string): unknown =>
  text.length > longestWithDigits
    ? JSON.parse(text)
    : JSON.parse(text, (_name, value, { source }) =>
        typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
      );

type ReadBody = { ok: true; body: Record<string, unknown> } | { ok: false; situation: Scenario };

/** What the routes of a mock share. */
export function createMockContext(model: MockDefinition, parts: MockDependencies) {
  const adapter = new ApiAdapter(model.interface ?? defaultInterface, '');
  const answers = createMockResponses(model, adapter);
  const tokens = createMockTokens(model.token, model.rules, parts, random);
  const deletedAccounts = createDeletedAccounts(model.accountRules?.deletionEndsTokens.value === false);
  const templateValuesFor = (request: FastifyRequest, more: Partial<TemplateValues> = {}): TemplateValues => ({
    nowMs: parts.now(),
    path: request.originalUrl.split('?', 1)[0] ?? '',
    method: originalMethod(request),
    lifetimeSeconds: tokens.lifetimeSeconds,
    random,
    ...more,
  });

  return {
    model,
    parts,
    answers,
    tokens: {
      ...tokens,
      async issue(...of: Parameters<typeof tokens.issue>): ReturnType<typeof tokens.issue> {
        const issued = await tokens.issue(...of);
        deletedAccounts.note(of[0].account.id, issued.token);
        return issued;
      },
    },
    limits: mockRateLimits(model),
    pendingLogins: createMockPendingLogins({
      now: parts.now,
      lifetimeSeconds: model.accountRules?.pendingLoginSeconds.value ?? 0,
    }),
    deletedAccounts,
    oldPasswords: createOldPasswords<true>(parts.passwords, () => true),
    random,
    adapter,
    identifiers: adapter.identifiers,

    /** An account with its user name, where the interface has one. */
    withUsername: async (account: AccountRecord): Promise<Pick<TemplateValues, 'account' | 'username'>> => ({
      account,
      username: adapter.identifiers.hasUsername ? await parts.usernames.of(account.id) : undefined,
    }),

    /** Sends the measured answer to a scenario. */
    respond(
      request: FastifyRequest,
      reply: FastifyReply,
      operation: MockOperation,
      situation: Scenario,
      more: Partial<TemplateValues> = {},
    ): FastifyReply {
      return sendMockResponse(
        request,
        reply,
        answers.find(operation, situation),
        situation,
        templateValuesFor(request, more),
      );
    },

    templateValuesFor,

    /** The fields of a body. Most servers find none in JSON that is no object. */
    parseRequestBody(request: FastifyRequest, operation: MockOperation): ReadBody {
      const { body } = request;
      if (!Buffer.isBuffer(body) || body.length === 0) return { ok: true, body: {} };
      let parsed: unknown;
      try {
        parsed = parseKeepingDigits(new TextDecoder('utf-8', { fatal: true }).decode(body));
      } catch {
        return { ok: false, situation: 'not-json' };
      }
      const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
      if (!isObject && answers.measured(operation, 'not-object')) return { ok: false, situation: 'not-object' };
      return { ok: true, body: isObject ? Object.fromEntries(Object.entries(parsed ?? {})) : {} };
    },
  };
}
