import type { FoundInterface, FoundPart, InterfaceFormat } from '../../../preload/contract/interface.ts';
import { candidatesOf } from './candidates.ts';
import { roles } from './roles.ts';
import { parseRequestTarget, type RequestTarget } from './request-target.ts';
import { DescriptionDraft } from './description-draft.ts';
import { fillRequest, type Environment, type Imported, type ImportedRequest } from './imported-request.ts';
import { isDocumentationHost } from './placeholders.ts';

type Address = FoundInterface['addresses'][number];
type Reason = Pick<FoundPart, 'why' | 'said'>;

/** The requests as the preselected environment fills them, and where their server is. */
export type ServerLocation = {
  requests: readonly ImportedRequest[];
  /** The origin that the log-in goes to; absent where it has to be asked for. */
  address: string | undefined;
  addresses: Address[];
  /** How certain `address` is, and `prefix` where environments differ in it. */
  parts: FoundPart[];
};

const mostEnvironments = 50;

const wordsIn = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/(?:pre|non|not)[-_ ]?prod\w*/g, 'staging')
    .split(/[^\p{L}]+/u);
const production = new Set(['prod', 'prods', 'prd', 'production', 'live', 'producción', 'produccion', 'produktion']);
const trial = /^(?:local(?:host)?|dev\w*|test\w*|stag\w*|stg|sandbox|qa|uat|demo|mock\w*|docker|preview|loopback)$/;
const ownHost = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]|0\.0\.0\.0)/;

const labelsOf = (host: string): string => host.replace(/:\d+$/, '').split('.').slice(0, -1).join(' ');
const isProduction = (name: string, host: string): boolean =>
  [...wordsIn(name), ...(ownHost.test(host) ? [] : wordsIn(labelsOf(host)))].some((word) => production.has(word));
const isForTrial = (name: string, host: string): boolean =>
  ownHost.test(host) || [...wordsIn(name), ...wordsIn(labelsOf(host))].some((word) => trial.test(word));

/**
 * Chooses where the server is. An address is that of the log-in's own request, as one of the environments fills it; no
 * other request has anything to say of it. An environment that is called production is never chosen.
 */
export function locateServer(format: InterfaceFormat, { requests, environments }: Imported): ServerLocation {
  const all = environments.slice(0, mostEnvironments);
  const filledBy = (one: Environment | undefined) =>
    one === undefined ? requests : requests.map((each) => fillRequest(each, one.variables));
  const first = filledBy(all.find((each) => candidatesOf(filledBy(each)).login.length > 0) ?? all[0]);
  const subject = first.indexOf(subjectOf(first)!);
  const request = requests[subject];
  if (request === undefined) return { requests: first, ...ofNamed(format, first) };
  const choices: Choice[] = (all.length === 0 ? [undefined] : all).flatMap((environment) => {
    const filled = environment === undefined ? request : fillRequest(request, environment.variables);
    const place = parseRequestTarget(filled, new DescriptionDraft(), '');
    return place === undefined ? [] : [{ environment, place, url: filled.url }];
  });
  const listed = all.length === 0 ? alikeOf(first, request) : choices.filter(({ place }) => place.origin !== undefined);
  const [preferred, reason] = prefer(listed, all.length > 0);
  const addresses = addressesOf(listed);
  const chosen = preferred ?? listed[0] ?? choices[0];
  const bases = new Set(listed.map(({ place }) => place.path));
  return {
    requests: all.length === 0 ? withoutOthers(first, listed, preferred) : filledBy(chosen?.environment),
    address: preferred?.place.origin,
    addresses,
    parts: [
      preferred ? certaintyOf(preferred, reason) : missing(chosen, reason),
      ...(all.length > 0 && bases.size > 1
        ? [{ at: 'prefix', is: 'guess', why: 'environments' } satisfies FoundPart]
        : []),
    ],
  };
}

type Choice = { environment: Environment | undefined; place: RequestTarget; url: string };

/** The request that says where the server is: the log-in, or another call of an account in a text without a log-in. */
function subjectOf(requests: readonly ImportedRequest[]): ImportedRequest | undefined {
  const found = candidatesOf(requests);
  return roles
    .flatMap((role) => found[role])
    .find(({ request }) => parseRequestTarget(request, new DescriptionDraft(), '') !== undefined)?.request;
}

/** The same request at other addresses, which a text without environments may have. */
function alikeOf(requests: readonly ImportedRequest[], one: ImportedRequest): Choice[] {
  const placed = [one, ...requests.filter((each) => each !== one && each.method === one.method)].flatMap((each) => {
    const place = parseRequestTarget(each, new DescriptionDraft(), '');
    return place?.origin === undefined ? [] : [{ environment: undefined, place, url: each.url, request: each }];
  });
  const own = placed.find(({ request }) => request === one);
  return own === undefined ? [] : placed.filter(({ place }) => place.path === own.place.path);
}

