import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** What is called for secrets: the Secret Service, KWallet, the portal. */
const isForSecrets = (line: string): boolean =>
  /^method call.*(?:freedesktop\.[Ss]ecret|[Kk][Ww]allet|portal\.Secret)/.test(line);

/**
 * Watches a session bus, and answers the calls to any store of secrets from now on. It makes one itself first, and throws
 * when it does not see that.
 * @param bus the environment with which a program finds the bus
 * @param user the id of who the bus runs as, if it is not the one of the tests
 */
export async function watchKeyringCalls(bus: Record<string, string>, user?: number): Promise<() => string[]> {
  const options = { env: { ...process.env, ...bus }, ...(user !== undefined && { uid: user, gid: user }) };
  const monitor = spawn('dbus-monitor', ['--session'], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void monitor.kill());
  const lines: string[] = [];
  const output = createInterface(monitor.stdout).on('line', (line) => lines.push(line));
  await once(output, 'line');
  const service = ['--dest=org.freedesktop.secrets', '/org/freedesktop/secrets'];
  await run('dbus-send', ['--session', '--print-reply', ...service, 'org.freedesktop.DBus.Peer.Ping'], options);
  for (let tries = 0; !lines.some(isForSecrets); tries++) {
    if (tries === 100) throw new Error('dbus-monitor does not see what is called');
    await wait(50);
  }
  lines.length = 0;
  return () => lines.filter(isForSecrets);
}
