import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { dictionary as spanish } from '@zxcvbn-ts/language-es-es';

/** How hard a password is to guess, from 0 (at once) to 4 (very hard). */
export type Strength = 0 | 1 | 2 | 3 | 4;

/** The responses are `Strength`, in the order of the requests. */
export interface StrengthRequest {
  password: string;
  /** Other input of the form, which an attacker would try first. */
  known: readonly string[];
}

const zxcvbn = new ZxcvbnFactory({ dictionary: { ...english, ...spanish } });

/** Longer passwords are truncated: the work grows with the square of the length. */
const mostCharacters = 100;

const estimateStrength = ({ password, known }: StrengthRequest): Strength =>
  zxcvbn.check(
    password.slice(0, mostCharacters),
    known.flatMap((text) => [text, ...text.slice(0, 500).split(/[\s@._-]+/)]).filter((word) => word.length > 1),
  ).score;

addEventListener('message', ({ data }: MessageEvent<StrengthRequest>) => {
  postMessage(estimateStrength(data));
});
