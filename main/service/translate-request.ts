import { operationPaths } from '../../preload/contract/names.ts';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, preValidationAsyncHookHandler, RawRequestDefaultExpression } from 'fastify';
import type { Operation } from '../../preload/contract/names.ts';
import {
  authorizationOf,
  failsCsrfCheck,
  readRenewal,
  readRenewalCredential,
  type RenewalRequest,
} from '../interface/server-request.ts';
import { cookieNamePatterns, operationSecurity, sessionSchemes } from '../interface/security-schemes.ts';
import { parseJson, type PlainJson } from '../interface/template.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { isFormType } from '../interface/request-body.ts';
import { operationOf } from './operations.ts';
import { sendError } from './responses.ts';
import { authPrefix } from './routes/auth-routes.ts';

const MOST_NAME_LENGTH = 255;

/** A path without a route, in every API type. */
const NO_ROUTE = '/-';

/** The method that a client sent, before it was translated. */
const methods = new WeakMap<IncomingMessage, string>();

/** The refresh tokens of requests that carry them apart from their body. */
const refreshTokens = new WeakMap<IncomingMessage, string>();

/** The `Cookie` headers and the bodies of requests, before they were translated. */
const cookieHeaders = new WeakMap<IncomingMessage, string>();
const bodies = new WeakMap<IncomingMessage, string>();

/** The `Cookie` header that a client sent. */
export const originalCookies = ({ raw }: FastifyRequest): string => cookieHeaders.get(raw) ?? raw.headers.cookie ?? '';

/** The body that a client sent, where it is read as bytes. */
export const originalBody = ({ raw, body }: FastifyRequest): string =>
  bodies.get(raw) ?? (Buffer.isBuffer(body) ? body.toString() : '');

/** Requests without a valid CSRF token. */
const forged = new WeakSet<IncomingMessage>();

export const isForgedRequest = ({ raw }: FastifyRequest): boolean => forged.has(raw);

/** The method that a client sent, before it was translated. */
export const originalMethod = ({ raw, method }: FastifyRequest): string => methods.get(raw) ?? method;

/** True for the default API's paths, which another API type hides; registration stays if that type has none. */
function isHidden(adapter: ApiAdapter, url: string): boolean {
  try {
    const path = decodeURIComponent(url);
    const isRegistration = path === `${authPrefix}/registro` || path === `${authPrefix}/register`;
    return path.startsWith(authPrefix) && !(isRegistration && adapter.features.registrations.length === 0);
  } catch {
    // Refused as malformed later.
    return false;
  }
}

/** What a request renews a session by, if it does. */
function readRenewalOf(adapter: ApiAdapter, request: FastifyRequest, type: string): RenewalRequest | undefined {
  const { originalUrl: url, headers, body } = request;
  const own = refreshTokens.get(request.raw);
  const sent = { method: originalMethod(request), url, authorization: headers.authorization, own };
  if (!Buffer.isBuffer(body)) {
    const fields = typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : undefined;
    return readRenewal(adapter, sent, fields);
  }
  const text = body.toString();
  return readRenewal(adapter, sent, isFormType(type) ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text));
}

/**
 * Translates requests of another API type into those of the default one.
 * @param options.servesAccountCalls whether calls about the account keep their paths, since a mock answers them
 */
export function createRequestTranslation(adapter: ApiAdapter, { servesAccountCalls }: { servesAccountCalls: boolean }) {
  const refreshSchemes = operationSecurity(adapter.description, 'refresh') ?? [];
  const hasCookies = cookieNamePatterns([...sessionSchemes(adapter.description), ...refreshSchemes]).length > 0;

  /** True for a call about the account that is no login with a code in it. */
  const isAccountCall = (method: string, url: string): boolean =>
    servesAccountCalls && adapter.callOf(method, url) === undefined && adapter.accountCallsAt(method, url).length > 0;

  /** Translates the method, the credential and the address of a request, before Fastify routes it. */
  function rewriteUrl(request: RawRequestDefaultExpression): string {
    const { url = '', method = '', headers } = request;
    const authorization = authorizationOf(adapter.description, (name) => headers[name]?.toString());
    if (authorization === undefined) delete headers.authorization;
    else headers.authorization = authorization;
    const renewal = readRenewalCredential(adapter.description, (name) => headers[name]?.toString());
    if (renewal !== undefined) refreshTokens.set(request, renewal);
    const isAboutAccount = isAccountCall(method, url);
    const own = isAboutAccount ? undefined : adapter.toDefaultInterface(method, url);
    const isForged =
      (isAboutAccount || own !== undefined) &&
      failsCsrfCheck(adapter.description, method, (name) => headers[name]?.toString());
    if (headers.cookie !== undefined) cookieHeaders.set(request, headers.cookie);
    // They belong to the API type, and must not count as a mistake of the client.
    if (hasCookies) delete headers.cookie;
    if (isForged) forged.add(request);
    if (isAboutAccount) return url;
    if (!own) return isHidden(adapter, url) ? NO_ROUTE : url;
    methods.set(request, method);
    request.method = own.method;
    return `${authPrefix}/${operationPaths[own.name]}`;
  }

  /** Translates the fields of a body. A request that renews a session is answered here. */
  const readFields: preValidationAsyncHookHandler = async (request, reply) => {
    const { body, headers } = request;
    const operation = operationOf(request);
    if (operation === undefined) return undefined;
    const type = headers['content-type'] ?? '';
    const renewal = operation === 'login' ? readRenewalOf(adapter, request, type) : undefined;
    const call = renewal ? 'refresh' : operation;
    const inQuery = renewal ? undefined : adapter.fieldsInQuery(operation, request.originalUrl);
    const isRead = typeof body === 'object' && body !== null;
    if (isRead && !Buffer.isBuffer(body) && isFormType(type) !== adapter.takesForm(call))
      return sendError(request, reply, adapter.takesForm(call) ? 'not-a-form' : 'not-json');
    if (renewal) return request.routeOptions.config.renew?.(request, reply, renewal);
    if (inQuery) {
      request.body = inQuery;
      return undefined;
    }
    if (!isRead) return undefined;
    if (Buffer.isBuffer(body)) {
      const text = body.toString();
      bodies.set(request.raw, text);
      const fields = adapter.fieldsOf(operation, type, text);
      if (fields) request.body = Buffer.from(JSON.stringify(addName(adapter, fields, operation)));
    } else if (!Array.isArray(body)) {
      request.body = addName(adapter, adapter.fieldsIn(operation, Object.fromEntries(Object.entries(body))), operation);
    }
    return undefined;
  };

  return { rewriteUrl, readFields };
}

/** Our accounts need a name. If the API type has none at registration, it is made of the email. */
function addName(
  adapter: ApiAdapter,
  fields: Record<string, PlainJson>,
  operation: Operation,
): Record<string, PlainJson> {
  if (!adapter.features.registrations.some((each) => each === operation) || adapter.features.fields.has('name'))
    return fields;
  const { email } = fields;
  return { name: typeof email === 'string' && email.trim() !== '' ? email.slice(0, MOST_NAME_LENGTH) : '-', ...fields };
}
