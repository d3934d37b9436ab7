import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startVirtualDisplay } from '../../scripts/virtual-display.mjs';
import { outsideVitest } from '../support/outside-vitest.ts';
import { given, print, refuse, say } from './given.ts';
import { proveStarts } from './starts.ts';

const root = path.resolve(import.meta.dirname, '../..');
const release = path.join(root, 'release/test');
const pictures = path.join(release, 'pictures');
/** The ordinary person who starts what was installed. Root made the account, and it goes with the proof. */
const person = 'llavero-proof';

/** Runs a program to its end, and answers what it wrote. It throws when the program fails. */
function run(command: string, args: string[], options: { cwd?: string; input?: string } = {}): string {
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = outsideVitest();
  const done = spawnSync(command, args, { env, encoding: 'utf8', maxBuffer: 2 ** 28, cwd: root, ...options });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${done.status}:\n${done.stderr}`);
  return done.stdout;
}

/** Why the packages cannot be tried on this machine, if so. */
function cannotTryPackages(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux, and root to install a package';
  const lacking = [
    'dpkg-deb',
    'apt-get',
    'rpmbuild',
    'rpm2cpio',
    'cpio',
    'lintian',
    'xdotool',
    'scrot',
    'dbus-run-session',
  ];
  const missing = lacking.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return missing.length === 0 ? undefined : `the machine lacks ${missing.join(', ')}`;
}

/**
 * Makes the packages for Linux and tries them: what lies in them, what lintian says, whether what was installed starts for
 * an ordinary person with Chromium's sandbox, leads through a journey by keyboard, and is gone after it was removed.
 * @returns one line: sizes in bytes, times in milliseconds, and what was wrong
 */
async function provePackages() {
  const wrong: string[] = [];
  const check = (isRight: boolean, sentence: string): void => {
    if (!isRight) wrong.push(sentence);
    say(`  ${isRight ? 'yes' : 'NO '}  ${sentence}`);
  };
  const from = Date.now();
  run('npm', ['run', 'package', '--', '--test', 'deb', 'rpm']);
  const madeMs = Date.now() - from;
  const fileOf = (end: string): string =>
    path.join(release, readdirSync(release).find((name) => name.endsWith(end)) ?? `no ${end}`);
  const deb = fileOf('.deb');
  const rpm = fileOf('.rpm');

  const inDeb = filesOfDeb(deb);
  const strangers = inDeb.filter((file) => !expected.some((each) => each.test(file)));
  check(strangers.length === 0, `the deb holds only what runs (${strangers.join(', ') || `${inDeb.length} files`})`);
  const inRpm = new Set(run('rpm', ['-qlp', rpm]).split('\n'));
  const lacking = inDeb.filter((file) => !file.includes('/lintian/') && !inRpm.has(file));
  check(lacking.length === 0, `the rpm holds the same (${lacking.join(', ') || 'all of it'})`);
  const complaints = run('sh', ['-c', `lintian --fail-on none --allow-root "${deb}"`]).trim();
  check(complaints === '', `lintian finds nothing (${complaints || 'nothing'})`);

  mkdirSync(pictures, { recursive: true });
  run('useradd', ['--create-home', person]);
  const display = await startVirtualDisplay();
  try {
    run('apt-get', ['install', '-y', '--no-install-recommends', deb]);
    const entry = readFileSync('/usr/share/applications/llavero.desktop', 'utf8');
    const command = /^Exec=(.+?)(?: %[uU])?$/m.exec(entry)?.[1] ?? 'no command in the menu entry';
    await journey(command, display.env.DISPLAY, 'installed from the deb, by its menu entry', check);
    await proveStarts({ executable: 'llavero', person, display: display.env.DISPLAY, check });
    run('apt-get', ['remove', '-y', 'llavero']);
    const left = ['/usr/bin/llavero', '/usr/lib/llavero', '/usr/share/applications/llavero.desktop'].filter((each) =>
      existsSync(each),
    );
    check(left.length === 0, `nothing is left after it was removed (${left.join(', ') || 'nothing'})`);
    check(existsSync(`/home/${person}/.config/Llavero`), 'the profile is left');

    const unpacked = mkdtempSync(path.join(tmpdir(), 'llavero-rpm-'));
    run('sh', ['-c', `rpm2cpio "${rpm}" | cpio --quiet -idm && chmod 755 .`], { cwd: unpacked });
    rmSync(`/home/${person}/.config/Llavero`, { recursive: true });
    await journey(`${unpacked}/usr/bin/llavero`, display.env.DISPLAY, 'unpacked from the rpm', check);
    rmSync(unpacked, { recursive: true });
  } finally {
    display.close();
    run('userdel', ['--remove', '--force', person]);
  }
  return { madeMs, debBytes: sizeOf(deb), rpmBytes: sizeOf(rpm), wrong };
}

const sizeOf = (file: string): number => readFileSync(file).length;

const filesOfDeb = (deb: string): string[] =>
  run('dpkg-deb', ['--contents', deb])
    .split('\n')
    .filter((line) => /^[-l]/.test(line))
    .map((line) => line.split(/\s+/)[5]!.slice(1));

/** All that may lie in a package: Electron, our bundle, two native modules, and what desktops look for. */
const expected = [
  /^\/usr\/bin\/llavero$/,
  /^\/usr\/lib\/llavero\/(?:llavero|llavero-bin|chrome-sandbox|chrome_crashpad_handler|version|llavero-third-party-electron\.txt)$/,
  /^\/usr\/lib\/llavero\/(?:LICENSE\.electron\.txt|LICENSES\.chromium\.html|vk_swiftshader_icd\.json)$/,
  /^\/usr\/lib\/llavero\/[\w.]+\.(?:pak|bin|dat|so|so\.1)$/,
  /^\/usr\/lib\/llavero\/locales\/(?:en|es)[\w-]*\.pak$/,
  /^\/usr\/lib\/llavero\/resources\/(?:app\.asar|apparmor-profile|package-type|schemas\/(?:model|report|servers)-1\.json)$/,
  /^\/usr\/lib\/llavero\/resources\/app\.asar\.unpacked\/node_modules\/@(?:napi-rs\/keyring|node-rs\/argon2)-linux-x64-gnu\/[\w.-]+$/,
  /^\/usr\/share\/(?:applications\/llavero\.desktop|metainfo\/app\.llavero\.desktop\.metainfo\.xml)$/,
  /^\/usr\/share\/(?:doc\/llavero\/copyright|lintian\/overrides\/llavero|man\/man1\/llavero\.1\.gz)$/,
  /^\/usr\/share\/icons\/hicolor\/\w+\/apps\/llavero\.(?:png|svg)$/,
];

/**
 * Goes through a journey by keyboard alone: the demo and its log out. The fuses and the refused switches keep every other
 * driver out; the window's title names the screen. Each step leaves a picture in {@link pictures}.
 */
async function journey(
  executable: string,
  display: string,
  which: string,
  check: (isRight: boolean, sentence: string) => void,
): Promise<void> {
  // A log-in to a desktop opens the keyring with the same password.
  const desktop = `echo -n word | gnome-keyring-daemon --unlock --components=secrets; exec ${executable} --disable-gpu`;
  const session = spawn(
    'su',
    [person, '-c', `DISPLAY=${display} LANG=en_US.UTF-8 dbus-run-session -- sh -c '${desktop}'`],
    { cwd: '/', stdio: 'ignore', detached: true },
  );
  const xdotool = (...args: string[]): string =>
    spawnSync('xdotool', args, { env: { ...process.env, DISPLAY: display }, encoding: 'utf8' }).stdout.trim();
  const titles = (): string[] =>
    xdotool('search', '--name', 'Llavero')
      .split('\n')
      .filter(Boolean)
      .map((window) => xdotool('getwindowname', window));
  const isShown = async (screen: string, seconds = 60): Promise<boolean> => {
    for (let tries = 0; tries < 5 * seconds; tries++) {
      if (titles().some((title) => title.startsWith(screen))) return true;
      await wait(200);
    }
    return false;
  };
  /** Searches for a command and runs it. Nothing tells when the search is on the screen, so a person may have to try again. */
  const leadsTo = async (words: string, screen: string): Promise<boolean> => {
    for (let tries = 1; tries <= 5; tries++) {
      xdotool('key', 'Escape', 'ctrl+k');
      await wait(1000 * tries);
      xdotool('type', '--delay', '20', words);
      await wait(500 * tries);
      xdotool('key', 'Return');
      if (await isShown(screen, 10)) return true;
    }
    return false;
  };

  const picture = (step: string): void => {
    const file = path.join(pictures, `${which} - ${step}.png`);
    spawnSync('scrot', ['--overwrite', file], { env: { ...process.env, DISPLAY: display } });
  };

  check(await isShown('Welcome'), `${which}: the window opens`);
  picture('welcome');
  xdotool('windowfocus', xdotool('search', '--onlyvisible', '--name', 'Llavero').split('\n')[0] ?? '');
  const boxes = sandboxesOf(executable);
  check(boxes.length > 0 && boxes.every((mode) => mode === '2'), `${which}: every page's process is in the sandbox`);
  check(await leadsTo('demo', 'Profile'), `${which}: the demo is logged in`);
  picture('profile');
  check(await leadsTo('log out', 'Log in'), `${which}: the demo is logged out`);
  picture('log in');
  session.kill();
  spawnSync('pkill', ['--uid', person]);
  while (spawnSync('pgrep', ['--uid', person]).status === 0) await wait(100);
}

/** The seccomp modes of the processes that show pages; 2 is a filter, as Chromium's sandbox sets one (proc(5)). */
function sandboxesOf(executable: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!line.includes('--type=renderer') || !line.includes('llavero-bin') || executable === '') return [];
      return [/^Seccomp:\s+(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 'unknown'];
    } catch {
      return [];
    }
  });
}

given({});

it('the packages for Linux are installed, used by an ordinary person, and removed', async () => {
  const reason = cannotTryPackages();
  if (reason !== undefined) refuse(`The packages cannot be tried: ${reason}.`);
  const summary = await provePackages();
  print(summary);
  expect(summary.wrong).toEqual([]);
});
