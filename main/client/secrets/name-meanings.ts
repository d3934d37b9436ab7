import type { NameClass } from './secret-vocabulary.ts';

/** What a name says by itself, and whether it describes a secret whose name is around it. */
export type CachedNameClass = { own: NameClass; isAbout: boolean; isHarmless: boolean };

/** What names mean, by the name: an answer says the same ones over and over. The start reads this, and not the words. */
export const meanings = new Map<string, CachedNameClass>();

/** What was a name to somebody may have been a secret of another. */
export const forgetNames = (): void => meanings.clear();
