import type { ServerDetails } from '../../../preload/contract/models.ts';
import type { ServerColour } from '../../../preload/contract/settings.ts';
import type { StoredServer } from '../config/config.ts';

type Face = Pick<StoredServer, 'name' | 'colour'>;

/** Red is for production, and gray the built-in server's. */
const free: readonly ServerColour[] = ['blue', 'teal', 'green', 'amber', 'orange', 'purple', 'pink'];

/** They say what a host does for a server, and not which server it is. */
const ofAnyServer: ReadonlySet<string> = new Set(['www', 'api', 'auth', 'app', 'accounts']);
const stage = /^(staging|test|qa|dev|preview)(\d*)$/;

const isLoopback = (host: string): boolean => /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(host);
const isNumeric = (host: string): boolean => host.startsWith('[') || /^[\d.]+$/.test(host);
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a host names. An internationalised name stays in ASCII: in letters it could be taken for another one. */
function readHost(host: string): { words: string[]; stage: string } {
  const labels = host.split('.').filter((label) => label !== '');
  const words: string[] = [];
  let at: string | undefined;
  // The last label, such as `com` or `test`, is no word of the owner's.
  for (const label of labels.length > 1 ? labels.slice(0, -1) : labels) {
    const parts = label.startsWith('xn--') ? [label] : label.split('-');
    const found = parts.findIndex((part) => stage.test(part));
    const [, name = '', number = ''] = stage.exec(parts[found] ?? '') ?? [];
    // In `preview-2` the number belongs to the stage.
    const next = found >= 0 && number === '' && /^\d+$/.test(parts[found + 1] ?? '') ? parts[found + 1]! : number;
    const left = parts.filter((_, index) => index !== found && !(index === found + 1 && found >= 0 && next !== number));
    if (found >= 0) at ??= `${name} ${next}`.trim();
    if (left.length > 0 && !left.every((part) => ofAnyServer.has(part))) words.push(left.join('-'));
  }
  return words.length > 0 ? { words, stage: at ?? '' } : { words: labels.slice(0, 1), stage: '' };
}

/** The names of a server, the shortest first: each says more of its address. */
function namesOf(baseUrl: string, production: boolean): string[] {
  const { hostname, host, port, pathname } = new URL(baseUrl);
  const path = pathname === '/' ? '' : pathname;
  if (isLoopback(hostname)) return [`Local ${port}`.trim(), `Local, ${host}${path}`];
  if (isNumeric(hostname)) return [host, `${host}${path}`];
  const { words, stage: at } = readHost(hostname);
  const end = at === '' || production ? '' : ` · ${at}`;
  const ofWords = words.map((_, count) => capitalised(words.slice(0, count + 1).join(' ')) + end);
  return [...ofWords, `${ofWords[0]}, ${host}${path}`];
}

/** A small hash: the same host has the same colour on every computer, unless that is taken. */
const placeOf = (text: string): number =>
  new TextEncoder().encode(text).reduce((sum, byte) => (sum * 31 + byte) % 65_521, 7);

/**
 * Gives a new server its colour and its short name, both made from its address. A person changes them at will.
 * @param others those that are there already
 */
export function defaultNameAndColour(baseUrl: string, others: readonly Face[], production: boolean): Face {
  const names = namesOf(baseUrl, production).map((name) => name.slice(0, 100));
  const name = names.find((each) => others.every((other) => other.name !== each)) ?? names.at(-1)!;
  if (production) return { name, colour: 'red' };
  const first = placeOf(new URL(baseUrl).host);
  const inOrder = free.map((_, step) => free[(first + step) % free.length]!);
  const colour = inOrder.find((each) => others.every((other) => other.colour !== each)) ?? inOrder[0]!;
  return { name, colour };
}

/** Gives a server what was left open of its name, and of its colour: gray is the built-in server's. */
export function withDefaultNameAndColour<T extends ServerDetails>(
  entered: T,
  baseUrl: string,
  others: readonly StoredServer[],
): T & Pick<ServerDetails, 'name' | 'colour'> {
  const face = defaultNameAndColour(baseUrl, others, entered.production);
  return {
    ...entered,
    name: entered.name.trim() || face.name,
    colour: entered.colour === 'gray' ? face.colour : entered.colour,
  };
}
