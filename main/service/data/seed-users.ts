import type { SeedName } from '../../../preload/contract/names.ts';
import { normalizeText } from '../../files/normalize-text.ts';
import { createPasswords } from '../domain/passwords.ts';
import { emailKey } from '../domain/emails.ts';
import type { NewRow } from '../stores/account-table.ts';
import { createRandom } from '../random.ts';

/** A made-up user, whose password is derived from the email. */
export type SeedUser = { name: string; email: string; password: string };

/** Derived from the email alone, so that it is known for an account of any seed. */
const personOf = (name: string, email: string): SeedUser => ({
  name,
  email,
  password: normalizeText(`password of ${email.slice(0, email.lastIndexOf('@'))}`, 'NFC'),
});

const firstNames = [
  'Ana',
  'Bruno',
  'Carmen',
  'Diego',
  'Elena',
  'Farid',
  'Grace',
  'Hiro',
  'Inés',
  'Jonas',
  'Kira',
  'Luis',
];
const lastNames = ['Prueba', 'García', 'Ibáñez', 'Nowak', 'Okafor', 'Schmidt', 'Tanaka', 'Ünal', 'Vega', 'Zhang'];

/** Each was handled wrongly by some program. */
const awkwardNames = [
  'O\'Brien "x" $HOME `id` 漢字',
  '<script>alert(1)</script>',
  '=1+1',
  'null',
  'Ñandú Þórsdóttir',
  'e\u0301 as two characters, é as one',
  'محمد العربي',
  '\u202Eright to left by force',
  '👩‍👩‍👧‍👦 family of one character',
  'zero\u200Bwidth',
  'tab\tand line\nbreak',
  '100% %s {0} ${name} {{name}}',
  'back\\slash C:\\new',
  'x',
  '名'.repeat(255),
  'W'.repeat(255),
];

const awkwardEmails = [
  "o'brien+tag@example.test",
  'quoted"mark@example.test',
  'UPPER.case@EXAMPLE.test',
  'usuario@correo.españa.test',
  '用户@例子.test',
  'a@b',
  `${'l'.repeat(64)}@example.test`,
  `long@${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example.test`,
  'percent%40@example.test',
  'two..dots@example.test',
  '-dash@example.test',
  'slash/and?query&amp@example.test',
  'semi;colon@example.test',
  'hash#tag@example.test',
  'brackets[1]@example.test',
  'back`tick`$(id)@example.test',
];

const awkwardPeople = awkwardNames.map((name, index) =>
  personOf(name, awkwardEmails[index] ?? `awkward${index}@example.test`),
);

function numberedPerson(first: string, last: string, number: number): SeedUser {
  const local = normalizeText(`${first}.${last}.${number}`, 'NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return personOf(`${first} ${last}`, `${local}@example.test`);
}

/** The same for the same seed, on every machine. The awkward ones need no seed. */
export function createSeedUsers(set: SeedName, seed: number): SeedUser[] {
  const random = createRandom(seed);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  if (set === 'empty') return [];
  if (set === 'awkward') return awkwardPeople;
  return Array.from({ length: set === 'three' ? 3 : 500 }, (_, index) =>
    numberedPerson(pick(firstNames), pick(lastNames), index + 1),
  );
}

/**
 * The seed user with the name and email of an account. Anybody may register with the same, so only the hash of the password
 * proves that the account is seeded.
 */
export function matchSeedUser(name: string, email: string): SeedUser | undefined {
  const [, number = ''] = /\.(\d{1,3})@/.exec(email) ?? [];
  const [first = '', last = ''] = name.split(' ');
  const isListed = firstNames.includes(first) && lastNames.includes(last);
  const candidates = isListed ? [numberedPerson(first, last, Number(number))] : awkwardPeople;
  return candidates.find((person) => person.name === name && person.email === email);
}

/** The minimum of Argon2: the passwords are public, and the first login hashes them at full cost. */
const cheap = createPasswords({ memoryKiB: 8, passes: 1, lanes: 1 });

const hashes = new Map<string, Promise<string>>();

/** Hashes each password once in a process; those of 500 people take 20 ms. */
function hashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? cheap.hash(password);
  hashes.set(password, known);
  return known;
}

/** Created at intervals of a second until `lastAtMs`. */
export function createAccountRows(people: readonly SeedUser[], lastAtMs: number): Promise<NewRow[]> {
  return Promise.all(
    people.map(async ({ name, email, password }, index) => ({
      name,
      email,
      emailKey: emailKey(email),
      passwordHash: await hashOf(password),
      createdAtMs: lastAtMs - (people.length - 1 - index) * 1000,
    })),
  );
}
