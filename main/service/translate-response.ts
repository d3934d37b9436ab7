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

/** Tokens of the service, wherever a dialect has them: 40 characters and their checksum, see `domain/bearer.ts`. */
const ownToken = /\b[1-9]\d{0,14}\|[A-Za-z0-9]{40}[0-9a-f]{8}\b/;

/** What an answer gives. The token is noted where it is not one of the service's own. */
type Given = { token?: string | undefined; refreshToken?: string | undefined };

const given = new WeakMap<FastifyReply, Given>();

/** Notes what an answer gives, for an interface that has other places for it. */
export const recordTokens = (reply: FastifyReply, { token, refreshToken }: Given): void =>
  void given.set(reply, { token, refreshToken });

function givenBy(reply: FastifyReply, payload: unknown): Given {
  const { token, refreshToken } = given.get(reply) ?? {};
  return { token: token ?? (typeof payload === 'string' ? ownToken.exec(payload)?.[0] : undefined), refreshToken };
}

/** Gives the cookie against forged requests, if the interface has one, and returns its value. */
export function setCsrfCookie(reply: FastifyReply, { csrf }: InterfaceDescription): string {
  const value = randomBytes(20).toString('hex');
  if (csrf) reply.header('set-cookie', setCookie(csrf.cookie, value, { httpOnly: false }));
  return value;
}

/** Whether an output is what a session is renewed by. */
const renews = (description: InterfaceDescription, output: string): boolean =>
  output !== 'token' && output === renewalOutput(description);

/** Puts a token where it is looked for, beside bodies. What is no secret of it is the id of its person. */
function handOver(
  reply: FastifyReply,
  { token, refreshToken, id }: Given & { token: string; id: string | undefined },
  { adapter, operation }: { adapter: ApiAdapter; operation: Operation },
): void {
  const { description } = adapter;
  const { csrf } = description;
  for (const [output, expression] of Object.entries(adapter.expressionsOf(operation))) {
    const name = headerIn(expression)?.toLowerCase();
    const value = adapter.isPublicOutput(output) ? id : renews(description, output) ? refreshToken : token;
    if (name !== undefined && value !== undefined && !reply.hasHeader(name))
      reply.header(name, name === 'authorization' ? `Bearer ${value}` : value);
  }
  const ofRefresh = cookieNamePatterns(operationSecurity(description, 'refresh'));
  if (refreshToken !== undefined)
    for (const name of ofRefresh) reply.header('set-cookie', setCookie(name, refreshToken));
  const cookies = cookieNamePatterns(sessionSchemes(description));
  for (const name of cookies) reply.header('set-cookie', setCookie(name, token));
  if (cookies.length === 0) return;
  if (csrf && csrf.from === undefined) setCsrfCookie(reply, description);
}

