import type { NameClass } from './secret-vocabulary.ts';

/** The class of a name by itself, and whether it describes a secret whose name is around it. */
export type CachedNameClass = { own: NameClass; isAbout: boolean; isHarmless: boolean };

/** A cache by name, since responses repeat their names. It has its own file because the start loads it without the vocabulary. */
export const meanings = new Map<string, CachedNameClass>();

/** A name in the cache may have been a secret. */
export const forgetNames = (): void => meanings.clear();
