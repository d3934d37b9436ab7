import {
  InterfaceDescription,
  type FoundInterface,
  type InterfaceCall,
  type InterfaceFinding,
  type InterfaceFormat,
} from '../../../preload/contract/interface.ts';
import { parseJson } from '../../interface/template.ts';
import { Learned, templateOf, type Role } from './call-template.ts';
import { candidatesOf, type Candidate } from './choose-calls.ts';
import { csrfOf, fixedHeaders, securityAmong, outputsOf } from './credentials.ts';
import { commonPrefix, placeOf, type Place } from './places.ts';
import type { SeenRequest } from './seen-request.ts';
import { fittingDescriptions, type Shipped } from './fitting-descriptions.ts';

const roles = ['login', 'register', 'profile', 'logout', 'refresh'] as const;
const mostOthers = 5;

type Placed = { request: SeenRequest; place: Place; score: number };

/** Looks for the five calls among requests, and makes a description of what it finds. */
export function findCalls(
  format: InterfaceFormat,
  requests: readonly SeenRequest[],
  shipped: Shipped,
): InterfaceFinding {
  const learned = new Learned();
  const found = candidatesOf(requests);
  const login = found.login.map((each) => placed(each, new Learned(), 'login')).find((each) => each !== undefined);
  const [address] = [
    login,
    ...requests.map((each) => placed({ request: each, score: 0 }, new Learned(), 'login')),
  ].flatMap((each) => each?.place.origin ?? []);
  const chosen = new Map<Role, Placed>();
  const others = new Map<Role, Placed[]>();
  for (const role of roles) {
    const here = found[role].filter(({ request }) => isAt(request, login?.place.origin ?? address));
    const [best, ...rest] = here.flatMap((each) => placed(each, new Learned(), role) ?? []);
    if (!best || isAnother(role, best, chosen)) continue;
    chosen.set(role, { ...best, place: placeOf(best.request, learned, `calls.${role}`) ?? best.place });
    others.set(role, rest.filter((each) => !isAnother(role, each, chosen)).slice(0, mostOthers));
  }
  if (chosen.size === 0 && (format !== 'env' || address === undefined)) {
    return { kind: 'nothing-found', format, requests: requests.length };
  }
  return { kind: 'found', ...describe({ format, learned, chosen, others, address, requests, shipped }) };
}

const placed = ({ request, score }: Candidate, learned: Learned, role: Role): Placed | undefined => {
  const place = placeOf(request, learned, `calls.${role}`);
  return place && { request, place, score };
};

/** Whether a request is at the server of the log-in; one whose address is not known may be. */
function isAt(request: SeenRequest, origin: string | undefined): boolean {
  const other = placeOf(request, new Learned(), '')?.origin;
  return origin === undefined || other === undefined || other === origin;
}

/** The renewal of OAuth 2 goes to the address of the log-in, and is another call by its body. */
const isAnother = (role: Role, { request }: Placed, chosen: ReadonlyMap<Role, Placed>): boolean =>
  [...chosen].some(([other, each]) => other !== role && each.request === request);

type Everything = {
  format: InterfaceFormat;
  learned: Learned;
  chosen: ReadonlyMap<Role, Placed>;
  others: ReadonlyMap<Role, readonly Placed[]>;
  address: string | undefined;
  requests: readonly SeenRequest[];
  shipped: Shipped;
};

