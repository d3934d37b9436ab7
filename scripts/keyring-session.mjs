import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const unlocked = 'echo password | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"';

/** A session bus of its own with an unlocked keyring, as on a desktop after login; it ends with the command. */
export function keyringSession() {
  const home = mkdtempSync(path.join(tmpdir(), 'llavero-keyring-'));
  return {
    command: ['dbus-run-session', '--', 'sh', '-c', unlocked, 'sh'],
    env: { XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home },
    close: () => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}