/** The id of the person that an answer of ours is about. */
function idIn(body: PlainJson | undefined): string | undefined {
  const user = isRecord(body) && isRecord(body['user']) ? body['user'] : body;
  const id = isRecord(user) ? user['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Adds the parts that the interface has to an answer of ours. */
function withOutputs(
  body: Record<string, PlainJson>,
  adapter: ApiAdapter,
  { operation, token, refreshToken }: Given & { operation: Operation },
): PlainJson {
  const { description } = adapter;
  const id = idIn(body);
  const parts: Record<string, PlainJson | undefined> = {
    user: isRecord(body['user']) ? body['user'] : operation === 'perfil' ? body : undefined,
    message: body['message'],
  };
  return Object.entries(adapter.expressionsOf(operation)).reduce<PlainJson>((all, [name, expression]) => {
    const given = adapter.isPublicOutput(name) ? id : renews(description, name) ? refreshToken : token;
    const value = Object.hasOwn(parts, name) ? parts[name] : given;
    return value === undefined || headerIn(expression) !== undefined ? all : writeExpression(expression, all, value);
  }, body);
}

/** Puts a refresh token into the bytes of an answer, in the place of the one that the original gave. All else stays as it is. */
function withRefreshToken(payload: Buffer, refreshToken: string, description: InterfaceDescription): Buffer {
  const expression = expressionsIn(description.outputs)[renewalOutput(description) ?? ''];
  const text = payload.toString();
  const learned =
    expression === undefined || headerIn(expression) !== undefined
      ? undefined
      : readExpression(expression, parseJson(text), text);
  if (learned === undefined) return payload;
  return Buffer.from(text.replace(JSON.stringify(learned), () => JSON.stringify(refreshToken)));
}

/** What an answer without a session says, where the interface has another status for that than 401. */
function withoutSession(reply: FastifyReply, payload: string, adapter: ApiAdapter): string {
  const { unauthenticated } = adapter.description;
  const [security] = sessionSchemes(adapter.description);
  const [said] = unauthenticated;
  if (adapter.isUnauthenticated(reply.statusCode, payload) || said === undefined) {
    if (security?.type === 'http') reply.header('www-authenticate', security.scheme);
    return payload;
  }
  reply.code(said.status).removeHeader('www-authenticate');
  if (said.body === undefined) return payload;
  const own = parseJson(payload);
  return JSON.stringify(isRecord(said.body) && isRecord(own) ? { ...own, ...said.body } : said.body);
}

/** Whether an answer to the log-in is a redirect that the interface names for success. */
function isNamedRedirect(request: FastifyRequest, reply: FastifyReply, adapter: ApiAdapter): boolean {
  const location = String(reply.getHeader('location') ?? '');
  const answer = { status: reply.statusCode, rawHeaders: [['location', location]] as const, body: '' };
  return (
    adapter.isLoginSuccess('login', answer, URL.parse(request.originalUrl, 'http://here.invalid')?.href ?? '') === true
  );
}

type Translated = { adapter: ApiAdapter; sentMethod: (request: FastifyRequest) => string };

/** Answers a log-in as its interface has it, by a redirect that says yes or by another one. What is no word on it stays. */
function redirectFor(request: FastifyRequest, reply: FastifyReply, { adapter, sentMethod }: Translated): boolean {
  const [yes] = adapter.description.calls.login.success ?? [];
  const { statusCode: status } = reply;
  const isAnswered = status < 300 || status === 400 || status === 401 || status === 422;
  if (!yes || !isAnswered || adapter.callOf(sentMethod(request), request.originalUrl) !== 'login') return false;
  const [path = ''] = request.originalUrl.split('?', 1);
  reply
    .code(yes.status)
    .header('location', status < 300 ? yes.location : `${path}?error`)
    .removeHeader('www-authenticate');
  return true;
}

/**
 * Makes what puts into an answer what the interface's own client looks for. All else of it stays.
 * @param translated.sentMethod the method that a client sent
 */
export function createResponseTranslation({ adapter, sentMethod }: Translated): onSendHookHandler {
  const { description } = adapter;
  const cookies = [sessionSchemes(description), operationSecurity(description, 'refresh')].flatMap((ways) =>
    cookieNamePatterns(ways),
  );
  return (request, reply, payload, done) => {
    const operation = operationOf(request);
    if (operation === undefined) return done(null, payload);
    const isDone =
      (reply.statusCode >= 200 && reply.statusCode < 300) ||
      (operation === 'login' && isNamedRedirect(request, reply, adapter));
    const isSession = operation === 'perfil' || operation === 'salir';
    const { token, refreshToken } = isDone && !isSession ? givenBy(reply, payload) : {};
    const id = typeof payload === 'string' ? idIn(parseJson(payload)) : undefined;
    if (token !== undefined) handOver(reply, { token, refreshToken, id }, { adapter, operation });
    if (isDone && operation === 'salir') for (const name of cookies) reply.header('set-cookie', setCookie(name, ''));
    // The answers of a double are bytes, and have been learned. What renews a session there has to be its own.
    if (Buffer.isBuffer(payload) && refreshToken !== undefined)
      return done(null, withRefreshToken(payload, refreshToken, description));
    if (typeof payload === 'string' && operation === 'login' && redirectFor(request, reply, { adapter, sentMethod }))
      return done(null, '');
    const body = typeof payload === 'string' ? parseJson(payload) : undefined;
    if (typeof payload !== 'string' || !isRecord(body)) return done(null, payload);
    if (isSession && reply.statusCode === 401) return done(null, withoutSession(reply, payload, adapter));
    const added = withOutputs(body, adapter, { operation, token, refreshToken });
    if (added === body) return done(null, payload);
    if (typeof added === 'string') reply.type('text/plain; charset=utf-8');
    done(null, typeof added === 'string' ? added : JSON.stringify(added));
  };
}
