/** The lengths of our own service. */
export const ownLengths = { nameMost: 255, emailMost: 254, passwordLeast: 8, passwordMost: 128 } as const;

/** More than anybody sends, for what has no limit. */
export const NO_LIMIT = 1_000_000;
