import { OpenLength } from '../../preload/contract/model-remarks.ts';
import type { Rules } from '../service/double/model.ts';
import { lengthOf } from '../service/domain/code-points.ts';
import { oddOfRegistration, type Lengths } from '../service/double/oddities.ts';
import { NO_LIMIT, ownLengths } from '../service/double/own-choices.ts';
import { isAccepted, isRefused, isRegistration, type Observed } from './observed.ts';

type LengthRules = Pick<Rules, keyof Lengths>;

/** What servers ask for where a run shows no more than two bounds, the likelier first. bcrypt takes 72. */
const customary = {
  nameMost: [ownLengths.nameMost],
  emailMost: [ownLengths.emailMost],
  passwordLeast: [ownLengths.passwordLeast, 6],
  passwordMost: [ownLengths.passwordMost, 72],
} as const satisfies Record<keyof Lengths, readonly number[]>;

/** A length that lies between two that were tried; so many more calls would find it by halves. */
export type OpenBetween = { rule: OpenLength; least: number; most: number; calls: number };

/** A rule, and between which lengths it lies where neither the run nor the server's words tell. */
type Found<T> = { rule: T; between?: readonly [least: number, most: number] };

/** One length that was tried. */
type Tried = { length: number; observed: Observed };

const textsOf = ({ seen }: Observed): string =>
  [seen.reading.meaning.message ?? '', ...Object.values(seen.reading.meaning.fieldErrors ?? {}).flat()].join(' ');

const mostCharacters = 10_000;

/** Returns a number that the server's own words name, or its answer alone, if it lies between two bounds. */
function saidBetween(observed: Observed, least: number, most: number): number | undefined {
  const numbersIn = (text: string): number[] =>
    [...text.slice(0, mostCharacters).matchAll(/(?<![\d.])\d{1,5}(?![\d.])/g)]
      .map(([number]) => Number(number))
      .filter((each) => each >= least && each <= most);
  const [said] = numbersIn(textsOf(observed));
  const [only, ...more] = new Set(numbersIn(observed.text));
  return said ?? (more.length === 0 && only !== observed.status ? only : undefined);
}

const triedOf = (all: readonly Observed[], field: string): Tried[] =>
  all.flatMap((observed) => {
    const value = observed.sent?.[field];
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' ? [] : [{ length: lengthOf(text), observed }];
  });

const parted = (tried: readonly Tried[]): [accepted: Tried[], refused: Tried[]] => [
  tried.filter(({ observed }) => isAccepted(observed)),
  tried.filter(({ observed }) => isRefused(observed)),
];

/** Finds the most characters that a field may have: between the longest that was taken and the shortest refused. */
function mostOf(tried: readonly Tried[], customary: readonly number[]): Found<LengthRules['nameMost']> {
  const [accepted, refused] = parted(tried);
  if (accepted.length === 0) return { rule: { value: NO_LIMIT, calls: [] } };
  const longest = Math.max(0, ...accepted.map(({ length }) => length));
  const over = refused.filter(({ length }) => length > longest).toSorted((a, b) => a.length - b.length);
  const calls = [...accepted, ...over].map(({ observed }) => observed.id).slice(0, 5);
  const [first] = over;
  if (!first) return { rule: { value: NO_LIMIT, calls } };
  const said = over.flatMap(({ observed }) => saidBetween(observed, longest, first.length - 1) ?? [])[0];
  const between = customary.find((length) => length >= longest && length < first.length) ?? longest;
  const rule = { value: said ?? between, calls: [...new Set([first.observed.id, ...calls])] };
  return said === undefined && first.length - longest > 1 ? { rule, between: [longest, first.length - 1] } : { rule };
}

async function leastOf(tried: readonly Tried[]): Promise<Found<LengthRules['passwordLeast']>> {
  const [accepted, refused] = parted(tried);
  if (accepted.length === 0) return { rule: { value: 1, calls: [] } };
  const shortest = Math.min(...accepted.map(({ length }) => length));
  const under: Tried[] = [];
  for (const each of refused) {
    const odd = await oddOfRegistration(each.observed.sent ?? {}, 'register', ownLengths);
    const isCommon = odd.some(({ field, oddity }) => field === 'password' && oddity === 'common');
    if (each.length < shortest && !isCommon) under.push(each);
  }
  under.sort((a, b) => b.length - a.length);
  const [last] = under;
  if (!last) return { rule: { value: 1, calls: accepted.slice(0, 5).map(({ observed }) => observed.id) } };
  const said = under.flatMap(({ observed }) => saidBetween(observed, last.length + 1, shortest) ?? [])[0];
  const isBetween = (length: number): boolean => length > last.length && length <= shortest;
  const between = customary.passwordLeast.find(isBetween) ?? last.length + 1;
  const rule = { value: said ?? between, calls: under.map(({ observed }) => observed.id) };
  return said === undefined && shortest - last.length > 1 ? { rule, between: [last.length + 1, shortest] } : { rule };
}

/** Learns how long a name, an email and a password may be, as far as the run tried it. */
export async function learnLengths(all: readonly Observed[]): Promise<{ rules: LengthRules; open: OpenBetween[] }> {
  const registrations = all.filter(isRegistration);
  const passwords = triedOf(registrations, 'password');
  const found = {
    nameMost: mostOf(triedOf(registrations, 'name'), customary.nameMost),
    emailMost: mostOf(triedOf(registrations, 'email'), customary.emailMost),
    passwordLeast: await leastOf(passwords),
    passwordMost: mostOf(passwords, customary.passwordMost),
  };
  const open = OpenLength.options.flatMap((name) => {
    const [least, most] = found[name].between ?? [];
    if (least === undefined || most === undefined) return [];
    return [{ rule: name, least, most, calls: Math.ceil(Math.log2(most - least + 1)) }];
  });
  return {
    rules: {
      nameMost: found.nameMost.rule,
      emailMost: found.emailMost.rule,
      passwordLeast: found.passwordLeast.rule,
      passwordMost: found.passwordMost.rule,
    },
    open,
  };
}
