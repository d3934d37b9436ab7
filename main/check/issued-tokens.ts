type IssuedToken = { email: string; isLive: boolean };

/** The same for spellings of an email that most servers take for one account. */
export const accountKey = (email: string): string => email.trim().toLowerCase();

/** The tokens that a check was issued, in their order, by account, and which of them still work as far as is known. */
export class IssuedTokens {
  readonly #tokens = new Map<string, IssuedToken>();
  readonly #lost = new Set<string>();
  #newestOnly = false;

  /** @param email as it was sent */
  add(token: string, email: string): void {
    if (this.#newestOnly) this.#invalidateAllOf(email);
    this.#tokens.set(token, { email, isLive: true });
  }

  /** The token was logged out, or turned out not to work. */
  markInvalid(token: string): void {
    const issued = this.#tokens.get(token);
    if (issued) issued.isLive = false;
  }

  /** The account was deleted. */
  markInvalidOf(email: string): void {
    this.#invalidateAllOf(email);
  }

  /** The server was restarted and knows none of them any more. */
  markAllLost(): void {
    for (const [token, issued] of this.#tokens) {
      issued.isLive = false;
      this.#lost.add(token);
    }
  }

  isLost = (token: string): boolean => this.#lost.has(token);
  isLive = (token: string): boolean => this.#tokens.get(token)?.isLive === true;

  /** The server allows one session for each account: a login ends the others. */
  keepOnlyNewest(newest: string): void {
    this.#newestOnly = true;
    const issued = this.#tokens.get(newest);
    if (!issued) return;
    this.#invalidateAllOf(issued.email);
    issued.isLive = true;
  }

  /** The newest token of an account that works. */
  newestOf(email: string): string | undefined {
    const key = accountKey(email);
    return [...this.#tokens].findLast(([, each]) => each.isLive && accountKey(each.email) === key)?.[0];
  }

  live = (): string[] => [...this.#tokens].filter(([, { isLive }]) => isLive).map(([token]) => token);

  /** The emails of the accounts whose tokens work. */
  accountsWithActiveTokens = (): string[] => [
    ...new Set([...this.#tokens.values()].flatMap(({ isLive, email }) => (isLive ? [email] : []))),
  ];

  all = (): readonly string[] => [...this.#tokens.keys()];

  /** The tokens of each spelling of an email: a server may take another spelling for another account. */
  byAccount = (): readonly string[][] =>
    [...Map.groupBy(this.#tokens, ([, { email }]) => email).values()].map((group) => group.map(([token]) => token));

  #invalidateAllOf(email: string): void {
    const key = accountKey(email);
    for (const issued of this.#tokens.values()) if (accountKey(issued.email) === key) issued.isLive = false;
  }
}
