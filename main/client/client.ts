import type { LoginCredentials, Registration } from '../../preload/contract/contract.ts';
import type { AppError } from '../../preload/contract/result.ts';
import type { Operation } from '../../preload/contract/names.ts';
import type { ApiCall } from '../interface/list-calls.ts';
import { defaultInterface } from '../interface/shipped.ts';
import { withoutCredentialSecrets, credentialSecrets, type Credential } from '../interface/credential.ts';
import { schemesOf } from '../interface/security-schemes.ts';
import { ApiAdapter } from '../interface/api-adapter.ts';
import { sendAndInterpret } from './interpret.ts';
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
import { redactForDisplay } from './redact-for-display.ts';
import { knownIdentifiers } from './user-profile.ts';
import type { SendOptions, Transport } from './transport.ts';

/**
 * `reading` is absent when no answer arrived. `loopbackAddress` is the one of `localhost` that answered: keep it
 * with the token of the answer, and hand it back with that.
 */
export type ClientResult = (
  | { ok: true; reading: RedactedInterpretation; loopbackAddress?: string }
  | { ok: false; error: AppError; reading?: RedactedInterpretation }
) & {
  /** What the session is kept by from this answer on: servers renew cookies and tokens with any answer. */
  credential?: Credential;
};

export type Client = ReturnType<typeof createClient>;

/** What one call says. `who` is what is known of the one who logged in. */
type Said = {
  held?: Credential;
  fields?: Record<string, string>;
  loopbackAddress?: string | undefined;
  who?: readonly string[];
};

/**
 * The operations of the interface at one server, with exactly the headers and bodies it names. `baseUrl` is a value of
 * `parseBaseUrl`, `wire` the interface of that server if it has another. `acceptLanguage` is for servers whose choices are
 * known: the interface lists no such header. `paths` are the places pinned for this server's answers.
 * What a server echoes of the credential or the password of the call is hidden in all that is answered.
 * A call is sent twice where the server refused the first for its token against forged requests, once a new one was fetched,
 * and where the connection of a GET for the profile ended before any answer. Nothing else is; aborting a signal answers
 * `cancelled`.
 * By a description, a GET for the profile that is answered with 2xx and tells of nobody is sent once more without the
 * credential: it confirms the session if that is refused, since then only the credential can have been what was accepted.
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

  async function call(name: ApiCall, said: Said, signal: AbortSignal | undefined): Promise<ClientResult> {
    const isRegistration = name === 'registro' || name === 'register';
    // A renewal is answered as a login is.
    const operation: Operation = name === 'refresh' ? 'login' : name;
    const errorOf = (error: AppError, sent: TransportCall): AppError =>
      isRegistration || name === 'refresh' ? markOutcomeUnknown(error, sent) : error;
    const { held = {}, fields, loopbackAddress, who } = said;
    const options = { signal, loopbackAddress };
    const before = await prepared({ transport, adapter }, name, held, options);
    if (!before.ok) return before;
    const known = { adapter, call: name, pinned: paths, who };
    const send = (credential: Credential, freshConnection = false) => {
      const request = adapter.request(name, { fields, credential, headers });
      return sendAndInterpret(transport, request, operation, known, { ...options, freshConnection });
    };
    const first = await send(before.credential);
    // Only what changes nothing is sent twice (RFC 9110, 9.2.1): a description may have a profile that renews its token.
    const isSafe = operation === 'perfil' && adapter.methodOf(name) === 'GET';
    const once = isSafe && isUnanswered(first) ? await send(before.credential, true) : first;
    const armed = await armedAgain({ transport, adapter }, { name, answered: once, before }, options);
    const sent = armed ?? before.credential;
    const result = armed ? await send(armed) : once;
    if (!result.ok) return { ok: false, error: errorOf(appErrorOfFailure(result.failure), result.call) };
    const given = adapter.credentialAfter(name, result.response, sent, { fields });
    const { summary, trace } = result.understood.interpretation;
    const isLogin = isRegistration || operation === 'login';
    const credential = isLogin ? adapter.withDetectedToken(given, summary.token, trace.token?.path) : given;
    const typed = [fields?.['password'], fields?.['cpassword']].filter((secret) => secret !== undefined);
    const secrets = [
      ...credentialSecrets(held),
      ...credentialSecrets(credential),
      ...typed,
      ...addedValues(result.call),
    ];
    const shown = await redactForDisplay({ ...result.understood, secrets }, signal);
    if (!shown.reading) return { ok: false, error: errorOf(shown.error, result.call) };
    const { reading, error } = shown;
    const isInCookie = isLogin && adapter.usesSessionCookie(credential);
    const open = isSafe ? openFor(adapter, reading, sent) : undefined;
    if (error && !(open && isRefused(await send(open))) && !(isInCookie && isLoginWithoutToken(error))) {
      const told = await toldOf(name, error, { adapter, reading, ...result, given: before.rawHeaders });
      return { ok: false, error: errorOf(told, result.call), reading, credential };
    }
    return { ok: true, reading, credential, ...addressOf(result.call) };
  }

  return {
    /** Registers at the path that the registration names. `cpassword` goes to `/register` alone. */
    register(registration: Registration, signal?: AbortSignal): Promise<ClientResult> {
      return call(registration.path, { fields: registrationFields(adapter, registration) }, signal);
    },

    login({ email, password }: LoginCredentials, signal?: AbortSignal): Promise<ClientResult> {
      return call('login', { fields: loginFields(adapter, email, password) }, signal);
    },

    /**
     * The error `unauthenticated` alone means that the session is over; any other says nothing about it.
     * @param who what is known of the one who logged in, see {@link knownIdentifiers}
     */
    profile(held: Credential, signal?: AbortSignal, loopbackAddress?: string, who: readonly string[] = []) {
      return call('perfil', { held, loopbackAddress, who: knownIdentifiers(who, held.token) }, signal);
    },

    logout(held: Credential, signal?: AbortSignal, loopbackAddress?: string): Promise<ClientResult> {
      return call('salir', { held, loopbackAddress }, signal);
    },

    /** Renews what a session is kept by. The error `unauthenticated` alone means that the server refused it. */
    refresh(held: Credential, loopbackAddress?: string): Promise<ClientResult> {
      return call('refresh', { held, loopbackAddress }, undefined);
    },
  };
}

