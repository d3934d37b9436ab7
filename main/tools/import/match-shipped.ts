import type { FoundInterface, InterfaceDescription } from '../../../preload/contract/interface.ts';
import { isCookieNamed } from '../../interface/cookies.ts';
import { listCalls } from '../../interface/list-calls.ts';
import { expressionsIn } from '../../interface/outputs.ts';
import { cookieNamePatterns as cookieNamesOf, sessionSchemes } from '../../interface/security-schemes.ts';
import { placeholderNames } from '../../interface/template.ts';
import type { Role } from './roles.ts';
import { requestCookies, type ImportedRequest, type SecurityScheme } from './imported-request.ts';

export type ShippedInterfaces = ReadonlyMap<string, InterfaceDescription>;
type FoundCall = { role: Role; path: string; request: ImportedRequest };
/** The parts of an interface that a text shows; `security` is undefined if it does not. */
type Found = {
  calls: readonly FoundCall[];
  security: SecurityScheme | undefined;
  requests: readonly ImportedRequest[];
};
type Call = ReturnType<typeof listCalls>[number]['call'];

/**
 * The shipped descriptions with the same log-in, that with the most common calls first. In `possible` are those whose log-in
 * is too common to identify them, such as `POST /login`, and that do not contradict the text.
 */
export function matchShipped(shipped: ShippedInterfaces, found: Found): Pick<FoundInterface, 'shipped' | 'possible'> {
  const matches = [...shipped].flatMap(([name, description]) => {
    const same = listCalls(description).filter(({ name: role, call }) =>
      found.calls.some((each) => each.role === role && isSameCall(each, call, description)),
    );
    if (!same.some(({ name: role }) => role === 'login')) return [];
    const identified = same.some(({ call }) => isDistinctive(call, description)) || hasCsrfOf(found, description);
    if (!identified && !isCompatible(found, description)) return [];
    return [
      {
        name,
        identified,
        score:
          same.length +
          (sessionSchemes(description).some(({ type }) => type === found.security?.type) ? 0.5 : 0) -
          (lacksTokenHeaderOf(found, description) ? 1 : 0),
      },
    ];
  });
  matches.sort((one, other) => other.score - one.score);
  return {
    shipped: matches.filter(({ identified }) => identified).map(({ name }) => name),
    possible: matches.filter(({ identified }) => !identified).map(({ name }) => name),
  };
}

const pathOf = (url: string): string => url.replace(/[?#].*$/, '');
const segmentsOf = (path: string): string[] =>
  pathOf(path)
    .split('/')
    .filter((segment) => segment !== '');
const queryOf = (path: string) => new URLSearchParams(path.split('?')[1]);
const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Common segments of paths. */
const common =
  /^(?:api|v\d+|auth|log[-_]?(?:in|out)|sign[-_]?(?:in|up|out)|register|sessions?|tokens?|users?|accounts?|me|profile)$/i;

/** Whether a call is characteristic of a server: it has a rare word, a query, or two words in this order. */
function isDistinctive({ path }: Call, { prefix }: InterfaceDescription): boolean {
  const segments = segmentsOf(prefix + path);
  return (
    path.includes('?') ||
    segments.some((segment) => !common.test(segment)) ||
    segments.filter((segment) => !/^(?:api|v\d+|auth)$/i.test(segment)).length > 1
  );
}

/** Whether the text has the source of the description's CSRF cookie, or its cookie and header beside the session cookie. */
function hasCsrfOf({ requests }: Found, description: InterfaceDescription): boolean {
  const { csrf } = description;
  const patterns = cookieNamesOf(sessionSchemes(description));
  if (csrf === undefined || patterns.length === 0) return false;
  return requests.some((request) => {
    const cookies = requestCookies(request);
    const isNamed =
      cookies.includes(csrf.cookie) && cookies.some((name) => patterns.some((each) => isCookieNamed(name, each)));
    const isSource = csrf.from !== undefined && pathOf(request.url).endsWith(csrf.from);
    return isSource || (isNamed && request.headers.some(([name]) => isSameName(name, csrf.header)));
  });
}

/**
 * Whether there are example log-in responses without the header from which a description takes its token: better-auth's own
 * OpenAPI document names a bearer scheme even if the plugin that sends `set-auth-token` is missing.
 */
function lacksTokenHeaderOf({ calls }: Found, { outputs }: InterfaceDescription): boolean {
  const header = /^\$response\.header\.(.+)$/.exec(expressionsIn(outputs)['token'] ?? '')?.[1];
  const responses = calls.find(({ role }) => role === 'login')?.request.responses ?? [];
  const isShown = ({ headers }: (typeof responses)[number]) => headers.some(([name]) => isSameName(name, header ?? ''));
  return header !== undefined && responses.some(({ status }) => status < 300) && !responses.some(isShown);
}

/** Whether the description has all calls of the text, and the same kind of credential. */
const isCompatible = ({ calls, security }: Found, description: InterfaceDescription): boolean =>
  (security === undefined || sessionSchemes(description).some((own) => isSameCarrier(security, own))) &&
  calls.every((each) => {
    const isEncodedBy = (call: Call) =>
      [undefined, call.encoding ?? description.encoding].includes(each.request.encoding);
    return listCalls(description).some(
      ({ name, call }) => name === each.role && isEncodedBy(call) && isSameCall(each, call, description, true),
    );
  });

function isSameCarrier(found: SecurityScheme, own: SecurityScheme): boolean {
  if (found.type !== 'apiKey' || own.type !== 'apiKey') return found.type === own.type;
  const isNamed = own.in === 'cookie' ? isCookieNamed : isSameName;
  return found.in === own.in && isNamed(found.name, own.name);
}

/** Whether a call has the same method, path, query and member names. The path may have any prefix unless `exact`. */
function isSameCall(
  { path, request }: FoundCall,
  call: Call,
  description: InterfaceDescription,
  exact = false,
): boolean {
  const [expected, all] = [segmentsOf(description.prefix + call.path), segmentsOf(path)];
  const sent = all.slice(-expected.length);
  if (request.method !== call.method || expected.length === 0 || (exact && all.length > expected.length)) return false;
  if (!expected.every((each, index) => each.includes('{{') || each === sent[index])) return false;
  // A server that expects a form accepts no JSON; one that expects JSON often accepts a form.
  if (request.encoding === 'json' && (call.encoding ?? description.encoding) === 'form') return false;
  const isTyped = (value: (typeof call.body & object)[string]) =>
    placeholderNames(value).some((name) => /^(?:c?password|email|name)$/.test(name));
  const names = new Set((request.body ?? []).map((each) => each.name));
  return (
    Object.entries(call.body ?? {}).every(([name, value]) => !isTyped(value) || names.has(name)) &&
    [...queryOf(call.path)].every(([name, value]) => queryOf(path).get(name) === value)
  );
}
