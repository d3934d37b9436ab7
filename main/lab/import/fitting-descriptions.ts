import type { InterfaceDescription } from '../../../preload/contract/interface.ts';
import { callsOf } from '../../interface/read-description.ts';
import { namesIn } from '../../interface/template.ts';
import type { Role } from './call-template.ts';
import type { Security } from './seen-request.ts';

export type SeenCall = { role: Role; method: string; path: string; names: readonly string[] };
export type Shipped = ReadonlyMap<string, InterfaceDescription>;

/** The names of the shipped descriptions whose log-in is the one that was seen, the one with most of the calls first. */
export function fittingDescriptions(shipped: Shipped, calls: readonly SeenCall[], security?: Security): string[] {
  const fitting = [...shipped].flatMap(([name, description]) => {
    const same = callsOf(description).filter(({ name: role, call }) =>
      calls.some((seen) => seen.role === role && isSame(seen, call, description)),
    );
    if (!same.some(({ name: role }) => role === 'login')) return [];
    const isCarriedAlike = security?.type === description.security.type;
    return [{ name, count: same.length + (isCarriedAlike ? 0.5 : 0) }];
  });
  return fitting.toSorted((one, other) => other.count - one.count).map(({ name }) => name);
}

type Call = ReturnType<typeof callsOf>[number]['call'];

/** Whether a call goes to the same path by the same names. What stands before the path may be anything. */
function isSame({ method, path, names }: SeenCall, call: Call, { prefix }: InterfaceDescription): boolean {
  const wanted = segmentsOf(prefix + call.path.replace(/\?.*$/, ''));
  const sent = segmentsOf(path.replace(/\?.*$/, '')).slice(-wanted.length);
  const isThere = wanted.length > 0 && wanted.every((each, index) => each.includes('{{') || each === sent[index]);
  if (!isThere || method !== call.method) return false;
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
