import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { dictionary as spanish } from '@zxcvbn-ts/language-es-es';

/** How hard a password is to guess, from 0 (at once) to 4 (very hard). */
export type Strength = 0 | 1 | 2 | 3 | 4;

const zxcvbn = new ZxcvbnFactory({ dictionary: { ...english, ...spanish } });

/** What is longer is looked at up to here: the work grows with the square of the length. */
const mostCharacters = 100;

/**
 * Judges a password by the words of both languages. Name and email of the form count as easy to guess.
 * @param known what an attacker would try first
 */
export const judgePassword = (password: string, known: readonly string[]): Strength =>
  zxcvbn.check(
    password.slice(0, mostCharacters),
    known.flatMap((text) => [text, ...text.slice(0, 500).split(/[\s@._-]+/)]).filter((word) => word.length > 1),
  ).score;
