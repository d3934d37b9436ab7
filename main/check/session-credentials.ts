import type { ApiAdapter } from '../interface/api-adapter.ts';
import { credentialSecrets, type Credential } from '../interface/credential.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import { knownIdentifiers } from '../client/user-profile.ts';
import type { Interpretation } from '../client/parse-response.ts';
import { refreshTokenIn, type TestRequest } from './test-request.ts';
import { decodePercent } from '../interface/decode-percent.ts';

/** @property loopbackAddress the address of `localhost` that issued the token, the only one that it is sent to */
type Session = { credential: Credential; identifiers: readonly string[]; loopbackAddress: string | undefined };

/** The sessions of a check, by the token that each began with. */
export class SessionCredentials {
  readonly #adapter: ApiAdapter;
  readonly #secretRegistry: SecretRegistry;
  readonly #sessions = new Map<string, Session>();
  #lastCredential: Credential = {};

  constructor({ adapter, secretRegistry }: { adapter: ApiAdapter; secretRegistry: SecretRegistry }) {
    this.#adapter = adapter;
    this.#secretRegistry = secretRegistry;
  }

  /** The credential of a request. A token that no response issued replaces the one that it was made of. */
  credentialFor({ token, tamperedFrom }: TestRequest): Credential {
    if (token === undefined) return {};
    const origin = tamperedFrom === undefined ? undefined : this.#sessions.get(tamperedFrom)?.credential;
    return (
      this.#sessions.get(token)?.credential ??
      this.#adapter.authenticator.withToken(origin ?? {}, token, origin ?? this.#lastCredential)
    );
  }

  /** What the server may call the user of a request's session. */
  identifiersFor({ token = '', tamperedFrom = token }: TestRequest): readonly string[] {
    return this.#sessions.get(tamperedFrom)?.identifiers ?? [];
  }

  loopbackAddressOf = (token: string | undefined): string | undefined =>
    token === undefined ? undefined : this.#sessions.get(token)?.loopbackAddress;

  /** The value that refreshes a session; undefined where the server gave none. */
  refreshTokenOf = (token: string): string | undefined =>
    refreshTokenIn(this.#sessions.get(token)?.credential ?? { token }, this.#adapter);

  /** The token of a session as later responses replaced it. */
  currentToken = (token: string): string => this.#sessions.get(token)?.credential.token ?? token;

  /** Stores a session that a response began, or the credential that it renewed. */
  update(
    request: TestRequest,
    credential: Credential,
    { summary }: Interpretation,
    { isOk, loopbackAddress }: { isOk: boolean; loopbackAddress: string | undefined },
  ): void {
    const { token: issued, user } = summary;
    if (issued !== undefined) {
      this.#lastCredential = { ...credential, token: issued };
      const typed = [...loginIdentifiersIn(request.body), ...this.identifiersFor(request)];
      const identifiers = knownIdentifiers(typed, issued, user);
      this.#sessions.set(issued, { credential: this.#lastCredential, identifiers, loopbackAddress });
      return;
    }
    const session = request.token === undefined ? undefined : this.#sessions.get(request.token);
    if (session && isOk && request.operation !== 'logout' && credential.token !== undefined)
      session.credential = credential;
  }

  /** Registers what a response issued for redaction, before the call is recorded. */
  registerSecrets(credential: Credential, before: Credential): void {
    const { token, cookies = {}, ...others } = credential;
    if (token !== undefined && token !== before.token) this.#secretRegistry.register(token, 'token');
    for (const value of credentialSecrets({ ...others, cookies })) this.#secretRegistry.register(value, 'token');
    // The CSRF header repeats its cookie decoded.
    for (const value of Object.values(cookies))
      if (value.includes('%')) this.#secretRegistry.register(decodePercent(value), 'token');
  }
}

/** Where no user name was typed, it is the beginning of the email. */
function loginIdentifiersIn(fields: TestRequest['body']): unknown[] {
  if (typeof fields !== 'object') return [];
  const { email, username, name } = fields;
  return [email, username, name, ...(typeof email === 'string' ? [email.split('@', 1)[0]] : [])];
}
