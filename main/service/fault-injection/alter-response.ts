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

/** What was decided for a request on its arrival. A later change is for the next request. */
export type RequestDecision = { operation: Operation; settings: FaultInjectionSettings; fired: TriggeredFaults };

export type AlterationDependencies = Pick<RouteDependencies, 'accounts' | 'now' | 'tokenLifetimeSeconds'> & {
  secretOf: (tokenId: number) => string | undefined;
};

/** A response that is ready to be sent, and what it came from. */
type PendingResponse = {
  request: FastifyRequest;
  reply: FastifyReply;
  operation: Operation;
  body: unknown;
  parts: AlterationDependencies;
};

/** What the active defects together add to a response. */
type Additions = { extras: Record<string, string>; isUnknownEmail: boolean };

const unknownEmailTexts: Record<ServiceLanguage, string> = {
  en: 'No account has this email.',
  es: 'Ninguna cuenta tiene este correo.',
};

export const unknownEmailText = (request: FastifyRequest): string =>
  unknownEmailTexts[chooseLanguage(request.headers['accept-language'])];

/** Adds fields to a response: to its user, if it has one. */
function withExtras(body: Record<string, unknown>, extras: Record<string, string>): Record<string, unknown> {
  const { user } = body;
  return typeof user === 'object' ? { ...body, user: { ...user, ...extras } } : { ...body, ...extras };
}

/** Some dialects issue a token on registration. */
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
  { request, reply, operation, body, parts }: PendingResponse,
  active: readonly DefectName[],
): Promise<Additions> {
  const added: Additions = { extras: {}, isUnknownEmail: false };
  for (const defect of active) {
    const response = { operation, status: reply.statusCode, sent: request.body, body };
    const addition = await defects[defect].add?.(response, parts.accounts);
    Object.assign(added.extras, addition?.extras);
    added.isUnknownEmail ||= addition?.isUnknownEmail ?? false;
  }
  return added;
}

/** The text itself if it is not JSON, as a response of a mock server may be. */
export function parseBody(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

/** Replaces the token of a login by a guessable one, if that defect made one. */
export function withToken(
  operation: Operation,
  body: unknown,
  { secretOf }: Pick<AlterationDependencies, 'secretOf'>,
): [body: unknown, isChanged: boolean] {
  const login = operation === 'login' ? LoginResponse.safeParse(body) : undefined;
  if (!login?.success) return [body, false];
  const [id = ''] = login.data.token.split('|');
  const secret = secretOf(Number(id));
  return secret === undefined ? [body, false] : [{ ...login.data, token: `${id}|${secret}` }, true];
}

/** The service's own response with the additions; undefined without any. */
function withAdded({ request, body }: PendingResponse, { extras, isUnknownEmail }: Additions): string | undefined {
  if (typeof body !== 'object' || body === null || (!isUnknownEmail && Object.keys(extras).length === 0))
    return undefined;
  const message = unknownEmailText(request);
  return JSON.stringify(withExtras({ ...body, ...(isUnknownEmail && { message }) }, extras));
}

/** Sets the status and headers of a dialect, and returns its body. */
async function translateResponse(
  name: DialectName,
  pending: PendingResponse,
  { extras, isUnknownEmail }: Additions,
): Promise<string> {
  const { request, reply, operation, body, parts } = pending;
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
  const rendered = renderDialect(dialect, outcome.kind, { ...outcome, ...moment }, extras);
  reply.removeHeader('content-type').removeHeader('www-authenticate');
  // Dialects have their own headers for it, or none.
  if (outcome.kind === 'throttled') reply.removeHeader('retry-after');
  reply.code(rendered.status).headers(rendered.headers);
  return rendered.text;
}

/**
 * Alters a response as was decided for its request.
 * @returns the body to send instead; undefined if the response was sent already or never will be
 */
export async function alterResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
  { operation, settings: { dialect, defects: active }, fired }: RequestDecision,
  parts: AlterationDependencies,
): Promise<string | undefined> {
  let text = payload;
  if (dialect !== undefined || active.length > 0) {
    const [body, isChanged] = withToken(operation, parseBody(payload), parts);
    const pending = { request, reply, operation, body, parts };
    const added = await additionsTo(pending, active);
    const own = isChanged ? JSON.stringify(body) : payload;
    text =
      dialect === undefined ? (withAdded(pending, added) ?? own) : await translateResponse(dialect, pending, added);
  }
  return fired.other ? corruptResponse(reply, text, fired.other) : text;
}
