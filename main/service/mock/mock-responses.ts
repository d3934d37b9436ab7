import type { FastifyReply, FastifyRequest } from 'fastify';
import { securityHeaders, statusByErrorKind, messagesFor } from '../responses.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { ErrorKind } from '../messages.ts';
import type { MockResponse, MockOperation, MockDefinition, Scenario } from './mock-definition.ts';
import { createValidationResponses } from './validation-responses.ts';
import { violationsKey } from './input-violations.ts';
import { renderResponse, type TemplateValues } from './render-response.ts';

/** The scenarios whose answers stand in for one that was not measured, the fallbackScenarios first. */
const fallbackScenarios: Partial<Record<Scenario, readonly Scenario[]>> = {
  'token-missing-without-accept': ['token-missing'],
  'token-malformed': ['token-foreign', 'token-missing'],
  'token-foreign': ['token-malformed', 'token-missing'],
  'token-altered': ['token-foreign', 'token-malformed', 'token-missing'],
  'token-unsigned': ['token-altered', 'token-malformed', 'token-missing'],
  'token-signature-cut': ['token-altered', 'token-malformed', 'token-missing'],
  'token-claim-changed': ['token-altered', 'token-malformed', 'token-missing'],
  'token-ended': ['token-foreign', 'token-malformed', 'token-missing'],
  'token-expired': ['token-ended', 'token-foreign', 'token-malformed', 'token-missing'],
  'scheme-in-other-case': ['token-missing', 'token-malformed'],
  'wrong-password': ['unknown-email'],
  'unknown-email': ['wrong-password'],
  'username-taken': ['taken'],
  'renewal-used': ['renewal-unknown'],
  'renewal-missing': ['renewal-unknown'],
  'forged-missing': ['forged-wrong'],
  'forged-wrong': ['forged-missing'],
  'missing-code': ['malformed-code', 'empty-code', 'wrong-code'],
  'empty-code': ['wrong-code', 'missing-code'],
  'malformed-code': ['missing-code', 'empty-code', 'wrong-code'],
  'token-pending': ['token-foreign', 'token-malformed', 'token-missing'],
  'missing-password': ['wrong-password'],
};

/** How the service itself refuses, where nothing near was measured. */
const ownRefusal: Record<
  Exclude<Scenario, 'done' | 'invalid' | 'taken' | 'username-taken' | 'throttled'>,
  ErrorKind
> = {
  'unknown-email': 'wrong-credentials',
  'wrong-password': 'wrong-credentials',
  'token-missing': 'unauthenticated',
  'token-missing-without-accept': 'unauthenticated',
  'token-malformed': 'unauthenticated',
  'token-foreign': 'unauthenticated',
  'token-altered': 'unauthenticated',
  'token-unsigned': 'unauthenticated',
  'token-signature-cut': 'unauthenticated',
  'token-claim-changed': 'unauthenticated',
  'token-ended': 'unauthenticated',
  'token-expired': 'unauthenticated',
  'scheme-in-other-case': 'unauthenticated',
  'wrong-method': 'wrong-method',
  'not-json': 'json-malformed',
  'not-object': 'not-an-object',
  'too-large': 'body-too-large',
  'unknown-path': 'unknown-path',
  'renewal-unknown': 'unauthenticated',
  'renewal-used': 'unauthenticated',
  'renewal-missing': 'unauthenticated',
  'forged-missing': 'forged',
  'forged-wrong': 'forged',
  'second-factor-required': 'second-factor-required',
  'wrong-code': 'wrong-credentials',
  'missing-code': 'wrong-credentials',
  'empty-code': 'wrong-credentials',
  'malformed-code': 'wrong-credentials',
  'pending-login-ended': 'pending-login-ended',
  'token-pending': 'unauthenticated',
  'missing-password': 'bad-request',
  'account-deleted': 'unauthenticated',
};

const fallbackOperations: Partial<Record<MockOperation, readonly MockOperation[]>> = {
  registro: ['register', 'login'],
  register: ['registro', 'login'],
  login: ['register', 'registro'],
  profile: ['logout'],
  logout: ['profile'],
  'enrollment.start': ['profile'],
  'enrollment.challenge': ['profile'],
  'enrollment.confirm': ['code.totp', 'profile'],
  changePassword: ['profile'],
  deleteAccount: ['profile'],
  'code.email': ['code.totp', 'code.recovery'],
  'code.recovery': ['code.totp', 'code.email'],
};

