import { codeMethods } from '../../preload/contract/interface.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { credentialAfterCode } from '../interface/credential-after-code.ts';
import { credentialSecrets, type Credential } from '../interface/credential.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import { knownIdentifiers } from '../client/user-profile.ts';
import type { InterpretedResult } from '../client/interpret.ts';
import { registerAccountSecrets } from './account-responses.ts';
import type { Observation } from './observation.ts';
import { missingInPath, refreshTokenIn, type TestRequest } from './test-request.ts';
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
  credentialFor({ token, tamperedFrom, pending }: TestRequest): Credential {
    if (pending) return pending.credential;
    if (token === undefined) return {};
    const origin = tamperedFrom === undefined ? undefined : this.#sessions.get(tamperedFrom)?.credential;
    return (
      this.#sessions.get(token)?.credential ??
      this.#adapter.authenticator.withToken(origin ?? {}, token, origin ?? this.#lastCredential)
    );
  }

  /** The token of the session that lacks a value of a request's path, and whether the profile has that. */
  missingInPath(request: TestRequest): { token: string; isInProfile: boolean } | undefined {
    const { token, pending } = request;
    if (token === undefined || pending || !this.#sessions.has(token)) return undefined;
    const missing = missingInPath(this.#adapter, request, this.credentialFor(request));
    return missing && { token, isInProfile: missing.isInProfile };
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

  /** Stores what a response gave, and registers it before the call is recorded. */
  takeResponse(
    request: TestRequest,
    credential: Credential,
    result: Extract<InterpretedResult, { ok: true }>,
    nowMs: number,
  ): Pick<Observation, 'pending' | 'session'> {
    if (request.account) return this.#takeAccountResponse(request, request.account, credential, result);
    const { response, understood } = result;
    const { summary, trace } = understood.interpretation;
    const call = request.renewWith ? 'refresh' : request.operation;
    const after = this.#adapter.credentialAfter(call, response, credential, { fields: request.body, nowMs });
    const next = this.#adapter.authenticator.withDetectedToken(after, summary.token, trace.token?.path);
    this.registerSecrets(next, credential);
    this.#update(request, next, result);
    if (call !== 'login' && call !== 'profile') return {};
    const before = call === 'profile' ? credential : {};
    const pending = this.#adapter.secondFactor.pendingLogin(call, response, before, nowMs);
    if (pending) this.registerSecrets(pending.credential, before);
    return { pending };
  }

  /** The same for a call about the account. */
  #takeAccountResponse(
    request: TestRequest,
    account: NonNullable<TestRequest['account']>,
    credential: Credential,
    { response, understood, call: { loopbackAddress } }: Extract<InterpretedResult, { ok: true }>,
  ): Pick<Observation, 'pending' | 'session'> {
    const adapter = this.#adapter;
    const { summary, trace } = understood.interpretation;
    registerAccountSecrets(this.#secretRegistry, adapter, account, response);
    const method = codeMethods.find((each) => account.call === `code.${each}`);
    const detected = { token: summary.token, path: trace.token?.path };
    const next = method
      ? credentialAfterCode(adapter, method, response, { credential }, detected)
      : adapter.credentialAfter(account.call, response, credential);
    this.registerSecrets(next, credential);
    if (!adapter.isSuccessStatus(account.call, response.status)) return {};
    if (method) {
      const session = next.token ?? adapter.authenticator.sessionCookie(next.cookies);
      const identifiers = loginIdentifiersIn({ email: account.fields['email'] }).filter(
        (each) => typeof each === 'string',
      );
      if (session !== undefined) this.#sessions.set(session, { credential: next, identifiers, loopbackAddress });
      return { session };
    }
    if (request.pending) {
      const outputs = adapter.accountOutputs(account.call);
      return { pending: adapter.secondFactor.pendingAfter(outputs, response, request.pending) };
    }
    const session = request.token === undefined ? undefined : this.#sessions.get(request.token);
    if (session && next.token !== undefined) session.credential = next;
    return {};
  }

  /** Stores a session that a response began, or the credential that it renewed. */
  #update(
    request: TestRequest,
    credential: Credential,
    { response: { status }, understood, call: { loopbackAddress } }: Extract<InterpretedResult, { ok: true }>,
  ): void {
    const { token: issued, user } = understood.interpretation.summary;
    if (issued !== undefined) {
      this.#lastCredential = { ...credential, token: issued };
      const typed = [...loginIdentifiersIn(request.body), ...this.identifiersFor(request)];
      const identifiers = knownIdentifiers(typed, issued, user);
      this.#sessions.set(issued, { credential: this.#lastCredential, identifiers, loopbackAddress });
      return;
    }
    const session = request.token === undefined ? undefined : this.#sessions.get(request.token);
    const isOk = status >= 200 && status < 300;
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
