import type { Rules } from '../service/double/model.ts';
import { lengthOf, oddOfRegistration, type Lengths } from '../service/double/oddities.ts';
import { NO_LIMIT, ownLengths } from '../service/double/own-choices.ts';
import { isAccepted, isRegistration, type Observed } from './observed.ts';

type LengthRules = Pick<Rules, keyof Lengths>;

/** One length that was tried. */
type Tried = { length: number; observed: Observed };

const textsOf = ({ seen }: Observed): string =>
  [seen.reading.meaning.message ?? '', ...Object.values(seen.reading.meaning.fieldErrors ?? {}).flat()].join(' ');

/** Returns a number that the server's own words name, if it lies between two bounds. */
function saidBetween(observed: Observed, least: number, most: number): number | undefined {
  const numbers = [...textsOf(observed).matchAll(/(?<![\d.])\d{1,5}(?![\d.])/g)].map(([text]) => Number(text));
  return numbers.find((each) => each >= least && each <= most);
}

const triedOf = (all: readonly Observed[], field: string): Tried[] =>
  all.flatMap((observed) => {
    const value = observed.sent?.[field];
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' ? [] : [{ length: lengthOf(text), observed }];
  });

const parted = (tried: readonly Tried[]): [accepted: Tried[], refused: Tried[]] => [
  tried.filter(({ observed }) => isAccepted(observed)),
  tried.filter(({ observed }) => observed.handling === 'refused'),
];

/** Finds the most characters that a field may have: between the longest that was taken and the shortest refused. */
function mostOf(tried: readonly Tried[], own: number): LengthRules['nameMost'] {
  const [accepted, refused] = parted(tried);
  const longest = Math.max(0, ...accepted.map(({ length }) => length));
  const over = refused.filter(({ length }) => length > longest).toSorted((a, b) => a.length - b.length);
  const calls = [...accepted, ...over].map(({ observed }) => observed.id).slice(0, 5);
  const [first] = over;
  if (!first) return accepted.length === 0 ? { value: own, calls: [] } : { value: Math.max(own, NO_LIMIT), calls };
  const said = over.flatMap(({ observed }) => saidBetween(observed, longest, first.length - 1) ?? [])[0];
  const between = own >= longest && own < first.length ? own : longest;
  return { value: said ?? between, calls: [...new Set([first.observed.id, ...calls])] };
}

async function leastOf(tried: readonly Tried[]): Promise<LengthRules['passwordLeast']> {
  const [accepted, refused] = parted(tried);
  if (accepted.length === 0) return { value: ownLengths.passwordLeast, calls: [] };
  const shortest = Math.min(...accepted.map(({ length }) => length));
  const under: Tried[] = [];
  for (const each of refused) {
    const odd = await oddOfRegistration(each.observed.sent ?? {}, ownLengths);
    const isCommon = odd.some(({ field, oddity }) => field === 'password' && oddity === 'common');
    if (each.length < shortest && !isCommon) under.push(each);
  }
  under.sort((a, b) => b.length - a.length);
  const [last] = under;
  if (!last) return { value: 1, calls: accepted.slice(0, 5).map(({ observed }) => observed.id) };
  const said = under.flatMap(({ observed }) => saidBetween(observed, last.length + 1, shortest) ?? [])[0];
  const own = ownLengths.passwordLeast;
  const between = own > last.length && own <= shortest ? own : last.length + 1;
  return { value: said ?? between, calls: under.map(({ observed }) => observed.id) };
}

/** Learns how long a name, an email and a password may be, as far as the run tried it. */
export async function learnLengths(all: readonly Observed[]): Promise<LengthRules> {
  const registrations = all.filter(isRegistration);
  const passwords = triedOf(registrations, 'password');
  return {
    nameMost: mostOf(triedOf(registrations, 'name'), ownLengths.nameMost),
    emailMost: mostOf(triedOf(registrations, 'email'), ownLengths.emailMost),
    passwordLeast: await leastOf(passwords),
    passwordMost: mostOf(passwords, ownLengths.passwordMost),
  };
}
