import type { LockCause, WindowState, AppState } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import type { Pin } from './pin.ts';

/**
 * Locks the application and opens it again. What the window shows goes first; with a PIN, the key of the vault's entries
 * goes too, so that this process itself cannot read them until the PIN gives it back.
 */
export function createLock(options: {
  pin: Pin;
  vault: Vault;
  session: Pick<SessionService, 'leave' | 'reopen' | 'dropAll'>;
  state: AppStateHolder;
  /** Drops what else of main holds secrets: connections, references, the clipboard. */
  forgetSecrets: () => void;
}) {
  const { pin, vault, session, state, forgetSecrets } = options;
  let busy = false;

  function lock(cause: LockCause): WindowState {
    if (state.isLocked()) return state.shown();
    state.setLock({ cause, triesLeft: pin.triesLeft() });
    session.leave();
    if (pin.isSet()) vault.pin.close();
    forgetSecrets();
    return state.shown();
  }

  /** One at a time: two answers to one question would count twice. */
  async function alone<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (busy) return fail({ kind: 'not-now' });
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  }

  /** The key that a PIN gives; with the last wrong one, every session is gone. */
  async function ask(given: string): Promise<Result<Buffer>> {
    const guessed = await pin.guess(given);
    if (guessed.ok) return ok(guessed.key);
    if ('code' in guessed) return fail({ kind: 'file-failed', code: guessed.code });
    if (guessed.triesLeft === 0) await drop();
    return fail({ kind: 'wrong-pin', triesLeft: guessed.triesLeft });
  }

  async function drop(): Promise<void> {
    // First what makes the entries readable, so that a crash in between leaves nothing that can be guessed on.
    await pin.remove();
    vault.pin.drop();
    await session.dropAll();
    state.change({ pin: false });
    state.setLock(undefined);
  }

  /** A disk that is full or read-only is something a person can act on. */
  async function written<T>(work: () => Promise<T>): Promise<Result<T>> {
    try {
      return ok(await work());
    } catch (error) {
      if (error instanceof Error && 'code' in error) return fail({ kind: 'file-failed', code: String(error.code) });
      return fail({ kind: 'token-unreadable' });
    }
  }

  return {
    lock,

    unlock: (given: string | undefined): Promise<Result<WindowState>> =>
      alone(async () => {
        if (!state.isLocked()) return ok(state.shown());
        if (pin.isSet()) {
          const key = await ask(given ?? '');
          if (!key.ok) {
            if (state.isLocked()) state.setLock({ ...lockOf(state.shown()), triesLeft: pin.triesLeft() });
            return key;
          }
          await vault.pin.open(key.value);
        }
        session.reopen();
        state.setLock(undefined);
        return ok(state.shown());
      }),

    setPin: (next: string, current: string | undefined): Promise<Result<AppState>> =>
      alone(async () => {
        if (pin.isSet()) {
          const key = await ask(current ?? '');
          if (!key.ok) return key;
          const changed = await written(() => pin.change(next, key.value));
          key.value.fill(0);
          return changed.ok ? ok(state.get()) : changed;
        }
        // The key is safe before anything is under it.
        const key = await written(() => pin.create(next));
        if (!key.ok) return key;
        const set = await written(() => vault.pin.set(key.value));
        if (!set.ok) {
          await pin.remove();
          // Nothing is under the key; locked meanwhile, the vault would wait for it for ever.
          vault.pin.drop();
          return set;
        }
        if (state.isLocked()) {
          // Locked before there was a PIN, or while the entries were put under it.
          vault.pin.close();
          key.value.fill(0);
        }
        return ok(state.change({ pin: true }));
      }),

    removePin: (current: string): Promise<Result<AppState>> =>
      alone(async () => {
        if (!pin.isSet()) return fail({ kind: 'not-now' });
        const key = await ask(current);
        if (!key.ok) return key;
        key.value.fill(0);
        const taken = await written(() => vault.pin.set(undefined));
        if (!taken.ok) return taken;
        const removed = await written(() => pin.remove());
        if (!removed.ok) return removed;
        // Locked while the file was removed: no PIN would open it again, and nothing is under one any more.
        vault.pin.drop();
        return ok(state.change({ pin: false }));
      }),
  };
}

function lockOf(shown: WindowState): { cause: LockCause } {
  return { cause: shown.locked ? shown.cause : 'by-hand' };
}
