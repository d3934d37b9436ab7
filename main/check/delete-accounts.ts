import type { Cleanup } from '../../preload/contract/report.ts';
import { missingStatuses, type Observation } from './observation.ts';
import type { TestAccount } from './test-accounts.ts';
import type { TestClient } from './test-client.ts';

type Left = Cleanup['left'][number];
type Reason = Omit<Left, 'email'>;

/** Why an account could not be deleted by a response, or by none. */
const reasonOf = (why: Left['why'], { failed, status }: Observation): Reason =>
  failed === undefined ? { why, status } : { why: failed.kind === 'no-answer' ? 'no-answer' : 'interrupted' };

/** A token of an account that works, or why there is none. */
async function logIn(client: TestClient, account: TestAccount): Promise<{ token: string } | Reason> {
  const { secondFactor } = client;
  const { seen, pending } = await secondFactor.begin(account);
  const { token } = seen.reading.summary;
  if (token !== undefined) return { token };
  if (!secondFactor.has(account)) return reasonOf('login-refused', seen);
  if (!pending && client.adapter.secondFactor.kind !== 'offered') return reasonOf('login-refused', seen);
  const result = await secondFactor.logIn(account);
  return result?.token === undefined ? reasonOf('code-refused', result?.seen ?? seen) : { token: result.token };
}

/**
 * @param mayUseToken whether a token of its email can only be its own
 * @returns why the account is still there; undefined if it was deleted
 */
async function deleteAccount(
  client: TestClient,
  account: TestAccount,
  mayUseToken: boolean,
): Promise<Reason | undefined> {
  const remove = (token: string): Promise<Observation> =>
    client.secondFactor.send('deleteAccount', { password: account.password }, { token });
  const isDone = ({ failed, status }: Observation): boolean =>
    failed === undefined && client.adapter.isSuccessStatus('deleteAccount', status);
  const live = mayUseToken ? client.liveTokenOf(account.email) : undefined;
  if (live !== undefined && isDone(await remove(live))) return undefined;
  const session = await logIn(client, account);
  if ('why' in session) return session;
  const seen = await remove(session.token);
  return isDone(seen) ? undefined : reasonOf('deletion-refused', seen);
}

/**
 * Deletes every account that the check created, and no other: each is logged in to, with its second factor if it has one.
 * @returns those that are left
 */
export async function deleteAccounts(client: TestClient): Promise<Left[]> {
  const left: Left[] = [];
  let timesNotServed = 0;
  let ofAll: Reason | undefined;
  // It deletes from what it goes through.
  for (const [email, passwords] of Array.from(client.remainingAccounts())) {
    let reason: Reason | undefined = ofAll ?? { why: 'login-refused' };
    let deleted = 0;
    for (const password of ofAll ? [] : passwords) {
      reason = await deleteAccount(client, { email, password }, passwords.size === 1);
      if (reason === undefined) deleted += 1;
      else if (reason.why !== 'login-refused') break;
    }
    // Each other password was one that the server did not take, although it accepted the registration.
    if (deleted > 0 && reason?.why === 'login-refused') reason = undefined;
    // A server without the call has it for no account. One account may be gone for another reason.
    if (reason?.why === 'deletion-refused' && missingStatuses.has(reason.status ?? 0)) timesNotServed += 1;
    if (timesNotServed > 1) ofAll = reason;
    if (reason === undefined) {
      client.markCreated(email);
      for (const password of passwords) client.forgetAccount({ email, password });
    }
    // No response told that it was created, and nobody can log in to it.
    else if (reason.why !== 'login-refused' || client.isCreated(email)) left.push({ email, ...reason });
    client.addDuplicates(email, deleted - (reason ? 0 : 1));
  }
  return left;
}

/**
 * What became of the accounts of a check.
 * @param left those that could not be deleted; undefined if that was not tried
 */
export function summarizeCleanup(client: TestClient, left: Left[] | undefined): Cleanup {
  const remaining =
    left ?? Array.from(client.remainingAccounts().keys(), (email): Left => ({ email, why: 'no-answer' }));
  const isThere = (email: string): boolean => client.isCreated(email) || remaining.some((each) => each.email === email);
  const created = client.createdAccounts().filter(({ email }) => isThere(email)).length;
  return { created, deleted: created - remaining.length, left: remaining };
}
