import type {
  CaseAnswer,
  Handling,
  NotMeasured,
  ObservedField,
  Subject,
  Question,
} from '../../preload/contract/report-cases.ts';
import type { RedactedText } from '../../preload/contract/calls.ts';
import type { AppError } from '../../preload/contract/result.ts';
import type { Operation } from '../../preload/contract/names.ts';
import type { PendingLogin } from '../interface/second-factor.ts';
import { redactResponse } from '../client/redact-interpretation.ts';
import { appErrorOfAnswer } from '../client/map-error.ts';
import { parseResponse, type Interpretation, type InterpretedResponse } from '../client/parse-response.ts';
import { parseBody } from '../client/reading/body.ts';
import { isLongResponse, interpretForDisplay } from '../client/interpret-for-display.ts';
import { header, type ReceivedHeaders } from '../client/reading/headers.ts';
import { appendKey, isList, isNumber, isJsonObject, type JsonValue } from '../client/reading/json.ts';
import type { TransportCall } from '../client/call.ts';
import type { TestRequestOptions } from './test-request.ts';
import { isSecretByForm, isSecretByName } from '../client/secrets/is-secret.ts';
import { nameless, classifyName, type NameClass } from '../client/secrets/secret-names.ts';
import { truncateRedacted } from '../client/recording/redacted-text.ts';
import { redactText, type SecretRegistry } from '../client/secrets/secret-registry.ts';

/** A request and its response, with their secrets. Without a response, `status` is 0 and `failed` says why. */
export type Observation = {
  operation: Operation;
  /** With the field names of `interface.md`. */
  sent?: TestRequestOptions | undefined;
  call?: TransportCall | undefined;
  status: number;
  headers: ReceivedHeaders;
  reading: Interpretation;
  handling: Handling;
  /** The response as an error of the application, unless it is a success. */
  error?: AppError | undefined;
  failed?: NotMeasured;
  /** The same number for simultaneous requests. */
  batch?: number | undefined;
  /** A login that waits for its second factor. */
  pending?: PendingLogin | undefined;
  /** The token of the session that a code began, also where the login without it had given that. */
  session?: string | undefined;
  /** Whether a case about second factors, passwords and deletion sent it, or the cleanup after them. */
  isAboutAccount?: boolean;
};

export function createObservation(
  understood: InterpretedResponse,
  call: TransportCall,
  secretRegistry: SecretRegistry,
): Observation {
  const { operation, response, interpretation } = understood;
  const { status, headers } = response;
  const safe = interpretation.summary.ok ? undefined : redactResponse(understood, (text) => secretRegistry.mask(text));
  const error = safe && appErrorOfAnswer(operation, safe.response, safe.interpretation);
  return {
    operation,
    call,
    status,
    headers,
    reading: interpretation,
    handling: handlingOf(interpretation, status, error),
    error,
  };
}

/** Redacts a long response on a worker thread. */
export async function classifyResponse(
  understood: InterpretedResponse,
  call: TransportCall,
  secretRegistry: SecretRegistry,
  signal: AbortSignal,
): Promise<Observation> {
  if (!isLongResponse(understood)) return createObservation(understood, call, secretRegistry);
  const secrets = secretRegistry.registered().map(({ value }) => value);
  const shown = await interpretForDisplay({ ...understood, secrets }, signal);
  const { operation, response } = understood;
  if (!shown.reading) {
    const failed: NotMeasured = signal.aborted ? { kind: 'run-ended' } : { kind: 'no-answer', error: shown.error };
    return createFailedObservation(operation, failed, call);
  }
  const { reading, error } = shown;
  const { status, headers } = response;
  return { operation, call, status, headers, reading, handling: handlingOf(reading, status, error), error };
}

/** For a request that was not sent, or got no complete response. */
export function createFailedObservation(operation: Operation, failed: NotMeasured, call?: TransportCall): Observation {
  return {
    operation,
    call,
    status: 0,
    headers: {},
    reading: parseResponse(operation, { status: 0, headers: {}, body: '' }),
    handling: 'fault',
    failed,
  };
}

function handlingOf({ verdict, trace }: Interpretation, status: number, error: AppError | undefined): Handling {
  if (error === undefined || verdict === 'accepted-without-token') return 'accepted';
  if (error.kind === 'throttled') return 'throttled';
  // Laravel without a login page responds with 500.
  if (error.kind === 'unauthenticated') return 'refused';
  if (status >= 500 || error.kind === 'server-fault') return 'fault';
  // The page of a redirect is never shown.
  if (trace.body.form === 'html' && (status < 300 || status >= 400)) return 'page';
  return error.kind === 'not-an-api-answer' ? 'fault' : 'refused';
}

export const isAccepted = ({ handling }: Observation): boolean => handling === 'accepted';

export const isSentWithoutToken = ({ sent }: Observation): boolean => sent?.token === undefined;

/** The sent fields by their names in `interface.md`; undefined if no object was sent. */
export function readSentFields({ sent, call }: Observation): ReadonlyMap<string, JsonValue> | undefined {
  const fields = typeof sent?.body === 'object' ? JSON.stringify(sent.body) : call?.request.body;
  const { json } = parseBody(fields ?? '');
  return isJsonObject(json) ? json.values : undefined;
}

/** True without a complete response. */
export const isUnanswered = ({ failed }: Observation): boolean => failed?.kind === 'no-answer';

/** True if nothing listens. */
export const isConnectionRefused = ({ failed }: Observation): boolean =>
  failed?.kind === 'no-answer' && failed.error.kind === 'refused';

