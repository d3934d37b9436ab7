import { safeStorage, utilityProcess } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Cipher } from './cipher.ts';
import { askKeyring } from './keyring-process.ts';
import { createLinuxCipher } from './linux-cipher.ts';
import { createSafeStorageCipher } from './safe-storage-cipher.ts';
import { createSecretServiceCipher } from './secret-service-cipher.ts';

/** What protects secrets on this operating system. */
export function createSystemCipher(): Cipher & { close: () => void; forget: () => Promise<void> } {
  const own = createSafeStorageCipher(safeStorage);
  if (process.platform !== 'linux') return { ...own, close: () => undefined, forget: async () => undefined };
  const host = path.join(import.meta.dirname, 'keyring-host.js');
  const secretService = createSecretServiceCipher((args) =>
    askKeyring(() => utilityProcess.fork(host, [...args], { serviceName: 'Llavero keyring', stdio: 'ignore' })),
  );
  const cipher = createLinuxCipher({ safeStorage: own, secretService, hasBus });
  const forget = async (): Promise<void> => (hasBus() ? secretService.forget() : undefined);
  return { ...cipher, close: secretService.close, forget };
}

/** As libdbus looks for the session bus; Chromium sets `disabled:` where it found none. */
function hasBus(): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder } = process.env;
  if (address) return !address.startsWith('disabled:');
  return folder !== undefined && existsSync(path.join(folder, 'bus'));
}
