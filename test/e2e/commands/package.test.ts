import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { commandSummaries } from '../../../main/commands/command-line.ts';
import { HELP } from '../../../main/commands/usage.ts';
import { copyToPackage } from '../../support/copy-of-project.ts';
import { startKeyring } from '../../support/keyring.ts';
import { watchKeyringCalls } from '../../support/keyring-calls.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { describeWhere } from '../../support/describe-where.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const project = copyToPackage();
const release = (): string => path.join(project(), 'release/test');
const unpacked = (): string => path.join(release(), 'linux-unpacked');
/** A fuse is written into the binary as the letter `1`. */
const enabled = 0x31;
const isRoot = process.getuid?.() === 0;
/** This is Debian's `nobody`, for whom the sandbox is on as for everybody who is not root. */
const nobody = 65_534;

let said = '';

beforeAll(() => {
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
  const made = spawnSync('npm', ['run', 'package', '--', '--test', 'dir'], { cwd: project(), env, encoding: 'utf8' });
  said = `${made.stdout}\n${made.stderr}`;
  if (made.status !== 0) throw new Error(said);
}, 180_000);

/** Installs the package where everybody may run it, with a folder that the person who does so owns. */
async function install() {
  const folder = await makeTemporaryFolder();
  await chmod(folder, 0o755);
  const application = path.join(folder, 'application');
  // Node's own functions would take the archive for a folder, since this is Electron's Node.
  spawnSync('cp', ['-a', unpacked(), application]);
  onTestFinished(() => void spawnSync('rm', ['-rf', application]));
  const home = path.join(folder, 'home');
  await mkdir(home);
  if (isRoot) await chown(home, nobody, nobody);
  return { executable: path.join(application, 'llavero'), home, profile: path.join(home, 'profile') };
}

type Installed = Awaited<ReturnType<typeof install>>;

function run({ executable, home, profile }: Installed, args: string[], more: Record<string, string> = {}) {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(executable, ['--disable-gpu', `--user-data-dir=${profile}`, '--virtual-display', ...args], {
    env: { ...env, HOME: home, ...more },
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const ready = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{')) resolve((JSON.parse(line) as { baseUrl: string }).baseUrl);
    });
    void closed.then(([code]) => reject(new Error(`ended early with ${code}: ${err}`)));
  });
  // Where a start is to fail, no test awaits this promise.
  ready.catch(() => undefined);
  return { child, closed, ready, err: () => err };
}

/** Returns the command line of each process that runs from this folder. */
async function processesOf(executable: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.map((line) => line.replaceAll('\0', ' ')).filter((line) => line.startsWith(executable));
}

const otherSystem = process.platform === 'linux' ? undefined : 'the package is looked at as Linux has it';

