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
/** What a text shows of an interface; no security where it does not show that. */
type Found = {
  calls: readonly FoundCall[];
  security: SecurityScheme | undefined;
  requests: readonly ImportedRequest[];
};
type Call = ReturnType<typeof listCalls>[number]['call'];

/**
 * The shipped descriptions that have the log-in that was found, the one with most of the calls first. `possible` are those
 * whose log-in is so common, such as `POST /login`, that it does not identify them, and that nothing speaks against.
 */
export function matchShipped(shipped: ShippedInterfaces, found: Found): Pick<FoundInterface, 'shipped' | 'possible'> {
  const matches = [...shipped].flatMap(([name, description]) => {
    const same = listCalls(description).filter(({ name: role, call }) =>
      found.calls.some((each) => each.role === role && isSameCall(each, call, description)),
    );
    if (!same.some(({ name: role }) => role === 'login')) return [];
    const identified = same.some(({ call }) => isDistinctive(call, description)) || hasItsCsrf(found, description);
    if (!identified && !couldBe(found, description)) return [];
    return [
      {
        name,
        identified,
        score:
          same.length +
          (sessionSchemes(description).some(({ type }) => type === found.security?.type) ? 0.5 : 0) -
          (lacksItsHeader(found, description) ? 1 : 0),
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

/** Words in the paths of many servers. */
const common =
  /^(?:api|v\d+|auth|log[-_]?(?:in|out)|sign[-_]?(?:in|up|out)|register|sessions?|tokens?|users?|accounts?|me|profile)$/i;

/** Whether hardly another server has such a call: it has a rare word, a query, or two words in this order. */
function isDistinctive({ path }: Call, { prefix }: InterfaceDescription): boolean {
  const segments = segmentsOf(prefix + path);
  return (
    path.includes('?') ||
    segments.some((segment) => !common.test(segment)) ||
    segments.filter((segment) => !/^(?:api|v\d+|auth)$/i.test(segment)).length > 1
  );
}

/** Whether a text has the source of the CSRF cookie, or its names beside those of the session's. */
function hasItsCsrf({ requests }: Found, description: InterfaceDescription): boolean {
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
 * Whether the answers of a log-in are shown, and none has the header that a description takes its token from: better-auth's
 * own OpenAPI document names a bearer scheme also where the plugin that sends `set-auth-token` is not there.
 */
function lacksItsHeader({ calls }: Found, { outputs }: InterfaceDescription): boolean {
  const header = /^\$response\.header\.(.+)$/.exec(expressionsIn(outputs)['token'] ?? '')?.[1];
  const answers = calls.find(({ role }) => role === 'login')?.request.responses ?? [];
  const isShown = ({ headers }: (typeof answers)[number]) => headers.some(([name]) => isSameName(name, header ?? ''));
  return header !== undefined && answers.some(({ status }) => status < 300) && !answers.some(isShown);
}

/** Whether nothing speaks against a description: no call that it does not have, and no other credential. */
const couldBe = ({ calls, security }: Found, description: InterfaceDescription): boolean =>
  (security === undefined || sessionSchemes(description).some((own) => isCarriedBy(security, own))) &&
  calls.every((each) => {
    const isEncodedBy = (call: Call) =>
      [undefined, call.encoding ?? description.encoding].includes(each.request.encoding);
    return listCalls(description).some(
      ({ name, call }) => name === each.role && isEncodedBy(call) && isSameCall(each, call, description, true),
    );
  });

function isCarriedBy(found: SecurityScheme, own: SecurityScheme): boolean {
  if (found.type !== 'apiKey' || own.type !== 'apiKey') return found.type === own.type;
  const isNamed = own.in === 'cookie' ? isCookieNamed : isSameName;
  return found.in === own.in && isNamed(found.name, own.name);
}

/** Whether a call has the same method, path, query and names. What comes before the path may be anything, unless exact. */
function isSameCall(
  { path, request }: FoundCall,
  call: Call,
  description: InterfaceDescription,
  exact = false,
): boolean {
  const [wanted, all] = [segmentsOf(description.prefix + call.path), segmentsOf(path)];
  const sent = all.slice(-wanted.length);
  if (request.method !== call.method || wanted.length === 0 || (exact && all.length > wanted.length)) return false;
  if (!wanted.every((each, index) => each.includes('{{') || each === sent[index])) return false;
  // What wants a form takes no JSON; what wants JSON often takes a form.
  if (request.encoding === 'json' && (call.encoding ?? description.encoding) === 'form') return false;
  const isTyped = (value: (typeof call.body & object)[string]) =>
    placeholderNames(value).some((name) => /^(?:c?password|email|name)$/.test(name));
  const names = new Set((request.body ?? []).map((each) => each.name));
  return (
    Object.entries(call.body ?? {}).every(([name, value]) => !isTyped(value) || names.has(name)) &&
    [...queryOf(call.path)].every(([name, value]) => queryOf(path).get(name) === value)
  );
}
