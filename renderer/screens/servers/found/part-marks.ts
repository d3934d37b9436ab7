import type { InterfaceFault, InterfaceGuess } from '../../../../preload/contract/connection.ts';
import type { FoundPart } from '../../../../preload/contract/interface.ts';
import { isProvenBy } from '../../../../preload/contract/proven-parts.ts';
import {
  isObject,
  type JsonObject,
  newCall,
  readObject,
  sentAsOf,
  textAt,
  valueAt,
  withoutPrefix,
} from './description.ts';
import type { EditedImport } from '../interface-draft.ts';

/** The parts of an API description, in the order of the list. */
const partNames = [
  'address',
  'login',
  'fields',
  'secondFactor',
  'token',
  'sentAs',
  'csrf',
  'headers',
  'profile',
  'register',
  'logout',
  'refresh',
] as const;
export type PartName = (typeof partNames)[number];

/** Paths in a description that belong to each part. The address is not part of a description. */
const places: Readonly<Record<PartName, readonly string[]>> = {
  address: ['address'],
  login: ['calls.login'],
  fields: ['calls.login.body', 'calls.login.encoding', 'encoding', 'variables'],
  secondFactor: ['secondFactor'],
  token: ['outputs.token'],
  sentAs: ['security'],
  csrf: ['csrf'],
  headers: ['headers'],
  profile: ['calls.profile'],
  register: ['calls.register'],
  logout: ['calls.logout'],
  refresh: ['calls.refresh', 'outputs.refreshToken'],
};

/** The main path of a part. */
const placeOf = (part: PartName): string => places[part][0] ?? part;

/**
 * Returns the part that a path belongs to, by the longest path that leads to it. A variable that a header uses belongs
 * to the headers.
 */
export function partOf(at: string, description: JsonObject = {}): PartName | undefined {
  const [, variable] = /^variables\.([\w-]+)$/.exec(at) ?? [];
  if (variable !== undefined && JSON.stringify(description['headers'] ?? {}).includes(`{{${variable}}}`))
    return 'headers';
  const all = partNames.flatMap((part) => places[part].map((place) => ({ part, place })));
  const leading = all.filter(({ place }) => at === place || at.startsWith(`${place}.`) || at.startsWith(`${place}[`));
  return leading.toSorted((a, b) => b.place.length - a.place.length)[0]?.part;
}

/** Certainty of a part, and the reasons of a guess. A part that the user edited is a guess without reasons. */
export interface Mark {
  is: FoundPart['is'];
  reasons: readonly FoundPart[];
  faults: readonly InterfaceFault[];
}

export interface MarkedOf {
  parts: readonly FoundPart[];
  /** The description as imported, and as edited. */
  first: JsonObject | undefined;
  now: JsonObject;
  address: string;
  faults: readonly InterfaceFault[];
  /** Calls of a trial that logged in: what they use is no guess any more. */
  works: readonly string[] | undefined;
}

/** Parts with a default: the token is detected, and Bearer is assumed. */
const optionalParts = new Set<PartName>(['token', 'sentAs', 'fields', 'address']);

export function markOf(part: PartName, { parts, first, now, address, faults, works }: MarkedOf): Mark {
  const own = parts.filter(({ at, is }) => is !== 'sure' && partOf(at, now) === part);
  const isThere = part === 'address' ? address !== '' : isIn(now, part);
  const ownFaults = faults.filter(({ at }) => partOf(at) === part);
  const mark = (is: Mark['is'], reasons: readonly FoundPart[] = []): Mark => ({ is, reasons, faults: ownFaults });
  if (!isThere) return mark(isNone(now, part) ? 'sure' : 'missing', own);
  if (works && isProvenBy(placeOf(part), works)) return mark('sure');
  if (first && part !== 'address' && isChanged(part, first, now)) return mark('guess');
  return mark(own.length > 0 ? 'guess' : 'sure', own);
}

const namesOf = (place: string): string[] => place.split('.');

