import { emailKey } from '../domain/emails.ts';
import type { AccountStore } from '../stores/account-store.ts';
import type { AccountDefectName, DefectName, Operation } from '../../../preload/contract/names.ts';

/** What a defect adds to a response. */
type Addition = {
  /** Further fields, which go into the user where the answer has one. */
  extras?: Record<string, string>;
  isUnknownEmail?: boolean;
};

/** A response about to be sent. `sent` is the request's body, if that was JSON. */
type PendingResponse = { operation: Operation; status: number; sent: unknown; body: unknown };

type Defect = {
  /** One line of `serve --help`. */
  help: string;
  /** Adds to responses. Without it, the defect is in how the service works. */
  add?: (response: PendingResponse, accounts: Pick<AccountStore, 'findLogin'>) => Addition | Promise<Addition>;
};

const textOf = (body: unknown, field: string): string | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : undefined;
};

/** The simulated vulnerabilities. */
export const defects: Record<DefectName, Defect> = {
  'token-outlives-logout': { help: 'logout returns 200, but the token stays valid' },
  'password-echoed': {
    help: 'registration and login return the password',
    add: ({ operation, status, sent }) => {
      const password = textOf(sent, 'password');
      const answersUser = operation !== 'profile' && operation !== 'logout' && status < 300;
      return answersUser && password !== undefined ? { extras: { password } } : {};
    },
  },
  'unknown-email-by-body': {
    help: 'login returns a different body for an unknown email',
    add: async ({ operation, status, sent }, accounts) => {
      const email = textOf(sent, 'email');
      if (operation !== 'login' || status !== 401 || email === undefined) return {};
      return { isUnknownEmail: (await accounts.findLogin(emailKey(email.trim()))) === undefined };
    },
  },
  'unknown-email-by-time': { help: 'login rejects an unknown email at once, without hashing a password' },
  'stack-traces': {
    help: 'error responses contain a stack trace, in the field stack',
    add: ({ status, operation }) => (status >= 400 ? { extras: { stack: stackOf(operation) } } : {}),
  },
  'tokens-guessable': { help: 'tokens count up from 1 instead of being random' },
  'cpassword-ignored': { help: 'register accepts a cpassword that differs or is missing' },
  'password-hash-in-profile': {
    help: 'the profile contains the password hash, in the field password_hash',
    add: async ({ operation, status, body }, accounts) => {
      const email = textOf(body, 'email');
      if (operation !== 'profile' || status !== 200 || email === undefined) return {};
      const login = await accounts.findLogin(emailKey(email));
      return login ? { extras: { password_hash: login.passwordHash } } : {};
    },
  },
};

/** Made up, so that it contains nothing of this computer. */
const stackOf = (operation: Operation): string =>
  [
    'Error: The request was refused',
    `    at ${operation}Handler (/srv/llavero/service/routes/${operation}.js:41:13)`,
    '    at preHandlerCallback (/srv/llavero/node_modules/fastify/lib/handle-request.js:126:28)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  ].join('\n');

/** A defect from when it is switched on until it is switched off. */
export type DefectActivation = symbol;

type ActiveDefect = DefectName | AccountDefectName;

export function createDefectActivations() {
  const current = new Map<ActiveDefect, DefectActivation>();
  let notify = (): void => undefined;
  const all = (): readonly DefectActivation[] => [...current.values()];
  return {
    of: (name: ActiveDefect): DefectActivation | undefined => current.get(name),
    isOn: (name: ActiveDefect): boolean => current.has(name),
    all,
    areOn: (activations: readonly DefectActivation[]): boolean => activations.every((each) => all().includes(each)),
    /** Sets which defects are on. */
    setActive(names: readonly ActiveDefect[]): void {
      for (const name of names) if (!current.has(name)) current.set(name, Symbol(name));
      const ended = [...current.keys()].filter((name) => !names.includes(name));
      for (const name of ended) current.delete(name);
      if (ended.length > 0) notify();
    },
    /** Sets the one listener for defects that are switched off. */
    onDeactivated: (listener: () => void): void => void (notify = listener),
  };
}

export type DefectActivations = ReturnType<typeof createDefectActivations>;
