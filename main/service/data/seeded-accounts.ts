import { emailKey } from '../domain/emails.ts';
import { createPasswords, defaultArgon2Cost } from '../domain/passwords.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { AccountRow } from '../stores/account-table.ts';
import { demoUser } from './demo-user.ts';
import { matchSeedUser, type SeedUser } from './seed-users.ts';

/** A hash says itself what it costs, so one verifier serves all. A login replaces a hash that is too cheap. */
const anyCost = createPasswords(defaultArgon2Cost);

/** Whether a password is the one of the demo, or of an account of a seed set: these are in this program's sources. */
export const isPublicPassword: NonNullable<RouteDependencies['isPublicPassword']> = ({ name, email }, password) =>
  matchSeedUser(name, email)?.password === password ||
  (emailKey(email) === emailKey(demoUser.email) && password === demoUser.password);

/** Whom an account of a seed set is, also after a login replaced its hash; undefined where the password is not known. */
export async function findSeedUser(
  { name, email }: Pick<AccountRow, 'name' | 'email'>,
  accounts: Pick<AccountStore, 'findLogin'>,
): Promise<SeedUser | undefined> {
  const person = matchSeedUser(name, email);
  const there = person && (await accounts.findLogin(emailKey(email)));
  return there && (await anyCost.verify(person.password, there.passwordHash)) ? person : undefined;
}

/** Returns the id of the demo's account, made when it is missing; undefined when the address is somebody's own. */
export async function ensureDemoAccount(
  accounts: Pick<AccountStore, 'findLogin' | 'createAccount'>,
  now: () => number,
): Promise<number | undefined> {
  const { name, email, password } = demoUser;
  const key = emailKey(email);
  const there = await accounts.findLogin(key);
  if (there) return (await anyCost.verify(password, there.passwordHash)) ? there.account.id : undefined;
  const passwordHash = await anyCost.hash(password);
  const made = await accounts.createAccount({ name, email, emailKey: key, passwordHash, createdAtMs: now() });
  // Of two at once, the other one made it.
  return made.ok ? made.account.id : ensureDemoAccount(accounts, now);
}