const isIn = (description: JsonObject, part: PartName): boolean =>
  optionalParts.has(part) || (valueAt(description, namesOf(placeOf(part))) ?? null) !== null;

/** Null in a description means that the server has no such call. */
const isNone = (description: JsonObject, part: PartName): boolean =>
  valueAt(description, namesOf(placeOf(part))) === null;

/** Body and encoding of the login belong to `fields`, not to `login`. */
const isChanged = (part: PartName, first: JsonObject, now: JsonObject): boolean =>
  places[part].some((place) => {
    const text = (description: JsonObject) => {
      const value = valueAt(withoutPrefix(description), namesOf(place)) ?? null;
      return JSON.stringify(value, (name, each: unknown) =>
        part === 'login' && (name === 'body' || name === 'encoding') ? undefined : each,
      );
    };
    return text(first) !== text(now);
  });

/**
 * Returns the guesses that the user has not edited: a trial proposes alternatives for these alone. The body of a login
 * that the user added is one more.
 */
export function openGuesses({ parts, first, now, works }: Pick<MarkedOf, 'parts' | 'first' | 'now' | 'works'>) {
  if (!first) return [];
  const bodyOf = (description: JsonObject) => JSON.stringify(valueAt(description, ['calls', 'login', 'body']) ?? null);
  const isAdded =
    valueAt(first, ['calls', 'login']) === undefined && bodyOf(now) === JSON.stringify(newCall.login['body']);
  const kept = parts.filter(({ at, is }) => {
    const [before, after] = [first, now].map((each) => JSON.stringify(valueAt(withoutPrefix(each), namesOf(at))));
    return is === 'guess' && before === after && !(works && isProvenBy(at, works));
  });
  const guesses: InterfaceGuess[] = kept.map(({ at, why }) => (why ? { at, why } : { at }));
  return isAdded && !works ? [...guesses, { at: 'calls.login.body', why: 'usual' } satisfies InterfaceGuess] : guesses;
}

/** Key of the text for an absent part and its consequence. */
export function absentTextKey(part: PartName, { is }: Pick<Mark, 'is'>) {
  // The consequence of a missing logout is shown even if the user chose it.
  if (is === 'sure' && part !== 'logout') return 'interface.none';
  const said =
    part === 'address' ||
    part === 'login' ||
    part === 'profile' ||
    part === 'register' ||
    part === 'logout' ||
    part === 'refresh';
  return said ? (`interface.parts.absent.${part}` as const) : 'interface.parts.absent.other';
}

export function marksOf(edited: EditedImport, now: JsonObject, faults: readonly InterfaceFault[]): [PartName, Mark][] {
  const given = { parts: edited.parts, first: edited.first, now, address: edited.address, faults, works: edited.works };
  return partNames.filter((part) => isListed(part, now)).map((part) => [part, markOf(part, given)]);
}

function isListed(part: PartName, now: JsonObject): boolean {
  if (part === 'fields') return isObject(valueAt(now, ['calls', 'login']));
  // A session cookie takes the place of a token.
  if (part === 'token') return sentAsOf(now).in !== 'cookie' || textAt(now, ['outputs', 'token']) !== undefined;
  if (part === 'secondFactor') return now['secondFactor'] !== undefined;
  if (part === 'csrf') return now['csrf'] !== undefined;
  if (part === 'headers') return isObject(now['headers']) && Object.keys(now['headers']).length > 0;
  return true;
}

/** The paths that are still guesses, with their reasons. */
export function guessesOf(edited: EditedImport): InterfaceGuess[] {
  const now = readObject(edited.text);
  const marks = now ? marksOf(edited, now, []) : [];
  return marks.flatMap(([part, { is, reasons }]) => {
    if (is !== 'guess') return [];
    return reasons.length === 0 ? [{ at: placeOf(part) }] : reasons.map(({ at, why }) => ({ at, ...(why && { why }) }));
  });
}
