import type { SessionNotice, AuthState, UserProfile } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import type { RedactedInterpretation } from '../../client/redact-interpretation.ts';
import type { RedactedJson } from '../../client/reading/json-text.ts';
import type { StoredSession } from '../config/config.ts';
import type { RunningOperation, ExclusiveOperation } from './exclusive-operation.ts';
import { createInitialSession, createSignedOutSession } from './initial-session.ts';
import type { SessionsOptions } from './sessions-options.ts';

/** The user fields that are stored in `config.json`. */
export const toStoredUser = ({ id, name, email }: UserProfile): StoredSession['user'] => ({ id, name, email });

const ofRegistration: ReadonlySet<SessionNotice['kind']> = new Set(['registered-not-logged-in', 'confirm-first']);

type Options = Pick<SessionsOptions, 'config' | 'sessionStore' | 'state' | 'now'>;

/** What the window shows of the active server: a session, or the login form with a notice. */
export class SessionPresenter {
  readonly #options: Options;
  readonly #operations: ExclusiveOperation;
  /** The latest profile response of this run, by session id. */
  readonly #rawProfiles = new Map<string, RedactedJson>();

  constructor(options: Options, operations: ExclusiveOperation) {
    this.#options = options;
    this.#operations = operations;
  }

  activeServerId(): string {
    return this.#options.state.get().activeServerId;
  }

  session(): AuthState {
    return this.#options.state.get().session;
  }

  setSession(session: AuthState): void {
    this.#options.state.set({ session });
  }

  /** Does nothing once the operation was abandoned or another server is active. */
  showIfCurrent(running: RunningOperation, session: AuthState): void {
    if (this.#operations.isRunning(running) && this.activeServerId() === running.serverId) this.setSession(session);
  }

  /** Shows the stored session of the active server, without a request. */
  showStored(): void {
    this.setSession(this.initial(this.activeServerId()));
  }

  replaceNotice({ serverId }: Pick<StoredSession, 'serverId'>, notice: SessionNotice | undefined): void {
    if (this.activeServerId() === serverId && this.session().step === 'signed-out')
      this.setSession(this.signedOut(serverId, notice));
  }

  clearRegistrationNotice({ serverId }: RunningOperation): void {
    const session = this.session();
    if (session.step !== 'signed-out' || this.activeServerId() !== serverId) return;
    if (session.notice && ofRegistration.has(session.notice.kind)) this.setSession({ ...session, notice: undefined });
  }

  signedOut(serverId: string, notice?: SessionNotice): AuthState {
    return createSignedOutSession(serverId, this.#options.config.get(), notice);
  }

  signedIn(stored: StoredSession, user: UserProfile, error?: AppError): AuthState {
    const check = error
      ? ({ state: 'unchecked', error } as const)
      : ({ state: 'checked', at: this.#options.now().toISOString() } as const);
    return { step: 'signed-in', sessionId: stored.id, user, check };
  }

  initial(serverId: string): AuthState {
    return createInitialSession(serverId, this.#options.sessionStore, this.#options.config.get());
  }

  /** The session on the screen; undefined while the login form is shown. */
  shownSession(): { stored: StoredSession; user: UserProfile } | undefined {
    const session = this.session();
    if (session.step === 'signed-out') return undefined;
    const stored = this.#options.sessionStore.find(session.sessionId);
    return stored && { stored, user: session.user };
  }

  isShown({ id }: StoredSession): boolean {
    return this.shownSession()?.stored.id === id;
  }

  /** Shows in the login form that the login was accepted and the profile is still being requested. */
  setLoginAccepted(running: RunningOperation, isAccepted: boolean): void {
    const session = this.session();
    if (session.step !== 'signed-out' || (session.accepted ?? false) === isAccepted) return;
    const { accepted: _accepted, ...form } = session;
    this.showIfCurrent(running, isAccepted ? { ...form, accepted: true } : form);
  }

  saveRawProfile(id: string, reading: RedactedInterpretation | undefined): void {
    if (reading?.sent) this.#rawProfiles.set(id, reading.sent);
  }

  /** Undefined until the server has sent a profile in this run. */
  rawProfileOf(id: string): RedactedJson | undefined {
    return this.#rawProfiles.get(id);
  }

  deleteRawProfile(id: string): void {
    this.#rawProfiles.delete(id);
  }
}
