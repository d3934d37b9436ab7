import type { LoginCredentials, Registration } from '../../preload/contract/contract.ts';
import type { AppError } from '../../preload/contract/result.ts';
import type { Operation } from '../../preload/contract/names.ts';
import { createAccountClient } from './account-client.ts';
import { addressOf, csrfCredential, withNewCsrfToken, type ClientContext } from './client-requests.ts';
import type { PendingLogin } from '../interface/second-factor.ts';
import type { ApiCall } from '../interface/list-calls.ts';
import { defaultInterface } from '../interface/shipped.ts';
import { withoutCredentialSecrets, credentialSecrets, type Credential } from '../interface/credential.ts';
import { schemesOf } from '../interface/security-schemes.ts';
import { ApiAdapter } from '../interface/api-adapter.ts';
import { sendAndInterpret, type InterpretContext } from './interpret.ts';
import { appErrorOfFailure } from './map-error.ts';
import { addedValues } from './extra-headers.ts';
import type { RedactedInterpretation } from './redact-interpretation.ts';
import type { ReceivedResponse } from './parse-response.ts';
import type { TransportCall, HeaderList, TransportResponse, TransportResult } from './call.ts';
import { markOutcomeUnknown } from './outcome-unknown.ts';
import { otherSchemes } from './reading/challenge.ts';
import { header, receivedHeaders } from './reading/headers.ts';
import { noUserRule } from './reading/verdict.ts';
import { refusedForForgery, refusesRenewal } from './refused-calls.ts';
import { isLoginWithoutToken, detectCookieSession } from './cookie-session.ts';
import { interpretForDisplay } from './interpret-for-display.ts';
import { knownIdentifiers } from './user-profile.ts';
import type { Transport } from './transport.ts';

/**
 * `reading` is absent if no response arrived. `loopbackAddress` is the address of `localhost` that answered: store it with
 * the token of the response, and pass it back with that.
 */
export type ClientResult = (
  | { ok: true; reading: RedactedInterpretation; loopbackAddress?: string }
  /** With `pending`, the server asks for a code. */
  | { ok: false; error: AppError; reading?: RedactedInterpretation; pending?: PendingLogin; loopbackAddress?: string }
) & {
  /** The session's credential from this response on: servers rotate cookies and tokens with any response. */
  credential?: Credential;
};

export type Client = ReturnType<typeof createClient>;

/** What a call sends. `knownUsers` are the identifiers of the user who logged in. */
type CallInput = {
  credential?: Credential;
  fields?: Record<string, string>;
  loopbackAddress?: string | undefined;
  knownUsers?: readonly string[];
};

/**
 * The operations of the interface at one server, with exactly the headers and bodies that its description names. Every
 * result is redacted: what a server echoes of the credential or of the password is masked.
 * @param options.baseUrl a value of `parseBaseUrl`
 * @param options.adapter the API of that server, if it is not the default one
 * @param options.acceptLanguage for servers that are known to support it: the interface has no such header
 * @param options.paths the paths that the user pinned for this server's responses
 */
export function createClient(options: {
  transport: Transport;
  baseUrl: string;
  adapter?: ApiAdapter;
  acceptLanguage?: string | undefined;
  paths?: ReceivedResponse['paths'];
}) {
  const { transport, baseUrl, adapter = new ApiAdapter(defaultInterface, baseUrl), acceptLanguage, paths } = options;
  const headers = acceptLanguage === undefined ? [] : [['Accept-Language', acceptLanguage] as const];
  const call = (name: ApiCall, input: CallInput, signal: AbortSignal | undefined): Promise<ClientResult> =>
    performCall({ transport, adapter, headers, paths }, name, input, signal);

  return {
    ...createAccountClient({ transport, adapter, headers, paths }),

    /** Registers at the path that the registration names. `cpassword` goes to `/register` alone. */
    register(registration: Registration, signal?: AbortSignal): Promise<ClientResult> {
      return call(registration.path, { fields: registrationFields(adapter, registration) }, signal);
    },

    login({ email, password }: LoginCredentials, signal?: AbortSignal): Promise<ClientResult> {
      return call('login', { fields: loginFields(adapter, email, password) }, signal);
    },

    /**
     * The error `unauthenticated` alone means that the session is over; any other proves nothing about it.
     * @param who identifiers of the user who logged in, see {@link knownIdentifiers}
     */
    profile(credential: Credential, signal?: AbortSignal, loopbackAddress?: string, who: readonly string[] = []) {
      const knownUsers = knownIdentifiers(who, credential.token);
      return call('profile', { credential, loopbackAddress, knownUsers }, signal);
    },

    logout(credential: Credential, signal?: AbortSignal, loopbackAddress?: string): Promise<ClientResult> {
      return call('logout', { credential, loopbackAddress }, signal);
    },

    /** Renews the session. The error `unauthenticated` alone means that the server refused it. */
    refresh(credential: Credential, loopbackAddress?: string): Promise<ClientResult> {
      return call('refresh', { credential, loopbackAddress }, undefined);
    },
  };
}

