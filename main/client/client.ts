import type { Credentials, Registration } from '../../preload/contract/contract.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { operationUrls, type Operation } from './base-url.ts';
import { sendAndRead } from './answer.ts';
import { appErrorOfFailure } from './map-error.ts';
import { addedValues } from './extra-headers.ts';
import type { ShownReading } from './hide-in-reading.ts';
import type { Answer } from './read-answer.ts';
import type { Call, HeaderList, TransportResult } from './call.ts';
import { markIfPerhapsDone } from './perhaps-done.ts';
import { shownOf } from './shown-answer.ts';
import type { Transport } from './transport.ts';

/**
 * `reading` is absent when no answer arrived. `loopbackAddress` is the one of `localhost` that answered: whoever keeps
 * the token of the answer keeps it too, and hands it back with the token.
 */
export type ClientResult =
  | { ok: true; reading: ShownReading; loopbackAddress?: string }
  | { ok: false; error: AppError; reading?: ShownReading };

export type Client = ReturnType<typeof createClient>;

/**
 * The operations of the interface at one server, with exactly the headers and bodies it names. `baseUrl` is a value of
 * `parseBaseUrl`. `acceptLanguage` is for servers whose choices are known: the interface lists no such header.
 * `paths` are the places pinned for this server's answers.
 * What a server echoes of the token or the password of the call is hidden in all that is answered.
 * Nothing is sent twice but a profile call whose connection ended before any answer; aborting a signal answers
 * `cancelled`.
 */
export function createClient(options: {
  transport: Transport;
  baseUrl: string;
  acceptLanguage?: string | undefined;
  paths?: Answer['paths'];
}) {
  const { transport, baseUrl, acceptLanguage, paths } = options;
  const urls = operationUrls(baseUrl);

  async function call(
    operation: Operation,
    request: {
      method: 'GET' | 'POST';
      token?: string;
      loopbackAddress?: string | undefined;
      fields?: Record<string, string>;
    },
    signal: AbortSignal | undefined,
  ): Promise<ClientResult> {
    const isRegistration = operation === 'registro' || operation === 'register';
    const errorOf = (error: AppError, sent: Call): AppError =>
      isRegistration ? markIfPerhapsDone(error, sent) : error;
    const headers: HeaderList = [
      ['Accept', 'application/json'],
      ...(request.fields ? [['Content-Type', 'application/json'] as const] : []),
      ...(request.token === undefined ? [] : [['Authorization', `Bearer ${request.token}`] as const]),
      ...(acceptLanguage === undefined ? [] : [['Accept-Language', acceptLanguage] as const]),
    ];
    const { method, fields, loopbackAddress } = request;
    const whole = { method, url: urls[operation], headers, body: fields && JSON.stringify(fields) };
    const send = (freshConnection: boolean) =>
      sendAndRead(transport, whole, operation, paths, { signal, loopbackAddress, freshConnection });
    const first = await send(false);
    const result = operation === 'perfil' && isUnanswered(first) ? await send(true) : first;
    if (!result.ok) return { ok: false, error: errorOf(appErrorOfFailure(result.failure), result.call) };
    const sent = [request.token, fields?.['password'], fields?.['cpassword']].filter((secret) => secret !== undefined);
    const secrets = [...sent, ...addedValues(result.call)];
    const shown = await shownOf({ ...result.understood, secrets }, signal);
    if (!shown.reading) return { ok: false, error: errorOf(shown.error, result.call) };
    const { reading, error } = shown;
    if (error) return { ok: false, error: errorOf(error, result.call), reading };
    const { loopbackAddress: answeredAt } = result.call;
    return { ok: true, reading, ...(answeredAt !== undefined && { loopbackAddress: answeredAt }) };
  }

  return {
    /** Registers at the path that the registration names. `cpassword` goes to `/register` alone. */
    register({ path, name, email, password, cpassword }: Registration, signal?: AbortSignal): Promise<ClientResult> {
      const fields = { name, email, password, ...(path === 'register' && { cpassword }) };
      return call(path, { method: 'POST', fields }, signal);
    },

    login({ email, password }: Credentials, signal?: AbortSignal): Promise<ClientResult> {
      return call('login', { method: 'POST', fields: { email, password } }, signal);
    },

    /** The error `unauthenticated` alone means that the session is over; any other says nothing about it. */
    profile(token: string, signal?: AbortSignal, loopbackAddress?: string): Promise<ClientResult> {
      return call('perfil', { method: 'GET', token, loopbackAddress }, signal);
    },

    logout(token: string, signal?: AbortSignal, loopbackAddress?: string): Promise<ClientResult> {
      return call('salir', { method: 'POST', token, loopbackAddress }, signal);
    },
  };
}

/** Says whether the connection, which may have been idle, ended before a byte of an answer came. */
function isUnanswered(result: TransportResult): boolean {
  return !result.ok && result.failure.kind === 'connection-lost' && !result.failure.answerBegun;
}
