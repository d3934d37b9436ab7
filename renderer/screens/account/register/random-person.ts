import { reservedDomains } from '../../../../preload/contract/names.ts';
import type { AccountValues } from '../../../use-account-form.tsx';

/** Names, and what stands for them in an email. */
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

/** Characters that nobody takes for each other. Some servers want one of each kind. */
const characterKinds = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#%*+-?@'] as const;
const passwordLength = 20;

/** @param random returns so many numbers from 0 to 2³² − 1 */
type Random = (count: number) => Uint32Array;

const secureRandom: Random = (count) => crypto.getRandomValues(new Uint32Array(count));

const oneOf = <T>(all: readonly T[], number: number): T => all[number % all.length]!;

/** A person to register: nobody gets mail at the address, and the password has all that servers ask for. */
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
    // Whatever two people are called, their emails differ.
    email: `${firstInEmail}.${lastInEmail}.${tag.toString(36)}@${reservedDomains[1]}`,
    username: `${firstInEmail}${lastInEmail}${tag.toString(36)}`,
    password,
    cpassword: password,
  };
}
