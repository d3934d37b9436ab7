import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import type { Operation } from '../../preload/contract/names.ts';
import { readExpression, headerIn, writeExpression } from '../interface/expression.ts';
import { expressionsIn } from '../interface/outputs.ts';
import { setCookie } from '../interface/server-request.ts';
import { renewalOutput } from '../interface/refresh-token.ts';
import { cookieNamePatterns, operationSecurity, sessionSchemes } from '../interface/security-schemes.ts';
import { isRecord, parseJson, type PlainJson } from '../interface/template.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { operationOf } from './operations.ts';

/** A token of the service: 40 characters and their checksum, see `domain/bearer.ts`. */
const ownToken = /\b[1-9]\d{0,14}\|[A-Za-z0-9]{40}[0-9a-f]{8}\b/;

/** Tokens that a response issues. `token` is set if it does not have the service's own form. */
type IssuedTokens = { token?: string | undefined; refreshToken?: string | undefined };

const issuedTokens = new WeakMap<FastifyReply, IssuedTokens>();

/** Notes the tokens of a response, for an API type that returns them elsewhere. */
export const recordTokens = (reply: FastifyReply, { token, refreshToken }: IssuedTokens): void =>
  void issuedTokens.set(reply, { token, refreshToken });

function issuedTokensOf(reply: FastifyReply, payload: unknown): IssuedTokens {
  const { token, refreshToken } = issuedTokens.get(reply) ?? {};
  return { token: token ?? (typeof payload === 'string' ? ownToken.exec(payload)?.[0] : undefined), refreshToken };
}

/** Sets the CSRF cookie, if the API type has one, and returns its value. */
export function setCsrfCookie(reply: FastifyReply, { csrf }: InterfaceDescription): string {
  const value = randomBytes(20).toString('hex');
  if (csrf) reply.header('set-cookie', setCookie(csrf.cookie, value, { httpOnly: false }));
  return value;
}

const isRefreshToken = (description: InterfaceDescription, output: string): boolean =>
  output !== 'token' && output === renewalOutput(description);

/** Sets the headers and cookies that carry a token. An output that is not secret gets the id of the user. */
function setTokenHeaders(
  reply: FastifyReply,
  { token, refreshToken, id }: IssuedTokens & { token: string; id: string | undefined },
  { adapter, operation }: { adapter: ApiAdapter; operation: Operation },
): void {
  const { description } = adapter;
  const { csrf } = description;
  for (const [output, expression] of Object.entries(adapter.expressionsOf(operation))) {
    const name = headerIn(expression)?.toLowerCase();
    const value = adapter.publicOutputs.has(output) ? id : isRefreshToken(description, output) ? refreshToken : token;
    if (name !== undefined && value !== undefined && !reply.hasHeader(name))
      reply.header(name, name === 'authorization' ? `Bearer ${value}` : value);
  }
  const refreshCookies = cookieNamePatterns(operationSecurity(description, 'refresh'));
  if (refreshToken !== undefined)
    for (const name of refreshCookies) reply.header('set-cookie', setCookie(name, refreshToken));
  const cookies = cookieNamePatterns(sessionSchemes(description));
  for (const name of cookies) reply.header('set-cookie', setCookie(name, token));
  if (cookies.length === 0) return;
  if (csrf && csrf.from === undefined) setCsrfCookie(reply, description);
}