/** What is at another of the addresses that the log-in has may be another server's. */
function withoutOthers(requests: readonly ImportedRequest[], listed: readonly Choice[], preferred: Choice | undefined) {
  const others = new Set(listed.map(({ place }) => place.origin).filter((each) => each !== preferred?.place.origin));
  if (others.size === 0) return requests;
  return requests.filter((each) => !others.has(parseRequestTarget(each, new DescriptionDraft(), '')?.origin));
}

const hostOf = ({ place }: Choice): string => (place.origin === undefined ? '' : new URL(place.origin).host);
const nameOf = ({ environment, place }: Choice): string => environment?.name || (place.origin ?? '');

/** The choice that may stand there before anybody chose: the first for trials, else the first that is not production. */
function prefer(listed: readonly Choice[], hasEnvironments: boolean): [Choice | undefined, Reason | undefined] {
  const isOfProduction = (each: Choice) => isProduction(each.environment?.name ?? '', hostOf(each));
  const usable = listed.filter((each) => !isOfProduction(each));
  const best = usable.find((each) => isForTrial(each.environment?.name ?? '', hostOf(each))) ?? usable[0];
  // What the request itself says is no choice among environments.
  const preferred = best ?? (hasEnvironments ? undefined : listed[0]);
  const others = listed.filter(({ place }) => place.origin !== preferred?.place.origin).map(nameOf);
  if (others.length === 0) return [preferred, undefined];
  return [preferred, { why: hasEnvironments ? 'environments' : 'several', said: [...new Set(others)].join(', ') }];
}

const certaintyOf = (choice: Choice, reason: Reason | undefined): FoundPart => {
  if (reason) return { at: 'address', is: 'guess', ...cut(reason) };
  const host = hostOf(choice);
  // A message of HTTP has a `Host` and does not say whether it went over TLS.
  if (!/^https?:/i.test(choice.url)) return { at: 'address', is: 'guess', why: 'usual' };
  return isDocumentationHost(host.replace(/:\d+$/, ''))
    ? { at: 'address', is: 'guess', ...cut({ why: 'placeholder', said: host }) }
    : { at: 'address', is: 'sure' };
};

/** Why no address is chosen: all are of production, the host is a placeholder, or nothing says it. */
function missing(choice: Choice | undefined, reason: Reason | undefined): FoundPart {
  const host = /^(?:https?:\/\/)?(?:[^/?#@]{0,200}@)?([^/?#@]{0,200}\{\{[^/?#@]{0,200})/i.exec(choice?.url ?? '')?.[1];
  const told: Reason = reason ?? (host === undefined ? { why: 'not-found' } : { why: 'placeholder', said: host });
  return { at: 'address', is: 'missing', ...cut(told) };
}

const cut = ({ why, said }: Reason): Reason => ({ ...(why && { why }), ...(said && { said: said.slice(0, 300) }) });

/** Each address once, in the order of the text. */
function addressesOf(listed: readonly Choice[]): Address[] {
  const found = new Map<string, Address>();
  for (const each of listed) {
    const { environment, place } = each;
    if (place.origin === undefined) continue;
    const name = environment?.name.slice(0, 100);
    const before = found.get(place.origin);
    const isOfProduction = isProduction(environment?.name ?? '', hostOf(each)) || before?.production === true;
    found.set(place.origin, {
      ...(name && { name }),
      ...before,
      address: place.origin,
      production: isOfProduction,
    });
  }
  return [...found.values()].slice(0, mostEnvironments);
}

/** A `.env` has no calls: its addresses are known by the names that they have, those of an API first. */
function ofNamed(format: InterfaceFormat, requests: readonly ImportedRequest[]): Omit<ServerLocation, 'requests'> {
  const listed = requests.flatMap((request): Choice[] => {
    const place = parseRequestTarget(request, new DescriptionDraft(), '');
    const environment = { name: request.name ?? '', variables: {} };
    return place?.origin === undefined ? [] : [{ environment, place, url: request.url }];
  });
  if (format !== 'env' || listed.length === 0) return { address: undefined, addresses: [], parts: [] };
  const [preferred, reason] = prefer(listed, true);
  const told = reason ?? { why: 'by-name' };
  return {
    address: preferred?.place.origin,
    addresses: addressesOf(listed),
    parts: [{ at: 'address', is: preferred ? 'guess' : 'missing', ...cut(told) }],
  };
}
