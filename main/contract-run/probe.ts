import type { CaseAnswer, CaseId, Subject } from '../../preload/contract/report-cases.ts';
import type { Question } from '../../preload/contract/report-questions.ts';
import type { MadeAccount } from '../../preload/contract/report-run.ts';
import type { RegistrationPath } from '../../preload/contract/models.ts';
import type { AppError } from '../../preload/contract/result.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import { createAtOnce } from './at-once.ts';
import { createCaseLog, type CaseLog } from './case-log.ts';
import { createIdentities, type Account, type Fields } from './identities.ts';
import { createKnownTokens } from './known-tokens.ts';
import { replyAnswer, seenNothing, type Seen } from './seen.ts';
import { createSender, type ProbeCall, type SenderOptions } from './sender.ts';
import { createTrials } from './trials.ts';

/** The limit for one account. The built-in server, like Laravel's limiter, refuses the sixth failure in a minute. */
export const mostFailedLogins = 4;
/** This is the limit for an account that was given, in the whole run, since somebody may need it. */
export const mostWrongPasswords = 2;
/** Shorter passwords cannot be told from words. */
const shortestPassword = 6;

export type Probe = ReturnType<typeof createProbe>;

type Call = ReturnType<typeof createSender>['call'];

const keyOf = (email: string): string => email.trim().toLowerCase();

const isAccepted = (wanted: RegistrationPath, seen: readonly Seen[]): boolean =>
  seen.some((each) => each.operation === wanted && each.handling === 'accepted');

/**
 * Makes what cases send their calls with. It keeps the pace and the limits, waits where the server asks to, and
 * remembers accounts, tokens and everything seen. Nothing here throws for what a server does.
 */
export function createProbe(
  options: SenderOptions & {
    serverId: string;
    /** An account that exists already. */
    given: Account | undefined;
  },
) {
  const { baseUrl, serverId, paths, run, given, references } = options;
  const log = createCaseLog(serverId, references, paths);
  const tokens = createKnownTokens();
  const passwords = createPasswords(references);
  const { call, afterwards, goOn, unsentOf, turn, sendNow, waitFor, ...sender } = createSender(
    options,
    log,
    tokens.loopbackAddressOf,
  );
  const atOnce = createAtOnce({ unsentOf, turn, sendNow, waitFor }, log);
  const accounts = createAccounts(given, log, run.accounts);
  const keepToken = keepTokensIn(tokens, references);
  const logins = createLogins({ call, log, keepToken, tokens, passwords, accounts });
  const racing = createRacing({ atOnce, log, keepToken, passwords, accounts });
  const identities = createIdentities(run.emailDomain);
  const accepts = (wanted: RegistrationPath): boolean => isAccepted(wanted, log.ofCase('registration.served'));
  const path = (): RegistrationPath => (accepts('register') ? 'register' : 'registro');
  const { tryAlone, ...trials } = createTrials({
    register: logins.register,
    newIdentity: identities.newIdentity,
    path,
    accepts,
    countAgain: log.countAgain,
    mayShare: run.only === undefined,
  });
  if (given) passwords.keep(given);

  return {
    options: run,
    baseUrl,
    references,
    call,
    ...identities,
    ...trials,
    ...logins,
    ...racing,
    tokenEnded: tokens.end,
    onlyNewestWorks: tokens.onlyNewestWorks,
    tokens: tokens.all,
    tokensByAccount: tokens.byAccount,
    sessionsLeft: tokens.openFor,
    given,
    accounts: accounts.all,
    ownAccounts: accounts.own,
    accountsToFailAt: accounts.toFailAt,
    failedLoginsOf: accounts.failedLoginsOf,
    accountsLeft: accounts.left,
    mayRegister: accounts.mayRegister,
    made: accounts.made,

    /** Answers where registrations are sent to try something: at the path with the most fields that works. */
    path,
    ofCase: log.ofCase,
    everything: log.everything,
    recorded: log.recorded,
    within: log.within,
    passwords: passwords.all,
    reply: (question: Question, seen: Seen, subject?: Subject): CaseAnswer =>
      replyAnswer(question, seen, references, subject),

    /** Ends every token that is known to work, with one call each. The report does not say whether that worked. */
    cleanUp: (mostCalls: number): Promise<void> =>
      afterwards(async () => {
        for (const token of tokens.live().slice(0, mostCalls)) await logOut(token, call, tokens.end);
      }),

    ...sender,
    goOn(): void {
      goOn();
      tryAlone();
    },
  };
}

