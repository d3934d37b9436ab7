import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../main/service/stores/open-stores.ts';
import { createApi, tokenOfLogin, User, userOfRegistration, type Answer, type Api, type Person } from './api.ts';
import { createRandom } from './random.ts';
import { forkService, type ServiceProcess } from './run-service.ts';

const CLIENTS = 8;
/** Of rounds in which the service is killed once more while it starts. */
const KILLED_WHILE_STARTING = 0.1;
/** A load that meets nothing but faults would otherwise go on for ever. */
const MOST_FINDINGS = 50;
/** How long a service may take to find its database again. */
const BACK_WITHIN_MS = 30_000;

/** A database server that can be killed beside the service. */
export type Server = { kill(): Promise<void>; restart(): Promise<void> };

export type CrashOptions = {
  engine: 'sqlite' | 'postgres';
  database: Database;
  /** Killed instead of the service in every second round. */
  server?: Server;
  rounds: number;
  /** Registrations, logins and logouts to be answered in total, at least. */
  operations: number;
  seed: number;
  /** Called after each round. */
  onRound?: (round: number, summary: CrashSummary) => void;
};

export type CrashSummary = {
  name: 'crash';
  engine: CrashOptions['engine'];
  argon2: 'minimal';
  seed: number;
  rounds: number;
  serverKills: number;
  killsWhileStarting: number;
  /** Registrations, logins and logouts that were answered as done. */
  acknowledged: number;
  /** Requests whose answer never came; each was looked up afterwards. */
  inDoubt: number;
  /** Questions asked after restarts. */
  checks: number;
  lost: number;
  /** What was lost or wrong, the first few. */
  findings: string[];
};

type Account = { person: Person; /** As answered; nothing while in doubt. */ user: User | undefined };
type Token = { token: string; account: Account; state: 'alive' | 'revoked' | 'in-doubt' };

/**
 * Kills a service at random moments under load and looks, after each restart, for everything that was answered: an
 * account answered 201 is there as it was answered, a token answered 200 works, one that was logged out does not, and
 * a registration without an answer happened wholly or not at all. In the end everything is looked for once more.
 */
