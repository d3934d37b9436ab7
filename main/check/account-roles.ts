import type { RegistrationPath } from '../../preload/contract/settings.ts';
import { moreAccounts } from '../../preload/contract/names.ts';
import {
  createIdentity,
  createPassword,
  createRegistrationFields,
  type Identity,
  type RequestFields,
  type TestAccount,
} from './test-accounts.ts';
import { isAccepted, type Observation } from './observation.ts';
import type { SecondFactorClient } from './second-factor-client.ts';

/** What it needs of the client of a check. */
type Client = {
  readonly secondFactor: SecondFactorClient;
  accounts: () => readonly TestAccount[];
  ownAccounts: () => readonly TestAccount[];
  failedLoginsOf: (account: TestAccount) => number;
  mayRegister: () => boolean;
  accountsLeft: () => number;
  registrationPath: () => RegistrationPath;
  newIdentity: () => Identity;
  register: (path: RegistrationPath, fields: RequestFields) => Promise<Observation>;
};

/**
 * What an account of the check is used for by the tests of second factors and accounts. What one of them does, such as
 * sending wrong codes, is no reason for what another one sees.
 */
type Role = 'code' | 'old-code' | 'other-code' | 'invalid-code' | 'wrong-code' | 'change';

/** Whose account a role shares where there are too few: it comes last there. */
const sharedWith: Partial<Record<Role, Role>> = { 'wrong-code': 'code' };

/** Nobody gets mail at such an address (RFC 2606, 2). */
const invalidDomain = 'llavero.invalid';

const ordinaryLength = createPassword().length;

/** Chooses among the accounts of a check, which are used for nothing else any more, or creates one. Never the given account. */
export class AccountRoles {
  readonly #client: Client;
  readonly #accounts = new Map<Role, TestAccount>();
  #mailed: { account: TestAccount | undefined; seen: Observation } | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The account of a role; undefined if the check may create no more. */
  async take(role: Role): Promise<TestAccount | undefined> {
    const own = this.#client.ownAccounts();
    const before = this.#accounts.get(role);
    if (before && own.includes(before)) return before;
    const account = this.#spare() ?? (await this.#another(role)) ?? this.#accounts.get(sharedWith[role] ?? role);
    if (account) this.#accounts.set(role, account);
    return account;
  }

  /** The account of a role, enrolled in a second factor; undefined if that failed. */
  async withFactor(role: Role): Promise<TestAccount | undefined> {
    const { secondFactor } = this.#client;
    const account = await this.take(role);
    if (!account) return undefined;
    return secondFactor.has(account) || (await secondFactor.enroll(account)) ? account : undefined;
  }

  /** An account whose email is under `.invalid`, and the registration, which the server may have refused. */
  async mailed(): Promise<{ account: TestAccount | undefined; seen: Observation }> {
    if (this.#mailed?.account) return this.#mailed;
    const identity = createIdentity(invalidDomain);
    const path = this.#client.registrationPath();
    const seen = await this.#client.register(path, createRegistrationFields(path, identity));
    this.#mailed = { account: isAccepted(seen) ? identity : undefined, seen };
    return this.#mailed;
  }

  /** The first account, or a new one: the last test of all needs one in any case, and may need two. */
  #another(role: Role): Promise<TestAccount | undefined> | TestAccount | undefined {
    const client = this.#client;
    const first = client.ownAccounts().find((each) => !this.#isTaken(each));
    if (role === 'change') return first ?? this.#register();
    const isFirstNeeded = client.accountsLeft() <= moreAccounts;
    return isFirstNeeded && sharedWith[role] ? undefined : (first ?? this.#register());
  }

  hasMailed = (): boolean => this.#mailed !== undefined;

  /** An email under `.invalid` that nobody has. */
  unknownEmail = (): string => createIdentity(invalidDomain).email;

  #isTaken = (account: TestAccount): boolean =>
    [...this.#accounts.values()].includes(account) || account.email === this.#mailed?.account?.email;

  /** Not the first one if there are others: with it the check recognises that a server was restarted. */
  #spare(): TestAccount | undefined {
    const [first] = this.#client.accounts();
    const spare = this.#client.ownAccounts().filter((each) => each !== first && !this.#isTaken(each));
    const rank = (account: TestAccount): number =>
      this.#client.failedLoginsOf(account) + (account.password.length === ordinaryLength ? 0 : 100);
    return spare.toSorted((one, other) => rank(one) - rank(other))[0];
  }

  async #register(): Promise<TestAccount | undefined> {
    const client = this.#client;
    if (!client.mayRegister()) return undefined;
    const path = client.registrationPath();
    const { email, password, name } = client.newIdentity();
    await client.register(path, createRegistrationFields(path, { email, password, name }));
    return client.ownAccounts().find((each) => each.email === email);
  }
}