type KeepToken = (email: string, seen: Seen) => void;

/** Makes what keeps the token of an answer, if it gave one. */
const keepTokensIn =
  (tokens: ReturnType<typeof createKnownTokens>, references: SecretReferences): KeepToken =>
  (email, { reading, call: sent }) => {
    const { token } = reading.meaning;
    if (token === undefined) return;
    references.watch(token, 'token');
    tokens.keep(token, { email: keyOf(email), written: email, loopbackAddress: sent?.loopbackAddress });
  };

/** Registers and logs in at the same moment, and keeps what that gives. */
function createRacing({
  atOnce,
  log,
  keepToken,
  passwords,
  accounts,
}: {
  atOnce: ReturnType<typeof createAtOnce>;
  log: CaseLog;
  keepToken: KeepToken;
  passwords: ReturnType<typeof createPasswords>;
  accounts: ReturnType<typeof createAccounts>;
}) {
  /**
   * Sends registrations at once, of which some may get no answer. What they make is used for nothing else, since nobody
   * knows whose it is.
   */
  async function registerAtOnce(path: RegistrationPath, make: () => readonly Fields[]): Promise<Seen[]> {
    let sent: readonly Fields[] = [];
    const wanted = (): ProbeCall[] => {
      sent = make();
      sent.forEach(passwords.keep);
      return sent.map((body) => ({ operation: path, body }));
    };
    if (accounts.left() < 2) return [log.note(seenNothing(path, { kind: 'account-limit' }), true)];
    return atOnce(
      wanted,
      (seen) => {
        for (const [at, each] of seen.entries()) accounts.registered(sent[at] ?? {}, each, { isForCases: false });
      },
      true,
    );
  }

  async function loginAtOnce(wanted: readonly Account[]): Promise<Seen[]> {
    const calls = wanted.map(({ email, password }) => ({ operation: 'login', body: { email, password } }) as const);
    return atOnce(
      () => calls,
      (seen) => {
        for (const [at, each] of seen.entries()) keepToken(wanted[at]?.email ?? '', each);
      },
    );
  }

  return { registerAtOnce, loginAtOnce, atOnce: (calls: readonly ProbeCall[]) => atOnce(() => calls) };
}

/** Logs in and registers, and keeps what that gives: accounts, passwords and tokens. */
function createLogins({
  call,
  log,
  tokens,
  passwords,
  accounts,
  keepToken,
}: {
  call: Call;
  log: CaseLog;
  tokens: ReturnType<typeof createKnownTokens>;
  passwords: ReturnType<typeof createPasswords>;
  accounts: ReturnType<typeof createAccounts>;
  keepToken: KeepToken;
}) {
  async function login(email: unknown, password: unknown, more: Partial<ProbeCall> = {}): Promise<Seen> {
    passwords.keep({ password });
    if (!accounts.mayTry(email, password)) return log.note(seenNothing('login', { kind: 'spares-account' }), true);
    const seen = await call({ operation: 'login', body: { email, password }, ...more });
    if (typeof email !== 'string') return seen;
    if (seen.handling === 'refused') accounts.loginFailed(email);
    keepToken(email, seen);
    return seen;
  }

  /**
   * Sends a registration, which may make an account.
   * @param isWrong whether a refusal is expected. A fault then is counted for no account.
   */
  async function register(path: RegistrationPath, fields: Fields, isWrong = false): Promise<Seen> {
    if (!accounts.mayRegister()) return log.note(seenNothing(path, { kind: 'account-limit' }), true);
    passwords.keep(fields);
    const seen = await call({ operation: path, body: fields });
    accounts.registered(fields, seen, { isWrong });
    const { email } = fields;
    if (seen.handling === 'accepted' && typeof email === 'string') keepToken(email, seen);
    return seen;
  }

  /**
   * Returns the newest token of the account that works as far as is known, or that of a new login. What a registration
   * answered may have been another kind of key.
   */
  async function tokenOf({ email, password }: Account): Promise<string> {
    const kept = tokens.newestOf(keyOf(email));
    if (kept !== undefined) return kept;
    const { reading, failed } = await login(email, password);
    // The same login worked before.
    if (reading.meaning.token === undefined && !failed) log.spoil({ kind: 'unstable' });
    return reading.meaning.token ?? '';
  }

  return { login, register, tokenOf };
}

