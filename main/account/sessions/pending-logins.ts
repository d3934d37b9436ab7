import type { CodeMethod } from '../../../preload/contract/interface.ts';
import type { SessionNotice } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { CodeResult } from '../../client/account-client.ts';
import type { PendingLogin } from '../../interface/second-factor.ts';
import type { StoredSession } from '../config/config.ts';
import type { BoundClient } from '../servers/clients.ts';
import type { ExclusiveOperation, RunningOperation } from './exclusive-operation.ts';
import type { SessionPresenter } from './session-presenter.ts';
import { isServerUnchanged } from './session-store.ts';
import type { SessionsOptions } from './sessions-options.ts';

/** A login whose server asked for a code. */
export type HeldLogin = {
  serverId: string;
  bound: BoundClient;
  /** What was typed as email or user name. */
  account: string;
  /** Kept only for a server that wants it again with the code. */
  password: string;
  remember: boolean;
  replaces?: readonly StoredSession[] | undefined;
  pending: PendingLogin;
  loopbackAddress?: string | undefined;
};

type Accepted = Extract<CodeResult, { outcome: 'accepted' }>;

/** In milliseconds: so long a password is kept in memory for a server that wants it again with the code. */
const passwordKeptMs = 5 * 60_000;
const retryMs = 1000;
/** A timer for longer fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The one login that waits for its code. Its cookies, its values and its password are in this object alone: they are in no
 * file and in no state, and go with a lock, a cancellation, another server, the sleep of the computer and the end.
 */
export class PendingLogins implements Disposable {
  readonly #options: SessionsOptions;
  readonly #operations: ExclusiveOperation;
  readonly #presenter: SessionPresenter;
  readonly #finish: (login: HeldLogin, accepted: Accepted, running: RunningOperation) => Promise<Result<null>>;
  #held: HeldLogin | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The method whose challenge was started last. */
  #challenge: CodeMethod | undefined;

  /** @param finish makes the session of an accepted code */
  constructor(
    options: SessionsOptions,
    operations: ExclusiveOperation,
    presenter: SessionPresenter,
    finish: (login: HeldLogin, accepted: Accepted, running: RunningOperation) => Promise<Result<null>>,
  ) {
    this.#options = options;
    this.#operations = operations;
    this.#presenter = presenter;
    this.#finish = finish;
  }

