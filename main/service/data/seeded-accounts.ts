import { emailKey } from '../domain/emails.ts';
import { createPasswords, defaultArgon2Cost } from '../domain/passwords.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { AccountRow } from '../stores/account-table.ts';
import { demoUser } from './demo-user.ts';
import { matchSeedUser, type SeedUser } from './seed-users.ts';

/** A hash contains its cost, so one verifier is enough. */
const anyCost = createPasswords(defaultArgon2Cost);

/** True for the password of the demo or of a seed user, which this program's sources contain. */
export const isPublicPassword: NonNullable<RouteDependencies['isPublicPassword']> = ({ name, email }, password) =>
  matchSeedUser(name, email)?.password === password ||
  (emailKey(email) === emailKey(demoUser.email) && password === demoUser.password);

/** The seed user of an account, also after a login replaced its hash; undefined if its password is unknown. */
export async function findSeedUser(
  { name, email }: Pick<AccountRow, 'name' | 'email'>,
  accounts: Pick<AccountStore, 'findLogin'>,
): Promise<SeedUser | undefined> {
  const person = matchSeedUser(name, email);
  const there = person && (await accounts.findLogin(emailKey(email)));
  return there && (await anyCost.verify(person.password, there.passwordHash)) ? person : undefined;
}

/** The id of the demo account, created if missing; undefined if its email has another password. */
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
  // Created by a concurrent call.
  return made.ok ? made.account.id : ensureDemoAccount(accounts, now);
}
