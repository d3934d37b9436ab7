import type { LockCause, WindowState } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import { createPinSetting } from './pin-setting.ts';
import type { Pin } from './pin.ts';

/**
 * Locks the application and opens it again. What the window shows goes first; with a PIN, the key of the vault's entries
 * goes too, so that this process itself cannot read them until the PIN gives it back.
 */
export function createLock(options: {
  pin: Pin;
  vault: Vault;
  session: Pick<Sessions, 'operations' | 'reopen' | 'removeAll'>;
  state: AppStateHolder;
  /** Drops what else of main holds secrets: connections, references, the clipboard. */
  forgetSecrets: () => void;
}) {
  const { pin, vault, session, state, forgetSecrets } = options;
  let busy = false;

  function lock(cause: LockCause): void {
    if (state.isLocked()) return;
    state.setLock({ cause, triesLeft: pin.triesLeft() });
    shut();
  }

  function shut(): void {
    session.operations.abandon();
    if (pin.isSet()) vault.closePin();
    forgetSecrets();
  }

  /** Does one thing at a time, since two answers to one question would count twice. */
  async function alone<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (busy) return fail({ kind: 'not-now' });
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  }

  /** Answers the key that a PIN gives. With the last wrong one, every session is gone. */
  async function ask(given: string): Promise<Result<Buffer>> {
    const guessed = await pin.verify(given);
    if (guessed.ok) return ok(guessed.key);
    if ('code' in guessed) return fail({ kind: 'file-failed', code: guessed.code });
    if (guessed.triesLeft === 0) await drop('sessions-dropped');
    return fail({ kind: 'wrong-pin', triesLeft: guessed.triesLeft });
  }

  async function drop(why: 'sessions-dropped' | 'pin-forgotten'): Promise<void> {
    // What makes the entries readable goes first, so that a crash in between leaves nothing to guess on.
    await pin.remove();
    vault.dropPin();
    await session.removeAll(why);
    state.set({ pin: false });
    state.setLock(undefined);
  }

  // With a PIN, the first state is locked before there is anything to shut.
  if (state.isLocked()) shut();

  return {
    lock,

    unlock: (given: string | undefined): Promise<Result<null>> =>
      alone(async () => {
        if (!state.isLocked()) return ok(null);
        if (pin.isSet()) {
          const key = await ask(given ?? '');
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

    ...createPinSetting({ pin, vault, state, ask, alone, drop }),
  };
}

/** Makes what the window may ask of the lock. */
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