  /** Holds a login until its code is accepted. An earlier one is dropped. */
  hold(login: HeldLogin): Result<null> {
    if (this.#options.vault.isPinClosed()) return fail({ kind: 'cancelled' });
    this.#drop();
    const { adapter } = login.bound;
    const { methods, expiresAt } = login.pending;
    const repeatsPassword = methods.some((method) => adapter.secondFactor.repeatsPassword(method));
    this.#held = repeatsPassword ? login : { ...login, password: '' };
    const now = this.#options.now().getTime();
    const endsAt = Math.min(expiresAt ?? Infinity, repeatsPassword ? now + passwordKeptMs : Infinity);
    if (endsAt < Infinity)
      this.#expireAt(endsAt - now, { kind: endsAt === expiresAt ? 'code-expired' : 'code-dropped' });
    this.#options.state.set({
      pendingLogin: {
        serverId: login.serverId,
        account: login.account,
        methods: methods.map((method) => ({ method, isSent: this.#isSent(login, method) })),
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
        isRenewal: login.replaces !== undefined,
      },
    });
    return ok(null);
  }

  async sendCode(method: CodeMethod, code: string): Promise<Result<null>> {
    return this.#whileHeld(async (running, held, bound) => {
      const needsChallenge = this.#challenge !== method && bound.adapter.hasAccountCall(`challenge.${method}`);
      const started = needsChallenge ? await this.#startChallenge(running, held, bound, method) : ok(null);
      if (!started.ok) return started;
      const { fields, ...input } = this.#input(held);
      const result = await bound.client.sendCode(method, { ...input, fields: { ...fields, code } }, running.signal);
      if (this.#held !== held) return fail({ kind: 'cancelled' });
      if (result.outcome === 'accepted') return this.#accept(held, result, running);
      if (result.outcome === 'ended') {
        this.end({ kind: 'code-refused', error: result.error });
        return fail(result.error);
      }
      if (result.outcome !== 'failed') held.pending = result.pending;
      return fail(result.error);
    });
  }

  /** Has the server send a code, or create a challenge. */
  requestCode(method: CodeMethod): Promise<Result<null>> {
    return this.#whileHeld((running, held, bound) => this.#startChallenge(running, held, bound, method));
  }

  /** Gives up the pending login. With a notice, the login form says why. */
  end(notice?: SessionNotice): void {
    const held = this.#held;
    if (!held) return;
    this.#drop();
    this.#options.state.set({ pendingLogin: undefined });
    if (notice && !held.replaces) this.#presenter.replaceNotice(held, notice);
  }

  /** Gives up a login that the window no longer shows, or whose server has changed. */
  onStateChange(): void {
    const held = this.#held;
    if (!held) return;
    const { config, state } = this.#options;
    const { activeServerId, session } = state.get();
    const isShown = held.replaces ?? (activeServerId === held.serverId && session.step === 'signed-out');
    const { baseUrl, interface: digest } = held.bound;
    if (!isShown || !isServerUnchanged({ serverId: held.serverId, baseUrl, interface: digest }, config.get()))
      this.end();
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** The session is made of it, and nothing else of the login is kept while its profile is requested. */
  async #accept(held: HeldLogin, result: Accepted, running: RunningOperation): Promise<Result<null>> {
    this.#drop();
    try {
      const finished = await this.#finish(held, result, running);
      if (!finished.ok && !held.replaces)
        this.#presenter.replaceNotice(held, { kind: 'code-refused', error: finished.error });
      return finished;
    } finally {
      // Unless the profile of the new session asks for another code.
      if (!this.#held) this.#options.state.set({ pendingLogin: undefined });
    }
  }

  async #startChallenge(
    running: RunningOperation,
    held: HeldLogin,
    bound: BoundClient,
    method: CodeMethod,
  ): Promise<Result<null>> {
    const result = await bound.client.startChallenge(method, this.#input(held), running.signal);
    if (this.#held !== held) return fail({ kind: 'cancelled' });
    if (!result.ok) return fail(result.error);
    held.pending = result.pending;
    this.#challenge = method;
    return ok(null);
  }

  /** Runs a call of the pending login at the server that asked for the code, and at no other. */
  #whileHeld(
    work: (running: RunningOperation, held: HeldLogin, bound: BoundClient) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    const held = this.#held;
    if (!held) return Promise.resolve(fail({ kind: 'not-now' }));
    return this.#operations.run('login', held.serverId, async (running) => {
      const bound = await this.#options.clientFor(held.serverId);
      if (!bound.ok) return bound;
      const { baseUrl, interface: digest } = bound.value;
      if (this.#held !== held || baseUrl !== held.bound.baseUrl || digest !== held.bound.interface)
        return fail({ kind: 'cancelled' });
      return work(running, held, bound.value);
    });
  }

  #input({ bound, account, password, pending, loopbackAddress }: HeldLogin) {
    const typed = bound.adapter.features.byUsername ? { username: account } : { email: account };
    return { pending, loopbackAddress, fields: { ...typed, ...(password !== '' && { password }) } };
  }

  /** A code that an app or a list shows needs no request to be there. */
  #isSent({ bound }: HeldLogin, method: CodeMethod): boolean {
    return method === 'email' && bound.adapter.hasAccountCall('challenge.email');
  }

  /** A response that is on its way decides first. */
  #expireAt(ms: number, notice: SessionNotice): void {
    this.#timer = setTimeout(
      () => {
        if (this.#operations.current()?.kind === 'login') this.#expireAt(retryMs, notice);
        else this.end(notice);
      },
      Math.min(Math.max(0, ms), longestTimerMs),
    );
    this.#timer.unref();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#held = undefined;
    this.#challenge = undefined;
  }
}
