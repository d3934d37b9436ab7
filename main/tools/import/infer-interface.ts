import type { GuessReason } from '../../../preload/contract/guess-reason.ts';
import {
  InterfaceDescription,
  type FoundInterface,
  type FoundPart,
  type InterfaceCall,
  type ImportResult,
  type InterfaceFormat,
  type OperationSecurity,
} from '../../../preload/contract/interface.ts';
import { parseJson } from '../../interface/template.ts';
import { locateServer, type ServerLocation } from './server-address.ts';
import { inferBody, leavesOf, type BodyContext } from './infer-body.ts';
import { candidatesOf, type Candidate } from './candidates.ts';
import { roles, type Role } from './roles.ts';
import { DescriptionDraft } from './description-draft.ts';
import { headerOf, schemeIn, type Imported, type ImportedRequest } from './imported-request.ts';
import { withQueryFields } from './query-fields.ts';
import { inferCsrf, inferHeaders, inferOutputs, inferSecurity, responseTokens } from './infer-security.ts';
import { loginRedirects, inferRefreshSecurity, sendsOnly } from './refresh-credential.ts';
import { parseRequestTarget, splitUrl, type RequestTarget } from './request-target.ts';
import { matchShipped, type ShippedInterfaces } from './match-shipped.ts';

const mostAlternatives = 5;

type Placed = Candidate & { place: RequestTarget };

/** Finds the five calls among requests, and makes a description of them. */
export function inferInterface(format: InterfaceFormat, imported: Imported, shipped: ShippedInterfaces): ImportResult {
  const read = { ...imported, requests: imported.requests.map(withQueryFields) };
  const { requests, address, addresses, parts } = locateServer(format, read);
  const placed = (candidates: readonly Candidate[], role: Role): Placed[] =>
    candidates.flatMap((each) => {
      const place = parseRequestTarget(each.request, new DescriptionDraft(), `calls.${role}`);
      return place ? [{ ...each, place }] : [];
    });
  const found = candidatesOf(requests);
  const login = placed(found.login, 'login')[0];
  const server = login ? login.place.origin : address;
  // A request whose host is a variable may be anywhere.
  const isAtServer = ({ place }: Placed) =>
    [undefined, server].includes(place.origin) || (login === undefined && server === undefined);
  const chosen = new Map<Role, Placed>();
  const alternatives = new Map<Role, Placed[]>();
  for (const role of roles) {
    // One request is one call: OAuth's renewal has the address of its log-in, and another body.
    const isFree = ({ request }: Placed) => [...chosen.values()].every((each) => each.request !== request);
    const [best, ...rest] = placed(found[role], role).filter(isAtServer);
    if (!best || !isFree(best)) continue;
    // The base of an address without a host may be another one, as of an axios instance.
    const isElsewhere = server !== undefined && best.place.origin === undefined && login?.place.origin !== undefined;
    chosen.set(role, isElsewhere ? { ...best, byName: true } : best);
    alternatives.set(role, rest.filter(isFree).slice(0, mostAlternatives));
  }
  if (chosen.size === 0 && (format !== 'env' || address === undefined)) {
    return { kind: 'nothing-found', format, requests: requests.length };
  }
  return {
    kind: 'found',
    format,
    ...(address && { address }),
    addresses,
    ...describe({ name: address && new URL(address).host, format, chosen, alternatives, requests, shipped, parts }),
  };
}

type Choice = {
  name: string | undefined;
  format: InterfaceFormat;
  chosen: ReadonlyMap<Role, Placed>;
  alternatives: ReadonlyMap<Role, readonly Placed[]>;
  requests: readonly ImportedRequest[];
  shipped: ShippedInterfaces;
  parts: ServerLocation['parts'];
};

const { login: loginShape, refresh: refreshShape } = InterfaceDescription.shape.calls.shape;

type Around = {
  prefix: string;
  encoding: 'json' | 'form';
  known: BodyContext;
  ownSecurity: OperationSecurity | undefined;
};

