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
import { inferSecondFactor, withoutCode } from './infer-code.ts';
import { candidatesOf, type Candidate } from './candidates.ts';
import { roles, type Role } from './roles.ts';
import { DescriptionDraft } from './description-draft.ts';
import { authorizationHeader, tokenScheme, type Imported, type ImportedRequest } from './imported-request.ts';
import { withQueryFields } from './query-fields.ts';
import { inferCsrf, inferHeaders, inferOutputs, inferSecurity, responseTokens } from './infer-security.ts';
import { loginRedirects, inferRefreshSecurity, sendsOnly } from './refresh-credential.ts';
import { parseRequestTarget, splitUrl, type RequestTarget } from './request-target.ts';
import { matchShipped, type ShippedInterfaces } from './match-shipped.ts';

const maxAlternatives = 5;

type LocatedCandidate = Candidate & { target: RequestTarget };

/** Finds the five calls among requests, and describes them. */
export function inferInterface(format: InterfaceFormat, imported: Imported, shipped: ShippedInterfaces): ImportResult {
  const read = { ...imported, requests: imported.requests.map(withQueryFields) };
  const { requests, address, addresses, parts } = locateServer(format, read);
  const candidates = candidatesOf(requests);
  const located = (role: Role): LocatedCandidate[] =>
    candidates[role].flatMap((each) => {
      const target = parseRequestTarget(each.request);
      return target ? [{ ...each, target }] : [];
    });
  const [login] = located('login');
  const server = login ? login.target.origin : address;
  // A request whose host is a variable may go to any server.
  const isAtServer = ({ target }: LocatedCandidate) =>
    [undefined, server].includes(target.origin) || (login === undefined && server === undefined);
  const chosen = new Map<Role, LocatedCandidate>();
  const alternatives = new Map<Role, LocatedCandidate[]>();
  for (const role of roles) {
    // A request is one call only. OAuth's refresh is another request to the address of the log-in.
    const isFree = ({ request }: LocatedCandidate) => [...chosen.values()].every((each) => each.request !== request);
    const [best, ...rest] = located(role).filter(isAtServer);
    if (!best || !isFree(best)) continue;
    // A URL without a host may have another base, such as that of an axios instance.
    const isElsewhere = server !== undefined && best.target.origin === undefined && login?.target.origin !== undefined;
    chosen.set(role, isElsewhere ? { ...best, byName: true } : best);
    alternatives.set(role, rest.filter(isFree).slice(0, maxAlternatives));
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

type FoundCalls = {
  name: string | undefined;
  format: InterfaceFormat;
  chosen: ReadonlyMap<Role, LocatedCandidate>;
  alternatives: ReadonlyMap<Role, readonly LocatedCandidate[]>;
  requests: readonly ImportedRequest[];
  shipped: ShippedInterfaces;
  parts: ServerLocation['parts'];
};

const { login: loginShape, refresh: refreshShape } = InterfaceDescription.shape.calls.shape;

type CallContext = {
  prefix: string;
  encoding: 'json' | 'form';
  known: BodyContext;
  ownSecurity: OperationSecurity | undefined;
};

/** Describes a call, and notes in the draft which of its parts are guesses. */
function describeCall(
  role: Role,
  { request, target }: LocatedCandidate,
  draft: DescriptionDraft,
  context: CallContext,
): InterfaceCall {
  parseRequestTarget(request, draft, `calls.${role}`);
  const { prefix, encoding, known, ownSecurity } = context;
  const body = inferBody(role, role === 'login' ? withoutCode(request) : request, draft, known);
  const success = role === 'login' ? loginRedirects(request) : undefined;
  if (success) draft.guess('calls.login.success', 'usual');
  const own = role === 'refresh' || (role === 'logout' && sendsOnly(request, ownSecurity)) ? ownSecurity : undefined;
  if (own && own.type !== 'none') draft.guess(`calls.${role}.security`, 'by-name');
  return (own ? refreshShape.unwrap() : loginShape).parse({
    method: request.method,
    path: target.path.slice(prefix.length) + target.query,
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
}: FoundCalls): Omit<FoundInterface, 'format' | 'address' | 'addresses'> {
  const draft = new DescriptionDraft();
  const chosenRequests = [...chosen.values()].map(({ request }) => request);
  const login = chosen.get('login')?.request;
  const encoding = login?.encoding === 'form' ? 'form' : 'json';
  const prefix = commonPrefix(
    [...chosen.values(), ...[...alternatives.values()].flat()].map(({ target }) => target.path),
  );
  const known: BodyContext = {
    registers: leavesOf(chosen.get('register')?.request.body),
    logsIn: leavesOf(login?.body),
    tokens: responseTokens(login),
  };
  const refresh = chosen.get('refresh')?.request;
  const isByHeader = requests.some((each) => each !== refresh && tokenScheme(each) !== undefined);
  const ownSecurity = inferRefreshSecurity(refresh, login, known.tokens.refreshToken, isByHeader);
  const callOf = (role: Role, each: LocatedCandidate, callDraft: DescriptionDraft): InterfaceCall =>
    describeCall(role, each, callDraft, { prefix, encoding, known, ownSecurity });
  for (const [role, each] of chosen) guessConstants(role, each, requests, draft);
  const calls = Object.fromEntries([...chosen].map(([role, each]) => [role, callOf(role, each, draft)]));
  const security = inferSecurity({
    login,
    profile: chosen.get('profile')?.request,
    logout: chosen.get('logout')?.request,
    refresh: ownSecurity ? undefined : refresh,
    others: requests.filter((each) => !chosenRequests.includes(each)),
  });
  const usesRefreshToken = JSON.stringify(calls).includes('{{refreshToken}}');
  const outputs = inferOutputs(
    login,
    security,
    usesRefreshToken ? (refresh ?? chosen.get('logout')?.request) : undefined,
  );
  const secondFactor = inferSecondFactor(login, calls['login'], draft);
  const headers = inferHeaders(chosenRequests, security, draft);
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
      ...(secondFactor && { secondFactor }),
      variables: Object.fromEntries(draft.variables),
    }),
    parts: [
      ...parts,
      ...[...chosen].map(([role, each]) => partOf(`calls.${role}`, whyGuessed(each, alternatives.get(role)))),
      ...draft.parts,
      partOf('security', security.why, security.detail),
      ...outputs.parts,
      ...(csrf ? [partOf('csrf', 'by-name')] : []),
    ],
    others: describeAlternatives(alternatives, draft, callOf),
    missing: (['login', 'profile'] as const).filter((role) => !chosen.has(role)),
    ...matchShipped(shipped, {
      calls: [...chosen].map(([role, { request, target }]) => ({ role, path: target.path + target.query, request })),
      security: isShown ? security.security : undefined,
      requests,
    }),
    dropped: [...draft.dropped].toSorted(),
  };
}

