import type { CodeMethod } from '../../preload/contract/interface.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { secretFieldsIn, type AccountCall } from '../interface/account-calls.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { credentialSecrets, type Credential } from '../interface/credential.ts';
import { credentialAfterCode } from '../interface/credential-after-code.ts';
import type { PendingLogin } from '../interface/second-factor.ts';
import { addedValues } from './extra-headers.ts';
import { addressOf, csrfCredential, withNewCsrfToken, type ClientContext } from './client-requests.ts';
import { interpretForDisplay } from './interpret-for-display.ts';
import { sendAndInterpret } from './interpret.ts';
import { appErrorOfFailure } from './map-error.ts';
import { markOutcomeUnknown } from './outcome-unknown.ts';
import type { RedactedInterpretation } from './redact-interpretation.ts';

type Fields = Readonly<Record<string, string>>;

/** `credential` is that of the session or of the pending login. */
type Input = { credential?: Credential | undefined; fields: Fields; loopbackAddress?: string | undefined };

/** `fields` are those that the call of a code takes besides it: what was typed to log in, if the password is repeated. */
type PendingInput = { pending: PendingLogin; fields: Fields; loopbackAddress?: string | undefined };

/** `credential` is the session's from this response on. */
export type AccountCallResult = { ok: true; credential: Credential } | { ok: false; error: AppError };

/**
 * What came of a code. After `wrong` and `rate-limited` another one may be sent; after `ended` the login begins anew; after
 * `failed` nothing is known, and the pending login is as it was.
 */
export type CodeResult =
  | { outcome: 'accepted'; reading: RedactedInterpretation; credential: Credential; loopbackAddress?: string }
  | { outcome: 'wrong' | 'rate-limited' | 'ended'; pending: PendingLogin; error: AppError }
  | { outcome: 'failed'; error: AppError };

/** The calls of a description about the account itself, and those of a login that asks for a code. */
export const createAccountClient = (context: ClientContext) => ({
  /** @param input.fields has the `code`, too */
  sendCode: (method: CodeMethod, input: PendingInput, signal?: AbortSignal): Promise<CodeResult> =>
    sendCode(context, method, input, signal),

  /** Logs in where no response asks for a code: it goes along with the password. */
  loginWithCode: (
    { email, ...typed }: { email: string; password: string; code: string },
    signal?: AbortSignal,
  ): Promise<CodeResult> => {
    const { methods } = context.adapter.secondFactor;
    const [method = 'totp'] = methods;
    const pending = { credential: {}, methods };
    return sendCode(
      context,
      method,
      { pending, fields: { ...accountFields(context.adapter, email), ...typed } },
      signal,
    );
  },

  /** Has the server send a code, or create a challenge, for a pending login. */
  startChallenge: (method: CodeMethod, input: PendingInput, signal?: AbortSignal) =>
    startChallenge(context, method, input, signal),

  /** @param input.fields `password`, the current one, and `newPassword` */
  changePassword: (input: Input, signal?: AbortSignal): Promise<AccountCallResult> =>
    perform(context, 'changePassword', input, signal),

  /** @param input.fields `password` */
  deleteAccount: (input: Input, signal?: AbortSignal): Promise<AccountCallResult> =>
    perform(context, 'deleteAccount', input, signal),

  /** Has the server send an email. Its response may tell whether there is such an account. */
  requestEmail: (
    name: 'forgotPassword' | 'resendConfirmation',
    account: string,
    signal?: AbortSignal,
  ): Promise<AccountCallResult> => perform(context, name, { fields: accountFields(context.adapter, account) }, signal),
});

/** The typed account. Where the login takes a user name, the body of another call may still have an email. */
const accountFields = ({ features }: ApiAdapter, typed: string): Fields => ({
  email: typed,
  ...(features.byUsername && { username: typed }),
});

/** What a call leaves unknown if no response refused it. */
const changing: ReadonlySet<AccountCall> = new Set(['changePassword', 'deleteAccount']);

