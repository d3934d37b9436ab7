import type { AppError } from '../../preload/contract/result.ts';
import { textWorker, longText, type Job } from './text-worker.ts';
import { createSecretFinder, maskStrings } from './secrets/mask-secrets.ts';
import { redactInterpretation, redactResponse, type RedactedInterpretation } from './redact-interpretation.ts';
import { appErrorOfAnswer } from './map-error.ts';
import type { InterpretedResponse } from './parse-response.ts';

/** A response with its interpretation, and the secrets that may be in it. */
type Input = InterpretedResponse & { secrets: readonly string[] };

/** What may be shown: the interpretation, which still has the token, and the error if there is one. */
type Displayed = { reading: RedactedInterpretation; error: AppError | undefined };

/** Redacts an interpretation, on the worker thread. */
export const redactionJob: Job<Input, Displayed> = {
  name: 'redaction',
  work({ operation, response, interpretation, secrets }) {
    const shown = redactInterpretation({ operation, interpretation, response }, secrets);
    if (interpretation.summary.ok) return { reading: shown, error: undefined };
    const { hide } = createSecretFinder(secrets);
    const safe = redactResponse({ response, interpretation }, hide);
    const error = maskStrings(appErrorOfAnswer(operation, safe.response, safe.interpretation), hide);
    return { reading: shown, error };
  },
};

/** Enough of a body to tell the kind of page. A body with a user is searched whole. */
const maxErrorBody = 5000;

/** True if a response is redacted on the worker thread. */
export const isLongResponse = ({ response: { body } }: InterpretedResponse): boolean =>
  typeof body !== 'string' || body.length > longText;

/** A response for display. `reading` is absent if the search for secrets exceeded the memory of the worker. */
export async function interpretForDisplay(
  input: Input,
  signal: AbortSignal | undefined,
): Promise<Displayed | { reading?: undefined; error: AppError }> {
  if (!isLongResponse(input)) return redactionJob.work(input);
  const { response } = input;
  const whole = typeof response.body === 'string' ? response.body : '';
  const body = input.interpretation.summary.user ? whole : whole.slice(0, maxErrorBody);
  const shortened: Input = { ...input, response: { ...response, body } };
  const shown = await textWorker.run(redactionJob, shortened, signal);
  if (shown) return shown;
  if (signal?.aborted) return { error: { kind: 'cancelled' } };
  return { error: { kind: 'not-an-api-answer', status: response.status, reason: 'resource-limit' } };
}