/** Makes a call of a description. What of it is a guess is noted in the draft. */
function makeCall(role: Role, { request, place }: Placed, into: DescriptionDraft, around: Around): InterfaceCall {
  parseRequestTarget(request, into, `calls.${role}`);
  const { prefix, encoding, known, ownSecurity } = around;
  const body = inferBody(role, request, into, known);
  const success = role === 'login' ? loginRedirects(request) : undefined;
  if (success) into.guess('calls.login.success', 'usual');
  const own = role === 'refresh' || (role === 'logout' && sendsOnly(request, ownSecurity)) ? ownSecurity : undefined;
  if (own && own.type !== 'none') into.guess(`calls.${role}.security`, 'by-name');
  return (own ? refreshShape.unwrap() : loginShape).parse({
    method: request.method,
    path: place.path.slice(prefix.length) + place.query,
    ...(body && { body }),
    ...(success && { success }),
    ...(own && { security: own }),
    ...(request.encoding !== undefined && request.encoding !== encoding && { encoding: request.encoding }),
  });
}

function describe({
  name,
  format,
  chosen,
  alternatives,
  requests,
  shipped,
  parts,
}: Choice): Omit<FoundInterface, 'format' | 'address' | 'addresses'> {
  const draft = new DescriptionDraft();
  const ofChosen = [...chosen.values()].map(({ request }) => request);
  const login = chosen.get('login')?.request;
  const encoding = login?.encoding === 'form' ? 'form' : 'json';
  const prefix = commonPrefix(
    [...chosen.values(), ...[...alternatives.values()].flat()].map(({ place }) => place.path),
  );
  const known: BodyContext = {
    registers: leavesOf(chosen.get('register')?.request.body),
    logsIn: leavesOf(login?.body),
    tokens: responseTokens(login),
  };
  const renewal = chosen.get('refresh')?.request;
  const isByHeader = requests.some(
    (each) => each !== renewal && schemeIn(headerOf(each, /^authorization$/i)?.[1] ?? '') !== undefined,
  );
  const ownSecurity = inferRefreshSecurity(renewal, login, known.tokens.refreshToken, isByHeader);
  const callOf = (role: Role, each: Placed, into: DescriptionDraft): InterfaceCall =>
    makeCall(role, each, into, { prefix, encoding, known, ownSecurity });
  for (const [role, each] of chosen) guessConstants(role, each, requests, draft);
  const calls = Object.fromEntries([...chosen].map(([role, each]) => [role, callOf(role, each, draft)]));
  const security = inferSecurity({
    login,
    profile: chosen.get('profile')?.request,
    logout: chosen.get('logout')?.request,
    refresh: ownSecurity ? undefined : renewal,
    others: requests.filter((each) => !ofChosen.includes(each)),
  });
  const isRenewed = JSON.stringify(calls).includes('{{refreshToken}}');
  const outputs = inferOutputs(
    login,
    security,
    isRenewed ? (chosen.get('refresh') ?? chosen.get('logout'))?.request : undefined,
  );
  const headers = inferHeaders(ofChosen, security, draft);
  const csrf = inferCsrf(requests, security.security);
  dropCredentials(chosen, draft);
  const isShown = security.why !== 'usual' || outputs.value['token'] !== undefined;
  return {
    draft: InterfaceDescription.extend({ calls: InterfaceDescription.shape.calls.partial() }).parse({
      name: name?.slice(0, 100) ?? format,
      prefix,
      calls,
      encoding,
      headers,
      security: security.security,
      outputs: outputs.value,
      ...(csrf && { csrf }),
      variables: Object.fromEntries(draft.variables),
    }),
    parts: [
      ...parts,
      ...[...chosen].map(([role, each]) => partOf(`calls.${role}`, whyGuessed(each, alternatives.get(role)))),
      ...draft.parts,
      partOf('security', security.why, security.said),
      ...outputs.parts,
      ...(csrf ? [partOf('csrf', 'by-name')] : []),
    ],
    others: othersOf(alternatives, draft, callOf),
    missing: (['login', 'profile'] as const).filter((role) => !chosen.has(role)),
    ...matchShipped(shipped, {
      calls: [...chosen].map(([role, { request, place }]) => ({ role, path: place.path + place.query, request })),
      security: isShown ? security.security : undefined,
      requests,
    }),
    dropped: [...draft.dropped].toSorted(),
  };
}

