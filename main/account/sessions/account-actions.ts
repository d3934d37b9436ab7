import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import { cleanEmail } from '../../../preload/contract/clean-email.ts';
import type { ClientResult } from '../../client/client.ts';
import { knownIdentifiers } from '../../client/user-profile.ts';
import type { StoredSession } from '../config/config.ts';
import type { BoundClient } from '../servers/clients.ts';
import type { CredentialStore, SessionCredential } from './credential-store.ts';
import type { ExclusiveOperation, RunningOperation } from './exclusive-operation.ts';
import { resolveSessionEnd, parseTokenId } from './session-end.ts';
import type { SessionPresenter } from './session-presenter.ts';
import type { SessionsOptions } from './sessions-options.ts';

type Parts = {
  options: SessionsOptions;
  operations: ExclusiveOperation;
  credentials: CredentialStore;
  presenter: SessionPresenter;
  /** Requests the profile, with a refresh if that is due. Returns once a rotated credential is stored. */
  requestProfile: (
    running: RunningOperation,
    stored: StoredSession,
    credential: SessionCredential,
  ) => Promise<{ answer: ClientResult }>;
};

type OfSession = {
  running: RunningOperation;
  stored: StoredSession;
  bound: BoundClient;
  credential: SessionCredential;
};

type ChangePassword = Parameters<Handlers['sessions']['changePassword']>[0];
type DeleteAccount = Parameters<Handlers['sessions']['deleteAccount']>[0];

/** Changes, deletes and recovers accounts at their servers. */
export class AccountActions {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Changes the password. The session goes on with what the response gave; if its profile is refused then, the server has
   * ended it.
   */
  changePassword({ id, password, newPassword }: ChangePassword): Promise<Result<{ ended: boolean }>> {
    return this.#withSession<{ ended: boolean }>(id, async ({ running, stored, bound, credential }) => {
      const { credentials, options, presenter } = this.#parts;
      const { loopbackAddress, account, user } = stored;
      const fields = { password, newPassword };
      const changed = await bound.client.changePassword({ credential, fields, loopbackAddress }, running.signal);
      if (!changed.ok) return changed;
      const rotated = await credentials.rotate(stored, credential, changed.credential);
      const who = knownIdentifiers([account, user?.id, user?.email, user?.name], undefined);
      // Not by the signal: the password is changed, and a cancellation changes nothing of that.
      const profile = await bound.client.profile(rotated, undefined, loopbackAddress, who);
      if (!profile.ok && profile.error.kind === 'unauthenticated') {
        await credentials.removeSessions([stored]);
        presenter.showIfCurrent(running, presenter.signedOut(stored.serverId, { kind: 'password-changed' }));
        return ok({ ended: true });
      }
      const last = await credentials.rotate(stored, rotated, profile.credential);
      const current = options.sessionStore.find(id);
      if (current) {
        const readings = profile.reading ? [profile.reading] : [];
        const now = options.now().toISOString();
        const end = resolveSessionEnd({ token: last.token, readings, known: current.end, now });
        const tokenId = parseTokenId(last.token) ?? current.tokenId;
        options.sessionStore.change({ put: [{ session: { ...current, end, tokenId } }] });
      }
      return ok({ ended: false });
    });
  }

  /** Deletes the account, and removes its sessions here: there is nothing left to log out of. */
  deleteAccount({ id, typed, password }: DeleteAccount): Promise<Result<null>> {
    return this.#withSession(id, async ({ running, stored, bound, credential }) => {
      const { credentials, options, presenter } = this.#parts;
      const { account, serverId, loopbackAddress } = stored;
      if (typed.trim() !== account && cleanEmail(typed) !== account) return fail({ kind: 'not-now' });
      const fields = { password };
      const deleted = await bound.client.deleteAccount({ credential, fields, loopbackAddress }, running.signal);
      if (!deleted.ok) return deleted;
      const ofAccount = options.sessionStore.ofServer(serverId).filter((each) => each.account === account);
      const wasShown = ofAccount.some((each) => presenter.isShown(each));
      await credentials.removeSessions(ofAccount);
      if (wasShown) presenter.showIfCurrent(running, presenter.signedOut(serverId, { kind: 'account-deleted' }));
      return ok(null);
    });
  }

  /**
   * Has the active server send an email. A refusal counts as success, since it may tell who has an account. Fails if the
   * request did not reach the server.
   */
  requestEmail(name: 'forgotPassword' | 'resendConfirmation', account: string): Promise<Result<null>> {
    const { operations, options, presenter } = this.#parts;
    return operations.run('account', presenter.activeServerId(), async ({ serverId, signal }) => {
      const bound = await options.clientFor(serverId);
      if (!bound.ok) return bound;
      if (!bound.value.adapter.hasAccountCall(name)) return fail({ kind: 'not-now' });
      const typed = bound.value.adapter.features.byUsername ? account.trim() : cleanEmail(account);
      const result = await bound.value.client.requestEmail(name, typed, signal);
      return result.ok || saysWhetherThereIsOne.has(result.error.kind) ? ok(null) : result;
    });
  }

  /** Requests the profile first, so that a 401 of the call itself is about the password and not about the session. */
  #withSession<T>(id: string, work: (of: OfSession) => Promise<Result<T>>): Promise<Result<T>> {
    const { operations, options, credentials, requestProfile } = this.#parts;
    const stored = options.sessionStore.find(id);
    if (!stored || stored.loggedOutAt !== undefined) return Promise.resolve(fail({ kind: 'not-now' }));
    const allowed = options.production.check(stored.serverId);
    if (!allowed.ok) return Promise.resolve(allowed);
    return operations.run('account', stored.serverId, async (running) => {
      const before = await credentials.read(stored);
      if (before === null) return fail({ kind: 'token-unreadable' });
      const { answer } = await requestProfile(running, stored, before);
      if (!answer.ok) return answer;
      const credential = await credentials.read(stored);
      const bound = await options.clientFor(stored.serverId, stored);
      if (!bound.ok) return bound;
      if (credential === null || !operations.isRunning(running)) return fail({ kind: 'cancelled' });
      return work({ running, stored, bound: bound.value, credential });
    });
  }
}

/** Refusals that the server itself gives for the account that was typed. */
const saysWhetherThereIsOne: ReadonlySet<string> = new Set([
  'throttled',
  'validation',
  'unauthenticated',
  'account-held',
  'unexpected',
  'server-fault',
]);