/** Sends a call, once more if the server refused its CSRF token and a new one was fetched. */
async function send(context: ClientContext, name: AccountCall, input: Input, signal: AbortSignal | undefined) {
  const { adapter, transport, headers } = context;
  const { credential: held = {}, fields, loopbackAddress } = input;
  const fault = adapter.accountPathFault(name, held);
  if (fault) return { ok: false, error: { kind: 'path-value', ...fault } } as const;
  const options = { signal, loopbackAddress };
  const prepared = await csrfCredential(context, name, held, options);
  if (!prepared.ok) return prepared;
  // A code is answered as a login is. The others have a form whose fields may be refused, as a registration has.
  const operation = name.startsWith('code.') ? 'login' : 'registro';
  const sendWith = (credential: Credential) => {
    const request = adapter.accountRequest(name, { fields, credential, headers });
    return sendAndInterpret(transport, request, operation, { adapter, call: name }, options);
  };
  const first = await sendWith(prepared.credential);
  const rearmed = await withNewCsrfToken(context, { name, answered: first, prepared }, options);
  const result = rearmed ? await sendWith(rearmed) : first;
  const errorOf = (error: AppError): AppError => (changing.has(name) ? markOutcomeUnknown(error, result.call) : error);
  if (!result.ok) return { ok: false, error: errorOf(appErrorOfFailure(result.failure)) } as const;
  const { response, call, understood } = result;
  const sent = rearmed ?? prepared.credential;
  const secrets = [...credentialSecrets(sent), ...secretFieldsIn(fields), ...addedValues(call)];
  const { reading, error } = await interpretForDisplay({ ...understood, secrets }, signal);
  return { ok: true, response, call, sent, reading, error: error && errorOf(withoutRegistration(error)) } as const;
}

/** What only a registration can be refused for is said of none of these calls. */
const withoutRegistration = (error: AppError): AppError =>
  error.kind === 'unexpected' && (error.reason === 'registration-closed' || error.reason === 'already-there')
    ? { ...error, reason: 'other' }
    : error;

async function perform(
  context: ClientContext,
  name: AccountCall,
  input: Input,
  signal: AbortSignal | undefined,
): Promise<AccountCallResult> {
  const result = await send(context, name, input, signal);
  if (!result.ok) return result;
  const { response, sent, error } = result;
  const isListed = response.status >= 300 && context.adapter.isSuccessStatus(name, response.status);
  if (error && !isListed) return { ok: false, error };
  return { ok: true, credential: context.adapter.credentialAfter(name, response, sent) };
}

/** Errors that something in front of the server gives: they refuse no code. */
const unclear: ReadonlySet<AppError['kind']> = new Set(['not-an-api-answer']);

async function sendCode(
  context: ClientContext,
  method: CodeMethod,
  { pending, ...input }: PendingInput,
  signal: AbortSignal | undefined,
): Promise<CodeResult> {
  const { adapter } = context;
  const result = await send(context, `code.${method}`, { ...input, credential: pending.credential }, signal);
  if (!result.ok) return { outcome: 'failed', error: result.error };
  const { response, reading, call } = result;
  const outcome = adapter.secondFactor.outcomeOf(method, response);
  if (outcome === 'accepted' && reading && !(result.error && unclear.has(result.error.kind))) {
    const detected = { token: reading.summary.token, path: reading.trace.token?.path };
    const credential = credentialAfterCode(adapter, method, response, pending, detected);
    return { outcome, reading, credential, ...addressOf(call) };
  }
  const error = result.error ?? refusal(response.status);
  if (outcome === 'accepted') return { outcome: 'failed', error };
  const after = adapter.secondFactor.pendingAfter({}, response, pending);
  if (outcome === 'wrong') return { outcome, pending: after, error: { kind: 'wrong-code', ...messageOf(error) } };
  if (outcome === 'rate-limited') return { outcome, pending: after, error: throttled(error) };
  const { status } = response;
  if (status >= 500) return { outcome: 'failed', error: { kind: 'server-fault', status, ...messageOf(error) } };
  if (unclear.has(error.kind)) return { outcome: 'failed', error };
  const isOfPassword = error.kind === 'unauthenticated' && adapter.secondFactor.repeatsPassword(method);
  return { outcome, pending: after, error: isOfPassword ? error : ofTheCode(error, status) };
}

async function startChallenge(
  context: ClientContext,
  method: CodeMethod,
  { pending, ...input }: PendingInput,
  signal: AbortSignal | undefined,
): Promise<{ ok: true; pending: PendingLogin } | { ok: false; error: AppError }> {
  const { adapter } = context;
  const name = `challenge.${method}` as const;
  const result = await send(context, name, { ...input, credential: pending.credential }, signal);
  if (!result.ok) return result;
  const { response, error } = result;
  if (!adapter.isSuccessStatus(name, response.status)) return { ok: false, error: error ?? refusal(response.status) };
  const outputs = adapter.accountOutputs(name);
  return { ok: true, pending: adapter.secondFactor.pendingAfter(outputs, response, pending) };
}

/** Without the password, a refusal says nothing about it. */
const ofTheCode = (error: AppError, status: number): AppError =>
  error.kind === 'unauthenticated' ? { ...refusal(status), ...messageOf(error) } : error;

const refusal = (status: number): AppError => ({ kind: 'unexpected', reason: 'other', status });

const messageOf = (error: AppError): { message?: string } =>
  'message' in error && error.message !== undefined ? { message: error.message } : {};

const throttled = (error: AppError): AppError =>
  error.kind === 'throttled' ? error : { kind: 'throttled', ...messageOf(error) };