/** A constant is a guess that another request to the same address has another value of. */
function guessConstants(
  role: Role,
  { request, place }: Placed,
  requests: readonly ImportedRequest[],
  draft: DescriptionDraft,
): void {
  const others = requests.filter(
    ({ method, url }) => method === request.method && splitUrl(url).path.endsWith(place.path),
  );
  for (const { way, member, means } of leavesOf(request.body)) {
    if (means !== undefined || member.value === undefined) continue;
    const isOther = others.some(({ body }) =>
      leavesOf(body).some((each) => each.way.join('.') === way.join('.') && each.member.value !== member.value),
    );
    if (isOther) draft.guess(`calls.${role}.body.${way.join('.')}`, 'several');
  }
}

/** Names the credentials of a text, of which no value comes back. */
function dropCredentials(chosen: Choice['chosen'], draft: DescriptionDraft): void {
  for (const [role, { request }] of chosen) {
    // A description has no credential of a log-in by itself, without which this one would be refused.
    if (role !== 'profile' && /^basic\b/i.test(headerOf(request, /^authorization$/i)?.[1] ?? ''))
      draft.addMissing(`calls.${role}.headers.Authorization`);
    for (const [header, value] of request.headers) {
      const isCredential = /^(?:authorization|cookie)$/i.test(header) && value !== '' && !value.includes('{{');
      if (isCredential && parseJson(value) === undefined) draft.dropped.add(`calls.${role}.headers.${header}`);
    }
  }
}

/** What else each call may be. An alternative may use no variable that the draft does not have. */
function othersOf(
  alternatives: Choice['alternatives'],
  draft: DescriptionDraft,
  callOf: (role: Role, each: Placed, into: DescriptionDraft) => InterfaceCall,
): FoundInterface['others'] {
  const others = [...alternatives].map(([role, list]) => {
    const usable = list.flatMap((each) => {
      const into = new DescriptionDraft();
      const call = callOf(role, each, into);
      const from = (each.request.name ?? '').slice(0, 100) || `${each.request.method} ${each.place.path}`;
      return [...into.variables.keys()].every((variable) => draft.variables.has(variable)) ? [{ call, from }] : [];
    });
    return [role, usable] as const;
  });
  return Object.fromEntries(others.filter(([, list]) => list.length > 0));
}

const partOf = (at: string, why: GuessReason | undefined, said?: string): FoundPart =>
  why === undefined ? { at, is: 'sure' } : { at, is: 'guess', why, ...(said !== undefined && { said }) };

/** Why a call is a guess: it is sure if much speaks for it, and for no other request. */
function whyGuessed(
  { score, request, place, byName }: Placed,
  others: readonly Placed[] = [],
): GuessReason | undefined {
  // One operation that can be filled in in several ways is one call.
  const rivals = others.filter((other) => other.request.method !== request.method || other.place.path !== place.path);
  if (rivals.some((other) => other.score > score - 2)) return 'several';
  return score < 4 || byName ? 'by-name' : undefined;
}

/** The longest path that all calls have in common. A log-in keeps a part of its own where it stands alone. */
function commonPrefix(paths: readonly string[]): string {
  const lists = paths.map((path) => path.split('/'));
  // A `.env` may have an address and no call.
  const shortest = lists.length === 0 ? 0 : Math.min(...lists.map(({ length }) => length));
  let end = 0;
  while (end < shortest && lists.every((list) => list[end] === lists[0]?.[end])) end += 1;
  if (end === shortest && new Set(paths).size <= 1) end -= 1;
  return (lists[0] ?? []).slice(0, Math.max(0, end)).join('/').replace(/\/+$/, '');
}
