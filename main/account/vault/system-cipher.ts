import electron, { utilityProcess } from 'electron';
import { hash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Cipher } from './cipher.ts';
import { askKeyring, profileArgument } from './keyring-process.ts';
import { createLinuxCipher } from './linux-cipher.ts';
import { createSafeStorageCipher } from './safe-storage-cipher.ts';
import { createSecretServiceCipher } from './secret-service-cipher.ts';

/**
 * Makes what protects secrets on this operating system.
 * @param folder the profile's, which must be there. Its path names the key: an id in a file could be damaged or lost,
 * and a copied profile would share the key, so that erasing one took the other's. A moved profile finds its key again
 * when it is moved back.
 */
export function createSystemCipher(folder: string): Cipher & { close: () => void; forget: () => Promise<void> } {
  // It is read when it is needed: until Electron 42.4, to have it at the start was to ask the keyring.
  const own = createSafeStorageCipher(() => electron.safeStorage);
  if (process.platform !== 'linux') return { ...own, close: () => undefined, forget: async () => undefined };
  const host = path.join(import.meta.dirname, '../workers/keyring-host.js');
  const profile = profileArgument + hash('sha256', realpathSync(folder)).slice(0, 16);
  const secretService = createSecretServiceCipher((args) =>
    askKeyring(() =>
      utilityProcess.fork(host, [profile, ...args], { serviceName: 'Llavero keyring', stdio: 'ignore' }),
    ),
  );
  const cipher = createLinuxCipher({ safeStorage: own, secretService, hasBus });
  const forget = async (): Promise<void> => (hasBus() ? secretService.deleteKey() : undefined);
  return { ...cipher, close: secretService.close, forget };
}

/** Looks for the session bus as libdbus does. Chromium sets `disabled:` where it found none. */
function hasBus(): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder } = process.env;
  if (address) return !address.startsWith('disabled:');
  return folder !== undefined && existsSync(path.join(folder, 'bus'));
}
