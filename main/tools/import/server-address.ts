import type { FoundInterface, FoundPart, InterfaceFormat } from '../../../preload/contract/interface.ts';
import { candidatesOf } from './candidates.ts';
import { roles } from './roles.ts';
import { parseRequestTarget, type RequestTarget } from './request-target.ts';
import { fillRequest, type Environment, type Imported, type ImportedRequest } from './imported-request.ts';
import { isDocumentationHost } from './placeholders.ts';

type Address = FoundInterface['addresses'][number];
type Reason = Pick<FoundPart, 'why' | 'detail'>;

/** The requests with the values of the preselected environment, and the server's address. */
export type ServerLocation = {
  requests: readonly ImportedRequest[];
  /** The origin of the log-in; undefined if the user has to choose or enter it. */
  address: string | undefined;
  addresses: Address[];
  /** The certainty of `address`, and of `prefix` if environments differ in it. */
  parts: FoundPart[];
};

const maxEnvironments = 50;

const wordsIn = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/(?:pre|non|not)[-_ ]?prod\w*/g, 'staging')
    .split(/[^\p{L}]+/u);
const productionWords = new Set([
  'prod',
  'prods',
  'prd',
  'production',
  'live',
  'producción',
  'produccion',
  'produktion',
]);
const testWords = /^(?:local(?:host)?|dev\w*|test\w*|stag\w*|stg|sandbox|qa|uat|demo|mock\w*|docker|preview|loopback)$/;
const localHost = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]|0\.0\.0\.0)/;

const labelsOf = (host: string): string => host.replace(/:\d+$/, '').split('.').slice(0, -1).join(' ');
const isProduction = (name: string, host: string): boolean =>
  [...wordsIn(name), ...(localHost.test(host) ? [] : wordsIn(labelsOf(host)))].some((word) =>
    productionWords.has(word),
  );
const isTestServer = (name: string, host: string): boolean =>
  localHost.test(host) || [...wordsIn(name), ...wordsIn(labelsOf(host))].some((word) => testWords.test(word));

/**
 * Finds the address of the server: that of the log-in request with the values of an environment. Other requests do not
 * count. A production environment is never preselected.
 */
export function locateServer(format: InterfaceFormat, { requests, environments }: Imported): ServerLocation {
  const all = environments.slice(0, maxEnvironments);
  const filledBy = (environment: Environment | undefined) =>
    environment === undefined ? requests : requests.map((each) => fillRequest(each, environment.variables));
  const first = filledBy(all.find((each) => candidatesOf(filledBy(each)).login.length > 0) ?? all[0]);
  const request = requests[first.indexOf(findAddressRequest(first)!)];
  if (request === undefined) return { requests: first, ...locateByNames(format, first) };
  const choices: Choice[] = (all.length === 0 ? [undefined] : all).flatMap((environment) => {
    const filled = environment === undefined ? request : fillRequest(request, environment.variables);
    const target = parseRequestTarget(filled);
    return target === undefined ? [] : [{ environment, target, url: filled.url }];
  });
  const listed =
    all.length === 0 ? sameAtOtherOrigins(first, request) : choices.filter(({ target }) => target.origin !== undefined);
  const [preferred, reason] = preselect(listed, all.length > 0);
  const chosen = preferred ?? listed[0] ?? choices[0];
  const bases = new Set(listed.map(({ target }) => target.path));
  return {
    requests: all.length === 0 ? dropOtherOrigins(first, listed, preferred) : filledBy(chosen?.environment),
    address: preferred?.target.origin,
    addresses: addressesOf(listed),
    parts: [
      preferred ? certaintyOf(preferred, reason) : missingAddress(chosen, reason),
      ...(all.length > 0 && bases.size > 1
        ? [{ at: 'prefix', is: 'guess', why: 'environments' } satisfies FoundPart]
        : []),
    ],
  };
}

type Choice = { environment: Environment | undefined; target: RequestTarget; url: string };

/** The request with the server's address: the log-in or, in a text without one, another of the five calls. */
function findAddressRequest(requests: readonly ImportedRequest[]): ImportedRequest | undefined {
  const found = candidatesOf(requests);
  return roles.flatMap((role) => found[role]).find(({ request }) => parseRequestTarget(request) !== undefined)?.request;
}

/** The same request at each origin that a text without environments has for it. */
function sameAtOtherOrigins(requests: readonly ImportedRequest[], one: ImportedRequest): Choice[] {
  const choices = [one, ...requests.filter((each) => each !== one && each.method === one.method)].flatMap((each) => {
    const target = parseRequestTarget(each);
    return target?.origin === undefined ? [] : [{ environment: undefined, target, url: each.url, request: each }];
  });
  const own = choices.find(({ request }) => request === one);
  return own === undefined ? [] : choices.filter(({ target }) => target.path === own.target.path);
}

