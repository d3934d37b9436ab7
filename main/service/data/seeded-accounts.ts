import { emailKey } from '../domain/emails.ts';
import { createPasswords, defaultArgon2Cost } from '../domain/passwords.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { AccountRow } from '../stores/account-table.ts';
import type { AccountCallStore } from '../stores/account-call-store.ts';
import { demoCodesUser, demoUser } from './demo-user.ts';
import { matchSeedUser, type SeedUser } from './seed-users.ts';

/** A hash contains its cost, so one verifier is enough. */
const anyCost = createPasswords(defaultArgon2Cost);

/** True for the password of the demo or of a seed user, which this program's sources contain. */
export const isPublicPassword: NonNullable<RouteDependencies['isPublicPassword']> = ({ name, email }, password) =>
  matchSeedUser(name, email)?.password === password ||
  [demoUser, demoCodesUser].some(
    (person) => emailKey(email) === emailKey(person.email) && password === person.password,
  );

/** The seed user of an account, also after a login replaced its hash; undefined if its password is unknown. */
export async function findSeedUser(
  { name, email }: Pick<AccountRow, 'name' | 'email'>,
  accounts: Pick<AccountStore, 'findLogin'>,
): Promise<SeedUser | undefined> {
  const person = matchSeedUser(name, email);
  const there = person && (await accounts.findLogin(emailKey(email)));
  return there && (await anyCost.verify(person.password, there.passwordHash)) ? person : undefined;
}

/** The id of the account of a demo user, created if missing; undefined if its email has another password. */
export async function ensureDemoAccount(
  accounts: Pick<AccountStore, 'findLogin' | 'createAccount'>,
  now: () => number,
  { name, email, password }: SeedUser = demoUser,
): Promise<number | undefined> {
  const key = emailKey(email);
  const there = await accounts.findLogin(key);
  if (there) return (await anyCost.verify(password, there.passwordHash)) ? there.account.id : undefined;
  const passwordHash = await anyCost.hash(password);
  const made = await accounts.createAccount({ name, email, emailKey: key, passwordHash, createdAtMs: now() });
  // Created by a concurrent call.
  return made.ok ? made.account.id : ensureDemoAccount(accounts, now, { name, email, password });
}

/**
 * The same for the demo user with a second factor, which is added if missing. Undefined also if the account has another
 * factor.
 */
export async function ensureDemoCodesAccount(
  accounts: Pick<AccountStore, 'findLogin' | 'createAccount'>,
  factors: Pick<AccountCallStore, 'findFactor' | 'createFactor' | 'activateFactor'>,
  now: () => number,
): Promise<number | undefined> {
  const accountId = await ensureDemoAccount(accounts, now, demoCodesUser);
  if (accountId === undefined) return undefined;
  const { totpSecret: secret } = demoCodesUser;
  const isAdded =
    (await factors.createFactor({ accountId, secret, recoveryDigests: [] })) &&
    (await factors.activateFactor(accountId, secret));
  return isAdded || (await factors.findFactor(accountId))?.secret === secret ? accountId : undefined;
}