/** The measured answer to each scenario, or the fallbackScenarios one. */
export function createMockResponses({ answers, rules }: MockDefinition, adapter: ApiAdapter) {
  const beside = adapter.unknownPath('llavero-unknown');
  const byKey = new Map<string, MockResponse>();
  const keyOf = (operation: string, situation: string, more = ''): string => `${operation} ${situation} ${more}`;
  for (const answer of answers) {
    const { operation, situation, problems = [], path, method } = answer;
    const more = path === undefined ? violationsKey(problems) : `${method ?? ''} ${path}`;
    byKey.set(keyOf(operation, situation, more), answer);
  }
  const measured = (operation: MockOperation, situation: Scenario): MockResponse | undefined =>
    byKey.get(keyOf(operation, situation));

  function find(operation: MockOperation, situation: Scenario): MockResponse | undefined {
    for (const each of [situation, ...(fallbackScenarios[situation] ?? [])]) {
      const found = measured(operation, each);
      if (found) return found;
    }
    // Never borrow a success from another operation.
    if (situation === 'done') return undefined;
    for (const other of fallbackOperations[operation] ?? []) {
      const found = measured(other, situation);
      if (found) return found;
    }
    return undefined;
  }

  function otherPath(method: string, path: string): MockResponse | undefined {
    const at = (where: string): MockResponse | undefined => byKey.get(keyOf('other', 'unknown-path', `GET ${where}`));
    return (
      byKey.get(keyOf('other', 'unknown-path', `${method} ${path}`)) ??
      // HEAD is answered as GET, without the body (RFC 9110, section 9.3.2).
      (method === 'HEAD' ? at(path) : undefined) ??
      (path.startsWith(`/${beside.split('/')[1]}/`) ? at(beside) : at('/llavero-unknown')) ??
      at(beside)
    );
  }

  return { measured, find, invalid: createValidationResponses({ answers, rules }, fallbackOperations), otherPath };
}

/** Whether a redirect stays at the mock: somebody else's mock file must lead nobody elsewhere. */
const isOwnPath = (location: string): boolean => /^\/(?![/\\])/.test(location);

/** A content type of plain text, HTML or JSON, in UTF-8. */
function contentType(said: string): string {
  const [essence = '', ...parameters] = said.slice(0, 200).toLowerCase().split(';');
  const type = essence.trim();
  if (type === 'text/html') return 'text/html; charset=utf-8';
  if (!/^application\/(?:[a-z\d][a-z\d.-]{0,60}\+)?json$/.test(type)) return 'text/plain; charset=utf-8';
  return parameters.some((each) => each.includes('charset')) ? `${type}; charset=utf-8` : type;
}

/** Replies with a body to which the original gave no content type. */
export const withoutContentType = new WeakSet<FastifyReply>();

/** Sends a measured answer, or else the service's own. */
export function sendMockResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: MockResponse | undefined,
  situation: Scenario,
  values: TemplateValues,
): FastifyReply {
  if (!answer) return sendOwnResponse(request, reply, situation, values);
  const { status, headers, text } = renderResponse(answer, values);
  reply.code(status);
  for (const [name, value] of headers) {
    if (name === 'content-type') reply.header(name, contentType(value));
    else if (name !== 'location' || isOwnPath(value)) reply.header(name, value);
  }
  reply.headers(securityHeaders);
  if (text === '') return reply.send();
  if (!reply.hasHeader('content-type')) withoutContentType.add(reply);
  // Bytes are sent with the type as it is, to which Fastify would add a charset.
  return reply.send(Buffer.from(text));
}

function sendOwnResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  situation: Scenario,
  { waitSeconds = 1 }: TemplateValues,
): FastifyReply {
  const texts = messagesFor(request);
  if (situation === 'throttled') {
    return reply
      .code(429)
      .header('retry-after', waitSeconds)
      .send({ message: texts.throttled(waitSeconds) });
  }
  if (situation === 'done') return reply.code(200).send({ message: texts.registered });
  if (situation === 'invalid' || situation === 'taken' || situation === 'username-taken') {
    const said = situation !== 'invalid' ? texts.rule('email-taken', 'email') : texts.refusals['bad-request'];
    return reply.code(422).send({ message: said });
  }
  const kind = ownRefusal[situation];
  const status = statusByErrorKind[kind];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).send({ message: texts.refusals[kind] });
}
