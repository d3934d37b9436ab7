import { randomBytes } from 'node:crypto';
import type {
  CaseAnswer,
  CaseId,
  MadeAccount,
  NotMeasured,
  Question,
  RunOptions,
  Subject,
} from '../../preload/contract/contract-report.ts';
import type { RecordedCall } from '../../preload/contract/calls.ts';
import type { RegistrationPath } from '../../preload/contract/models.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { sendAndRead } from '../client/answer.ts';
import { operationUrls, type Operation } from '../client/base-url.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import type { Answer } from '../client/read-answer.ts';
import type { Call, HeaderList } from '../client/call.ts';
import type { Transport } from '../client/transport.ts';
import { recordedCall } from '../calls/recorded-call.ts';
import type { SecretReferences } from '../calls/secret-references.ts';
import { cut } from './evidence.ts';
import { createPace, type Clock } from './pace.ts';
import { replyAnswer, seenAnswer, seenNothing, type Seen } from './seen.ts';

/** What is sent to register; what is not a string is sent on purpose. */
export type Fields = Record<string, unknown>;

export type Identity = { name: string; email: string; password: string };

/** One that can be logged in to. */
export type Account = { email: string; password: string };

export type ProbeCall = {
  /** As which its answer is read, and where it goes if `path` says nothing else. */
  operation: Operation;
  method?: string;
  /** Below the base URL. */
  path?: string;
  body?: string | Fields;
  token?: string;
  /** Before the token; `Bearer` unless given. */
  scheme?: string;
  /** Besides the usual ones. */
  headers?: HeaderList;
  withoutAccept?: boolean;
  /** No answer is an answer, too. */
  mayFail?: boolean;
  /** Being throttled is what is looked for. */
  mayBeThrottled?: boolean;
};

/** Why no more calls are sent. */
type Stopped = { kind: 'cancelled' } | { kind: 'unreachable'; error: AppError };

export const mostAccounts = 8;
/** Of one account; the embedded service, as Laravel's own limiter, refuses the sixth within a minute. */
export const mostFailedLogins = 4;
/** For an account that was given, in the whole run: somebody may need it. */
export const mostWrongPasswords = 2;
export const longestWaitSeconds = 60;
const mostWaitingSeconds = 300;
const mostUnanswered = 3;
/** Of a body, for cases that look back at it. */
const keptCharacters = 64 * 1024;

export type Probe = ReturnType<typeof createProbe>;

/**
 * What cases send their calls with: it keeps the pace and the limits, waits where the server asks to, and remembers
 * accounts, tokens and everything seen. Nothing here throws for what a server does.
 */
