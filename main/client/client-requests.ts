import type { AppError } from '../../preload/contract/result.ts';
import type { AnyCall, ApiAdapter } from '../interface/api-adapter.ts';
import type { Credential } from '../interface/credential.ts';
import type { HeaderList, TransportCall, TransportResult } from './call.ts';
import { appErrorOfFailure } from './map-error.ts';
import type { ReceivedResponse } from './parse-response.ts';
import { refusedForForgery } from './refused-calls.ts';
import type { SendOptions, Transport } from './transport.ts';

/** What a client sends with: `headers` are added to every request, `paths` are those that the user pinned. */
export type ClientContext = {
  transport: Transport;
  adapter: ApiAdapter;
  headers: HeaderList;
  paths: ReceivedResponse['paths'];
};

type Connection = Pick<ClientContext, 'transport' | 'adapter'>;

/** The credential that a call is sent with. `rawHeaders` are those of the response that set the CSRF token. */
type PreparedCall = { credential: Credential; rawHeaders: HeaderList };

export const addressOf = ({ loopbackAddress }: TransportCall): { loopbackAddress?: string } =>
  loopbackAddress === undefined ? {} : { loopbackAddress };

/** The credential with a CSRF token, which is fetched if the API has one and none is stored. */
export async function csrfCredential(
  { transport, adapter }: Connection,
  name: AnyCall,
  held: Credential,
  options: SendOptions,
): Promise<({ ok: true } & PreparedCall) | { ok: false; error: AppError }> {
  const request = adapter.csrfRequestIfNeeded(name, held);
  if (!request) return { ok: true, credential: held, rawHeaders: [] };
  const result = await transport.send(request, options);
  if (!result.ok) return { ok: false, error: appErrorOfFailure(result.failure) };
  const { response } = result;
  return { ok: true, credential: adapter.credentialAfter('csrf', response, held), rawHeaders: response.rawHeaders };
}

/**
 * The credential with a new CSRF token, after the server refused the old one: fetched once, or set by the refusal itself.
 * Undefined if the call was not refused for that, or if there is no new token.
 */
export async function withNewCsrfToken(
  { transport, adapter }: Connection,
  { name, answered, prepared }: { name: AnyCall; answered: TransportResult; prepared: PreparedCall },
  options: SendOptions,
): Promise<Credential | undefined> {
  if (!answered.ok || !adapter.needsCsrf(name) || prepared.rawHeaders.length > 0) return undefined;
  const certainty = refusedForForgery(answered.response);
  if (certainty === undefined) return undefined;
  const rotated = adapter.credentialAfter(name, answered.response, prepared.credential);
  const request = adapter.csrfRequest(name, rotated);
  if (!request) {
    const { authenticator } = adapter;
    const isNew = authenticator.csrfValue(rotated.cookies) !== authenticator.csrfValue(prepared.credential.cookies);
    return certainty === 'surely' && isNew ? rotated : undefined;
  }
  const fetched = await transport.send(request, options);
  return fetched.ok && fetched.response.status < 400
    ? adapter.credentialAfter('csrf', fetched.response, rotated)
    : undefined;
}
