import { withoutEntities } from './entities.ts';
import type { Operation } from '../base-url.ts';
import { findSubjects } from './field-terms.ts';
import { wordsOf } from './terms.ts';

/** What is there already: a field of the form, or something of which only that is known. */
export type Duplicate = 'email' | 'name' | 'something';

const longest = 20_000;

/** What databases say of a value that may be there once. The first group names the column, the index or the constraint. */
const databases: readonly RegExp[] = [
  // PostgreSQL, whose messages are translated; the name is quoted as the language does.
  /\b(?:unique constraint|restricción de unicidad|restricción única|contrainte unique|restrição de unicidade|Unique-Constraint)\s{0,3}["«»„“]\s{0,3}([\w.-]{1,120})/i,
  /\bKey \((?:lower\()?"?([\w, .]{1,80})"?(?:::text)?\)?\)=\(.{0,200}\) already exists/i,
  // MySQL and MariaDB.
  /\bDuplicate entry '.{0,200}' for key '?([\w.-]{1,120})/i,
  // SQLite.
  /\bUNIQUE constraint failed: ([\w., ]{1,200})/i,
  /\bcolumns? ([\w, ]{1,120}) (?:is|are) not unique/i,
  // MongoDB: the index, since the value beside it may be left out.
  /\bE11000 duplicate key error.{0,400}?\bindex: ([\w.$-]{1,120})/i,
  /\bE11000 duplicate key error.{0,400}?\bdup key: \{ "?([\w.]{1,80})/i,
  // Prisma.
  /\bUnique constraint failed on the (?:fields?|constraint): \(?[`'"]([\w.`'", ]{1,120})/i,
  // SQL Server.
  /\bunique index '([\w.-]{1,120})'/i,
  /\bViolation of UNIQUE KEY constraint '([\w.-]{1,120})'/i,
  // Oracle and H2.
  /\bORA-00001: unique constraint \(([\w.]{1,120})\) violated/i,
  /\bUnique index or primary key violation: "?([\w.: ()-]{1,200})/i,
  /INDEX_\w{1,20} ON [\w.]{1,160}\(([\w, ]{1,120})\) VALUES\b/i,
  // Hibernate.
  /\bconstraint \["?([\w.-]{1,120})/i,
];

/** The value that was there already is an address, whatever its index is called. */
const addressEntered = /\bDuplicate entry '[^'@\s]{1,100}@[^'@\s]{1,100}'/i;

/** These say it without a name. */
const unnamed =
  /\bduplicate key value violates|\bE11000\b|\bUnique constraint failed\b|\bDuplicate entry '|\bCannot insert duplicate key|\bSQLSTATE\[23505\]|\bUniqueViolation\b|\bSequelizeUniqueConstraintError\b|\bDuplicateKeyException\b|\bConstraintViolationException\b.{0,100}\bduplicate/i;

/** A primary key is made by the server: nothing that a person entered. */
const ownKey = /(?:^|[._])(?:pkey|primary|pk|_id_|id)(?:[._]|$)|^PK_/i;

/** Finds what a database says of a duplicate in an answer to a registration. */
export function findDuplicate(operation: Operation, text: string): Duplicate | undefined {
  if (operation !== 'register' && operation !== 'registro') return undefined;
  const start = text.slice(0, longest);
  const plain = withoutEntities(start);
  const names = databases.flatMap((pattern) => pattern.exec(plain)?.[1] ?? []);
  if (names.length === 0 && !unnamed.test(plain)) return undefined;
  const found = new Set(names.flatMap(namedIn));
  if (found.size > 1) return 'something';
  const [only] = found;
  if (only) return only;
  if (addressEntered.test(plain)) return 'email';
  return names.length > 0 && names.every((name) => ownKey.test(name)) ? undefined : 'something';
}

/** An index is called `users_email_key`, `UK_email`, `IX_Users_NormalizedEmail`, `users.users_email_unique`. */
function namedIn(name: string): Duplicate[] {
  return findSubjects(wordsOf(name.replaceAll(/[_.]/g, ' '))).flatMap(({ means }): Duplicate[] =>
    means === 'email' || means === 'name' ? [means] : means === 'username' ? ['something'] : [],
  );
}