function userIdIn(body: PlainJson | undefined): string | undefined {
  const user = isRecord(body) && isRecord(body['user']) ? body['user'] : body;
  const id = isRecord(user) ? user['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Adds the outputs of the API type to a body. */
function withOutputs(
  body: Record<string, PlainJson>,
  adapter: ApiAdapter,
  { operation, token, refreshToken }: IssuedTokens & { operation: Operation },
): PlainJson {
  const { description } = adapter;
  const id = userIdIn(body);
  const parts: Record<string, PlainJson | undefined> = {
    user: isRecord(body['user']) ? body['user'] : operation === 'profile' ? body : undefined,
    message: body['message'],
  };
  return Object.entries(adapter.expressionsOf(operation)).reduce<PlainJson>((all, [name, expression]) => {
    const issued = adapter.publicOutputs.has(name) ? id : isRefreshToken(description, name) ? refreshToken : token;
    const value = Object.hasOwn(parts, name) ? parts[name] : issued;
    return value === undefined || headerIn(expression) !== undefined ? all : writeExpression(expression, all, value);
  }, body);
}

/** Replaces the original's refresh token in a mock response, byte for byte. */
function withRefreshToken(payload: Buffer, refreshToken: string, description: InterfaceDescription): Buffer {
  const expression = expressionsIn(description.outputs)[renewalOutput(description) ?? ''];
  const text = payload.toString();
  const original =
    expression === undefined || headerIn(expression) !== undefined
      ? undefined
      : readExpression(expression, parseJson(text), text);
  if (original === undefined) return payload;
  return Buffer.from(text.replace(JSON.stringify(original), () => JSON.stringify(refreshToken)));
}

/** The response without a session, where the API type has another status for it than 401. */
function translateUnauthenticated(reply: FastifyReply, payload: string, adapter: ApiAdapter): string {
  const { unauthenticated } = adapter.description;
  const [security] = sessionSchemes(adapter.description);
  const [first] = unauthenticated;
  if (adapter.isUnauthenticated(reply.statusCode, payload) || first === undefined) {
    if (security?.type === 'http') reply.header('www-authenticate', security.scheme);
    return payload;
  }
  reply.code(first.status).removeHeader('www-authenticate');
  if (first.body === undefined) return payload;
  const own = parseJson(payload);
  return JSON.stringify(isRecord(first.body) && isRecord(own) ? { ...own, ...first.body } : first.body);
}

/** True for a redirect that the API type describes as a successful login. */
function isSuccessRedirect(request: FastifyRequest, reply: FastifyReply, adapter: ApiAdapter): boolean {
  const location = String(reply.getHeader('location') ?? '');
  const answer = { status: reply.statusCode, rawHeaders: [['location', location]] as const, body: '' };
  return (
    adapter.isLoginSuccess('login', answer, URL.parse(request.originalUrl, 'http://here.invalid')?.href ?? '') === true
  );
}

type TranslationOptions = { adapter: ApiAdapter; sentMethod: (request: FastifyRequest) => string };

/** Redirects after a login, if the API type does: to its success, or back with an error. */
function redirectLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  { adapter, sentMethod }: TranslationOptions,
): boolean {
  const [success] = adapter.description.calls.login.success ?? [];
  const { statusCode: status } = reply;
  const isAnswered = status < 300 || status === 400 || status === 401 || status === 422;
  if (!success || !isAnswered || adapter.callOf(sentMethod(request), request.originalUrl) !== 'login') return false;
  const [path = ''] = request.originalUrl.split('?', 1);
  reply
    .code(success.status)
    .header('location', status < 300 ? success.location : `${path}?error`)
    .removeHeader('www-authenticate');
  return true;
}

/**
 * Adds what a client of the API type expects to responses.
 * @param options.sentMethod the method that a client sent
 */
export function createResponseTranslation({ adapter, sentMethod }: TranslationOptions): onSendHookHandler {
  const { description } = adapter;
  const cookies = [sessionSchemes(description), operationSecurity(description, 'refresh')].flatMap((ways) =>
    cookieNamePatterns(ways),
  );
  return (request, reply, payload, done) => {
    // A code begins a session as a login does.
    const operation = operationOf(request) ?? (issuedTokens.has(reply) ? 'login' : undefined);
    if (operation === undefined) return done(null, payload);
    const isDone =
      (reply.statusCode >= 200 && reply.statusCode < 300) ||
      (operation === 'login' && isSuccessRedirect(request, reply, adapter));
    const isSession = operation === 'profile' || operation === 'logout';
    const { token, refreshToken } = isDone && !isSession ? issuedTokensOf(reply, payload) : {};
    const id = typeof payload === 'string' ? userIdIn(parseJson(payload)) : undefined;
    if (token !== undefined) setTokenHeaders(reply, { token, refreshToken, id }, { adapter, operation });
    if (isDone && operation === 'logout') for (const name of cookies) reply.header('set-cookie', setCookie(name, ''));
    // Recorded responses of a mock server are bytes.
    if (Buffer.isBuffer(payload) && refreshToken !== undefined)
      return done(null, withRefreshToken(payload, refreshToken, description));
    if (typeof payload === 'string' && operation === 'login' && redirectLogin(request, reply, { adapter, sentMethod }))
      return done(null, '');
    const body = typeof payload === 'string' ? parseJson(payload) : undefined;
    if (typeof payload !== 'string' || !isRecord(body)) return done(null, payload);
    if (isSession && reply.statusCode === 401) return done(null, translateUnauthenticated(reply, payload, adapter));
    const added = withOutputs(body, adapter, { operation, token, refreshToken });
    if (added === body) return done(null, payload);
    if (typeof added === 'string') reply.type('text/plain; charset=utf-8');
    done(null, typeof added === 'string' ? added : JSON.stringify(added));
  };
}
