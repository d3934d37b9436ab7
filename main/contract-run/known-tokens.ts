/** `email` is the same for spellings that most servers take for one account, and `written` is what was sent. */
type Known = { email: string; written: string; loopbackAddress: string | undefined; live: boolean };

/** Keeps the tokens that a run was given, by account, and which of them still work as far as is known. */
export function createKnownTokens() {
  /** They are in the order in which they were given. Each says where `localhost` was. */
  const tokens = new Map<string, Known>();
  let newestOnly = false;

  function endAllOf(email: string): void {
    for (const known of tokens.values()) if (known.email === email) known.live = false;
  }

  return {
    keep(token: string, given: Omit<Known, 'live'>): void {
      if (newestOnly) endAllOf(given.email);
      tokens.set(token, { ...given, live: true });
    },

    /** Takes note that a token was logged out, or turned out not to work. */
    end: (token: string): void => {
      const known = tokens.get(token);
      if (known) known.live = false;
    },

    /** Takes note that a login ended all other tokens of its account. `newest` is the one that is left. */
    onlyNewestWorks: (newest: string): void => {
      newestOnly = true;
      const known = tokens.get(newest);
      if (!known) return;
      endAllOf(known.email);
      known.live = true;
    },

    /** Answers the newest token of an account that works. */
    newestOf: (email: string): string | undefined =>
      [...tokens].findLast(([, each]) => each.email === email && each.live)?.[0],

    /** Answers the address of `localhost` that gave a token, which is the only one it is sent to. */
    loopbackAddressOf: (token: string | undefined): string | undefined =>
      token === undefined ? undefined : tokens.get(token)?.loopbackAddress,

    live: (): string[] => [...tokens].filter(([, { live }]) => live).map(([token]) => token),

    /** Answers the emails of the accounts of those that work. */
    openFor: (): string[] => [...new Set([...tokens.values()].flatMap(({ live, written }) => (live ? [written] : [])))],

    /** Answers all that were ever given, in that order. */
    all: (): readonly string[] => [...tokens.keys()],

    /** Answers the same, those of one account together: a server may take another spelling for another account. */
    byAccount: (): readonly string[][] => {
      const groups = new Map<string, string[]>();
      for (const [token, { written }] of tokens) groups.set(written, [...(groups.get(written) ?? []), token]);
      return [...groups.values()];
    },
  };
}
