import { withoutUnseen } from '../preload/contract/clean-email.ts';
import type { HeldSession } from '../preload/contract/models.ts';

/** Whether anything of a text is seen. Hangul has a letter that only fills a place, and Braille a cell without dots. */
export const hasVisibleText = (text: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(withoutUnseen(text).replaceAll('\u2800', ''));

/** Returns the name of an account, or undefined where nothing of it would be seen. */
export const displayName = ({ name }: Pick<HeldSession, 'name'>): string | undefined =>
  name !== undefined && hasVisibleText(name) ? name : undefined;
