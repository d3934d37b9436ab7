import type { InterfaceGuess } from '../../../preload/contract/connection.ts';
import type { Trial, TrialAccount, TrialCall } from '../../../preload/contract/trial.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { createClient, type Client, type ClientResult } from '../../client/client.ts';
import type { TransportCall } from '../../client/call.ts';
import { addedValues } from '../../client/extra-headers.ts';
import { freshTokenRefused } from '../../client/map-error.ts';
import { header, receivedHeaders } from '../../client/reading/headers.ts';
import { createSecretFinder, maskStrings } from '../../client/secrets/mask-secrets.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { Transport } from '../../client/transport.ts';
import { toUserProfile } from '../../client/user-profile.ts';
import { createIdentity } from '../../check/test-accounts.ts';
import { credentialSecrets, type Credential } from '../../interface/credential.ts';
import { isLogoutSuccess } from '../../interface/success.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import { isRejectedForFormToken, findFormCsrfToken } from './form-csrf-token.ts';
import { createProposals } from './create-proposals.ts';
import { findResponseSecrets } from './response-secrets.ts';
import { requestPath, type TrialStep } from './step-response.ts';

/**
 * Reserved for examples (RFC 2606, 3), so no mail reaches anybody. Validators that refuse `.test`, such as the
 * email-validator of pydantic, accept it.
 */
const exampleDomain = 'example.com';

const maxUserNameLength = 300;

type TrialOptions = {
  transport: Pick<Transport, 'send'>;
  /** The adapter of the description, with the values of its variables. */
  adapter: ApiAdapter;
  /** The text of the description; empty for Llavero's own. */
  text: string;
  /** Values to redact in the result, such as those of secret variables. */
  secrets?: readonly string[];
  account: TrialAccount;
  /** The parts that the import guessed and nobody confirmed. */
  guesses?: readonly InterfaceGuess[] | undefined;
  /** Cancels the trial. A session that was begun is logged out all the same. */
  signal?: AbortSignal;
  secretRegistry?: Pick<SecretRegistry, 'register'>;
};

type Identity = { email: string; username: string; password: string };

/**
 * Tries a description at its server: registers a made-up account if requested, logs in, reads the profile, refreshes the
 * token if the description has a refresh call, and logs out of every session that it began. Each call is made once,
 * whatever its result. Nothing is stored, and the result contains no secret.
 */
export async function tryDescription(options: TrialOptions): Promise<Trial> {
  const { transport, adapter, text, account, guesses = [], signal, secretRegistry } = options;
  const user = identityOf(account);
  /** Servers repeat the identity of the account, which is no secret. */
  const isIdentity = (word: string): boolean =>
    [user.email, user.username].some((each) => each.toLowerCase().includes(word.toLowerCase()));
  const sent: TransportCall[] = [];
  const steps: TrialStep[] = [];
  const secrets = new Set(options.secrets);
  const client = createClient({ transport: recordCalls(transport, sent), baseUrl: adapter.baseUrl, adapter });

  async function step(name: TrialStep['name'], work: (client: Client) => Promise<ClientResult>): Promise<ClientResult> {
    const first = sent.length;
    const result = await work(client);
    const calls = sent.slice(first);
    for (const secret of credentialSecrets(result.credential ?? {})) {
      secrets.add(secret);
      if (secret !== '') secretRegistry?.register(secret, 'token', 'received');
    }
    for (const secret of responseSecrets(name, calls)) if (!isIdentity(secret)) secrets.add(secret);
    steps.push({ name, result, calls });
    return result;
  }

  secrets.add(user.password);
  secretRegistry?.register(user.password, 'password');
  /** The newest credential of each session that was begun. */
  const sessions: Credential[] = [];

  let created: string | undefined;
  if (account.is === 'made-up') {
    const registered = await step('register', (api) => api.register(toRegistration(adapter, user), signal));
    if (registered.credential?.token !== undefined) sessions.push(registered.credential);
    if (registered.ok || ('perhapsDone' in registered.error && registered.error.perhapsDone)) created = user.email;
  }
  const mayLogIn = account.is === 'typed' || steps[0]?.result.ok === true;
  let userName: string | undefined;
  if (mayLogIn && !signal?.aborted) userName = await logInAndRead();
  for (const credential of adapter.features.logout ? sessions : [])
    await step('logout', (api) => api.logout(credential));

  async function logInAndRead(): Promise<string | undefined> {
    const identifier = adapter.features.byUsername && user.username !== '' ? user.username : user.email;
    const login = await step('login', (api) => api.login({ email: identifier, password: user.password }, signal));
    const received = login.credential;
    if (received?.token === undefined && !login.ok) return undefined;
    const index = sessions.push(received ?? {}) - 1;
    if (!login.ok || received === undefined || signal?.aborted) return undefined;
    const identities = [identifier, user.email, user.username].filter((each) => each !== '');
    const read = (credential: Credential) =>
      step('profile', (api) => api.profile(credential, signal, login.loopbackAddress, identities));
    const profile = await read(received);
    const { name, email, id } = profile.reading ? toUserProfile(profile.reading) : {};
    const userName = profile.ok ? (email ?? name ?? id ?? identifier) : undefined;
    const current = { ...received, ...profile.credential };
    sessions[index] = current;
    if (userName !== undefined && adapter.features.refresh && adapter.canRefresh(current) && !signal?.aborted) {
      const refreshed = await step('refresh', (api) => api.refresh(current, login.loopbackAddress));
      if (refreshed.ok && refreshed.credential) {
        const after = { ...current, ...refreshed.credential };
        sessions[index] = after;
        if (!signal?.aborted) await read(after);
      }
    }
    return userName;
  }
  const { hide } = createSecretFinder([...secrets, ...sent.flatMap(addedValues)]);
  const calls = steps.flatMap((each) => toTrialCalls(each, adapter));
  return {
    works: userName !== undefined,
    ...(userName !== undefined && { whose: hide(userName).slice(0, maxUserNameLength) }),
    calls: maskStrings(calls, hide),
    ...(created !== undefined && { created }),
    proposals: createProposals({ adapter, text, steps, guesses }, [...secrets]),
  };
}

