import type { SentRow, SentValue } from '../../preload/contract/profile.ts';
import { createSecretFinder, hideIn } from '../secrets/hide.ts';
import type { Reading, Understood } from './read-answer.ts';
import { bodyText } from './reading/body.ts';
import { withoutSecrets as textWithoutSecrets } from './reading/json-text.ts';
import { secretsByLooks } from './reading/profile.ts';

/** A reading that may be shown: only `meaning.token` still holds a secret, for the vault. */
export function hideInReading(
  { reading, answer }: Pick<Understood, 'reading' | 'answer'>,
  secrets: readonly string[],
): Reading {
  const { token, user } = reading.meaning;
  const { within, hide } = createSecretFinder(token === undefined ? secrets : [...secrets, token]);
  const { meaning, why, verdict, left, sessionEnd, dateMs } = withoutSecretsIn(reading, hide);
  const value = (text: string): boolean => secretsByLooks.value(text) || within(text);
  const sent = user && textWithoutSecrets(bodyText(answer.body), { ...secretsByLooks, value });
  return {
    meaning: { ...meaning, ...(token !== undefined && { token }) },
    why,
    verdict,
    rest: reading.rest.map((row): SentRow => ({
      name: hide(row.name),
      place: hide(row.place),
      value: masked(row.value),
    })),
    left,
    ...(sent && { sent }),
    ...(sessionEnd && { sessionEnd }),
    ...(dateMs !== undefined && { dateMs }),
  };

  function masked(value: SentValue): SentValue {
    if (value.is === 'list') return { is: 'list', items: value.items.map(masked) };
    if (value.is === 'fields') {
      return {
        is: 'fields',
        fields: value.fields.map((each) => ({ name: hide(each.name), value: masked(each.value) })),
      };
    }
    const text = value.is === 'text' ? value.text : value.is === 'number' ? value.digits : '';
    return within(text) ? { is: 'secret' } : value;
  }
}

/** What an answer says, without secrets before anything of it is shortened. */
export const withoutSecrets = (
  { answer, reading }: Pick<Understood, 'answer' | 'reading'>,
  hide: (text: string) => string,
): Pick<Understood, 'answer' | 'reading'> => ({
  answer: { ...answer, headers: hideIn(answer.headers, hide) },
  reading: withoutSecretsIn(reading, hide),
});

/** What is sent of the person has texts of every kind, and words of ours among them. */
function withoutSecretsIn(reading: Reading, hide: (text: string) => string): Reading {
  const hiddenReading = hideIn({ ...reading, rest: [] }, hide);
  const { fieldErrors } = hiddenReading.meaning;
  // The names in there are the server's own.
  return fieldErrors
    ? { ...hiddenReading, meaning: { ...hiddenReading.meaning, fieldErrors: withoutSecretsInNames(fieldErrors, hide) } }
    : hiddenReading;
}

const withoutSecretsInNames = <T>(record: Record<string, T>, hide: (text: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [hide(name), value]));
