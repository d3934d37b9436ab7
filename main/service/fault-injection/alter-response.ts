import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLanguage } from '../language.ts';
import type { ServiceLanguage } from '../messages.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { DialectName, DefectName, Operation } from '../../../preload/contract/names.ts';
import { dialects } from './dialects.ts';
import { renderDialect } from './dialects/dialect.ts';
import type { TriggeredFaults } from './faults.ts';
import { readOutcome } from './outcomes.ts';
import type { FaultInjectionSettings } from './fault-injection-settings.ts';
import { issueToken } from '../routes/issue-token.ts';
import { LoginResponse } from '../schemas.ts';
import { recordTokens } from '../translate-response.ts';
import { corruptResponse } from './corrupt-response.ts';
import { defects } from './defects.ts';

/** What was decided for one request when it came: a change meanwhile is for the next one. */
export type RequestDecision = { operation: Operation; settings: FaultInjectionSettings; fired: TriggeredFaults };

/** What answers are altered with. */
export type AlterationDependencies = Pick<RouteDependencies, 'accounts' | 'now' | 'tokenLifetimeSeconds'> & {
  secretOf: (tokenId: number) => string | undefined;
};

/** An answer of ours that is ready to be sent, with all that it came from. */
type Ready = {
  request: FastifyRequest;
  reply: FastifyReply;
  operation: Operation;
  body: unknown;
  parts: AlterationDependencies;
};

/** What all wrong modes together add to an answer. */
type Added = { extras: Record<string, string>; isUnknownEmail: boolean };

const unknownEmailTexts: Record<ServiceLanguage, string> = {
  en: 'No account has this email.',
  es: 'Ninguna cuenta tiene este correo.',
};

/** Puts what a wrong mode says too much of into an answer of our own: into its user, where it has one. */
function withExtras(body: Record<string, unknown>, extras: Record<string, string>): Record<string, unknown> {
  const { user } = body;
  return typeof user === 'object' ? { ...body, user: { ...user, ...extras } } : { ...body, ...extras };
}

/** A token for a registration, as some dialects give one. */
async function registrationToken(
  reply: FastifyReply,
  accountId: number,
  parts: AlterationDependencies,
): Promise<string> {
  const { token, refreshToken } = await issueToken(parts, accountId);
  recordTokens(reply, { refreshToken });
  const [id = ''] = token.split('|');
  const secret = parts.secretOf(Number(id));
  return secret === undefined ? token : `${id}|${secret}`;
}

async function additionsTo(
  { request, reply, operation, body, parts }: Ready,
  wrong: readonly DefectName[],
): Promise<Added> {
  const added: Added = { extras: {}, isUnknownEmail: false };
  for (const each of wrong) {
    const answered = { operation, status: reply.statusCode, sent: request.body, body };
    const addition = await defects[each].add?.(answered, parts.accounts);
    Object.assign(added.extras, addition?.extras);
    added.isUnknownEmail ||= addition?.isUnknownEmail ?? false;
  }
  return added;
}

/** An answer of a double may be any text, to which nothing is added. */
function jsonOf(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

/** Puts the secret that a wrong mode gave into the answer of a login. */
function withToken(
  operation: Operation,
  body: unknown,
  { secretOf }: AlterationDependencies,
): [body: unknown, isChanged: boolean] {
  const login = operation === 'login' ? LoginResponse.safeParse(body) : undefined;
  if (!login?.success) return [body, false];
  const [id = ''] = login.data.token.split('|');
  const secret = secretOf(Number(id));
  return secret === undefined ? [body, false] : [{ ...login.data, token: `${id}|${secret}` }, true];
}

/** Our own answer with what is added to it; undefined when nothing is. */
function withAdded({ request, body }: Ready, { extras, isUnknownEmail }: Added): string | undefined {
  if (typeof body !== 'object' || body === null || (!isUnknownEmail && Object.keys(extras).length === 0))
    return undefined;
  const message = unknownEmailTexts[chooseLanguage(request.headers['accept-language'])];
  return JSON.stringify(withExtras({ ...body, ...(isUnknownEmail && { message }) }, extras));
}

/** Says the same as our answer in a dialect: the reply gets its status and headers, and the text is returned. */
async function sayIn(name: DialectName, ready: Ready, { extras, isUnknownEmail }: Added): Promise<string> {
  const { request, reply, operation, body, parts } = ready;
  const dialect = dialects[name];
  const outcome = readOutcome(operation, {
    status: reply.statusCode,
    retryAfter: Number(reply.getHeader('retry-after')),
    body,
    language: chooseLanguage(request.headers['accept-language']),
    isUnknownEmail,
  });
  if (outcome.kind === 'registered' && dialect.issuesTokenOnRegistration) {
    outcome.token = await registrationToken(reply, outcome.user.id, parts);
  }
  const moment = { nowMs: parts.now(), path: request.routeOptions.url ?? '' };
  const said = renderDialect(dialect, outcome.kind, { ...outcome, ...moment }, extras);
  reply.removeHeader('content-type').removeHeader('www-authenticate');
  // A dialect has the time in headers of its own, or nowhere.
  if (outcome.kind === 'throttled') reply.removeHeader('retry-after');
  reply.code(said.status).headers(said.headers);
  return said.text;
}

/**
 * Alters an answer as was decided for its request.
 *
 * @returns the text to send in the place of ours, after the reply has got its status and headers; undefined when the
 * answer has been sent already or never will be
 */
export async function alterResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
  { operation, settings: { dialect, defects: wrong }, fired }: RequestDecision,
  parts: AlterationDependencies,
): Promise<string | undefined> {
  let text = payload;
  if (dialect !== undefined || wrong.length > 0) {
    const [body, isChanged] = withToken(operation, jsonOf(payload), parts);
    const ready = { request, reply, operation, body, parts };
    const added = await additionsTo(ready, wrong);
    const own = isChanged ? JSON.stringify(body) : payload;
    text = dialect === undefined ? (withAdded(ready, added) ?? own) : await sayIn(dialect, ready, added);
  }
  return fired.other ? corruptResponse(reply, text, fired.other) : text;
}
