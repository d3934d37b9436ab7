/** `email` is the same for spellings that most servers take for one account, and `written` is what was sent. */
type Known = { email: string; written: string; loopbackAddress: string | undefined; live: boolean };

/** Keeps the tokens that a run was given, by account, and which of them still work as far as is known. */
export class IssuedTokens {
  /** They are in the order in which they were given. Each says where `localhost` was. */
  readonly #tokens = new Map<string, Known>();
  readonly #forgotten = new Set<string>();
  #newestOnly = false;

  add(token: string, given: Omit<Known, 'live'>): void {
    if (this.#newestOnly) this.#endAllOf(given.email);
    this.#tokens.set(token, { ...given, live: true });
  }

  /** Takes note that a token was logged out, or turned out not to work. */
  markInvalid(token: string): void {
    const known = this.#tokens.get(token);
    if (known) known.live = false;
  }

  /** Takes note that the server was restarted and knows none of them any more. */
  markAllLost(): void {
    for (const [token, known] of this.#tokens) {
      known.live = false;
      this.#forgotten.add(token);
    }
  }

  /** Whether a token was given before a restart, at which the server forgot it. */
  isLost = (token: string): boolean => this.#forgotten.has(token);
  isLive = (token: string): boolean => this.#tokens.get(token)?.live === true;

  /** Takes note that a login ended all other tokens of its account. `newest` is the one that is left. */
  keepOnlyNewest(newest: string): void {
    this.#newestOnly = true;
    const known = this.#tokens.get(newest);
    if (!known) return;
    this.#endAllOf(known.email);
    known.live = true;
  }

  /** Answers the newest token of an account that works. */
  newestOf = (email: string): string | undefined =>
    [...this.#tokens].findLast(([, each]) => each.email === email && each.live)?.[0];

  loopbackAddressOf = (token: string): string | undefined => this.#tokens.get(token)?.loopbackAddress;

  live = (): string[] => [...this.#tokens].filter(([, { live }]) => live).map(([token]) => token);

  /** Answers the emails of the accounts of those that work. */
  accountsWithActiveTokens = (): string[] => [
    ...new Set([...this.#tokens.values()].flatMap(({ live, written }) => (live ? [written] : []))),
  ];

  /** Answers all that were ever given, in that order. */
  all = (): readonly string[] => [...this.#tokens.keys()];

  /** The tokens of each account, by the email as it was sent: a server may take another spelling for another account. */
  byAccount = (): readonly string[][] =>
    [...Map.groupBy(this.#tokens, ([, { written }]) => written).values()].map((group) => group.map(([token]) => token));

  #endAllOf(email: string): void {
    for (const known of this.#tokens.values()) if (known.email === email) known.live = false;
  }
}
