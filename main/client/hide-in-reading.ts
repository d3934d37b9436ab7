import { createSecretFinder, hideIn } from '../secrets/hide.ts';
import type { Reading, Understood } from './read-answer.ts';

const mostCharacters = 2000;

/** A reading that may be shown: only `meaning.token` still holds a secret, for the vault. */
export function hideInReading(reading: Reading, secrets: readonly string[]): Reading {
  const { token } = reading.meaning;
  const { within, hide } = createSecretFinder(token === undefined ? secrets : [...secrets, token]);
  const { meaning, why, verdict, sessionEnd } = withoutSecretsIn(reading, hide);
  return {
    meaning: { ...meaning, ...(token !== undefined && { token }) },
    why,
    verdict,
    rest: reading.rest.map((field) => {
      const path = hide(field.path);
      return field.masked || within(field.value) ? { masked: true, path } : { ...field, path, ...shortened(field) };
    }),
    ...(sessionEnd && { sessionEnd }),
  };
}

/** JSON that was cut is a text like any other. */
const shortened = ({ value, json }: { value: string; json?: true | undefined }) =>
  value.length > mostCharacters ? { value: `${value.slice(0, mostCharacters)}…`, json: undefined } : { value, json };

/** What an answer says, without secrets before anything of it is shortened. */
export const withoutSecrets = (
  { answer, reading }: Pick<Understood, 'answer' | 'reading'>,
  hide: (text: string) => string,
): Pick<Understood, 'answer' | 'reading'> => ({
  answer: { ...answer, headers: hideIn(answer.headers, hide) },
  reading: withoutSecretsIn(reading, hide),
});

function withoutSecretsIn(reading: Reading, hide: (text: string) => string): Reading {
  const hiddenReading = hideIn(reading, hide);
  const { fieldErrors } = hiddenReading.meaning;
  // The names in there are the server's own.
  return fieldErrors
    ? { ...hiddenReading, meaning: { ...hiddenReading.meaning, fieldErrors: withoutSecretsInNames(fieldErrors, hide) } }
    : hiddenReading;
}

const withoutSecretsInNames = <T>(record: Record<string, T>, hide: (text: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [hide(name), value]));
