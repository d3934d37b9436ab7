import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { builtInId, type ConfigStore } from '../config/config.ts';
import type { Servers } from '../servers/servers.ts';
import { answerState } from '../ipc/answer-state.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Controls, Person } from './controls.ts';
import { unlessUnavailable } from './built-in-server.ts';

type PersonAnswer = Awaited<ReturnType<Controls['data']['demo'] | Controls['data']['seeded']>>;

/** Signs in the made-up people of the built-in server, whose passwords nobody types. */
export function createDemo(options: {
  controls: () => Promise<Result<Controls>>;
  config: ConfigStore;
  state: AppStateHolder;
  session: Pick<SessionService, 'login' | 'check' | 'forget'>;
  servers: Pick<Servers, 'choose' | 'chooseSession'>;
}): Handlers['demo'] {
  const { config, state, session, servers } = options;
  const then = answerState(state.get);

  const heldIds = ({ email }: Person): string[] =>
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
    const result = await session.login({ email: person.email, password: person.password });
    // Nobody types this address, so the log-in form offers the one before.
    config.change({ lastEmails });
    return result;
  }

  /** Puts the built-in server on the screen, and answers whom to log in as. */
  async function arrive(ask: (data: Controls['data']) => Promise<PersonAnswer>): Promise<Result<Person>> {
    const controls = await options.controls();
    if (!controls.ok) return controls;
    const { data, demoEmail } = controls.value;
    const answer = await unlessUnavailable(async () => ok(await ask(data)));
    if (!answer.ok) return answer;
    if (!answer.value.ok) {
      return fail(answer.value.kind === 'taken' ? { kind: 'demo-taken', email: demoEmail } : { kind: 'not-seeded' });
    }
    const shown = await servers.choose(builtInId);
    return shown.ok ? ok(answer.value.person) : shown;
  }

  /** Takes a session that is held if its token still works, else a new one. */
  async function signIn(person: Person): Promise<Result<null>> {
    const [held] = heldIds(person);
    if (held === undefined) return logIn(person);
    await (isShown(held) ? session.check(held) : servers.chooseSession(held));
    return isShown(held) ? ok(null) : logIn(person);
  }

  return {
    async start() {
      const person = await arrive((data) => data.demo());
      return person.ok ? then(signIn(person.value)) : person;
    },

    async signInAs({ id }) {
      const person = await arrive((data) => data.seeded(id));
      return person.ok ? then(signIn(person.value)) : person;
    },

    async reset() {
      const person = await arrive((data) => data.resetDemo());
      if (!person.ok) return person;
      // Their tokens no longer work. They go after the new one is there, so that no log-in form flashes by.
      const before = heldIds(person.value);
      const result = await logIn(person.value);
      if (!result.ok) return result;
      for (const id of before) await session.forget(id);
      return ok(state.get());
    },
  };
}