export function createProbe(options: {
  transport: Pick<Transport, 'send'>;
  baseUrl: string;
  serverId: string;
  /** Where a person says that things are in this server's answers. */
  paths: Answer['paths'];
  run: RunOptions;
  /** One that is there already. */
  given: Account | undefined;
  /** In all. */
  callLimit: () => number;
  references: SecretReferences;
  clock: Clock;
  /** Of the part of the run that is under way. */
  signal: () => AbortSignal;
  onCall: () => void;
}) {
  const { transport, baseUrl, serverId, paths, run, given, callLimit, references, clock, signal, onCall } = options;
  const urls = operationUrls(baseUrl);
  const pace = createPace(run.callsPerSecond, clock);

  const everything: Seen[] = [];
  const recorded = new Map<string, RecordedCall>();
  const byCase = new Map<CaseId, Seen[]>();
  const passwords = new Set<string>();
  const made: MadeAccount[] = [];
  /** The one that was given comes first. */
  const accounts: Account[] = given ? [given] : [];
  /** By address in small letters. */
  const failedLogins = new Map<string, number>();
  /** In the order they were given; the answer tells where `localhost` was. */
  const tokens = new Map<string, { email: string; loopbackAddress: string | undefined; live: boolean }>();

  let current: { caseId: CaseId; seen: Seen[]; problem: NotMeasured | undefined } | undefined;
  let stopped: Stopped | undefined;
  let calls = 0;
  let busyMs = 0;
  let possibleAccounts = 0;
  let wrongPasswords = 0;
  let unanswered = 0;
  let newestOnly = false;
  let waitedSeconds = 0;
  let waitingUntil: number | undefined;

  /** Everything after it in this case is not sent. */
  function spoil(problem: NotMeasured): void {
    if (current) current.problem ??= problem;
  }

  function note(seen: Seen, spoils: boolean): Seen {
    if (seen.failed && spoils) spoil(seen.failed);
    if (seen.call) {
      current?.seen.push(seen);
      everything.push(seen);
    }
    return seen;
  }

  /** Recorded without secrets; of the rest only as much as cases may look at. */
  function kept(call: Call): Call {
    recorded.set(call.id, cut(recordedCall(serverId, call, references, paths)));
    const { response } = call;
    return {
      ...call,
      // It holds the whole body.
      understood: undefined,
      response: response && {
        ...response,
        body: response.body.slice(0, keptCharacters),
        bodyBytes: new Uint8Array(),
      },
    };
  }

  function requestOf(call: ProbeCall) {
    const { operation, method = operation === 'perfil' ? 'GET' : 'POST', path, body, token, scheme = 'Bearer' } = call;
    const headers: HeaderList = [
      ...(call.withoutAccept ? [] : [['Accept', 'application/json'] as const]),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...(token === undefined ? [] : [['Authorization', `${scheme} ${token}`] as const]),
      ...(call.headers ?? []),
    ];
    return {
      method,
      url: path === undefined ? urls[operation] : baseUrl + path,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
  }

  async function sendOnce(wanted: ProbeCall): Promise<Seen> {
    await pace.turn(signal());
    if (signal().aborted) {
      stopped ??= { kind: 'cancelled' };
      return seenNothing(wanted.operation, { kind: 'run-ended' });
    }
    calls += 1;
    const startedAt = clock.now();
    const loopbackAddress = wanted.token === undefined ? undefined : tokens.get(wanted.token)?.loopbackAddress;
    const sendOptions = { signal: signal(), loopbackAddress };
    const result = await sendAndRead(transport, requestOf(wanted), wanted.operation, paths, sendOptions);
    busyMs += clock.now() - startedAt;
    const call = kept(result.call);
    if (result.ok) {
      unanswered = 0;
      return seenAnswer(result.understood, call);
    }
    const { kind } = result.failure;
    if (kind === 'cancelled') {
      stopped ??= { kind: 'cancelled' };
      return seenNothing(wanted.operation, { kind: 'run-ended' }, call);
    }
    const error = appErrorOfFailure(result.failure);
    // These did come from the server.
    unanswered = kind === 'too-large' || kind === 'truncated' || kind === 'undecodable' ? 0 : unanswered + 1;
    if (unanswered >= mostUnanswered) stopped ??= { kind: 'unreachable', error };
    return seenNothing(wanted.operation, { kind: 'no-answer', error }, call);
  }

  /** Waits as long as the server says, if that is not too long. Whether it did. */
  async function waitFor(seconds: number | undefined): Promise<boolean> {
    if (seconds === undefined || seconds > longestWaitSeconds || waitedSeconds + seconds > mostWaitingSeconds) {
      return false;
    }
    waitedSeconds += seconds;
    waitingUntil = Date.now() + seconds * 1000;
    onCall();
    await clock.sleep(seconds * 1000, signal());
    waitingUntil = undefined;
    return !signal().aborted;
  }

  async function call(wanted: ProbeCall): Promise<Seen> {
    const { operation, mayFail = false, mayBeThrottled = false } = wanted;
    const unsent: NotMeasured | undefined =
      current?.problem ??
      (stopped || signal().aborted ? { kind: 'run-ended' } : calls >= callLimit() ? { kind: 'call-limit' } : undefined);
    if (unsent) return note(seenNothing(operation, unsent), true);

    let seen = await sendOnce(wanted);
    onCall();
    if (seen.handling === 'throttled' && !mayBeThrottled) {
      const { retryAfterSeconds } = seen.reading.meaning;
      const failed: NotMeasured = {
        kind: 'throttled',
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      };
      if (calls >= callLimit() || !(await waitFor(retryAfterSeconds))) return note({ ...seen, failed }, true);
      note(seen, false);
      seen = await sendOnce(wanted);
      onCall();
      if (seen.handling === 'throttled') return note({ ...seen, failed }, true);
    }
    return note(seen, !(mayFail && seen.failed?.kind === 'no-answer'));
  }

  function endAllOf(email: string): void {
    for (const known of tokens.values()) if (known.email === email) known.live = false;
  }

  function keepToken(email: string, { reading, call }: Seen): void {
    const { token } = reading.meaning;
    if (token === undefined) return;
    references.watch(token, 'token');
    if (newestOnly) endAllOf(email);
    tokens.set(token, { email, loopbackAddress: call?.loopbackAddress, live: true });
  }

  function keepPasswords(fields: Fields): void {
    for (const value of [fields['password'], fields['cpassword']]) {
      if (typeof value === 'string' && value.length >= 6) {
        passwords.add(value);
        references.watch(value, 'password');
      }
    }
  }

  if (given) keepPasswords(given);

  const keyOf = (email: string): string => email.trim().toLowerCase();

  async function login(email: unknown, password: unknown, more: Partial<ProbeCall> = {}): Promise<Seen> {
    keepPasswords({ password });
    const key = typeof email === 'string' ? keyOf(email) : undefined;
    if (given && key === keyOf(given.email) && password !== given.password) {
      if (wrongPasswords >= mostWrongPasswords) return note(seenNothing('login', { kind: 'spares-account' }), true);
      wrongPasswords += 1;
    }
    const seen = await call({ operation: 'login', body: { email, password }, ...more });
    if (key === undefined) return seen;
    if (seen.handling === 'refused') failedLogins.set(key, (failedLogins.get(key) ?? 0) + 1);
    keepToken(key, seen);
    return seen;
  }

  const ownAccounts = (): readonly Account[] => accounts.filter((each) => each !== given);

  const ofCase = (caseId: CaseId): readonly Seen[] => byCase.get(caseId) ?? [];

  return {
    options: run,
    baseUrl,
    references,
    call,
    login,

    /** Sends a registration, which may make an account. */
    async register(path: RegistrationPath, fields: Fields): Promise<Seen> {
      if (possibleAccounts >= mostAccounts) return note(seenNothing(path, { kind: 'account-limit' }), true);
      keepPasswords(fields);
      const seen = await call({ operation: path, body: fields });
      const { email, password } = fields;
      const wasMade = seen.handling === 'accepted';
      // A page, a fault or no whole answer: it may have been made all the same.
      const isUnsure =
        seen.call !== undefined &&
        seen.handling === 'fault' &&
        !(seen.failed?.kind === 'no-answer' && neverSent.has(seen.failed.error.kind));
      if (wasMade || isUnsure) {
        possibleAccounts += 1;
        const text = typeof email === 'string' ? email : JSON.stringify(email ?? null);
        if (current && made.every((each) => each.email !== text)) {
          made.push({ email: text, madeBy: current.caseId, state: wasMade ? 'made' : 'unsure' });
        }
      }
      if (!wasMade || typeof email !== 'string') return seen;
      keepToken(keyOf(email), seen);
      if (typeof password === 'string' && password !== '' && accounts.every((each) => each.email !== email)) {
        accounts.push({ email, password });
      }
      return seen;
    },

    /**
     * The newest token of the account that works as far as is known, of a new login if there is none. What a
     * registration answered may have been another kind of key.
     */
    async tokenOf({ email, password }: Account): Promise<string> {
      const key = keyOf(email);
      const kept = [...tokens].findLast(([, each]) => each.email === key && each.live)?.[0];
      if (kept !== undefined) return kept;
      const { reading, failed } = await login(email, password);
      // It did work before.
      if (reading.meaning.token === undefined && !failed) spoil({ kind: 'unstable' });
      return reading.meaning.token ?? '';
    },

    /** That it was logged out, or turned out not to work. */
    tokenEnded(token: string): void {
      const known = tokens.get(token);
      if (known) known.live = false;
    },

    /** That a login ends all other tokens of its account; `newest` is the one that is left. */
    onlyNewestWorks(newest: string): void {
      newestOnly = true;
      const known = tokens.get(newest);
      if (!known) return;
      endAllOf(known.email);
      known.live = true;
    },

    /** All that were ever given, in that order. */
    tokens: (): readonly string[] => [...tokens.keys()],

    given,
    /** The first is the one that cases use: the one that was given, else the first made; those made by the way come later. */
    accounts: (): readonly Account[] => accounts,
    ownAccounts,
    /** For logins that are to fail: those the run made, so that the one that was given is only taken without them. */
    accountsToFailAt: (): readonly Account[] => (ownAccounts().length > 0 ? ownAccounts() : accounts),
    failedLoginsOf: ({ email }: Account): number => failedLogins.get(keyOf(email)) ?? 0,
    /** How many more may be made. */
    accountsLeft: (): number => mostAccounts - possibleAccounts,
    made: (): readonly MadeAccount[] => made,

    /** Where registrations are sent to try something: at the path with the most fields that works. */
    path: (): RegistrationPath =>
      ofCase('registration.served').some((seen) => seen.operation === 'register' && seen.handling === 'accepted')
        ? 'register'
        : 'registro',

    /** The calls of a case that ran, in their order. */
    ofCase,
    everything: (): readonly Seen[] => everything,
    /** Every call as evidence, by its id. */
    recorded: (): ReadonlyMap<string, RecordedCall> => recorded,
    /** Every password that was sent, other than those too short to be told from words. */
    passwords: (): ReadonlySet<string> => passwords,

    reply: (question: Question, seen: Seen, subject?: Subject): CaseAnswer =>
      replyAnswer(question, seen, references, subject),

    /** Runs one case: the calls it made, and what spoilt it. */
    async within<T>(
      caseId: CaseId,
      body: () => T | Promise<T>,
    ): Promise<{ value: T; seen: Seen[]; problem?: NotMeasured }> {
      const mine = { caseId, seen: [] as Seen[], problem: undefined as NotMeasured | undefined };
      current = mine;
      try {
        const value = await body();
        return { value, seen: mine.seen, ...(mine.problem && { problem: mine.problem }) };
      } finally {
        byCase.set(caseId, mine.seen);
        current = undefined;
      }
    },

    /** Ends every token that is known to work, one call each at most; whether it worked is no matter of the report. */
    async cleanUp(mostCalls: number): Promise<void> {
      const cancelled = stopped;
      stopped = undefined;
      for (const [token, known] of [...tokens].filter(([, { live }]) => live).slice(0, mostCalls)) {
        const { handling } = await call({ operation: 'salir', token, mayFail: true, mayBeThrottled: true });
        if (handling === 'accepted' || handling === 'refused') known.live = false;
      }
      stopped = cancelled;
    },

    /** After a run that was ended. */
    goOn(): void {
      stopped = undefined;
      unanswered = 0;
      waitedSeconds = 0;
    },

    stopped: (): Stopped | undefined => stopped,
    calls: (): number => calls,
    /** On average, while a call was under way. */
    millisecondsPerCall: (): number => (calls === 0 ? 0 : busyMs / calls),
    waitingUntil: (): number | undefined => waitingUntil,
  };
}

/** Failures before anything of the request was sent. */
const neverSent = new Set<AppError['kind']>([
  'offline',
  'refused',
  'no-route',
  'blocked-here',
  'dns',
  'name-server',
  'tls',
  'proxy',
  'connection-settings',
]);

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** Somebody nobody knows. Passwords have letters of both cases, digits and a sign, whatever the server asks for. */
export function newIdentity(): Identity {
  return {
    name: 'Llavero Contract Run',
    email: `llavero-${randomBytes(8).toString('hex')}@example.test`,
    password: newPassword(),
  };
}

/** @param length at least 8 */
export const newPassword = (length = 24): string => `Ll4!${randomText(length)}`.slice(0, length);

/** What the interface names for a path. */
export const fieldsFor = (path: RegistrationPath, { name, email, password }: Identity): Fields => ({
  name,
  email,
  password,
  ...(path === 'register' && { cpassword: password }),
});
