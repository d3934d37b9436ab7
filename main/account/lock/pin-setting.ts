import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import type { Pin } from './pin.ts';

/**
 * Sets, changes and removes the PIN.
 * @param options.verifyPin returns the key; the last wrong try removes every session
 * @param options.exclusively fails with `not-now` while another call runs
 */
export function createPinSetting(options: {
  pin: Pin;
  vault: Pick<Vault, 'setPin' | 'closePin' | 'dropPin'>;
  state: AppStateHolder;
  verifyPin: (entered: string) => Promise<Result<Buffer>>;
  exclusively: <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;
  /** Removes every session, and the PIN. */
  removePinAndSessions: (why: 'pin-forgotten') => Promise<void>;
}) {
  const { pin, vault, state, verifyPin, exclusively, removePinAndSessions } = options;

  return {
    /** Unlocks without the PIN, and removes every session, as the last wrong try does. */
    resetForgottenPin: (): Promise<Result<null>> =>
      exclusively(async () => {
        if (state.isLocked() && pin.isSet()) await removePinAndSessions('pin-forgotten');
        return ok(null);
      }),

    setPin: (next: string, current: string | undefined): Promise<Result<null>> =>
      exclusively(async () => {
        if (pin.isSet()) {
          const key = await verifyPin(current ?? '');
          if (!key.ok) return key;
          const changed = await withFileErrors(() => pin.change(next, key.value));
          key.value.fill(0);
          return changed.ok ? ok(null) : changed;
        }
        // The key is on the disk before anything is sealed with it.
        const key = await withFileErrors(() => pin.create(next));
        if (!key.ok) return key;
        const set = await withFileErrors(() => vault.setPin(key.value));
        if (!set.ok) {
          await pin.remove();
          // Nothing is sealed with the key. If the application was locked meanwhile, the vault would stay closed.
          vault.dropPin();
          return set;
        }
        if (state.isLocked()) {
          // The application was locked meanwhile.
          vault.closePin();
          key.value.fill(0);
        }
        state.set({ pin: true });
        return ok(null);
      }),

    removePin: (current: string): Promise<Result<null>> =>
      exclusively(async () => {
        if (!pin.isSet()) return fail({ kind: 'not-now' });
        const key = await verifyPin(current);
        if (!key.ok) return key;
        key.value.fill(0);
        const taken = await withFileErrors(() => vault.setPin(undefined));
        if (!taken.ok) return taken;
        const removed = await withFileErrors(() => pin.remove());
        if (!removed.ok) return removed;
        // If the application was locked meanwhile, no PIN would open the vault again.
        vault.dropPin();
        state.set({ pin: false });
        return ok(null);
      }),
  };
}

async function withFileErrors<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    const code = errorCodeOf(error);
    return fail(code === undefined ? { kind: 'token-unreadable' } : { kind: 'file-failed', code });
  }
}
