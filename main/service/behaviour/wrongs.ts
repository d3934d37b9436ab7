import { randomUUID } from 'node:crypto';
import { createTokenSecret, tokenSecretOf } from '../domain/bearer.ts';
import { emailKey } from '../domain/emails.ts';
import type { Parts } from '../parts.ts';
import type { Operation } from '../operations.ts';

/** What a wrong mode adds to an answer of ours. */
type Addition = {
  /** Further fields, which go into the user where the answer has one. */
  extras?: Record<string, string>;
  isUnknownEmail?: boolean;
};

/** An answer of ours about to be sent. `sent` is the request's body, where it was JSON; `body` is the answer's. */
type Answered = { operation: Operation; status: number; sent: unknown; body: unknown };

type Wrong = {
  /** One line for people: what it does. */
  help: string;
  /** What the answers say too much; it is absent where the service works wrongly. */
  add?: (answered: Answered, parts: Parts) => Addition | Promise<Addition>;
};

const textOf = (body: unknown, field: string): string | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : undefined;
};

/** Every way to be wrong on purpose, each by itself. Their names and lines are what `serve --help` lists. */
const table = {
  'token-outlives-logout': { help: 'logout answers 200, and the token stays valid' },
  'password-echoed': {
    help: 'registration and login answer the sent password, as the field password of the user',
    add: ({ operation, status, sent }) => {
      const password = textOf(sent, 'password');
      const answersUser = operation !== 'perfil' && operation !== 'salir' && status < 300;
      return answersUser && password !== undefined ? { extras: { password } } : {};
    },
  },
  'unknown-email-by-body': {
    help: 'login says that an email is unknown, in a body other than that of a wrong password',
    add: async ({ operation, status, sent }, { accounts }) => {
      const email = textOf(sent, 'email');
      if (operation !== 'login' || status !== 401 || email === undefined) return {};
      return { isUnknownEmail: (await accounts.findLogin(emailKey(email.trim()))) === undefined };
    },
  },
  'unknown-email-by-time': { help: 'login answers an unknown email at once, without the time of hashing' },
  'stack-traces': {
    help: 'every answer of an error has a stack trace, in the field stack',
    add: ({ status, operation }) => (status >= 400 ? { extras: { stack: stackOf(operation) } } : {}),
  },
  'tokens-guessable': { help: 'tokens count up from 1 in the place of random letters' },
  'cpassword-ignored': { help: 'register takes a cpassword that differs or is missing' },
  'password-hash-in-profile': {
    help: "the profile shows the password's hash, in the field password_hash",
    add: async ({ operation, status, body }, { accounts }) => {
      const email = textOf(body, 'email');
      if (operation !== 'perfil' || status !== 200 || email === undefined) return {};
      const login = await accounts.findLogin(emailKey(email));
      return login ? { extras: { password_hash: login.passwordHash } } : {};
    },
  },
} as const satisfies Record<string, Wrong>;

export type WrongName = keyof typeof table;

export const wrongs: Record<WrongName, Wrong> = table;

export const isWrongName = (name: string): name is WrongName => Object.hasOwn(table, name);

/** It is made up, so that it tells nothing of this computer. */
const stackOf = (operation: Operation): string =>
  [
    'Error: The request was refused',
    `    at ${operation}Handler (/srv/llavero/service/routes/${operation}.js:41:13)`,
    '    at preHandlerCallback (/srv/llavero/node_modules/fastify/lib/handle-request.js:126:28)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  ].join('\n');

/** Keeps an id for each use of a wrong mode: from when it is switched on until it is off. */
export function createWrongUses() {
  const current = new Map<WrongName, string>();
  let tell = (_over: string): void => undefined;
  return {
    current,
    /** Takes in which modes are on now. */
    follow(names: readonly WrongName[]): void {
      for (const name of names) if (!current.has(name)) current.set(name, randomUUID());
      for (const [name, use] of current) {
        if (names.includes(name)) continue;
        current.delete(name);
        tell(use);
      }
    },
    /** Calls with each use that is over; one listener. */
    onOver(listener: (over: string) => void): void {
      tell = listener;
    },
  };
}

export type WrongUses = ReturnType<typeof createWrongUses>;

/**
 * The same parts; those that a wrong mode changes ask which are on at each request. A token that is made in wrong modes, or
 * ended in a mode that lets it live on, is bound to these uses: it is dead once one of them is over, here and in every
 * other process that opens the store.
 */
export function partsGoneWrong(parts: Parts, uses: WrongUses): Parts {
  const { accounts, passwords } = parts;
  const isOn = (name: WrongName): boolean => uses.current.has(name);
  // Where it fails, no request takes them any more either, and the next start deletes them.
  uses.onOver((use) => void accounts.deleteBoundTokens(use).catch(() => undefined));
  let tokensGiven = 0;

  /** Lets a token live on that is to end, for as long as the wrong mode is on. It is undefined where the mode is off. */
  async function outlive(tokenId: number): Promise<boolean | undefined> {
    const use = uses.current.get('token-outlives-logout');
    if (use === undefined) return undefined;
    const session = await accounts.findSession(tokenId);
    return session ? accounts.bindToken(tokenId, [...new Set([...session.boundTo, use])]) : false;
  }

  return {
    ...parts,
    accounts: {
      ...accounts,
      createToken: (token) => accounts.createToken({ ...token, boundTo: [...uses.current.values()] }),
      createTokenAs: (id, token) => accounts.createTokenAs(id, { ...token, boundTo: [...uses.current.values()] }),
      async findSession(tokenId) {
        const session = await accounts.findSession(tokenId);
        if (!session || session.boundTo.length === 0) return session;
        const current = new Set(uses.current.values());
        return session.boundTo.every((use) => current.has(use)) ? { ...session, boundTo: [] } : undefined;
      },
      revokeToken: async (tokenId) => (await outlive(tokenId)) ?? accounts.revokeToken(tokenId),
      endToken: async (tokenId) => (await outlive(tokenId)) ?? accounts.endToken(tokenId),
      endTokensOf: async (accountId) => (isOn('token-outlives-logout') ? undefined : accounts.endTokensOf(accountId)),
    },
    passwords: {
      ...passwords,
      matches: async (password, passwordHash) =>
        isOn('unknown-email-by-time') && passwordHash === undefined ? false : passwords.matches(password, passwordHash),
    },
    createSecret: () =>
      isOn('tokens-guessable') ? tokenSecretOf(String(++tokensGiven).padStart(40, '0')) : createTokenSecret(),
    ignoresCpassword: () => isOn('cpassword-ignored'),
  };
}
