import { z } from 'zod';

/** Why a part is a guess or is missing. Each has a sentence of its own. */
export const GuessReason = z.enum([
  /** Others in the text may be meant just as well. */
  'several',
  /** The text has several environments. `said` are the names of the others. */
  'environments',
  /** Known by its name alone. */
  'by-name',
  /** Read out of a sentence, which is `said`. */
  'prose',
  /** No request or answer in the text shows it, so that the usual one is assumed. */
  'usual',
  /** The schema does not say which members are required. */
  'schema-silent',
  /** The text has a placeholder in its place, which is `said`. */
  'placeholder',
  /** It is required, and no value of the text can be meant for it. */
  'no-value',
  /** Nothing in the text is it. */
  'not-found',
]);
export type GuessReason = z.infer<typeof GuessReason>;