const addressOf = ({ loopbackAddress }: TransportCall): { loopbackAddress?: string } =>
  loopbackAddress === undefined ? {} : { loopbackAddress };

/** What a person types is the one or the other. */
const loginFields = ({ features }: ApiAdapter, typed: string, password: string): Record<string, string> =>
  features.byUsername ? { username: typed, password } : { email: typed, password };

function registrationFields({ features }: ApiAdapter, registration: Registration): Record<string, string> {
  const { path, name, email, username = '', password, cpassword } = registration;
  const isNamed = username !== '' && features.fields.has('username');
  return { name, email, ...(isNamed && { username }), password, ...(path === 'register' && { cpassword }) };
}

type Way = { transport: Transport; adapter: ApiAdapter };

/** What a call goes out with. `rawHeaders` are those of the answer that gave a token against forged requests. */
type Prepared = { credential: Credential; rawHeaders: HeaderList };

/**
 * Says where a call cannot be made with what is held, and fetches a token against forged requests, where the interface has
 * one and none is held.
 */
async function prepared(
  { transport, adapter }: Way,
  name: ApiCall,
  held: Credential,
  options: SendOptions,
): Promise<({ ok: true } & Prepared) | { ok: false; error: AppError }> {
  const fault = adapter.pathFault(name, held);
  if (fault) return { ok: false, error: { kind: 'path-value', ...fault } };
  const request = adapter.csrfRequestIfNeeded(name, held);
  if (!request) return { ok: true, credential: held, rawHeaders: [] };
  const result = await transport.send(request, options);
  if (!result.ok) return { ok: false, error: appErrorOfFailure(result.failure) };
  const { response } = result;
  return { ok: true, credential: adapter.credentialAfter('csrf', response, held), rawHeaders: response.rawHeaders };
}

/**
 * What a call goes out with once more, after the server refused it for its token against forged requests: with a new one,
 * which is fetched once, or which the refusal itself gave. Undefined where the call was not refused for that, or where no
 * new one can be had.
 */
