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
import { operationOf } from './operations.ts';
import { sendError } from './responses.ts';
import { authPrefix } from './routes/auth-routes.ts';

const longestName = 255;

/** Has no route, whatever the interface. */
const nowhere = '/-';

const methods = new WeakMap<IncomingMessage, string>();

/** What requests carry that renew a session, where that goes in a way of its own. */
const renewals = new WeakMap<IncomingMessage, string>();

/** Those that come without the proof that no other page had them sent. */
const forged = new WeakSet<IncomingMessage>();

export const isForgedRequest = ({ raw }: FastifyRequest): boolean => forged.has(raw);

/** The method that a client sent, before it was translated. */
export const originalMethod = ({ raw, method }: FastifyRequest): string => methods.get(raw) ?? method;

/** Makes what puts a request of another interface into our words. */
export function createRequestTranslation(adapter: ApiAdapter) {
  const ofRefresh = operationSecurity(adapter.description, 'refresh') ?? [];
  const hasCookies = cookieNamePatterns([...sessionSchemes(adapter.description), ...ofRefresh]).length > 0;

  /** Whether an address is one of ours, where this interface has none. Where accounts are made elsewhere, ours make them. */
  function isHidden(url: string): boolean {
    try {
      const path = decodeURIComponent(url);
      const isRegistration = path === `${authPrefix}/registro` || path === `${authPrefix}/register`;
      return path.startsWith(authPrefix) && !(isRegistration && adapter.features.registrations.length === 0);
    } catch {
      // It is refused as no good path.
      return false;
    }
  }

  /** Puts the method, the credential and the address of a request into our words. Before anything else looks at it. */
  function rewriteUrl(request: RawRequestDefaultExpression): string {
    const { url = '', method = '', headers } = request;
    const authorization = authorizationOf(adapter.description, (name) => headers[name]?.toString());
    if (authorization === undefined) delete headers.authorization;
    else headers.authorization = authorization;
    const renewal = readRenewalCredential(adapter.description, (name) => headers[name]?.toString());
    if (renewal !== undefined) renewals.set(request, renewal);
    const own = adapter.toDefaultInterface(method, url);
    const isUnproved =
      own !== undefined && failsCsrfCheck(adapter.description, method, (name) => headers[name]?.toString());
    // Its cookies are the interface's, and no mistake of a client.
    if (hasCookies) delete headers.cookie;
    if (!own) return isHidden(url) ? nowhere : url;
    if (isUnproved) forged.add(request);
    methods.set(request, method);
    request.method = own.method;
    return `${authPrefix}/${own.name}`;
  }

  /** Gives a body the fields that our routes know. A request to renew a session is answered here. */
  const readFields: preValidationAsyncHookHandler = async (request, reply) => {
    const { body, headers } = request;
    const operation = operationOf(request);
    if (operation === undefined) return undefined;
    const type = headers['content-type'] ?? '';
    const renewal = operation === 'login' ? sentRenewal(request, type) : undefined;
    const call = renewal ? 'refresh' : operation;
    const inQuery = renewal ? undefined : adapter.fieldsInQuery(operation, request.originalUrl);
    const isRead = typeof body === 'object' && body !== null;
    if (isRead && !Buffer.isBuffer(body) && adapter.isForm(type) !== adapter.takesForm(call))
      return sendError(request, reply, adapter.takesForm(call) ? 'not-a-form' : 'not-json');
    if (renewal) return request.routeOptions.config.renew?.(request, reply, renewal);
    if (inQuery) {
      request.body = inQuery;
      return undefined;
    }
    if (!isRead) return undefined;
    if (Buffer.isBuffer(body)) {
      const fields = adapter.fieldsOf(operation, type, body.toString());
      if (fields) request.body = Buffer.from(JSON.stringify(withName(adapter, fields, operation)));
    } else if (!Array.isArray(body)) {
      request.body = withName(
        adapter,
        adapter.fieldsIn(operation, Object.fromEntries(Object.entries(body))),
        operation,
      );
    }
    return undefined;
  };

  function sentRenewal(request: FastifyRequest, type: string): RenewalRequest | undefined {
    const { originalUrl: url, headers, body } = request;
    const own = renewals.get(request.raw);
    const sent = { method: originalMethod(request), url, authorization: headers.authorization, own };
    const bytes = Buffer.isBuffer(body) ? body.toString() : undefined;
    if (bytes === undefined)
      return readRenewal(
        adapter,
        sent,
        typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : undefined,
      );
    return readRenewal(
      adapter,
      sent,
      adapter.isForm(type) ? Object.fromEntries(new URLSearchParams(bytes)) : parseJson(bytes),
    );
  }

  return { rewriteUrl, readFields };
}

/** Our accounts have a name, and so have those of a double. Not every interface asks for one: nothing is wrong with it then. */
function withName(
  adapter: ApiAdapter,
  fields: Record<string, PlainJson>,
  operation: Operation,
): Record<string, PlainJson> {
  if (!adapter.features.registrations.some((each) => each === operation) || adapter.features.fields.has('name'))
    return fields;
  const { email } = fields;
  return { name: typeof email === 'string' && email.trim() !== '' ? email.slice(0, longestName) : '-', ...fields };
}