export async function proveCrash(options: CrashOptions): Promise<CrashSummary> {
  const { engine, database, server, rounds, operations, seed } = options;
  const random = createRandom(seed);
  const accounts: Account[] = [];
  const tokens: Token[] = [];
  const tokenIds = new Set<string>();
  const summary: CrashSummary = {
    name: 'crash',
    engine,
    argon2: 'minimal',
    seed,
    rounds: 0,
    serverKills: 0,
    killsWhileStarting: 0,
    acknowledged: 0,
    inDoubt: 0,
    checks: 0,
    lost: 0,
    findings: [],
  };
  const found = (finding: string): void => {
    summary.lost++;
    if (summary.findings.length < 10) summary.findings.push(finding);
  };

  /** An answer of the wanted status; nothing when the outcome is not known. Without a fault, any other is a finding. */
  function judge(answer: Answer | undefined, wanted: number, what: string, isKilled: boolean): Answer | undefined {
    if (answer?.status === wanted) return answer;
    summary.inDoubt++;
    if (answer === undefined && !isKilled) found(`${what}: the service ended by itself: ${service.errors()}`);
    // While its database is gone, the service may say so.
    if (answer !== undefined && !(server && answer.status === 503)) found(`${what}: ${answer.status}`);
    return undefined;
  }

  function keepToken(answer: Answer, account: Account): Token {
    const kept: Token = { token: tokenOfLogin(answer.body), account, state: 'alive' };
    const [id = ''] = kept.token.split('|', 1);
    if (tokenIds.has(id)) found(`token id ${id} was given out twice`);
    tokenIds.add(id);
    tokens.push(kept);
    return kept;
  }

  /** One person after another, until nobody answers. */
  async function load(api: Api, client: number, isOver: () => boolean, onDone: () => void): Promise<void> {
    for (let n = 0; !isOver() && summary.lost < MOST_FINDINGS; n++) {
      const key = `${seed}-${summary.rounds}-${client}-${n}`;
      const person: Person = {
        name: `Person ${key}`,
        email: `Person.${key}@example.test`,
        password: `secret of ${key}`,
      };
      const account: Account = { person, user: undefined };
      accounts.push(account);
      const registered = judge(await api.register(person), 201, 'registration', isOver());
      if (!registered) continue;
      account.user = userOfRegistration(registered.body);
      onDone();
      const logins = random.whole(1, 3);
      for (let login = 0; login < logins && !isOver(); login++) {
        const loggedIn = judge(await api.login(person), 200, 'login', isOver());
        if (!loggedIn) break;
        const kept = keepToken(loggedIn, account);
        onDone();
        if (random.chance(0.5)) continue;
        kept.state = 'in-doubt';
        if (!judge(await api.logout(kept.token), 200, 'logout', isOver())) break;
        kept.state = 'revoked';
        onDone();
      }
    }
  }

  async function checkAccount(api: Api, account: Account): Promise<void> {
    summary.checks++;
    const { person } = account;
    const loggedIn = await api.login(person);
    if (account.user === undefined && loggedIn?.status === 401) {
      // It never was; then nothing of it is in the way.
      const again = await api.register(person);
      if (again?.status !== 201)
        return found(`a registration without an answer left half an account: ${again?.status}`);
      account.user = userOfRegistration(again.body);
      return undefined;
    }
    if (loggedIn?.status !== 200) return found(`account ${person.email} is gone: login ${loggedIn?.status}`);
    const { token } = keepToken(loggedIn, account);
    const profile = await api.profile(token);
    const user = User.safeParse(profile?.body).data;
    const is = (expected: Pick<User, 'name' | 'email'>) =>
      user?.name === expected.name && user.email === expected.email;
    const isSame = account.user ? is(account.user) && user?.id === account.user.id : is(person);
    if (!isSame) return found(`account ${person.email} is not as it was answered`);
    account.user = user;
    return undefined;
  }

  async function checkToken(api: Api, kept: Token): Promise<void> {
    summary.checks++;
    const profile = await api.profile(kept.token);
    if (kept.state === 'in-doubt' && (profile?.status === 200 || profile?.status === 401)) {
      kept.state = profile.status === 200 ? 'alive' : 'revoked';
      return;
    }
    const [id] = kept.token.split('|', 1);
    if (kept.state === 'revoked') {
      if (profile?.status !== 401) found(`token ${id} was logged out and answers ${profile?.status}`);
      return;
    }
    const user = User.safeParse(profile?.body).data;
    if (profile?.status !== 200 || user?.id !== kept.account.user?.id) found(`token ${id} answers ${profile?.status}`);
  }

  async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
    const queue = items.values();
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (const item of queue) await act(item);
      }),
    );
  }

  async function check(api: Api, accountsFrom: number, tokensFrom: number): Promise<void> {
    // Tokens first: looking for accounts makes further ones.
    await inTurns(tokens.slice(tokensFrom), (token) => checkToken(api, token));
    await inTurns(accounts.slice(accountsFrom), (account) => checkAccount(api, account));
  }

  let service: ServiceProcess = forkService(database);
  try {
    let api = createApi(await service.ready());
    for (let round = 0; round < rounds; round++) {
      const [accountsFrom, tokensFrom] = [accounts.length, tokens.length];
      // One at least: the rounds before may have had all of them.
      const perRound = Math.max(1, Math.ceil((operations - summary.acknowledged) / (rounds - round)));
      const killAfter = round === rounds - 1 ? perRound : random.whole(1, 2 * perRound);
      const jitterMs = random.whole(0, 10);
      const isServerRound = server !== undefined && round % 2 === 1;

      let isOver = false;
      let answered = 0;
      const time = Promise.withResolvers<void>();
      const onDone = (): void => {
        summary.acknowledged++;
        if (++answered === killAfter) time.resolve();
      };
      const clients = Promise.all(
        Array.from({ length: CLIENTS }, (_, client) => load(api, client, () => isOver, onDone)),
      );
      await Promise.race([time.promise, clients]);
      await delay(jitterMs);
      if (isServerRound) {
        summary.serverKills++;
        await server.kill();
        // Requests go on against a service without its database for a moment.
        await delay(jitterMs * 10);
        isOver = true;
        await clients;
        await server.restart();
        await untilBack(api, tokens, BACK_WITHIN_MS);
      } else {
        const killed = service.kill();
        isOver = true;
        await Promise.all([killed, clients]);
        if (random.chance(KILLED_WHILE_STARTING)) {
          summary.killsWhileStarting++;
          service = forkService(database);
          await delay(random.whole(0, 600));
          await service.kill();
        }
        service = forkService(database);
        api = createApi(await service.ready());
      }
      await check(api, accountsFrom, tokensFrom);
      summary.rounds++;
      options.onRound?.(round, summary);
    }
    await check(api, 0, 0);
  } catch (error) {
    // Not starting again loses everything.
    found(`${error instanceof Error ? error.message : String(error)} ${service.errors()}`.trim());
  } finally {
    await service.stop();
  }
  return summary;
}

/** Resolves when the service answers from its database again. */
async function untilBack(api: Api, tokens: readonly Token[], withinMs: number): Promise<void> {
  const token = tokens.at(-1)?.token ?? `1|${'a'.repeat(48)}`;
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const answer = await api.profile(token);
    if (answer?.status === 200 || answer?.status === 401) return;
    if (performance.now() > giveUpAt) throw new Error(`No answer from the database again: ${answer?.status}`);
    await delay(50);
  }
}