/** A constant is a guess if another request to the same path has another value. */
function guessConstants(
  role: Role,
  { request, target }: LocatedCandidate,
  requests: readonly ImportedRequest[],
  draft: DescriptionDraft,
): void {
  const others = requests.filter(
    ({ method, url }) => method === request.method && splitUrl(url).path.endsWith(target.path),
  );
  for (const { path, member, means } of leavesOf(request.body)) {
    if (means !== undefined || member.value === undefined) continue;
    const isOther = others.some(({ body }) =>
      leavesOf(body).some((each) => each.path.join('.') === path.join('.') && each.member.value !== member.value),
    );
    if (isOther) draft.guess(`calls.${role}.body.${path.join('.')}`, 'several');
  }
}

/** Notes the dropped credentials by their paths. Their values stay in the worker. */
function dropCredentials(chosen: FoundCalls['chosen'], draft: DescriptionDraft): void {
  for (const [role, { request }] of chosen) {
    // A description cannot have a Basic credential for one call, and the server would refuse the call without it.
    if (role !== 'profile' && /^basic\b/i.test(authorizationHeader(request)))
      draft.addMissing(`calls.${role}.headers.Authorization`);
    for (const [header, value] of request.headers) {
      const isCredential = /^(?:authorization|cookie)$/i.test(header) && value !== '' && !value.includes('{{');
      if (isCredential && parseJson(value) === undefined) draft.dropped.add(`calls.${role}.headers.${header}`);
    }
  }
}

/** The alternatives of each call, without those that would need further variables. */
function describeAlternatives(
  alternatives: FoundCalls['alternatives'],
  draft: DescriptionDraft,
  callOf: (role: Role, each: LocatedCandidate, callDraft: DescriptionDraft) => InterfaceCall,
): FoundInterface['others'] {
  const others = [...alternatives].map(([role, list]) => {
    const usable = list.flatMap((each) => {
      const callDraft = new DescriptionDraft();
      const call = callOf(role, each, callDraft);
      const from = (each.request.name ?? '').slice(0, 100) || `${each.request.method} ${each.target.path}`;
      return [...callDraft.variables.keys()].every((variable) => draft.variables.has(variable)) ? [{ call, from }] : [];
    });
    return [role, usable] as const;
  });
  return Object.fromEntries(others.filter(([, list]) => list.length > 0));
}

const partOf = (at: string, why: GuessReason | undefined, detail?: string): FoundPart =>
  why === undefined ? { at, is: 'sure' } : { at, is: 'guess', why, ...(detail !== undefined && { detail }) };

/** Why a call is a guess; undefined if its score is high and that of no other request is near. */
function whyGuessed(
  { score, request, target, byName }: LocatedCandidate,
  others: readonly LocatedCandidate[] = [],
): GuessReason | undefined {
  // Several bodies of one operation are one call.
  const rivals = others.filter((other) => other.request.method !== request.method || other.target.path !== target.path);
  if (rivals.some((other) => other.score > score - 2)) return 'several';
  return score < 4 || byName ? 'by-name' : undefined;
}

/** The longest common path of all calls. A single call keeps its last segment. */
function commonPrefix(paths: readonly string[]): string {
  const lists = paths.map((path) => path.split('/'));
  // A `.env` may have no call.
  const shortest = lists.length === 0 ? 0 : Math.min(...lists.map(({ length }) => length));
  let end = 0;
  while (end < shortest && lists.every((list) => list[end] === lists[0]?.[end])) end += 1;
  if (end === shortest && new Set(paths).size <= 1) end -= 1;
  return (lists[0] ?? []).slice(0, Math.max(0, end)).join('/').replace(/\/+$/, '');
}
