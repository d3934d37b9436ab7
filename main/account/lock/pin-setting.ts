import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import type { Pin } from './pin.ts';

/**
 * Sets the PIN, changes it and takes it away.
 * @param options.ask gives the key that a PIN opens; the last wrong PIN drops every session
 * @param options.alone does one thing about the PIN at a time
 */
export function createPinSetting(options: {
  pin: Pin;
  vault: Pick<Vault, 'setPin' | 'closePin' | 'dropPin'>;
  state: AppStateHolder;
  ask: (given: string) => Promise<Result<Buffer>>;
  alone: <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;
  /** Removes every session, and the PIN. */
  drop: (why: 'pin-forgotten') => Promise<void>;
}) {
  const { pin, vault, state, ask, alone, drop } = options;

  return {
    /** Opens a lock whose PIN is forgotten: what only the PIN opens is removed, as with the last wrong one. */
    resetForgottenPin: (): Promise<Result<null>> =>
      alone(async () => {
        if (state.isLocked() && pin.isSet()) await drop('pin-forgotten');
        return ok(null);
      }),

    setPin: (next: string, current: string | undefined): Promise<Result<null>> =>
      alone(async () => {
        if (pin.isSet()) {
          const key = await ask(current ?? '');
          if (!key.ok) return key;
          const changed = await written(() => pin.change(next, key.value));
          key.value.fill(0);
          return changed.ok ? ok(null) : changed;
        }
        // The key is safe before anything is under it.
        const key = await written(() => pin.create(next));
        if (!key.ok) return key;
        const set = await written(() => vault.setPin(key.value));
        if (!set.ok) {
          await pin.remove();
          // Nothing is under the key. If the application was locked meanwhile, the vault would wait for it for ever.
          vault.dropPin();
          return set;
        }
        if (state.isLocked()) {
          // The application was locked before there was a PIN, or while the entries were put under it.
          vault.closePin();
          key.value.fill(0);
        }
        state.set({ pin: true });
        return ok(null);
      }),

    removePin: (current: string): Promise<Result<null>> =>
      alone(async () => {
        if (!pin.isSet()) return fail({ kind: 'not-now' });
        const key = await ask(current);
        if (!key.ok) return key;
        key.value.fill(0);
        const taken = await written(() => vault.setPin(undefined));
        if (!taken.ok) return taken;
        const removed = await written(() => pin.remove());
        if (!removed.ok) return removed;
        // The application was locked while the file was removed. No PIN would open it again, and nothing is under one
        // any more.
        vault.dropPin();
        state.set({ pin: false });
        return ok(null);
      }),
  };
}

/** A disk that is full or read-only is something a person can act on. */
async function written<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    const code = errorCodeOf(error);
    return fail(code === undefined ? { kind: 'token-unreadable' } : { kind: 'file-failed', code });
  }
}