/** A transport that adds every call that it sent to a list. */
const recordCalls = (transport: Pick<Transport, 'send'>, sent: TransportCall[]): Transport => ({
  async send(...request) {
    const result = await transport.send(...request);
    sent.push(result.call);
    return result;
  },
  close: () => undefined,
});

function identityOf(account: TrialAccount): Identity {
  if (account.is === 'typed') return { ...account, username: account.username ?? '' };
  const { email, password } = createIdentity(exampleDomain);
  return { email, password, username: email.split('@', 1)[0] ?? email };
}

function toRegistration({ features }: ApiAdapter, { email, username, password }: Identity) {
  const path = features.registrations[0] ?? 'registro';
  return { path, name: 'Llavero Trial', email, username, password, cpassword: password };
}

const responseSecrets = (name: TrialStep['name'], calls: readonly TransportCall[]): string[] =>
  calls.flatMap(({ response }) => (response ? findResponseSecrets(name, response) : []));

/** The requests of a step for the window. The error of the step belongs to its last request. */
function toTrialCalls({ name, result, calls }: TrialStep, adapter: ApiAdapter): TrialCall[] {
  return calls.map((call, at) => {
    const { request, response, timings } = call;
    const { url, secretsInUrl } = request;
    const pathAndQuery = url.startsWith(adapter.baseUrl) ? url.slice(adapter.baseUrl.length) : url;
    const path = secretsInUrl ? requestPath(call, adapter) : pathAndQuery;
    const isForCsrf = request.method === 'GET' && name !== 'profile' && path === adapter.csrfPath;
    const failed = isForCsrf ? csrfError(response?.status) : undefined;
    const error =
      at === calls.length - 1 && !result.ok && !isLogoutRedirect(name, call) ? stepError(name, result.error) : failed;
    const pageToken = error && !isForCsrf ? formTokenName(name, call, adapter) : undefined;
    return {
      call: isForCsrf ? 'csrf' : name,
      method: request.method,
      path,
      ...(response && { status: response.status }),
      ms: Math.round(timings.totalMs),
      ...(error && { error }),
      ...(pageToken !== undefined && { pageToken }),
      callId: call.id,
    };
  });
}

/** A redirect to the log-in page after a logout. With a query, such as `?next=`, it means that there was no session. */
function isLogoutRedirect(name: TrialStep['name'], { request, response }: TransportCall): boolean {
  const location = header(receivedHeaders(response?.rawHeaders ?? []), 'location');
  const { status = 0 } = response ?? {};
  return name === 'logout' && !location?.includes('?') && isLogoutSuccess({ status, location, url: request.url });
}

/** The field of the form's CSRF token, if the request was rejected for it. */
function formTokenName(
  name: TrialStep['name'],
  call: TransportCall,
  { description: { calls } }: ApiAdapter,
): string | undefined {
  const { register, login } = calls;
  const [form] = name === 'register' ? [register].flat() : name === 'login' ? [login] : [];
  return isRejectedForFormToken(call) ? findFormCsrfToken(form?.body)?.name.slice(0, 100) : undefined;
}

const stepError = (name: TrialStep['name'], error: AppError): AppError =>
  name === 'profile' && error.kind === 'unauthenticated' ? freshTokenRefused(error) : error;

/** The client goes on without a CSRF token, so the error of its source is shown here. */
const csrfError = (status = 0): AppError | undefined =>
  status < 400 ? undefined : { kind: 'unexpected', reason: 'operation-missing', status };
