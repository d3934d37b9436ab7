import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const fixture = (name: string): Buffer => readFileSync(path.resolve(import.meta.dirname, '../fixtures', name));

/** Milliseconds in which a start says what is wrong, or shows its window. */
const WITHIN_MS = 60_000;

type Start = {
  name: string;
  /** What root does before, in the namespace of mounts that the start has to itself. `$HOME` is the person's. */
  before?: string;
  /** What stands in the environment beside the display; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  /** How it ends: with a window, or with a sentence and a code. A dialog is answered by Return. */
  ends: 'window' | { says: RegExp; code: number; dialog?: true };
};

/** `/dev` as it is, with another `/dev/shm` in it. */
const shm = (change: string): string => `mount -t tmpfs s /dev/shm && ${change}`;
const readOnlyHome = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME"';
const noFolder = { says: /cannot make its folder.*Llavero: E(?:ROFS|NOSPC)$/, code: 1, dialog: true } as const;

/** What a start may find, each tried for real but the last: no system with so old a library was at hand. */
const starts: readonly Start[] = [
  { name: 'without a display', env: { DISPLAY: undefined }, ends: { says: /finds no display/, code: 2 } },
  { name: 'with a display that is gone', env: { DISPLAY: ':9876' }, ends: { says: /finds no display/, code: 2 } },
  { name: 'without D-Bus', ends: 'window' },
  { name: 'with a D-Bus that is gone', env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }, ends: 'window' },
  { name: 'with a home that cannot be written, for the first time', before: readOnlyHome, ends: noFolder },
  {
    name: 'with a home that cannot be written, and a profile',
    before: `mkdir -p "$HOME/.config/Llavero" && cp "$CONFIG" "$HOME/.config/Llavero/config.json" && chown -R "$PERSON" "$HOME/.config" && ${readOnlyHome}`,
    ends: 'window',
  },
  {
    name: 'without space for the folder',
    before:
      'mount -t tmpfs -o size=16k,nr_inodes=2,mode=755 t "$HOME" && touch "$HOME/full" && chown "$PERSON" "$HOME"',
    ends: noFolder,
  },
  {
    name: 'without space for what is in the folder',
    before:
      'mount -t tmpfs -o size=64k,mode=755 t "$HOME" && chown "$PERSON" "$HOME" && (cp /dev/zero "$HOME/full" 2>/dev/null || true)',
    ends: 'window',
  },
  { name: 'with a /dev/shm that cannot be written', before: shm('mount -o remount,ro /dev/shm'), ends: 'window' },
  {
    name: 'without /dev/shm',
    before:
      'mkdir /tmp/dev && mount -t tmpfs d /tmp/dev && cp -a /dev/null /dev/zero /dev/random /dev/urandom /dev/fd /tmp/dev && mount --move /tmp/dev /dev && rmdir /tmp/dev',
    ends: 'window',
  },
  {
    name: 'with a C library that is too old',
    before: 'mount -t tmpfs b /mnt && printf "#!/bin/sh\\necho glibc 2.24\\n" > /mnt/getconf && chmod 755 /mnt/getconf',
    env: { PATH: '/mnt:/usr/bin:/bin' },
    ends: { says: /needs the GNU C library 2\.25 or newer, and this system has glibc 2\.24/, code: 2 },
  },
];

/**
 * Starts what is installed where something is missing or broken, each in a namespace of mounts of its own, and says whether it
 * opens its window or says why not in one sentence.
 * @param person an ordinary user
 */
export async function proveStarts(options: {
  executable: string;
  person: string;
  display: string;
  check: (isRight: boolean, sentence: string) => void;
}): Promise<void> {
  const { person, check } = options;
  const home = `/home/${person}`;
  for (const start of starts) {
    rmSync(`${home}/.config`, { recursive: true, force: true });
    const { err, code, hasWindow } = await run(start, options);
    if (start.ends === 'window') {
      const instead = hasWindow ? '' : `, but it ended with ${code}: ${err.slice(0, 300)}`;
      check(hasWindow, `${start.name}: the window opens${instead}`);
    } else {
      const said = err.split('\n').find((line) => line.startsWith('Llavero')) ?? 'nothing';
      check(start.ends.says.test(said) && code === start.ends.code, `${start.name}: ends with ${code}: ${said}`);
      if (start.ends.dialog) check(hasWindow, `${start.name}: a dialog says so, too`);
    }
  }

  // A profile that was cut off in the middle of both files.
  const folder = `${home}/.config/Llavero`;
  mkdirSync(folder, { recursive: true });
  const halves = [fixture('config.json').subarray(0, 60), Buffer.from('{"version":1,"entries":[{"service":')];
  writeFileSync(`${folder}/config.json`, halves[0]!);
  writeFileSync(`${folder}/vault.json`, halves[1]!);
  spawnSync('chown', ['-R', person, `${home}/.config`]);
  const { hasWindow } = await run({ name: 'damaged', ends: 'window' }, options);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const kept = halves.filter((half) => files.some(({ name }) => readFileSync(`${folder}/${name}`).equals(half)));
  check(hasWindow, 'with a damaged profile: the window opens');
  check(kept.length === 2, `with a damaged profile: both files are kept (${kept.length})`);
}

async function run(
  { before = ':', env = {}, ends }: Start,
  { executable, person, display }: { executable: string; person: string; display: string },
): Promise<{ err: string; code: number | null; hasWindow: boolean }> {
  const {
    DBUS_SESSION_BUS_ADDRESS: _bus,
    XDG_RUNTIME_DIR: _runtime,
    ELECTRON_RUN_AS_NODE: _asNode,
    ...rest
  } = process.env;
  const own = { ...rest, WAYLAND_DISPLAY: undefined, DISPLAY: display, LANG: 'en_US.UTF-8', ...env };
  const home = `/home/${person}`;
  const config = path.resolve(import.meta.dirname, '../fixtures/config.json');
  const script = `${before} && cd / && exec setpriv --reuid "$PERSON" --regid "$PERSON" --init-groups ${executable} --disable-gpu`;
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
    env: Object.fromEntries(
      Object.entries({ ...own, HOME: home, PERSON: person, CONFIG: config }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const closed = once(child, 'close');

  const xdotool = (...args: string[]) =>
    spawnSync('xdotool', args, { env: { ...process.env, DISPLAY: display }, encoding: 'utf8' });
  let hasWindow = false;
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  for (const until = Date.now() + WITHIN_MS; !isOver() && Date.now() < until; await wait(200)) {
    hasWindow ||= xdotool('search', '--onlyvisible', '--name', 'Llavero').status === 0;
    if (hasWindow && ends === 'window') break;
    if (hasWindow) xdotool('key', 'Return');
  }
  child.kill('SIGTERM');
  await Promise.race([closed, wait(10_000)]);
  spawnSync('pkill', ['--signal', 'KILL', '--uid', person]);
  while (spawnSync('pgrep', ['--uid', person]).status === 0) await wait(50);
  await closed;
  return { err, code: child.exitCode, hasWindow };
}
