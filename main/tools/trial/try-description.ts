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
 * Kept for examples (RFC 2606, 3), so that no mail reaches anybody. Checks of addresses that refuse `.test` take it, such
 * as that of email-validator, which pydantic uses.
 */
const madeUpDomain = 'example.com';

const longestWhose = 300;

type TrialOptions = {
  transport: Pick<Transport, 'send'>;
  /** The description as it is spoken, with the values of its variables. */
  adapter: ApiAdapter;
  /** The text of that description; empty for Llavero's own. */
  text: string;
  /** Values that stand in no answer to a person, such as those of secret variables. */
  secrets?: readonly string[];
  account: TrialAccount;
  /** What of the text is still as the import guessed it. */
  guesses?: readonly InterfaceGuess[] | undefined;
  /** It ends what is under way. A session that was made is logged out all the same. */
  signal?: AbortSignal;
  /** What recorded calls are kept without. */
  secretRegistry?: Pick<SecretRegistry, 'register'>;
};

/** Who logs in. */
type Person = { email: string; username: string; password: string };

/**
 * Tries a description at its server: registers with a made-up account if that is wanted, logs in, reads the profile,
 * renews where the description says how, and logs out of every session that it made. Each is done once, whatever comes of
 * it. Nothing is kept, and no secret is in the answer.
 */
export async function tryDescription(options: TrialOptions): Promise<Trial> {
  const { transport, adapter, text, account, guesses = [], signal, secretRegistry } = options;
  const who = personOf(account);
  /** A server says back who somebody is, which is no secret. */
  const isOfAccount = (word: string): boolean =>
    [who.email, who.username].some((each) => each.toLowerCase().includes(word.toLowerCase()));
  const sent: TransportCall[] = [];
  const steps: TrialStep[] = [];
  const secrets = new Set(options.secrets);
  const client = createClient({ transport: noting(transport, sent), baseUrl: adapter.baseUrl, adapter });

  /** Does one of the calls, and keeps what went over the wire for it. */
  async function step(name: TrialStep['name'], work: (client: Client) => Promise<ClientResult>): Promise<ClientResult> {
    const from = sent.length;
    const result = await work(client);
    const calls = sent.slice(from);
    for (const secret of credentialSecrets(result.credential ?? {})) {
      secrets.add(secret);
      if (secret !== '') secretRegistry?.register(secret, 'token', 'received');
    }
    for (const secret of secretsIn(name, calls)) if (!isOfAccount(secret)) secrets.add(secret);
    steps.push({ name, result, calls });
    return result;
  }

  secrets.add(who.password);
  secretRegistry?.register(who.password, 'password');
  /** The sessions that were made, each by the newest of what it is kept by. */
  const sessions: Credential[] = [];

  let created: string | undefined;
  if (account.is === 'made-up') {
    const registered = await step('register', (at) => at.register(registrationOf(adapter, who), signal));
    if (registered.credential?.token !== undefined) sessions.push(registered.credential);
    if (registered.ok || ('perhapsDone' in registered.error && registered.error.perhapsDone)) created = who.email;
  }
  const mayLogIn = account.is === 'typed' || steps[0]?.result.ok === true;
  let whose: string | undefined;
  if (mayLogIn && !signal?.aborted) whose = await logInAndRead();
  for (const held of adapter.features.logout ? sessions : []) await step('logout', (at) => at.logout(held));

  async function logInAndRead(): Promise<string | undefined> {
    const typed = adapter.features.byUsername && who.username !== '' ? who.username : who.email;
    const login = await step('login', (at) => at.login({ email: typed, password: who.password }, signal));
    const held = login.credential;
    if (held?.token === undefined && !login.ok) return undefined;
    const place = sessions.push(held ?? {}) - 1;
    if (!login.ok || held === undefined || signal?.aborted) return undefined;
    const known = [typed, who.email, who.username].filter((each) => each !== '');
    const read = (credential: Credential) =>
      step('profile', (at) => at.profile(credential, signal, login.loopbackAddress, known));
    const profile = await read(held);
    const { name, email, id } = profile.reading ? toUserProfile(profile.reading) : {};
    const saying = profile.ok ? (email ?? name ?? id ?? typed) : undefined;
    const now = { ...held, ...profile.credential };
    sessions[place] = now;
    if (saying !== undefined && adapter.features.refresh && adapter.canRefresh(now) && !signal?.aborted) {
      const renewed = await step('refresh', (at) => at.refresh(now, login.loopbackAddress));
      if (renewed.ok && renewed.credential) {
        const after = { ...now, ...renewed.credential };
        sessions[place] = after;
        if (!signal?.aborted) await read(after);
      }
    }
    return saying;
  }
  const { hide } = createSecretFinder([...secrets, ...sent.flatMap(addedValues)]);
  const calls = steps.flatMap((each) => shownCalls(each, adapter));
  return {
    works: whose !== undefined,
    ...(whose !== undefined && { whose: hide(whose).slice(0, longestWhose) }),
    calls: maskStrings(calls, hide),
    ...(created !== undefined && { created }),
    proposals: createProposals({ adapter, text, steps, guesses }, [...secrets]),
  };
}