/** Drops requests to other origins of the log-in, which may be other servers. */
function dropOtherOrigins(
  requests: readonly ImportedRequest[],
  listed: readonly Choice[],
  preferred: Choice | undefined,
) {
  const others = new Set(listed.map(({ target }) => target.origin).filter((each) => each !== preferred?.target.origin));
  if (others.size === 0) return requests;
  return requests.filter((each) => !others.has(parseRequestTarget(each)?.origin));
}

const hostOf = ({ target }: Choice): string => (target.origin === undefined ? '' : new URL(target.origin).host);
const nameOf = ({ environment, target }: Choice): string => environment?.name || (target.origin ?? '');

/** The choice to preselect: the first test server, else the first that is not production. */
function preselect(listed: readonly Choice[], hasEnvironments: boolean): [Choice | undefined, Reason | undefined] {
  const isOfProduction = (each: Choice) => isProduction(each.environment?.name ?? '', hostOf(each));
  const usable = listed.filter((each) => !isOfProduction(each));
  const best = usable.find((each) => isTestServer(each.environment?.name ?? '', hostOf(each))) ?? usable[0];
  // Without environments, the address of the request itself is preselected.
  const preferred = best ?? (hasEnvironments ? undefined : listed[0]);
  const others = listed.filter(({ target }) => target.origin !== preferred?.target.origin).map(nameOf);
  if (others.length === 0) return [preferred, undefined];
  return [preferred, { why: hasEnvironments ? 'environments' : 'several', detail: [...new Set(others)].join(', ') }];
}

const certaintyOf = (choice: Choice, reason: Reason | undefined): FoundPart => {
  if (reason) return { at: 'address', is: 'guess', ...limited(reason) };
  const host = hostOf(choice);
  // An HTTP message has a `Host`, and does not tell whether TLS was used.
  if (!/^https?:/i.test(choice.url)) return { at: 'address', is: 'guess', why: 'usual' };
  return isDocumentationHost(host.replace(/:\d+$/, ''))
    ? { at: 'address', is: 'guess', ...limited({ why: 'placeholder', detail: host }) }
    : { at: 'address', is: 'sure' };
};

/** Why no address is preselected: all are production, the host is a placeholder, or there is none. */
function missingAddress(choice: Choice | undefined, reason: Reason | undefined): FoundPart {
  const host = /^(?:https?:\/\/)?(?:[^/?#@]{0,200}@)?([^/?#@]{0,200}\{\{[^/?#@]{0,200})/i.exec(choice?.url ?? '')?.[1];
  const why: Reason = reason ?? (host === undefined ? { why: 'not-found' } : { why: 'placeholder', detail: host });
  return { at: 'address', is: 'missing', ...limited(why) };
}

const limited = ({ why, detail }: Reason): Reason => ({
  ...(why && { why }),
  ...(detail && { detail: detail.slice(0, 300) }),
});

/** Each origin once, in the order of the text. */
function addressesOf(listed: readonly Choice[]): Address[] {
  const addresses = new Map<string, Address>();
  for (const each of listed) {
    const { environment, target } = each;
    if (target.origin === undefined) continue;
    const name = environment?.name.slice(0, 100);
    const before = addresses.get(target.origin);
    const isOfProduction = isProduction(environment?.name ?? '', hostOf(each)) || before?.production === true;
    addresses.set(target.origin, {
      ...(name && { name }),
      ...before,
      address: target.origin,
      production: isOfProduction,
    });
  }
  return [...addresses.values()].slice(0, maxEnvironments);
}

/** A `.env` has no calls: its addresses are told by the names of their variables, those of an API first. */
function locateByNames(
  format: InterfaceFormat,
  requests: readonly ImportedRequest[],
): Omit<ServerLocation, 'requests'> {
  const listed = requests.flatMap((request): Choice[] => {
    const target = parseRequestTarget(request);
    const environment = { name: request.name ?? '', variables: {} };
    return target?.origin === undefined ? [] : [{ environment, target, url: request.url }];
  });
  if (format !== 'env' || listed.length === 0) return { address: undefined, addresses: [], parts: [] };
  const [preferred, reason] = preselect(listed, true);
  return {
    address: preferred?.target.origin,
    addresses: addressesOf(listed),
    parts: [{ at: 'address', is: preferred ? 'guess' : 'missing', ...limited(reason ?? { why: 'by-name' }) }],
  };
}