async function logOut(token: string, call: Call, ended: (token: string) => void): Promise<void> {
  const { handling } = await call({ operation: 'salir', token, mayFail: true, mayBeThrottled: true });
  if (handling === 'accepted' || handling === 'refused' || handling === 'page') ended(token);
}

/** Keeps the passwords that a run sends, and has them cut out of everything that it keeps. */
function createPasswords(references: SecretReferences) {
  const passwords = new Set<string>();
  return {
    keep: (fields: Fields): void => {
      for (const value of [fields['password'], fields['cpassword']]) {
        if (typeof value !== 'string' || value.length < shortestPassword) continue;
        passwords.add(value);
        references.watch(value, 'password');
      }
    },

    all: (): ReadonlySet<string> => passwords,
  };
}

/** Keeps the account that was given and those that a run made, and how often each was failed at. */
function createAccounts(given: Account | undefined, log: Pick<CaseLog, 'currentCase'>, most: number) {
  const made: MadeAccount[] = [];
  /** The account that was given comes first. */
  const accounts: Account[] = given ? [given] : [];
  /** The addresses are in small letters. */
  const failedLogins = new Map<string, number>();
  let possibleAccounts = 0;
  /** Those that a fault may have made although a refusal was expected. */
  let doubtfulAccounts = 0;
  let wrongPasswords = 0;
  const own = (): readonly Account[] => accounts.filter((each) => each !== given);

  function note(email: unknown, state: MadeAccount['state'], madeBy: CaseId | undefined): void {
    const text = typeof email === 'string' ? email : JSON.stringify(email ?? null);
    if (madeBy && made.every((each) => each.email !== text)) made.push({ email: text, madeBy, state });
  }

  return {
    /** Says whether a login may be tried. A wrong password for the account that was given is counted. */
    mayTry(email: unknown, password: unknown): boolean {
      const isGiven = given && typeof email === 'string' && keyOf(email) === keyOf(given.email);
      if (!isGiven || password === given.password) return true;
      if (wrongPasswords >= mostWrongPasswords) return false;
      wrongPasswords += 1;
      return true;
    },

    loginFailed: (email: string): void =>
      void failedLogins.set(keyOf(email), (failedLogins.get(keyOf(email)) ?? 0) + 1),

    /** Takes note of a registration. Even a page, a fault or no whole answer may mean that it made an account. */
    registered({ email, password }: Fields, seen: Seen, { isWrong = false, isForCases = true } = {}): void {
      const wasSent = !(seen.failed?.kind === 'no-answer' && neverSent.has(seen.failed.error.kind));
      const mayBeMade = seen.handling === 'fault' || (seen.handling === 'page' && seen.status < 400);
      if (mayBeMade && seen.call !== undefined && wasSent) {
        if (isWrong) doubtfulAccounts += 1;
        else possibleAccounts += 1;
        note(email, 'unsure', log.currentCase());
      }
      if (seen.handling !== 'accepted') return;
      possibleAccounts += 1;
      note(email, 'made', log.currentCase());
      if (!isForCases || typeof email !== 'string' || typeof password !== 'string' || password === '') return;
      // A login with another address may be refused for the address alone.
      if (isWrong && !wellFormed.test(email)) return;
      if (accounts.every((each) => each.email !== email)) accounts.push({ email, password });
    },

    /** Answers all accounts. The first is the one that was given, else the first made; cases use that one. */
    all: (): readonly Account[] => accounts,
    own,
    /** Answers the accounts for logins that are to fail: those of the run, and the given one only without them. */
    toFailAt: (): readonly Account[] => (own().length > 0 ? own() : accounts),
    failedLoginsOf: ({ email }: Account): number => failedLogins.get(keyOf(email)) ?? 0,
    /** Answers how many more may be made. */
    left: (): number => most - possibleAccounts,
    mayRegister: (): boolean => possibleAccounts < most && doubtfulAccounts < most,
    made: (): readonly MadeAccount[] => made,
  };
}

const wellFormed = /^[^\s@]{1,64}@[^\s@]{1,200}$/;

/** These failures came before anything of the request was sent. */
export const neverSent: ReadonlySet<AppError['kind']> = new Set<AppError['kind']>([
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