/** The same transport, which keeps every call that it sent. */
const noting = (transport: Pick<Transport, 'send'>, sent: TransportCall[]): Transport => ({
  async send(...request) {
    const result = await transport.send(...request);
    sent.push(result.call);
    return result;
  },
  close: () => undefined,
});

function personOf(account: TrialAccount): Person {
  if (account.is === 'typed') return { ...account, username: account.username ?? '' };
  const { email, password } = createIdentity(madeUpDomain);
  return { email, password, username: email.split('@', 1)[0] ?? email };
}

function registrationOf({ features }: ApiAdapter, { email, username, password }: Person) {
  const path = features.registrations[0] ?? 'registro';
  return { path, name: 'Llavero Trial', email, username, password, cpassword: password };
}

/** Whatever may let somebody in: what was given for the account by an answer, wherever it stands in there. */
const secretsIn = (name: TrialStep['name'], calls: readonly TransportCall[]): string[] =>
  calls.flatMap(({ response }) => (response ? findResponseSecrets(name, response) : []));

/** Each call of a step with the name that it has for a person. What the step came to belongs to its last one. */
function shownCalls({ name, result, calls }: TrialStep, adapter: ApiAdapter): TrialCall[] {
  return calls.map((call, at) => {
    const { request, response, timings } = call;
    const { url, secretsInUrl } = request;
    const whole = url.startsWith(adapter.baseUrl) ? url.slice(adapter.baseUrl.length) : url;
    const path = secretsInUrl ? requestPath(call, adapter) : whole;
    const isForCsrf = request.method === 'GET' && name !== 'profile' && path === adapter.csrfPath;
    const failed = isForCsrf ? csrfError(response?.status) : undefined;
    const error = at === calls.length - 1 && !result.ok && !isOut(name, call) ? errorOf(name, result.error) : failed;
    const pageToken = error && !isForCsrf ? pageTokenOf(name, call, adapter) : undefined;
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

/** A log-in page is where servers lead who has logged out, and who was not in; to the latter they add where they wanted to go. */
function isOut(name: TrialStep['name'], { request, response }: TransportCall): boolean {
  const location = header(receivedHeaders(response?.rawHeaders ?? []), 'location');
  const { status = 0 } = response ?? {};
  return name === 'logout' && !location?.includes('?') && isLogoutSuccess({ status, location, url: request.url });
}

/** The member for a token of a page, where the call of its form was refused for that. */
function pageTokenOf(
  name: TrialStep['name'],
  call: TransportCall,
  { description: { calls } }: ApiAdapter,
): string | undefined {
  const { register, login } = calls;
  const [form] = name === 'register' ? [register].flat() : name === 'login' ? [login] : [];
  return isRejectedForFormToken(call) ? findFormCsrfToken(form?.body)?.name.slice(0, 100) : undefined;
}

const errorOf = (name: TrialStep['name'], error: AppError): AppError =>
  name === 'profile' && error.kind === 'unauthenticated' ? freshTokenRefused(error) : error;

/** The client goes on without the token against forged requests, and a refusal of the next call says nothing of it. */
const csrfError = (status = 0): AppError | undefined =>
  status < 400 ? undefined : { kind: 'unexpected', reason: 'operation-missing', status };
