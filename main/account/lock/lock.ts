import type { LockCause, WindowState } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import { createPinSetting } from './pin-setting.ts';
import type { Pin } from './pin.ts';

/**
 * Locks and unlocks the application. The window loses its state, and with a PIN the vault its key, so that this process
 * itself cannot read the entries until the PIN is entered.
 */
export function createLock(options: {
  pin: Pin;
  vault: Vault;
  session: Pick<Sessions, 'operations' | 'reopen' | 'removeAll'>;
  state: AppStateHolder;
  /** Drops the secrets of the rest of main: connections, recorded calls, the clipboard. */
  forgetSecrets: () => void;
}) {
  const { pin, vault, session, state, forgetSecrets } = options;
  let busy = false;

  function lock(cause: LockCause): void {
    if (state.isLocked()) return;
    state.setLock({ cause, triesLeft: pin.triesLeft() });
    dropSecrets();
  }

  function dropSecrets(): void {
    session.operations.abandon();
    if (pin.isSet()) vault.closePin();
    forgetSecrets();
  }

  /** Fails with `not-now` while another call runs: two concurrent attempts would both use up a try. */
  async function exclusively<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (busy) return fail({ kind: 'not-now' });
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  }

  /** Returns the key. The last wrong try removes every session. */
  async function verifyPin(entered: string): Promise<Result<Buffer>> {
    const guessed = await pin.verify(entered);
    if (guessed.ok) return ok(guessed.key);
    if ('code' in guessed) return fail({ kind: 'file-failed', code: guessed.code });
    if (guessed.triesLeft === 0) await removePinAndSessions('sessions-dropped');
    return fail({ kind: 'wrong-pin', triesLeft: guessed.triesLeft });
  }

  async function removePinAndSessions(why: 'sessions-dropped' | 'pin-forgotten'): Promise<void> {
    // The key goes first, so that a crash in between leaves nothing to guess on.
    await pin.remove();
    vault.dropPin();
    await session.removeAll(why);
    state.set({ pin: false });
    state.setLock(undefined);
  }

  // With a PIN, the state is locked from the start.
  if (state.isLocked()) dropSecrets();

  return {
    lock,

    unlock: (entered: string | undefined): Promise<Result<null>> =>
      exclusively(async () => {
        if (!state.isLocked()) return ok(null);
        if (pin.isSet()) {
          const key = await verifyPin(entered ?? '');
          if (!key.ok) {
            if (state.isLocked()) state.setLock({ ...lockOf(state.shown()), triesLeft: pin.triesLeft() });
            return key;
          }
          await vault.openPin(key.value);
        }
        session.reopen();
        state.setLock(undefined);
        return ok(null);
      }),

    ...createPinSetting({ pin, vault, state, verifyPin, exclusively, removePinAndSessions }),
  };
}

export const lockHandlers = (lock: ReturnType<typeof createLock>): Handlers['lock'] => ({
  now() {
    lock.lock('by-hand');
    return ok(null);
  },
  unlock: ({ pin }) => lock.unlock(pin),
  resetForgottenPin: () => lock.resetForgottenPin(),
  setPin: ({ pin, current }) => lock.setPin(pin, current),
  removePin: ({ current }) => lock.removePin(current),
});

function lockOf(shown: WindowState): { cause: LockCause } {
  return { cause: shown.locked ? shown.cause : 'by-hand' };
}
