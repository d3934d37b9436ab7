import { reservedDomains } from '../../../../preload/contract/names.ts';
import type { AccountValues } from '../../../use-account-form.tsx';

/** Names, each with its form in an email. */
const firstNames = [
  ['Lucía', 'lucia'],
  ['Mateo', 'mateo'],
  ['Sofía', 'sofia'],
  ['Hugo', 'hugo'],
  ['Inés', 'ines'],
  ['Clara', 'clara'],
] as const;
const lastNames = [
  ['Ferrer', 'ferrer'],
  ['Ortega', 'ortega'],
  ['Núñez', 'nunez'],
  ['Salas', 'salas'],
  ['Ibáñez', 'ibanez'],
  ['Vidal', 'vidal'],
] as const;

/** Characters that are not mistaken for each other. Some servers want one of each kind. */
const characterKinds = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#%*+-?@'] as const;
const passwordLength = 20;

/** Returns `count` numbers from 0 to 2³² − 1. */
type Random = (count: number) => Uint32Array;

const secureRandom: Random = (count) => crypto.getRandomValues(new Uint32Array(count));

const oneOf = <T>(all: readonly T[], number: number): T => all[number % all.length]!;

/** A random account to register. Its email is at a reserved domain (RFC 2606), and its password meets common rules. */
export function createRandomPerson(random: Random = secureRandom): AccountValues {
  const [first = 0, last = 0, tag = 0] = random(3);
  const [firstName, firstInEmail] = oneOf(firstNames, first);
  const [lastName, lastInEmail] = oneOf(lastNames, last);
  const password = Array.from(random(passwordLength), (number, at) => {
    const characters = characterKinds[at] ?? characterKinds.join('');
    return characters.charAt(number % characters.length);
  }).join('');
  return {
    name: `${firstName} ${lastName}`,
    // Unique, also for the same names.
    email: `${firstInEmail}.${lastInEmail}.${tag.toString(36)}@${reservedDomains[1]}`,
    username: `${firstInEmail}${lastInEmail}${tag.toString(36)}`,
    password,
    cpassword: password,
  };
}
