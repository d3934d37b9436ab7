import { runStatement } from '../stores/sqlite/run-statement.ts';
import type { LocalDatabase } from '../stores/sqlite/open-sqlite.ts';

/** The user names of a mock's accounts, each the name of one account. */
export type MockUsernames = {
  /** Returns the key of the email of the account that a user name is of. */
  emailKeyOf(usernameKey: string): Promise<string | undefined>;
  /** Returns the user name of an account as it was sent. */
  of(accountId: number): Promise<string | undefined>;
  /** Gives an account its user name, in the place of none. */
  give(accountId: number, name: { username: string; usernameKey: string }): Promise<void>;
};

const TABLE = `
  CREATE TABLE IF NOT EXISTS double_usernames (
    account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    username TEXT NOT NULL,
    username_key TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS double_usernames_by_key ON double_usernames (username_key);
`;

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Keeps the user names of a mock in a table of their own, beside the accounts. */
export async function createMockUsernames({ db, write }: Pick<LocalDatabase, 'db' | 'write'>): Promise<MockUsernames> {
  await write(() => db.exec(TABLE));
  const byKey = db.prepare(`SELECT a.email_key FROM double_usernames u JOIN accounts a ON a.id = u.account_id
    WHERE u.username_key = ? ORDER BY a.id LIMIT 1`);
  const byAccount = db.prepare('SELECT username FROM double_usernames WHERE account_id = ?');
  const insert = db.prepare(
    'INSERT OR REPLACE INTO double_usernames (account_id, username, username_key) VALUES (?, ?, ?)',
  );
  return {
    emailKeyOf: (usernameKey) => runStatement(() => textOr(byKey.get(usernameKey)?.['email_key'])),
    of: (accountId) => runStatement(() => textOr(byAccount.get(accountId)?.['username'])),
    give: (accountId, { username, usernameKey }) => write(() => void insert.run(accountId, username, usernameKey)),
  };
}
