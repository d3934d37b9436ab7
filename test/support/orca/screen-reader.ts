import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const python = '/usr/bin/python3';
const a11yService = '/usr/share/dbus-1/services/org.a11y.Bus.service';

/** Milliseconds without a word, with everything dealt with, after which Orca has said all. */
const quietMs = 400;

/** Says why Orca cannot be heard on this machine, or nothing when it can. */
export async function whyNoScreenReader(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'Orca runs on Linux only';
  const has = (command: string, ...args: string[]): Promise<boolean> =>
    run(command, args).then(
      () => true,
      () => false,
    );
  const isThere = await Promise.all([
    has(python, '-c', 'import orca.speechserver, pyatspi'),
    has('sh', '-c', 'command -v xdotool dbus-daemon'),
    access(a11yService).then(
      () => true,
      () => false,
    ),
  ]);
  return isThere.every(Boolean) ? undefined : "Debian's packages orca, at-spi2-core and xdotool are not all installed";
}

/** Orca's settings: all as Orca brings it, but the speech server, and nothing for braille, sound and keys that are typed. */
const settings = {
  general: {
    speechServerFactory: 'orca_in_writing',
    enableBraille: false,
    enableSound: false,
    enableKeyEcho: false,
    firstStart: false,
    startingProfile: ['Default', 'default'],
    activeProfile: ['Default', 'default'],
  },
  profiles: { default: { profile: ['Default', 'default'], pronunciations: {}, keybindings: {} } },
  pronunciations: {},
  keybindings: {},
};

/** A session bus of its own, on which nothing is to be had but the bus of accessibility. */
async function startBus(home: string, env: Record<string, string | undefined>) {
  const services = path.join(home, 'services');
  await mkdir(services);
  await symlink(a11yService, path.join(services, path.basename(a11yService)));
  const file = path.join(home, 'bus.conf');
  await writeFile(
    file,
    `<busconfig><type>session</type><listen>unix:tmpdir=${home}</listen><servicedir>${services}</servicedir><policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
  );
  const bus = spawn('dbus-daemon', [`--config-file=${file}`, '--nofork', '--print-address=1'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = await once(createInterface(bus.stdout), 'line');
  return { bus, address: String(address) };
}

/**
 * Starts Orca on a display, with a session bus and a home of its own and a speech server that writes.
 * @param display as `DISPLAY` names it; nobody else may type there
 */
export async function startScreenReader(display: string, debugFile?: string) {
  const home = await mkdtemp(path.join(tmpdir(), 'llavero-orca-'));
  const { ELECTRON_RUN_AS_NODE: _asNode, ...inherited } = process.env;
  const own = {
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    DISPLAY: display,
    GSETTINGS_BACKEND: 'memory',
    LANGUAGE: 'en',
    LC_ALL: 'C.UTF-8',
  };
  const { bus, address } = await startBus(home, { ...inherited, ...own });
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: address };

  const folder = path.join(home, 'orca');
  await mkdir(folder);
  await writeFile(path.join(folder, 'user-settings.conf'), JSON.stringify(settings));
  const module = path.join(folder, 'orca_in_writing.py');
  await copyFile(path.join(import.meta.dirname, 'orca-in-writing.py'), module);
  const orca = spawn(python, [module, folder, ...(debugFile === undefined ? [] : [debugFile])], {
    env: { ...inherited, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });

  const saysAll = listen(orca);
  // An application shows itself to a screen reader only if there was one when it started.
  await saysAll();

  const type = async (...args: string[]): Promise<void> => {
    await run('xdotool', args, { env: { ...inherited, ...env } });
  };

  return {
    /** With it a program finds Orca, and nobody who keeps secrets. */
    env,
    /** Waits until Orca is quiet, and returns what it has said since the last time. */
    saysAll,
    /** Presses keys as on the keyboard, such as `Tab` or `ctrl+k`. */
    press(key: string): Promise<void> {
      const held = key.split('+');
      const last = held.pop() ?? '';
      // Orca takes a letter that comes up after its modifier for a command of its own.
      const all = [...held.map((each) => ['keydown', each]), ['key', last], ...held.map((each) => ['keyup', each])];
      return type(...all.flat());
    },
    type: (text: string) => type('type', '--delay', '20', text),
    /** Gives the keyboard to the window of this process, as a window manager does. */
    activate: (pid: number) => type('search', '--sync', '--onlyvisible', '--pid', String(pid), 'windowfocus'),
    async close(): Promise<void> {
      for (const child of [orca, bus]) {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
      }
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Returns what waits until Orca is quiet, and tells what it has said since the last time. */
function listen(orca: ChildProcessByStdio<Writable, Readable, null>): () => Promise<string[]> {
  const said: string[] = [];
  let asked = 0;
  const waiting = new Map<string, () => void>();
  createInterface(orca.stdout).on('line', (line) => {
    // The module writes nothing else.
    const told = JSON.parse(line) as { said?: string; heard?: string };
    if (told.said !== undefined) said.push(told.said);
    if (told.heard !== undefined) waiting.get(told.heard)?.();
  });

  /** Returns once Orca has dealt with everything that the application has told it until now. */
  function dealtWith(): Promise<void> {
    const question = String((asked += 1));
    return new Promise((resolve) => {
      waiting.set(question, resolve);
      orca.stdin.write(`${question}\n`);
    });
  }

  return async () => {
    for (let before = -1; before !== said.length;) {
      await dealtWith();
      before = said.length;
      await sleep(quietMs);
      await dealtWith();
    }
    return said.splice(0);
  };
}
