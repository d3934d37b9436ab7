import { User, userOfRegistration, type AuthApi } from './api.ts';
import type { Account, CrashRecord, Token } from './crash-record.ts';

const QUESTIONS_AT_ONCE = 8;

async function checkAccount({ found, keepToken, summary }: CrashRecord, api: AuthApi, account: Account): Promise<void> {
  summary.checks++;
  const { person } = account;
  const loggedIn = await api.login(person);
  if (account.user === undefined && loggedIn?.status === 401) {
    // If the account never was, nothing of it is in the way of a new one.
    const again = await api.register(person);
    if (again?.status !== 201) return found(`a registration without an answer left half an account: ${again?.status}`);
    account.user = userOfRegistration(again.body);
    return undefined;
  }
  if (loggedIn?.status !== 200) return found(`account ${person.email} is gone: login ${loggedIn?.status}`);
  const { token } = keepToken(loggedIn, account);
  const profile = await api.profile(token);
  const user = User.safeParse(profile?.body).data;
  const is = (expected: Pick<User, 'name' | 'email'>) => user?.name === expected.name && user.email === expected.email;
  const isSame = account.user ? is(account.user) && user?.id === account.user.id : is(person);
  if (!isSame) return found(`account ${person.email} is not as it was answered`);
  account.user = user;
  return undefined;
}

async function checkToken({ found, summary }: CrashRecord, api: AuthApi, kept: Token): Promise<void> {
  summary.checks++;
  const profile = await api.profile(kept.token);
  if (kept.state === 'in-doubt' && (profile?.status === 200 || profile?.status === 401)) {
    kept.state = profile.status === 200 ? 'alive' : 'revoked';
    return;
  }
  const [id] = kept.token.split('|', 1);
  if (kept.state === 'revoked') {
    if (profile?.status !== 401) found(`token ${id} was logged out and answers ${profile?.status}`);
    return;
  }
  const user = User.safeParse(profile?.body).data;
  if (profile?.status !== 200 || user?.id !== kept.account.user?.id) found(`token ${id} answers ${profile?.status}`);
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: QUESTIONS_AT_ONCE }, async () => {
      for (const item of queue) await act(item);
    }),
  );
}

/** Looks for everything that was answered, from these places of the record on. */
export async function checkRecord(record: CrashRecord, api: AuthApi, accountsFrom = 0, tokensFrom = 0): Promise<void> {
  // Tokens are checked first, since looking for accounts makes further ones.
  await inTurns(record.tokens.slice(tokensFrom), (token) => checkToken(record, api, token));
  await inTurns(record.accounts.slice(accountsFrom), (account) => checkAccount(record, api, account));
}
