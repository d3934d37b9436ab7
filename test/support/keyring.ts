import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);
/** The name under which a keyring is on the bus. */
const secrets = 'string:org.freedesktop.secrets';
const keyringPassword = 'a keyring password';

/**
 * A session bus of its own with an unlocked gnome-keyring, as on a desktop after login.
 * @param prompts where a locked keyring asks for its password: on a display, where nobody answers, or nowhere, so that it
 *   refuses at once
 * @param user the id of who they run as, if it is not the one of the tests; only that one can connect to them
 * @param from a folder of keyrings to begin with, as another one's `folder` was
 * @returns the environment with which a program finds it
 */
export async function startKeyring({
  prompts = 'nowhere',
  from,
  user,
}: { prompts?: 'nowhere' | 'on-display'; from?: string; user?: number | undefined } = {}) {
  const home = await mkdtemp(path.join(tmpdir(), 'llavero-keyring-'));
  if (user !== undefined) await chown(home, user, user);
  const as = user === undefined ? {} : { uid: user, gid: user };
  const folder = path.join(home, 'data');
  if (from !== undefined) await cp(from, folder, { recursive: true });
  const { DISPLAY, ...inherited } = process.env;
  const own = { HOME: home, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: home };
  const started = { ...inherited, ...own, ...(prompts === 'on-display' && DISPLAY !== undefined && { DISPLAY }) };
  // What the bus starts by itself, such as a locked keyring, has the environment of the bus.
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    env: started,
    stdio: ['ignore', 'pipe', 'ignore'],
    ...as,
  });
  endWithTest(bus, home);
  const [address] = await once(createInterface(bus.stdout), 'line');
  const env = { DBUS_SESSION_BUS_ADDRESS: String(address), ...own };

  async function call(destination: string, object: string, method: string, ...given: string[]): Promise<string> {
    const { stdout } = await run(
      'dbus-send',
      ['--session', '--print-reply=literal', `--dest=${destination}`, object, method, ...given],
      { env: { ...started, ...env }, ...as },
    );
    return stdout.trim();
  }
  const askBus: AskBus = (method, ...given) =>
    call('org.freedesktop.DBus', '/org/freedesktop/DBus', `org.freedesktop.DBus.${method}`, ...given);

  /** Starts the keyring, and waits until it is on the bus. It ends with that. */
  async function open(): Promise<void> {
    const daemon = spawn('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
      env: { ...started, ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
      ...as,
    });
    daemon.stdin.end(keyringPassword);
    const [code] = await once(daemon, 'exit');
    if (code !== 0) throw new Error(`gnome-keyring-daemon ended with ${String(code)}`);
    // It goes into the background before, and what looked for it in between would find none to lock.
    await untilOnBus(askBus, true);
  }

  /** Ends the keyring and waits until it has left the bus. */
  async function end(): Promise<void> {
    const pid = await processIdOf(askBus);
    if (Number.isNaN(pid)) return;
    process.kill(pid);
    await untilOnBus(askBus, false);
  }

  await open();
  return {
    env,
    folder,
    /** As after a login without a password: it is there, and nothing in it can be read. */
    async lock(): Promise<void> {
      await end();
      await askBus('StartServiceByName', secrets, 'uint32:0');
    },
    /** Lets it answer nothing, as when the computer is too busy, until what is returned is called. */
    stall: async (): Promise<() => void> => stallProcess(await processIdOf(askBus)),
    /** Starts a new one on the same keyrings, unlocked. */
    async unlock(): Promise<void> {
      await end();
      await open();
    },
    /** Starts another one, which knows nothing of what the first one kept. */
    async replace(): Promise<void> {
      await end();
      await rm(folder, { recursive: true });
      await open();
    },
  };
}

/** Returns the id of the keyring's process, or `NaN` when none is on the bus. */
async function processIdOf(askBus: AskBus): Promise<number> {
  const owner = await askBus('GetConnectionUnixProcessID', secrets).catch(() => undefined);
  return Number(owner?.match(/uint32 (\d+)/)?.[1]);
}

/** Stops a process until what is returned is called, or the test ends. */
function stallProcess(pid: number): () => void {
  process.kill(pid, 'SIGSTOP');
  let isStalled = true;
  const goOn = (): void => {
    if (isStalled) process.kill(pid, 'SIGCONT');
    isStalled = false;
  };
  onTestFinished(goOn);
  return goOn;
}

type AskBus = (method: string, ...given: string[]) => Promise<string>;

/** Returns once there is a keyring on the bus, or none any more. */
async function untilOnBus(askBus: AskBus, wanted: boolean): Promise<void> {
  while (!(await askBus('NameHasOwner', secrets)).endsWith(String(wanted)));
}

function endWithTest(bus: ChildProcess, home: string): void {
  onTestFinished(async () => {
    bus.kill();
    await once(bus, 'close');
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
}

/** Starts a session bus on which nobody keeps secrets. */
export async function startEmptyBus(): Promise<{ env: Record<string, string> }> {
  const home = await mkdtemp(path.join(tmpdir(), 'llavero-bus-'));
  const file = path.join(home, 'bus.conf');
  await writeFile(
    file,
    `<busconfig><type>session</type><listen>unix:tmpdir=${home}</listen><policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
  );
  const bus = spawn('dbus-daemon', [`--config-file=${file}`, '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  endWithTest(bus, home);
  const [address] = await once(createInterface(bus.stdout), 'line');
  return { env: { DBUS_SESSION_BUS_ADDRESS: String(address), HOME: home, XDG_RUNTIME_DIR: home } };
}