const isRegistration = (name: ApiCall): boolean => name === 'registro' || name === 'register';

/**
 * Sends a call, once. It is sent again only if the server refused its CSRF token and a new one was fetched, or if the
 * connection of a GET for the profile closed before any response. Aborting the signal returns `cancelled`.
 *
 * With a description, a GET for the profile that is answered with 2xx and no user is sent again without the credential: a
 * refusal of that proves that the credential was accepted.
 */
async function performCall(
  { transport, adapter, headers, paths }: ClientContext,
  name: ApiCall,
  { credential: held = {}, fields, loopbackAddress, knownUsers }: CallInput,
  signal: AbortSignal | undefined,
): Promise<ClientResult> {
  // A renewal is answered as a login is.
  const operation: Operation = name === 'refresh' ? 'login' : name;
  const isLogin = isRegistration(name) || operation === 'login';
  const errorOf = (error: AppError, sent: TransportCall): AppError =>
    isRegistration(name) || name === 'refresh' ? markOutcomeUnknown(error, sent) : error;
  const sendOptions = { signal, loopbackAddress };
  const fault = adapter.pathFault(name, held);
  if (fault) return { ok: false, error: { kind: 'path-value', ...fault } };
  const prepared = await csrfCredential({ transport, adapter }, name, held, sendOptions);
  if (!prepared.ok) return prepared;
  const context: InterpretContext = { adapter, call: name, pinned: paths, who: knownUsers };
  const send = (credential: Credential, freshConnection = false) => {
    const request = adapter.request(name, { fields, credential, headers });
    return sendAndInterpret(transport, request, operation, context, { ...sendOptions, freshConnection });
  };
  // Only a safe method is sent twice (RFC 9110, 9.2.1): a description may have a profile that rotates its token.
  const isSafe = operation === 'profile' && adapter.methodOf(name) === 'GET';
  const first = await send(prepared.credential);
  const answered = isSafe && isUnanswered(first) ? await send(prepared.credential, true) : first;
  const rearmed = await withNewCsrfToken({ transport, adapter }, { name, answered, prepared }, sendOptions);
  const sent = rearmed ?? prepared.credential;
  const result = rearmed ? await send(rearmed) : answered;
  if (!result.ok) return { ok: false, error: errorOf(appErrorOfFailure(result.failure), result.call) };
  const pending = asksForCode(adapter, name, result.response, sent);
  if (pending) {
    const error: AppError = { kind: 'unexpected', reason: 'mfa-required', status: result.response.status };
    return { ok: false, error, pending, ...addressOf(result.call) };
  }
  const { summary, trace } = result.understood.interpretation;
  const updated = adapter.credentialAfter(name, result.response, sent, { fields });
  const credential = isLogin
    ? adapter.authenticator.withDetectedToken(updated, summary.token, trace.token?.path)
    : updated;
  const typed = [fields?.['password'], fields?.['cpassword']].filter((secret) => secret !== undefined);
  const secrets = [...credentialSecrets(held), ...credentialSecrets(credential), ...typed, ...addedValues(result.call)];
  const shown = await interpretForDisplay({ ...result.understood, secrets }, signal);
  if (!shown.reading) return { ok: false, error: errorOf(shown.error, result.call) };
  const { reading, error } = shown;
  const isInCookie = isLogin && adapter.authenticator.sessionCookie(credential.cookies) !== undefined;
  const anonymous = isSafe ? anonymousCredential(adapter, reading, sent) : undefined;
  const isConfirmed = error && anonymous && isRefused(await send(anonymous));
  if (error && !isConfirmed && !(isInCookie && isLoginWithoutToken(error))) {
    const refined = await refineError(name, error, { adapter, reading, ...result, csrfHeaders: prepared.rawHeaders });
    return { ok: false, error: errorOf(refined, result.call), reading, credential };
  }
  return { ok: true, reading, credential, ...addressOf(result.call) };
}

