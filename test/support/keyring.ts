import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/**
 * A session bus of its own with an unlocked gnome-keyring, as on a desktop after login.
 * @returns the environment with which a program finds it
 */
export async function startKeyring(): Promise<{ env: Record<string, string> }> {
  const home = await mkdtemp(path.join(tmpdir(), 'llavero-keyring-'));
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    bus.kill();
    await once(bus, 'close');
    await rm(home, { recursive: true, force: true });
  });
  const [address] = await once(createInterface(bus.stdout), 'line');
  const env = {
    DBUS_SESSION_BUS_ADDRESS: String(address),
    HOME: home,
    XDG_DATA_HOME: path.join(home, 'data'),
    XDG_RUNTIME_DIR: home,
  };

  // It goes into the background once it is on the bus, and ends with it.
  const daemon = spawn('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  daemon.stdin.end('a keyring password');
  const [code] = await once(daemon, 'exit');
  if (code !== 0) throw new Error(`gnome-keyring-daemon ended with ${String(code)}`);
  return { env };
}
