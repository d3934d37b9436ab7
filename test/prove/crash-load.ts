import { userOfRegistration, type AuthApi, type ApiPerson } from './api.ts';
import type { Account, CrashRecord } from './crash-record.ts';
import type { Random } from './random.ts';

/** A load that meets nothing but faults would otherwise go on for ever. */
const MOST_FINDINGS = 50;

type Load = {
  api: AuthApi;
  client: number;
  isOver: () => boolean;
  /** Called for each registration, login and logout that was answered as done. */
  onDone: () => void;
  random: Random;
};

/** Acts as one client of a service: one person after another registers, logs in and logs out. */
export async function loadService(record: CrashRecord, { api, client, isOver, onDone, random }: Load): Promise<void> {
  const { accounts, judge, keepToken, summary } = record;
  for (let n = 0; !isOver() && summary.lost < MOST_FINDINGS; n++) {
    const key = `${summary.seed}-${summary.rounds}-${client}-${n}`;
    const person: ApiPerson = {
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