/** Asked before anything else reads a response: one that asks for a code is neither a wrong password nor a session. */
const asksForCode = (
  { secondFactor }: ApiAdapter,
  name: ApiCall,
  response: TransportResponse,
  sent: Credential,
): PendingLogin | undefined =>
  name === 'login' || name === 'profile' ? secondFactor.pendingLogin(name, response, sent) : undefined;

/** A description has the one or the other. */
const loginFields = ({ features }: ApiAdapter, typed: string, password: string): Record<string, string> =>
  features.byUsername ? { username: typed, password } : { email: typed, password };

function registrationFields({ features }: ApiAdapter, registration: Registration): Record<string, string> {
  const { path, name, email, username = '', password, cpassword } = registration;
  const isNamed = username !== '' && features.fields.has('username');
  return { name, email, ...(isNamed && { username }), password, ...(path === 'register' && { cpassword }) };
}

type RefineContext = {
  adapter: ApiAdapter;
  reading: RedactedInterpretation;
  response: TransportResponse;
  csrfHeaders: HeaderList;
};

/** Refines an error by what the rules for responses do not know: the cookies that were rejected, and the call itself. */
async function refineError(
  name: ApiCall,
  error: AppError,
  { adapter, reading, response, csrfHeaders }: RefineContext,
): Promise<AppError> {
  const isCsrfRefusal = adapter.needsCsrf(name) && refusedForForgery(response) === 'surely';
  const isLogin = name === 'login' || isRegistration(name);
  const wantsSession = adapter.features.cookie && isLoginWithoutToken(error);
  const purpose = isCsrfRefusal ? 'csrf' : wantsSession ? 'session' : undefined;
  const dropped = adapter.droppedCookies([...csrfHeaders, ...response.rawHeaders]);
  const missing = isLogin ? dropped.find((cookie) => cookie.of === purpose) : undefined;
  if (missing) return { kind: 'cookie-not-kept', name: missing.name, why: missing.why };
  if (name === 'login' && !adapter.features.cookie && isLoginWithoutToken(error))
    return detectCookieSession(error, response.rawHeaders);
  if (name === 'profile' && error.kind === 'unauthenticated') return withChallenge(error, response, adapter);
  if (name === 'refresh' && refusesRenewal(response, reading)) return { kind: 'unauthenticated' };
  // A refusal for its CSRF token, and one of a renewal that says nothing of the token, prove nothing about the session.
  const provesNothing = (isCsrfRefusal && !isLogin) || name === 'refresh';
  if (error.kind !== 'unauthenticated' || !provesNothing) return error;
  const { message } = error;
  return { kind: 'unexpected', reason: 'other', status: response.status, ...(message !== undefined && { message }) };
}

/** Adds the scheme that the server asks for in its challenge, if the credential was sent in another one. */
function withChallenge(error: AppError, { rawHeaders }: TransportResponse, { description }: ApiAdapter): AppError {
  const challenge = header(receivedHeaders(rawHeaders), 'www-authenticate');
  const [wants] = otherSchemes(challenge, schemesOf(description));
  return wants === undefined || error.kind !== 'unauthenticated' ? error : { ...error, wants };
}

/** The credential without its secrets, to repeat a profile request whose response, by a description, has no user. */
function anonymousCredential(
  adapter: ApiAdapter,
  { verdict, trace }: RedactedInterpretation,
  sent: Credential,
): Credential | undefined {
  const hasNoUser = verdict === 'unknown' && trace.verdict.rule === noUserRule;
  const anonymous = withoutCredentialSecrets(sent);
  return hasNoUser && adapter.description !== defaultInterface && !adapter.pathFault('profile', anonymous)
    ? anonymous
    : undefined;
}

/** True if the server refused a call because it had no credential. */
function isRefused(result: Awaited<ReturnType<typeof sendAndInterpret>>): boolean {
  if (!result.ok) return false;
  const { response, interpretation } = result.understood;
  const { trace, verdict } = interpretation;
  return verdict === 'ended' || (response.status === 403 && !trace.inBetween && trace.body.form !== 'html');
}

/** True if the connection, which may have been idle, closed before a byte of a response arrived. */
function isUnanswered(result: TransportResult): boolean {
  return !result.ok && result.failure.kind === 'connection-lost' && !result.failure.answerBegun;
}
