import type { AppState } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { codeOf } from '../error-code.ts';
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
  vault: Pick<Vault, 'pin'>;
  state: AppStateHolder;
  ask: (given: string) => Promise<Result<Buffer>>;
  alone: <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;
}) {
  const { pin, vault, state, ask, alone } = options;

  return {
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
          // Nothing is under the key. If the application was locked meanwhile, the vault would wait for it for ever.
          vault.pin.drop();
          return set;
        }
        if (state.isLocked()) {
          // The application was locked before there was a PIN, or while the entries were put under it.
          vault.pin.close();
          key.value.fill(0);
        }
        state.set({ pin: true });
        return ok(state.get());
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
        // The application was locked while the file was removed. No PIN would open it again, and nothing is under one
        // any more.
        vault.pin.drop();
        state.set({ pin: false });
        return ok(state.get());
      }),
  };
}

/** A disk that is full or read-only is something a person can act on. */
async function written<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    const code = codeOf(error);
    return fail(code === undefined ? { kind: 'token-unreadable' } : { kind: 'file-failed', code });
  }
}
