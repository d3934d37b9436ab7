import type { Credentials, Registration } from '../../preload/contract/contract.ts';
import type { AppError } from '../../preload/contract/result.ts';
import type { Operation } from '../../preload/contract/names.ts';
import { ownInterface } from '../interface/shipped.ts';
import { secretsOf, type HeldCredential } from '../interface/held-values.ts';
import { Wire, type WireCall } from '../interface/wire.ts';
import { sendAndRead } from './answer.ts';
import { appErrorOfFailure } from './map-error.ts';
import { addedValues } from './extra-headers.ts';
import type { ShownReading } from './hide-in-reading.ts';
import type { Answer } from './read-answer.ts';
import type { Call, TransportResponse, TransportResult } from './call.ts';
import { markIfPerhapsDone } from './perhaps-done.ts';
import { isWithoutToken, sessionInCookie } from './session-in-cookie.ts';
import { shownOf } from './shown-answer.ts';
import type { SendOptions, Transport } from './transport.ts';

/**
 * `reading` is absent when no answer arrived. `loopbackAddress` is the one of `localhost` that answered: keep it
 * with the token of the answer, and hand it back with that.
 */
export type ClientResult = (
  | { ok: true; reading: ShownReading; loopbackAddress?: string }
  | { ok: false; error: AppError; reading?: ShownReading }
) & {
  /** What the session is kept by from this answer on: servers renew cookies and tokens with any answer. */
  credential?: HeldCredential;
};

export type Client = ReturnType<typeof createClient>;

/**
 * The operations of the interface at one server, with exactly the headers and bodies it names. `baseUrl` is a value of
 * `parseBaseUrl`, `wire` the interface of that server if it has another. `acceptLanguage` is for servers whose choices are
 * known: the interface lists no such header. `paths` are the places pinned for this server's answers.
 * What a server echoes of the credential or the password of the call is hidden in all that is answered.
 * Nothing is sent twice but a profile call whose connection ended before any answer; aborting a signal answers
 * `cancelled`.
 */