/** True if the connection was lost before the end of the response, as where the process behind it ends. */
export const isConnectionLost = ({ failed }: Observation): boolean =>
  failed?.kind === 'no-answer' &&
  ((failed.error.kind === 'unexpected' && failed.error.reason === 'connection-lost') ||
    (failed.error.kind === 'not-an-api-answer' && failed.error.reason === 'truncated'));

/** True if an idle connection of the pool was lost, which says nothing of a new one. */
export const isStaleConnection = (seen: Observation): boolean =>
  seen.call?.reusedConnection === true && isConnectionLost(seen);

/** RFC 9110, 15.5.5, 15.5.6, 15.5.11 and 15.6.2. */
export const missingStatuses: ReadonlySet<number> = new Set([404, 405, 410, 501]);

const siblings: Partial<Record<Operation, Operation>> = { registro: 'register', register: 'registro' };

/** True for a redirect of a registration to the other path. */
function leadsToSibling({ operation, status, headers }: Observation): boolean {
  const [path = ''] = (header(headers, 'location') ?? '').split(/[?#]/);
  const sibling = siblings[operation];
  return status >= 300 && status < 400 && sibling !== undefined && path.replace(/\/$/, '').endsWith(`/${sibling}`);
}

export const isEndpointMissing = (seen: Observation): boolean =>
  missingStatuses.has(seen.status) ||
  (seen.error?.kind === 'unexpected' && seen.error.reason === 'operation-missing') ||
  leadsToSibling(seen);

/** True if the input was refused. 401 and 403 may not depend on it: many servers require a token at any path. */
export const isInputRejected = (seen: Observation): boolean =>
  seen.handling === 'refused' && !isEndpointMissing(seen) && seen.status !== 401 && seen.status !== 403;

/** The milliseconds between the end of the request and the first byte of the response. */
export function timeToFirstByteMs({ call }: Observation): number | undefined {
  const { firstByteMs, tlsMs, connectMs = 0 } = call?.timings ?? {};
  return firstByteMs === undefined ? undefined : firstByteMs - (tlsMs ?? connectMs);
}

/** The last ones become the command of a finding, which should be short. */
export function sortLongBodiesFirst(seen: readonly Observation[]): Observation[] {
  const isShort = ({ call }: Observation): boolean => (call?.request.body?.length ?? 0) < 1000;
  return seen.toSorted((a, b) => Number(isShort(a)) - Number(isShort(b)));
}

const longestMessage = 500;
const mostFields = 60;
const deepest = 5;

export const redactMessage = (message: string, secretRegistry: SecretRegistry): RedactedText =>
  truncateRedacted(redactText(message, secretRegistry), longestMessage);

export function createReplyAnswer(
  question: Question,
  seen: Observation,
  secretRegistry: SecretRegistry,
  subject?: Subject,
): CaseAnswer {
  const { message, fieldErrors } = seen.reading.summary;
  if (seen.failed?.kind === 'ends-server')
    return { question, ...(subject && { subject }), value: { kind: 'none', why: 'ends-server' } };
  return {
    question,
    ...(subject && { subject }),
    value: {
      kind: 'reply',
      handling: seen.handling,
      status: seen.status,
      ...(message !== undefined && { message: redactMessage(message, secretRegistry) }),
      ...(fieldErrors && {
        fields: Object.keys(fieldErrors)
          .slice(0, mostFields)
          .map((name) => secretRegistry.mask(name).slice(0, 100)),
      }),
    },
  };
}

/** The answer to a question that was not tried: it could have made one account too many, or another answer implies it. */
export const createUntestedAnswer = (
  why: 'account-limit' | 'implied',
  question: Question,
  subject?: Subject,
): CaseAnswer => ({ question, subject, value: { kind: 'none', why } });

export const isLeftOutForAccounts = ({ value }: CaseAnswer): boolean =>
  value.kind === 'none' && value.why === 'account-limit';

/** The fields of a JSON body with their types; of lists, the first element. */
export function listResponseFields({ call }: Observation, secretRegistry: SecretRegistry): ObservedField[] {
  const fields: ObservedField[] = [];
  function walk(path: string, naming: NameClass, value: JsonValue, depth: number): void {
    if (fields.length >= mostFields) return;
    if (path !== 'body') {
      const secret =
        typeof value === 'string' ? isSecret(value, naming) : !isJsonObject(value) && naming.says === 'secret';
      fields.push({ path: secretRegistry.mask(path).slice(0, 200), type: typeOf(value), secret });
    }
    if (depth >= deepest) return;
    if (isJsonObject(value))
      for (const [key, inner] of value.values) walk(appendKey(path, key), classifyName(key, naming), inner, depth + 1);
    if (isList(value) && value[0] !== undefined) walk(`${path}[0]`, naming, value[0], depth + 1);
  }
  walk('body', nameless, parseBody(call?.response?.body ?? '').json, 0);
  return fields;
}

const isSecret = (value: string, naming: NameClass): boolean =>
  isSecretByName(value, naming) || isSecretByForm(value, naming);

function typeOf(value: JsonValue): ObservedField['type'] {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (isNumber(value)) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return isList(value) ? 'list' : 'object';
}

/** Texts of a JSON body with the names they stand under. */
export function listResponseTexts({ call }: Observation): { name: string; text: string }[] {
  const texts: { name: string; text: string }[] = [];
  function walk(name: string, value: JsonValue): void {
    if (typeof value === 'string') texts.push({ name, text: value });
    if (isList(value)) for (const each of value) walk(name, each);
    if (isJsonObject(value)) for (const [key, inner] of value.values) walk(key, inner);
  }
  const body = parseBody(call?.response?.body ?? '');
  if (body.form !== 'json') return [{ name: '', text: body.text }];
  walk('', body.json);
  return texts;
}
