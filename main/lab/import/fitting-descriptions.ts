import type { FoundInterface, InterfaceDescription } from '../../../preload/contract/interface.ts';
import { isCookieNamed } from '../../interface/cookies.ts';
import { callsOf } from '../../interface/read-description.ts';
import { namesIn } from '../../interface/template.ts';
import type { Role } from './call-template.ts';
import { cookiesOf } from './credentials.ts';
import type { Security, SeenRequest } from './seen-request.ts';

type SeenCall = {
  role: Role;
  method: string;
  path: string;
  names: readonly string[];
  encoding: 'json' | 'form' | undefined;
};
export type Shipped = ReadonlyMap<string, InterfaceDescription>;

/** What a text shows of an interface. */
export type Seen = {
  calls: readonly SeenCall[];
  /** How its calls carry the credential, where it shows that. */
  security: Security | undefined;
  requests: readonly SeenRequest[];
};

/**
 * The names of the shipped descriptions whose log-in is the one that was seen, the one with most of the calls first, and of
 * those that it could be: a log-in such as `POST /login` is that of many servers, and says by itself of none that it is it.
 */
export function fittingDescriptions(shipped: Shipped, seen: Seen): Pick<FoundInterface, 'shipped' | 'possible'> {
  const fitting = [...shipped].flatMap(([name, description]) => {
    const same = callsOf(description).filter(({ name: role, call }) =>
      seen.calls.some((each) => each.role === role && isSame(each, call, description)),
    );
    if (!same.some(({ name: role }) => role === 'login')) return [];
    const isCarriedAlike = seen.security?.type === description.security.type;
    const isIt = same.some(({ call }) => isItsOwn(call, description)) || hasScripts(seen, description);
    return isIt || couldBe(seen, description) ? [{ name, isIt, count: same.length + (isCarriedAlike ? 0.5 : 0) }] : [];
  });
  const sorted = fitting.toSorted((one, other) => other.count - one.count);
  return {
    shipped: sorted.flatMap(({ name, isIt }) => (isIt ? [name] : [])),
    possible: sorted.flatMap(({ name, isIt }) => (isIt ? [] : [name])),
  };
}

type Call = ReturnType<typeof callsOf>[number]['call'];

/** Words in the paths of many servers. */
const general =
  /^(?:api|v\d+|auth|log[-_]?(?:in|out)|sign[-_]?(?:in|up|out)|register|sessions?|tokens?|users?|accounts?|me|profile)$/i;
const notTheirOwn = /^(?:api|v\d+|auth)$/i;

/** Whether a call is so named that others hardly have it: by a word, by a query, or by so many words in that order. */
function isItsOwn({ path }: Call, { prefix }: InterfaceDescription): boolean {
  const segments = segmentsOf((prefix + path).replace(/\?.*$/, ''));
  if (path.includes('?') || segments.some((segment) => !general.test(segment))) return true;
  return segments.filter((segment) => !notTheirOwn.test(segment)).length > 1;
}

/** Whether what stands against forged requests is in a text: where it comes from, or both its names and a session's. */
function hasScripts({ requests }: Seen, { csrf, security }: InterfaceDescription): boolean {
  if (csrf === undefined || security.type !== 'apiKey') return false;
  const { from, cookie, header } = csrf;
  return requests.some((request) => {
    if (from !== undefined && request.url.replace(/[?#].*$/, '').endsWith(from)) return true;
    const cookies = cookiesOf(request);
    return (
      cookies.includes(cookie) &&
      cookies.some((name) => isCookieNamed(name, security.name)) &&
      request.headers.some(([name]) => sameName(name, header))
    );
  });
}

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Whether nothing in a text speaks against a description: a call that it does not have, or another credential. */
function couldBe({ calls, security }: Seen, description: InterfaceDescription): boolean {
  const all = callsOf(description);
  return (
    (security === undefined || isCarriedBy(security, description.security)) &&
    calls.every((seen) =>
      all.some(({ name, call }) => {
        const encoding = call.encoding ?? description.encoding;
        const isEncodedAlike = seen.encoding === undefined || seen.encoding === encoding;
        return name === seen.role && isEncodedAlike && isSame(seen, call, description, { isWhole: true });
      }),
    )
  );
}

/** Whether a credential goes along as a description has it. */
function isCarriedBy(seen: Security | undefined, own: Security): boolean {
  if (seen?.type === 'apiKey' && own.type === 'apiKey') {
    return (
      seen.in === own.in && (own.in === 'cookie' ? isCookieNamed(seen.name, own.name) : sameName(seen.name, own.name))
    );
  }
  return seen?.type === own.type;
}

/** Whether a call goes to the same path by the same names. What stands before the path may be anything, unless it is whole. */
function isSame(
  { method, path, names, encoding }: SeenCall,
  call: Call,
  description: InterfaceDescription,
  { isWhole = false } = {},
): boolean {
  const wanted = segmentsOf(description.prefix + call.path.replace(/\?.*$/, ''));
  const all = segmentsOf(path.replace(/\?.*$/, ''));
  const sent = all.slice(-wanted.length);
  const isThere = wanted.length > 0 && wanted.every((each, index) => each.includes('{{') || each === sent[index]);
  if (!isThere || method !== call.method || (isWhole && all.length > wanted.length)) return false;
  // JSON is no form to those that want one; many that want JSON take a form.
  if (encoding === 'json' && (call.encoding ?? description.encoding) === 'form') return false;
  const typed = Object.entries(call.body ?? {}).filter(([, value]) => namesIn(value).length > 0);
  const isOfVariables = ([, value]: (typeof typed)[number]) =>
    namesIn(value).every((name) => !/^(?:c?password|email|name)$/.test(name));
  return typed.every((each) => isOfVariables(each) || names.includes(each[0])) && hasQuery(path, call.path);
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

function hasQuery(sent: string, wanted: string): boolean {
  const query = new URLSearchParams(sent.split('?')[1] ?? '');
  return [...new URLSearchParams(wanted.split('?')[1] ?? '')].every(([name, value]) => query.get(name) === value);
}
