import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { ConfigStore } from '../../account/config/config-store.ts';
import { builtInId } from '../../account/config/server-ids.ts';
import type { Servers } from '../../account/servers/servers.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { Sessions } from '../../account/sessions/sessions.ts';
import type { AppStateHolder } from '../../account/state/app-state.ts';
import { demoCodesUser } from '../../service/data/demo-user.ts';
import type { ControlledService, LocalServer } from './local-server.ts';

type Data = ControlledService['data'];
type PersonAnswer = Awaited<ReturnType<Data['demoUser'] | Data['demoCodesUser'] | Data['seedUserOf']>>;
/** The credentials of a demo user. They never leave main. */
type Person = { email: string; password: string };

/** Logs in the demo users of the built-in server, whose passwords nobody types. */
export function createDemo(options: {
  builtIn: Pick<LocalServer, 'withService'>;
  /** The email of the demo user. */
  demoEmail: string;
  config: ConfigStore;
  state: AppStateHolder;
  session: Pick<Sessions, 'logins' | 'check' | 'forget' | 'restored'>;
  servers: Pick<Servers, 'choose' | 'chooseSession'>;
}): Handlers['demo'] {
  const { config, state, session, servers } = options;

  const usableSessionIds = ({ email }: Person): string[] =>
    state
      .get()
      .sessions.filter(({ serverId, account }) => serverId === builtInId && account === email)
      .filter((held) => held.state === 'usable')
      .map(({ id }) => id);

  const isShown = (id: string): boolean => {
    const { session: shown } = state.get();
    return shown.step === 'signed-in' && shown.sessionId === id;
  };

  async function logIn(person: Person): Promise<Result<null>> {
    const { lastEmails } = config.get();
    const result = await session.logins.login({ email: person.email, password: person.password });
    // Nobody typed this email, so the login form keeps the one before.
    config.change({ lastEmails });
    return result;
  }

  /** Shows the built-in server, and returns whom to log in as. */
  async function openDemo(ask: (data: Data) => Promise<PersonAnswer>): Promise<Result<Person>> {
    const answer = await options.builtIn.withService(async ({ data }) => ok(await ask(data)));
    if (!answer.ok) return answer;
    if (!answer.value.ok) {
      const isTaken = answer.value.kind === 'taken';
      return fail(isTaken ? { kind: 'demo-taken', email: options.demoEmail } : { kind: 'not-seeded' });
    }
    const shown = await servers.choose({ id: builtInId });
    await session.restored();
    return shown.ok ? ok(answer.value.person) : shown;
  }

  /** Shows the session of this user if its token still works, else logs in. */
  async function signIn(person: Person): Promise<Result<null>> {
    const [held] = usableSessionIds(person);
    if (held === undefined) return logIn(person);
    if (isShown(held)) await session.check(held);
    else {
      await servers.chooseSession({ id: held });
      await session.restored();
    }
    return isShown(held) ? ok(null) : logIn(person);
  }

  async function signInAs(ask: (data: Data) => Promise<PersonAnswer>): Promise<Result<null>> {
    const person = await openDemo(ask);
    return person.ok ? signIn(person.value) : person;
  }

  return {
    start: () => signInAs((data) => data.demoUser()),
    startWithCode: () => signInAs((data) => data.demoCodesUser()),
    logInAs: ({ id }) => signInAs((data) => data.seedUserOf(id)),
    code: () => demoCode(state),

    async reset() {
      const person = await openDemo((data) => data.resetDemo());
      if (!person.ok) return person;
      // Their tokens no longer work. They are removed after the login, so that no login form flashes.
      const before = usableSessionIds(person.value);
      const result = await logIn(person.value);
      if (!result.ok) return result;
      for (const id of before) await session.forget(id);
      const [begun] = usableSessionIds(person.value);
      return begun === undefined ? fail({ kind: 'not-now' }) : ok({ id: begun });
    },
  };
}

/** The current code of the demo's second factor, whose secret is public, by the clock of the built-in server. */
async function demoCode(state: AppStateHolder): Promise<Result<{ code?: string; secondsLeft?: number }>> {
  const { pendingLogin, clockAheadMs } = state.get();
  if (pendingLogin?.serverId !== builtInId || pendingLogin.account !== demoCodesUser.email) return ok({});
  const { currentDemoCode } = await import('../../service/data/demo-code.ts');
  return ok(currentDemoCode(Date.now() + clockAheadMs) ?? {});
}
