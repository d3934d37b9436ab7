import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { AppState } from '../../preload/contract/models.ts';
import { builtInId, type ConfigStore } from '../config/config.ts';
import type { Environments } from '../environments/environments.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Controls, Person } from './controls.ts';
import { unlessUnavailable } from './partner.ts';

/** The offline demo: a made-up person at the embedded service, who is signed in without anybody typing a password. */
export function createDemo(options: {
  controls: () => Promise<Result<Controls>>;
  config: ConfigStore;
  state: AppStateHolder;
  session: Pick<SessionService, 'login' | 'forgetHeld'>;
  environments: Pick<Environments, 'use' | 'useSession'>;
}): Handlers['demo'] {
  const { config, state, session, environments } = options;

  const heldIds = (): string[] =>
    state
      .get()
      .sessions.filter(({ isDemo, state: held }) => isDemo && held === 'usable')
      .map(({ id }) => id);

  const isShown = (id: string): boolean => {
    const { session: shown } = state.get();
    return shown.step === 'signed-in' && shown.sessionId === id;
  };

  async function logIn(person: Person): Promise<Result<AppState>> {
    const { lastEmails } = config.get();
    const result = await session.login({ email: person.email, password: person.password });
    // Nobody types this address, so that the log-in form offers the one before.
    config.change({ lastEmails });
    return result;
  }

  /** Whom to log in as, with the embedded service's environment on the screen. */
  async function arrive(
    ask: (data: Controls['data']) => ReturnType<Controls['data']['demo']>,
  ): Promise<Result<Person>> {
    const controls = await options.controls();
    if (!controls.ok) return controls;
    const { data, demoEmail } = controls.value;
    const answer = await unlessUnavailable(async () => ok(await ask(data)));
    if (!answer.ok) return answer;
    if (!answer.value.ok) return fail({ kind: 'demo-taken', email: demoEmail });
    const shown = await environments.use(builtInId);
    return shown.ok ? ok(answer.value.person) : shown;
  }

  return {
    async start() {
      const person = await arrive((data) => data.demo());
      if (!person.ok) return person;
      const [held] = heldIds();
      if (held !== undefined && !isShown(held)) await environments.useSession(held);
      return held !== undefined && isShown(held) ? ok(state.get()) : logIn(person.value);
    },

    async reset() {
      const person = await arrive((data) => data.resetDemo());
      if (!person.ok) return person;
      // Their tokens are dead. They go after the new one is there, so that no log-in form flashes by.
      const before = heldIds();
      const result = await logIn(person.value);
      if (!result.ok) return result;
      for (const id of before) await session.forgetHeld(id);
      return ok(state.get());
    },
  };
}
