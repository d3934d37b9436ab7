import { stripInvisible } from '../preload/contract/clean-email.ts';
import type { SessionInfo } from '../preload/contract/models.ts';

/**
 * True if a text has a visible character. Unicode classes the Hangul filler as a letter and U+2800 as a symbol, but
 * neither is visible.
 */
export const hasVisibleText = (text: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(stripInvisible(text).replaceAll('\u2800', ''));

/** Returns the name of an account, or undefined if it has no visible character. */
export const displayName = ({ name }: Pick<SessionInfo, 'name'>): string | undefined =>
  name !== undefined && hasVisibleText(name) ? name : undefined;
