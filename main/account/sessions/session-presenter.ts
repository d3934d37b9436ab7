import type { SessionNotice, AuthState, UserProfile } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import type { RedactedInterpretation } from '../../client/redact-interpretation.ts';
import type { RedactedJson } from '../../client/reading/json-text.ts';
import type { StoredSession } from '../config/config.ts';
import type { RunningOperation, ExclusiveOperation } from './exclusive-operation.ts';
import { createInitialSession, createSignedOutSession } from './initial-session.ts';
import type { SessionsOptions } from './sessions-options.ts';

/** What is kept of a user between two runs. */
export const toStoredUser = ({ id, name, email }: UserProfile): StoredSession['user'] => ({ id, name, email });

const ofRegistration: ReadonlySet<SessionNotice['kind']> = new Set(['registered-not-logged-in', 'confirm-first']);

/** What the window shows of the active server: a session, or the log-in form with what there is to say on it. */
export class SessionPresenter {
  readonly #options: Pick<SessionsOptions, 'config' | 'sessionStore' | 'state' | 'now'>;
  readonly #attempts: ExclusiveOperation;
  /** What the newest answer about the person says, by the id of the session. */
  readonly #sent = new Map<string, RedactedJson>();

  constructor(
    options: Pick<SessionsOptions, 'config' | 'sessionStore' | 'state' | 'now'>,
    attempts: ExclusiveOperation,
  ) {
    this.#options = options;
    this.#attempts = attempts;
  }

  // ── What is shown ──

  activeServerId(): string {
    return this.#options.state.get().activeServerId;
  }

  session(): AuthState {
    return this.#options.state.get().session;
  }

  setSession(session: AuthState): void {
    this.#options.state.set({ session });
  }

  /** Shows what comes of an attempt, unless that was left or its server is no longer the active one. */
  showIfCurrent(attempt: RunningOperation, session: AuthState): void {
    if (this.#attempts.isRunning(attempt) && this.activeServerId() === attempt.serverId) this.setSession(session);
  }

  /** Replaces what the log-in form says of a logout, once that is settled. */
  replaceLogoutNotice({ serverId }: StoredSession, notice: SessionNotice | undefined): void {
    if (this.activeServerId() === serverId && this.session().step === 'signed-out')
      this.setSession(this.signedOut(serverId, notice));
  }

  /** Takes back that an account was made, before another one is. */
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

  /** What is shown of a server before it was asked anything. */
  initial(serverId: string): AuthState {
    return createInitialSession(serverId, this.#options.sessionStore, this.#options.config.get());
  }

  /** The session on the screen; undefined while the log-in form is there. */
  shownSession(): { stored: StoredSession; user: UserProfile } | undefined {
    const session = this.session();
    const stored = session.step === 'signed-out' ? undefined : this.#options.sessionStore.find(session.sessionId);
    return stored && session.step !== 'signed-out' ? { stored, user: session.user } : undefined;
  }

  isShown({ id }: StoredSession): boolean {
    return this.shownSession()?.stored.id === id;
  }

  saveRawProfile(id: string, reading: RedactedInterpretation | undefined): void {
    if (reading?.sent) this.#sent.set(id, reading.sent);
  }

  /** Says on the form, if that is shown, that the server accepted the login and its profile is still being read. */
  setLoginAccepted(attempt: RunningOperation, isAccepted: boolean): void {
    const session = this.session();
    if (session.step !== 'signed-out' || (session.accepted ?? false) === isAccepted) return;
    const { accepted: _accepted, ...form } = session;
    this.showIfCurrent(attempt, isAccepted ? { ...form, accepted: true } : form);
  }

  /** What the server sent to a session. It is undefined until it has sent something in this run. */
  rawProfileOf(id: string): RedactedJson | undefined {
    return this.#sent.get(id);
  }

  deleteRawProfile(id: string): void {
    this.#sent.delete(id);
  }
}