export function createClient(options: {
  transport: Transport;
  baseUrl: string;
  wire?: Wire;
  acceptLanguage?: string | undefined;
  paths?: Answer['paths'];
}) {
  const { transport, baseUrl, wire = new Wire(ownInterface, baseUrl), acceptLanguage, paths } = options;
  const headers = acceptLanguage === undefined ? [] : [['Accept-Language', acceptLanguage] as const];

  async function call(
    name: WireCall,
    said: { held?: HeldCredential; fields?: Record<string, string>; loopbackAddress?: string | undefined },
    signal: AbortSignal | undefined,
  ): Promise<ClientResult> {
    const isRegistration = name === 'registro' || name === 'register';
    // A renewal is answered as a login is.
    const operation: Operation = name === 'refresh' ? 'login' : name;
    const isForOnce = isRegistration || name === 'refresh';
    const errorOf = (error: AppError, sent: Call): AppError => (isForOnce ? markIfPerhapsDone(error, sent) : error);
    const { held = {}, fields, loopbackAddress } = said;
    const before = await prepared({ transport, wire }, name, held, { signal, loopbackAddress });
    if (!before.ok) return { ok: false, error: appErrorOfFailure(before.failure) };
    const request = wire.request(name, { fields, credential: before.credential, headers });
    const send = (freshConnection: boolean) =>
      sendAndRead(transport, request, operation, { wire, pinned: paths }, { signal, loopbackAddress, freshConnection });
    const first = await send(false);
    // Only what changes nothing is sent twice (RFC 9110, 9.2.1): a description may have a profile that renews its token.
    const result = operation === 'perfil' && request.method === 'GET' && isUnanswered(first) ? await send(true) : first;
    if (!result.ok) return { ok: false, error: errorOf(appErrorOfFailure(result.failure), result.call) };
    const given = wire.after(name, result.response, before.credential, { fields });
    const { token } = result.understood.reading.meaning;
    const isLogin = isRegistration || operation === 'login';
    const credential = isLogin && token !== undefined && !wire.has.cookie ? { ...given, token } : given;
    const secrets = [
      ...secretsOf(held),
      ...secretsOf(credential),
      ...[fields?.['password'], fields?.['cpassword']].filter((secret) => secret !== undefined),
      ...addedValues(result.call),
    ];
    const shown = await shownOf({ ...result.understood, secrets }, signal);
    if (!shown.reading) return { ok: false, error: errorOf(shown.error, result.call) };
    const { reading, error } = shown;
    const isInCookie = isLogin && wire.has.cookie && credential.token !== undefined;
    if (error && !(isInCookie && isWithoutToken(error))) {
      const told = await toldOf(name, error, { wire, reading, response: result.response });
      return { ok: false, error: errorOf(told, result.call), reading, credential };
    }
    const { loopbackAddress: answeredAt } = result.call;
    return { ok: true, reading, credential, ...(answeredAt !== undefined && { loopbackAddress: answeredAt }) };
  }

  return {
    /** Registers at the path that the registration names. `cpassword` goes to `/register` alone. */
    register(registration: Registration, signal?: AbortSignal): Promise<ClientResult> {
      return call(registration.path, { fields: registrationFields(wire, registration) }, signal);
    },

    login({ email, password }: Credentials, signal?: AbortSignal): Promise<ClientResult> {
      // What a person types is the one or the other.
      const fields = wire.has.byUsername ? { username: email, password } : { email, password };
      return call('login', { fields }, signal);
    },

    /** The error `unauthenticated` alone means that the session is over; any other says nothing about it. */
    profile(held: HeldCredential, signal?: AbortSignal, loopbackAddress?: string): Promise<ClientResult> {
      return call('perfil', { held, loopbackAddress }, signal);
    },

    logout(held: HeldCredential, signal?: AbortSignal, loopbackAddress?: string): Promise<ClientResult> {
      return call('salir', { held, loopbackAddress }, signal);
    },

    /** Renews what a session is kept by. The error `unauthenticated` alone means that the server refused it. */
    refresh(held: HeldCredential, loopbackAddress?: string): Promise<ClientResult> {
      return call('refresh', { held, loopbackAddress }, undefined);
    },
  };
}

function registrationFields({ has }: Wire, registration: Registration): Record<string, string> {
  const { path, name, email, username = '', password, cpassword } = registration;
  const isNamed = username !== '' && has.fields.has('username');
  return { name, email, ...(isNamed && { username }), password, ...(path === 'register' && { cpassword }) };
}

/** What a call goes out with: a cookie against forged requests is asked for first, where the interface has one. */
async function prepared(
  { transport, wire }: { transport: Transport; wire: Wire },
  name: WireCall,
  held: HeldCredential,
  options: SendOptions,
) {
  const request = wire.before(name, held);
  if (!request) return { ok: true as const, credential: held };
  const result = await transport.send(request, options);
  if (!result.ok) return result;
  return { ok: true as const, credential: wire.after('csrf', result.response, held) };
}

/** What is wrong with an answer, where more than its own rules is known: which cookie it sets, and what it was asked for. */
async function toldOf(
  name: WireCall,
  error: AppError,
  { wire, reading, response }: { wire: Wire; reading: ShownReading; response: TransportResponse },
): Promise<AppError> {
  if (name === 'login' && !wire.has.cookie && isWithoutToken(error)) return sessionInCookie(error, response.rawHeaders);
  return name === 'refresh' && isRefusal(response.status, reading) ? { kind: 'unauthenticated' } : error;
}

/** Whether a server itself, and nothing in between, said that it renews no such session. */
const isRefusal = (status: number, { verdict }: ShownReading): boolean =>
  [400, 401, 403].includes(status) && (verdict === 'failed' || verdict === 'ended');

/** Says whether the connection, which may have been idle, ended before a byte of an answer came. */
function isUnanswered(result: TransportResult): boolean {
  return !result.ok && result.failure.kind === 'connection-lost' && !result.failure.answerBegun;
}
