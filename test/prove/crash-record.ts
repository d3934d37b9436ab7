import { tokenOfLogin, type ApiAnswer, type ApiPerson, type User } from './api.ts';

export type CrashSummary = {
  name: 'crash';
  engine: 'sqlite' | 'postgres';
  argon2: 'minimal';
  seed: number;
  rounds: number;
  serverKills: number;
  killsWhileStarting: number;
  /** The number of registrations, logins and logouts that were answered as done. */
  acknowledged: number;
  /** The number of requests whose answer never came. Each was looked up afterwards. */
  inDoubt: number;
  /** The number of questions asked after restarts. */
  checks: number;
  lost: number;
  /** The first few things that were lost or wrong. */
  findings: string[];
};

export type Account = {
  person: ApiPerson;
  /** The user as it was answered; undefined while in doubt. */
  user: User | undefined;
};
export type Token = { token: string; account: Account; state: 'alive' | 'revoked' | 'in-doubt' };

export type CrashRecord = ReturnType<typeof createCrashRecord>;

/**
 * Keeps what a service answered, so that it can be looked for later.
 *
 * @param summary is brought up to date
 * @param options.errors what the service has written on standard error
 * @param options.losesDatabase whether the service may say that its database is gone
 */
export function createCrashRecord(summary: CrashSummary, options: { errors: () => string; losesDatabase: boolean }) {
  const accounts: Account[] = [];
  const tokens: Token[] = [];
  const tokenIds = new Set<string>();

  const found = (finding: string): void => {
    summary.lost++;
    if (summary.findings.length < 10) summary.findings.push(finding);
  };

  /** Returns an answer of the wanted status; undefined when the outcome is not known. Another one is a finding. */
  function judge(
    answer: ApiAnswer | undefined,
    wanted: number,
    what: string,
    isKilled: boolean,
  ): ApiAnswer | undefined {
    if (answer?.status === wanted) return answer;
    summary.inDoubt++;
    if (answer === undefined && !isKilled) found(`${what}: the service ended by itself: ${options.errors()}`);
    if (answer !== undefined && !(options.losesDatabase && answer.status === 503)) found(`${what}: ${answer.status}`);
    return undefined;
  }

  function keepToken(answer: ApiAnswer, account: Account): Token {
    const kept: Token = { token: tokenOfLogin(answer.body), account, state: 'alive' };
    const [id = ''] = kept.token.split('|', 1);
    if (tokenIds.has(id)) found(`token id ${id} was given out twice`);
    tokenIds.add(id);
    tokens.push(kept);
    return kept;
  }

  return { summary, accounts, tokens, found, judge, keepToken };
}