function describe({ format, learned, chosen, others, address, requests, shipped }: Everything): FoundInterface {
  const all = [...chosen.values(), ...[...others.values()].flat()];
  const prefix = commonPrefix(all.map(({ place }) => place.path));
  const requestOf = (role: Role) => chosen.get(role)?.request;
  const encoding = requestOf('login')?.encoding ?? 'json';
  const callOf = (role: Role, { request, place }: Placed, into: Learned): InterfaceCall => {
    const body = request.method === 'GET' ? undefined : (templateOf(role, request, into) ?? usualBody(role, into));
    const own = request.encoding !== undefined && request.encoding !== encoding ? { encoding: request.encoding } : {};
    const path = place.path.slice(prefix.length) + place.query;
    return InterfaceDescription.shape.calls.shape.login.parse({
      method: request.method,
      path,
      ...(body !== undefined && { body }),
      ...own,
    });
  };
  const calls = Object.fromEntries([...chosen].map(([role, each]) => [role, callOf(role, each, learned)]));
  const security = securityAmong({
    login: requestOf('login'),
    inside: (['profile', 'logout', 'refresh'] as const).flatMap((role) => requestOf(role) ?? []),
  });
  const outputs = outputsOf(
    requestOf('login'),
    security.value.type,
    JSON.stringify(calls).includes('{{refreshToken}}'),
  );
  const headers = fixedHeaders(
    [...chosen.values()].map(({ request }) => request),
    security.value,
    learned,
  );
  const csrf = csrfOf(requests, security.value);
  const draft = {
    name: address === undefined ? format : new URL(address).host.slice(0, 100),
    prefix,
    calls,
    encoding,
    headers,
    security: security.value,
    outputs: outputs.value,
    ...(csrf && { csrf }),
    variables: Object.fromEntries(learned.variables),
  };
  const seen = [...chosen].map(([role, { place, request }]) => ({
    role,
    path: place.path + place.query,
    method: request.method,
    names: Object.keys(request.body ?? {}),
    encoding: request.encoding,
  }));
  const isCarriedSo = security.is === 'sure' || security.value.type === 'apiKey' || outputs.value.token !== undefined;
  return {
    format,
    ...(address !== undefined && { address }),
    draft: InterfaceDescription.extend({ calls: InterfaceDescription.shape.calls.partial() }).parse(draft),
    parts: [
      ...[...chosen].map(([role, each]) => ({ at: `calls.${role}`, is: isSure(each, others.get(role)) })),
      ...[...learned.guessed].map((at) => ({ at, is: 'guess' as const })),
      { at: 'security', is: security.is },
      ...outputs.parts,
      ...(csrf ? [{ at: 'csrf', is: 'guess' as const }] : []),
    ],
    others: othersOf(others, learned, callOf),
    missing: (['login', 'profile'] as const).filter((role) => !chosen.has(role)),
    ...fittingDescriptions(shipped, {
      calls: seen,
      security: isCarriedSo ? security.value : undefined,
      requests,
    }),
    dropped: [...learned.dropped, ...droppedCredentials(chosen)].toSorted(),
  };
}

/** What a call takes where a text has its address alone. */
function usualBody(role: Role, into: Learned): InterfaceCall['body'] {
  if (role !== 'login' && role !== 'register') return undefined;
  into.guessed.add(`calls.${role}.body`);
  return { ...(role === 'register' && { name: '{{name}}' }), email: '{{email}}', password: '{{password}}' };
}

/** A call is sure if much speaks for it and for no other one. */
const isSure = ({ score, request }: Placed, others: readonly Placed[] = []): 'sure' | 'guess' =>
  score >= 4 &&
  (request.method !== 'POST' || request.body !== undefined || request.security !== undefined) &&
  others.every((other) => other.score <= score - 2)
    ? 'sure'
    : 'guess';

function othersOf(
  others: Everything['others'],
  learned: Learned,
  callOf: (role: Role, each: Placed, into: Learned) => InterfaceCall,
): FoundInterface['others'] {
  const lists = [...others].flatMap(([role, list]) => {
    const calls = list.flatMap((each) => {
      const into = new Learned();
      const call = callOf(role, { ...each, place: placeOf(each.request, into, '') ?? each.place }, into);
      // It may use no variable that the draft does not have.
      const isKnown = [...into.variables.keys()].every((name) => learned.variables.has(name));
      const from = (each.request.name ?? '').slice(0, 100) || `${each.request.method} ${each.place.path}`;
      return isKnown ? [{ call, from }] : [];
    });
    return calls.length === 0 ? [] : [[role, calls] as const];
  });
  return Object.fromEntries(lists);
}

/** The places of credentials and typed secrets, whose values never leave this module. */
function droppedCredentials(chosen: ReadonlyMap<Role, Placed>): string[] {
  return [...chosen].flatMap(([role, { request }]) =>
    request.headers.flatMap(([name, value]) =>
      /^(?:authorization|cookie)$/i.test(name) && value !== '' && parseJson(value) === undefined && !/\{\{/.test(value)
        ? [`calls.${role}.headers.${name}`]
        : [],
    ),
  );
}