async function armedAgain(
  { transport, adapter }: Way,
  { name, answered, before }: { name: ApiCall; answered: TransportResult; before: Prepared },
  options: SendOptions,
): Promise<Credential | undefined> {
  if (!answered.ok || !adapter.needsCsrf(name) || before.rawHeaders.length > 0) return undefined;
  const why = refusedForForgery(answered.response);
  if (why === undefined) return undefined;
  const turned = adapter.credentialAfter(name, answered.response, before.credential);
  const request = adapter.csrfRequest(name, turned);
  if (!request) {
    const isNew = adapter.csrfValue(turned) !== adapter.csrfValue(before.credential);
    return why === 'surely' && isNew ? turned : undefined;
  }
  const fetched = await transport.send(request, options);
  return fetched.ok && fetched.response.status < 400
    ? adapter.credentialAfter('csrf', fetched.response, turned)
    : undefined;
}

/** What is wrong with an answer, where more than its own rules is known: which cookie it sets, and what it was asked for. */
async function toldOf(
  name: ApiCall,
  error: AppError,
  {
    adapter,
    reading,
    response,
    given,
  }: { adapter: ApiAdapter; reading: RedactedInterpretation; response: TransportResponse; given: HeaderList },
): Promise<AppError> {
  const isRefusedForForgery = adapter.needsCsrf(name) && refusedForForgery(response) === 'surely';
  const isLogin = name === 'login' || name === 'registro' || name === 'register';
  // Without the one there is no session, and without the other no call that makes one.
  const of = isRefusedForForgery
    ? 'csrf'
    : adapter.features.cookie && isLoginWithoutToken(error)
      ? 'session'
      : undefined;
  const dropped = adapter.droppedCookies([...given, ...response.rawHeaders]);
  const missing = isLogin ? dropped.find((cookie) => cookie.of === of) : undefined;
  if (missing) return { kind: 'cookie-not-kept', name: missing.name, why: missing.why };
  if (name === 'login' && !adapter.features.cookie && isLoginWithoutToken(error))
    return detectCookieSession(error, response.rawHeaders);
  if (name === 'perfil' && error.kind === 'unauthenticated') return withWanted(error, response, adapter);
  if (name === 'refresh' && refusesRenewal(response, reading)) return { kind: 'unauthenticated' };
  // The session was not looked at: such an answer says nothing about it.
  const saysNothing = isRefusedForForgery && !isLogin && error.kind === 'unauthenticated';
  const isUnread = name === 'refresh' && error.kind === 'unauthenticated';
  if (!saysNothing && !isUnread) return error;
  const { message } = error;
  return { kind: 'unexpected', reason: 'other', status: response.status, ...(message !== undefined && { message }) };
}

/** Says which scheme the server asks for, where it names another one than it was sent. */
function withWanted(error: AppError, { rawHeaders }: TransportResponse, { description }: ApiAdapter): AppError {
  const challenge = header(receivedHeaders(rawHeaders), 'www-authenticate');
  const [wants] = otherSchemes(challenge, schemesOf(description));
  return wants === undefined || error.kind !== 'unauthenticated' ? error : { ...error, wants };
}

/** What to ask for the profile with once more, after an answer by a description that tells of nobody. No secret is in it. */
function openFor(
  adapter: ApiAdapter,
  { verdict, trace }: RedactedInterpretation,
  sent: Credential,
): Credential | undefined {
  const isOfNobody = verdict === 'unknown' && trace.verdict.rule === noUserRule;
  const open = withoutCredentialSecrets(sent);
  return isOfNobody && adapter.description !== defaultInterface && !adapter.pathFault('perfil', open)
    ? open
    : undefined;
}

/** Whether the server refused a call because it had no credential. */
function isRefused(result: Awaited<ReturnType<typeof sendAndInterpret>>): boolean {
  if (!result.ok) return false;
  const { response: answer, interpretation } = result.understood;
  const isForbidden =
    answer.status === 403 && !interpretation.trace.inBetween && interpretation.trace.body.form !== 'html';
  return interpretation.verdict === 'ended' || isForbidden;
}

/** Says whether the connection, which may have been idle, ended before a byte of an answer came. */
function isUnanswered(result: TransportResult): boolean {
  return !result.ok && result.failure.kind === 'connection-lost' && !result.failure.answerBegun;
}
