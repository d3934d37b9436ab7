import type { AppError } from '../../preload/contract/result.ts';
import { textWorker, longText, type Job } from './text-worker.ts';
import { createSecretFinder, maskStrings } from './secrets/mask-secrets.ts';
import { redactInterpretation, redactResponse, type RedactedInterpretation } from './redact-interpretation.ts';
import { appErrorOfAnswer } from './map-error.ts';
import type { InterpretedResponse } from './parse-response.ts';

/** What was understood of an answer, and the secrets that may stand in it. */
type Input = InterpretedResponse & { secrets: readonly string[] };

/** What may be shown: the reading, where only the token is still there, and what is wrong, if anything is. */
type Shown = { reading: RedactedInterpretation; error: AppError | undefined };

/** Takes the secrets out of what was understood, for the other thread. */
export const hidingJob: Job<Input, Shown> = {
  name: 'hiding',
  work({ operation, response, interpretation, secrets }) {
    const shown = redactInterpretation({ operation, interpretation, response }, secrets);
    if (interpretation.summary.ok) return { reading: shown, error: undefined };
    const { hide } = createSecretFinder(secrets);
    const safe = redactResponse({ response, interpretation }, hide);
    const error = maskStrings(appErrorOfAnswer(operation, safe.response, safe.interpretation), hide);
    return { reading: shown, error };
  },
};

/** So much of a body says which kind of page it is. What is said of a person is kept whole. */
const bodyCharacters = 5000;

/** Whether an answer is so long that what it says is searched for secrets on the other thread. */
export const isLongResponse = ({ response: { body } }: InterpretedResponse): boolean =>
  typeof body !== 'string' || body.length > longText;

/** What may be shown of an answer. There is no reading where the search for secrets filled the memory. */
export async function redactForDisplay(
  input: Input,
  signal: AbortSignal | undefined,
): Promise<Shown | { reading?: undefined; error: AppError }> {
  if (!isLongResponse(input)) return hidingJob.work(input);
  const { response } = input;
  const whole = typeof response.body === 'string' ? response.body : '';
  const body = input.interpretation.summary.user ? whole : whole.slice(0, bodyCharacters);
  const shown = await textWorker.run(hidingJob, { ...input, answer: { ...response, body } }, signal);
  if (shown) return shown;
  if (signal?.aborted) return { error: { kind: 'cancelled' } };
  return { error: { kind: 'not-an-api-answer', status: response.status, reason: 'too-hard' } };
}