describeWhere(otherSystem, 'the packaged application', () => {
  it('has every fuse in the binary as our documents say', async () => {
    const {
      resetAdHocDarwinSignature: _reset,
      version,
      ...wire
    } = (await getCurrentFuseWire(path.join(unpacked(), 'llavero-bin'))) as unknown as Record<string, number> & {
      version: string;
    };
    const named = Object.fromEntries(
      Object.entries(wire).map(([at, state]) => [FuseV1Options[Number(at)] ?? at, state === enabled]),
    );
    expect(version).toBe('1');
    expect(named).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
      // This fuse is for WebAssembly's trap handlers. Neither the library nor electron-builder knows it; it is on, as
      // Electron has it.
      '8': true,
    });
  });

  it('holds only what runs: our bundle, and two native packages for this system', async () => {
    // Electron's own Node reads the archive like a folder.
    const archive = path.join(unpacked(), 'resources/app.asar');
    const files = (await readdir(archive, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(archive, path.join(entry.parentPath, entry.name)));
    const known =
      /^(?:package\.json|dist\/(?:main|workers|preload|renderer)\/.*\.(?:js|cjs|css|html|json|woff2|webp|gz)|node_modules\/@(?:napi-rs\/keyring|node-rs\/argon2)(?:-linux-\w+-gnu)?\/.*)$/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
    expect(files.filter((file) => file.endsWith('.node'))).toHaveLength(2);
    const schemas = ['report-1.json', 'model-1.json', 'servers-1.json'].map((name) => path.join('..', 'schemas', name));
    const bytes = await Promise.all(
      [...files, ...schemas].map(async (file) => (await stat(path.join(archive, file))).size),
    );
    const together = bytes.reduce((sum, each) => sum + each, 0) / 1000;
    // What it says of its size is what lies in it, but for the lines that electron-builder takes out of package.json.
    expect(Math.abs(Number(/together +(\d+) kB/.exec(said)?.[1]) - together)).toBeLessThan(20);
    expect((await readdir(path.join(unpacked(), 'locales'))).every((name) => /^(?:en|es)[\w-]*\.pak$/.test(name))).toBe(
      true,
    );
  });

  it('comes with a bill of materials, and says whether it was audited', async () => {
    const bill = JSON.parse(await readFile(path.join(release(), 'llavero.cdx.json'), 'utf8')) as {
      bomFormat: string;
      metadata: { component: { name: string } };
      components: { name: string }[];
    };
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'llavero']);
    const names = bill.components.map(({ name }) => name);
    for (const bundled of ['@node-rs/argon2', 'electron', 'fastify', 'axios', 'react', 'zod'])
      expect(names).toContain(bundled);
    expect(said).toMatch(/npm audit: (\d+ \w+|nothing known|not audited)/);
  });

  it('starts as it ships, sandboxed, and asks no development server and no keyring', async () => {
    const vite = await startRecordingServer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    onTestFinished(() => vite.close());
    const installed = await install();
    const user = isRoot ? nobody : undefined;
    const keyring = await startKeyring({ user });
    const keyringCalls = await watchKeyringCalls(keyring.env, user);
    const { child, closed, ready } = run(installed, [], {
      DBUS_SESSION_BUS_ADDRESS: keyring.env.DBUS_SESSION_BUS_ADDRESS,
      // By its name Chromium guesses which keyring there is.
      XDG_CURRENT_DESKTOP: 'GNOME',
      LLAVERO_DEV_SERVER: `http://127.0.0.1:${vite.port}`,
      // Chromium looks for a helper of its sandbox there.
      CHROME_DEVEL_SANDBOX: '/nonexistent',
    });
    const baseUrl = await ready;
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    const picture = path.join(installed.profile, 'window.png');
    const sizeOf = (): Promise<number> =>
      stat(picture).then(
        ({ size }) => size,
        () => 0,
      );
    // The picture of an empty window is a tenth of that.
    await expect.poll(sizeOf).toBeGreaterThan(20_000);
    expect(vite.requests).toEqual([]);
    expect(keyringCalls()).toEqual([]);
    const processes = await processesOf(installed.executable);
    const renderers = processes.filter((line) => line.includes('--type=renderer'));
    expect(renderers).toHaveLength(1);
    expect(processes.filter((line) => /--no-sandbox|--remote-debugging|--inspect/.test(line))).toEqual([]);

    // There is one for each profile: a second start shows the first window and ends.
    const second = run(installed, []);
    expect((await second.closed)[0]).toBe(0);
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    await closed;
    // Its port may belong to the application of another test by now, so that its processes are looked for.
    await expect.poll(() => processesOf(installed.executable)).toEqual([]);
  });

  it('says its version and what it takes, and runs every command, also without a display', async () => {
    const installed = await install();
    const { executable, home } = installed;
    const say = (args: string[], more: object): [number | null, string] => {
      const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
      const said = spawnSync(executable, args, { cwd: home, env: { ...env, HOME: home }, encoding: 'utf8', ...more });
      return [said.status, said.stdout];
    };
    const person = isRoot ? { uid: nobody, gid: nobody } : {};
    expect(say(['--version'], person)).toEqual([0, expect.stringMatching(/^Llavero \d+\.\d+\.\d+\n$/)]);
    expect(say(['--help'], person)).toEqual([0, HELP]);
    const { closed, err } = run(installed, ['chekc']);
    expect([(await closed)[0], err()]).toEqual([2, expect.stringContaining('Unknown command "chekc".')]);
    // The commands work as root, too.
    for (const command of Object.keys(commandSummaries))
      expect(say([command, '--help'], {})).toEqual([0, expect.stringContaining('Usage:')]);
  });

  it('refuses what would take its protections away, and cannot be used as Node', async () => {
    const installed = await install();
    for (const refused of [
      '--no-sandbox',
      '--remote-debugging-port=0',
      '--password-store=basic',
      '--disable-web-security',
      // No list of bad switches had these.
      '--proxy-server=127.0.0.1:1',
      '-enable-logging',
      ' --no-sandbox',
      '--user-data-dir',
    ]) {
      const { closed, err } = run(installed, [refused]);
      expect([(await closed)[0], err()]).toEqual([2, expect.stringContaining(refused)]);
    }
    const unboxed = run(installed, [], { ELECTRON_DISABLE_SANDBOX: '' });
    expect([(await unboxed.closed)[0], unboxed.err()]).toEqual([
      2,
      expect.stringContaining('ELECTRON_DISABLE_SANDBOX'),
    ]);
    // Chromium has written there, and our code has not run.
    expect(await readdir(installed.profile)).not.toContain('config.json');
    // With the fuses off our code reads these, and not Node.
    const node = { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--inspect=0' };
    const evaluating = run(installed, ['-e', 'console.log("{ I am Node")'], node);
    expect([(await evaluating.closed)[0], evaluating.err()]).toEqual([2, expect.stringContaining('start with -e')]);
    const asNode = run(installed, [], node);
    expect(await asNode.ready).toMatch(/^http/);
    expect(asNode.err()).not.toContain('Debugger listening');
    asNode.child.kill('SIGTERM');
    await asNode.closed;
  });
});
