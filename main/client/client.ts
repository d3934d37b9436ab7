import type { Credentials, Registration } from '../../preload/contract/contract.ts';
import type { User } from '../../preload/contract/models.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { operationUrls, type Operation } from './base-url.ts';
import { appErrorOfAnswer, appErrorOfFailure } from './map-error.ts';
import { readAnswer, type Answer, type Reading } from './read-answer.ts';
import type { ReceivedHeaders } from './reading/headers.ts';
import type { HeaderList, Transport } from './transport.ts';

/** `reading` is absent when no answer arrived. */
export type ClientResult = { ok: true; reading: Reading } | { ok: false; error: AppError; reading?: Reading };

export type Client = ReturnType<typeof createClient>;

/**
 * The operations of the interface at one server, with exactly the headers and bodies it names. `baseUrl` is a value of
 * `parseBaseUrl`. `acceptLanguage` is for servers whose choices are known: the interface lists no such header.
 * `paths` are the places pinned for this server's answers. Nothing is sent twice; aborting a signal answers `cancelled`.
 */
export function createClient(options: {
  transport: Transport;
  baseUrl: string;
  acceptLanguage?: string;
  paths?: Answer['paths'];
}) {
  const { transport, baseUrl, acceptLanguage, paths } = options;
  const urls = operationUrls(baseUrl);

  async function call(
    operation: Operation,
    request: { method: 'GET' | 'POST'; token?: string; fields?: Record<string, string> },
    signal: AbortSignal | undefined,
  ): Promise<ClientResult> {
    const headers: HeaderList = [
      ['Accept', 'application/json'],
      ...(request.fields ? [['Content-Type', 'application/json'] as const] : []),
      ...(request.token === undefined ? [] : [['Authorization', `Bearer ${request.token}`] as const]),
      ...(acceptLanguage === undefined ? [] : [['Accept-Language', acceptLanguage] as const]),
    ];
    const result = await transport.send(
      {
        method: request.method,
        url: urls[operation],
        headers,
        ...(request.fields && { body: JSON.stringify(request.fields) }),
      },
      signal && { signal },
    );
    if (!result.ok) return { ok: false, error: appErrorOfFailure(result.failure) };
    const { status, rawHeaders, body } = result.response;
    const answer = { status, headers: recordOf(rawHeaders), body, url: urls[operation], ...(paths && { paths }) };
    const reading = readAnswer(operation, answer);
    return reading.meaning.ok
      ? { ok: true, reading }
      : { ok: false, error: appErrorOfAnswer(operation, answer, reading), reading };
  }

  return {
    /** At the path the registration names; `cpassword` goes to `/register` alone. */
    register({ path, name, email, password, cpassword }: Registration, signal?: AbortSignal): Promise<ClientResult> {
      const fields = { name, email, password, ...(path === 'register' && { cpassword }) };
      return call(path, { method: 'POST', fields }, signal);
    },

    login({ email, password }: Credentials, signal?: AbortSignal): Promise<ClientResult> {
      return call('login', { method: 'POST', fields: { email, password } }, signal);
    },

    /** The error `unauthenticated` alone means that the session is over; any other says nothing about it. */
    profile(token: string, signal?: AbortSignal): Promise<ClientResult> {
      return call('perfil', { method: 'GET', token }, signal);
    },

    logout(token: string, signal?: AbortSignal): Promise<ClientResult> {
      return call('salir', { method: 'POST', token }, signal);
    },
  };
}

/** The user of an answer as screens show it. */
export function userOf({ meaning, rest }: Reading): User {
  const { id, name, email } = meaning.user ?? {};
  return {
    ...(id !== undefined && { id: String(id) }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    rest,
  };
}

function recordOf(rawHeaders: HeaderList): ReceivedHeaders {
  const values = new Map<string, string[]>();
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return Object.fromEntries(values);
}
