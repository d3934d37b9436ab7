import type { SentRow } from '../../preload/contract/models.ts';
import { createSecretFinder, hideIn, type Hide } from './secrets/hide.ts';
import { holdsSecret } from './secrets/is-secret.ts';
import { findPinnedOrAnyUser, type Reading, type Understood } from './read-answer.ts';
import { readBody } from './reading/body.ts';
import { withoutSecrets as textWithoutSecrets, type SecretJudge, type SentText } from './reading/json-text.ts';
import { rowsOf } from './reading/profile.ts';

/** What an answer says of a person beside their name, email and id. No secret is in it. */
type Sent = {
  rest: SentRow[];
  /** How many values are not among the rows. */
  left: number;
  /** The whole answer. It is absent where that says nothing of a person. */
  sent?: SentText;
};

/** A reading that may be shown: only `meaning.token` still holds a secret, for the vault. */
export type ShownReading = Reading & Sent;

export function hideInReading(understood: Understood, secrets: readonly string[]): ShownReading {
  const { reading } = understood;
  const { token } = reading.meaning;
  const { isKnownWithin, hide } = createSecretFinder(token === undefined ? secrets : [...secrets, token]);
  const hidden = withoutSecretsIn(reading, hide);
  return {
    ...hidden,
    meaning: { ...hidden.meaning, ...(token !== undefined && { token }) },
    ...sentOf(understood, (text, naming, isNumber) => holdsSecret(text, naming, isNumber) || isKnownWithin(text)),
  };
}

/** Reads what an answer says of a person. Secrets are judged before anything is shortened. */
export function sentOf({ operation, answer, reading }: Understood, judge: SecretJudge = holdsSecret): Sent {
  if (!reading.meaning.user) return { rest: [], left: 0 };
  const { json, text, left } = readBody(answer.body);
  const found = findPinnedOrAnyUser(answer, json);
  const sent = textWithoutSecrets(text, judge);
  return { ...rowsOf(found, { operation, left, judge }), ...(sent && { sent }) };
}

/** What an answer says, without secrets before anything of it is shortened. */
export const withoutSecrets = (
  { answer, reading }: Pick<Understood, 'answer' | 'reading'>,
  hide: Hide,
): Pick<Understood, 'answer' | 'reading'> => ({
  answer: { ...answer, headers: hideIn(answer.headers, hide) },
  reading: withoutSecretsIn(reading, hide),
});

function withoutSecretsIn(reading: Reading, hide: Hide): Reading {
  const hiddenReading = hideIn(reading, hide);
  const { fieldErrors } = hiddenReading.meaning;
  // The names in there are the server's own.
  return fieldErrors
    ? { ...hiddenReading, meaning: { ...hiddenReading.meaning, fieldErrors: withoutSecretsInNames(fieldErrors, hide) } }
    : hiddenReading;
}

const withoutSecretsInNames = <T>(record: Record<string, T>, hide: (text: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [hide(name), value]));
