import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownInterface } from '../../interface/shipped.ts';
import { Wire } from '../../interface/wire.ts';
import type { Account } from '../stores/account-store.ts';
import { sentMethod } from '../translate-request.ts';
import { createAnswers, giveAnswer } from './answers.ts';
import type { DoubleParts } from './double-tokens.ts';
import { limitsOfDouble } from './limits-of-double.ts';
import { alphabets, type ModelOperation, type ServerModel, type Situation } from './model.ts';
import type { Filling } from './say.ts';
import { createTokens } from './tokens.ts';

/** What one request of a double is answered with. */
export type Double = ReturnType<typeof createDouble>;

const random: Filling['random'] = (of, count) => {
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

/** A body that cannot be read says why. */
type ReadBody = { ok: true; body: Record<string, unknown> } | { ok: false; situation: Situation };

/** Makes what the routes of a double answer with, out of a model and the parts of the service. */
export function createDouble(model: ServerModel, parts: DoubleParts) {
  const wire = new Wire(model.interface ?? ownInterface, '');
  const answers = createAnswers(model, wire);
  const tokens = createTokens(model.token, model.rules, parts, random);
  const fillingOf = (request: FastifyRequest, more: Partial<Filling> = {}): Filling => ({
    nowMs: parts.now(),
    path: request.originalUrl.split('?', 1)[0] ?? '',
    method: sentMethod(request),
    lifetimeSeconds: tokens.lifetimeSeconds,
    random,
    ...more,
  });

  return {
    model,
    parts,
    answers,
    tokens,
    limits: limitsOfDouble(model),
    wire,
    identifiers: wire.identifiers,

    /** An account with its user name, where the interface has one. */
    named: async (account: Account): Promise<Pick<Filling, 'account' | 'username'>> => ({
      account,
      username: wire.identifiers.hasUsername ? await parts.usernames.of(account.id) : undefined,
    }),

    /** Answers with what was learned of a situation. */
    give(
      request: FastifyRequest,
      reply: FastifyReply,
      operation: ModelOperation,
      situation: Situation,
      more: Partial<Filling> = {},
    ): FastifyReply {
      return giveAnswer(request, reply, answers.find(operation, situation), situation, fillingOf(request, more));
    },

    fillingOf,

    /** Reads the body, which is bytes as they came. Most servers find no fields in JSON that is no object. */
    read(request: FastifyRequest, operation: ModelOperation): ReadBody {
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
