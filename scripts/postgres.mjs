import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.mjs';

/** Debian keeps the server's programs here, in one folder for each major version. None is on the PATH. */
const debianFolder = '/usr/lib/postgresql';

/**
 * Finds the folder of `initdb` and `postgres`, the newest where there are several.
 * @returns {string | undefined}
 */
export function findPostgres() {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const folders = [...newestFirst.map((version) => path.join(debianFolder, version, 'bin')), ...pathFolders()];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name))));
}

const pathFolders = () => (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);

/**
 * The guard lives as long as its standard input is open, so that even a killed launcher leaves no server and no folder
 * behind. A line on that input keeps the folder for a next start. The guard gives up its copy of the error output, so
 * that this closes when the server and every process of it are gone.
 */
const guardedServer =
  'folder=$1; shift; "$@" & echo $!; exec 2>&- 1>&-; if read -r _; then keep=1; fi; ' +
  'kill -INT $!; wait; [ "$keep" ] || rm -rf "$folder"';

/** The server says this in English once it can be used. */
const readyText = 'database system is ready to accept connections';

/**
 * @typedef {object} Postgres
 * @property {string} url of its superuser, with a password made for it, and the database `postgres`
 * @property {() => Promise<void>} stop ends it, connections included, and removes all it kept
 * @property {() => Promise<void>} kill ends the server and its processes with SIGKILL; `restart` recovers, `stop` removes
 * @property {() => Promise<void>} restart starts it again at the same address, after ending it where it runs
 */

/**
 * @typedef {object} Cluster
 * @property {string} programs the folder of `initdb` and `postgres`
 * @property {string} folder all that is to be removed, the data included
 * @property {(name: string) => string} within the path of a file in the folder
 * @property {string} data
 * @property {string} password of the superuser
 * @property {import('node:child_process').SpawnOptions} run how its programs are run
 */

/**
 * Starts a PostgreSQL of its own on a free port of 127.0.0.1, with a new cluster in a temporary folder and PostgreSQL's
 * own settings, `fsync` included. As root it runs as the user `postgres`, since the server refuses root.
 * It must be stopped, or it keeps this process running; it ends with this process at the latest.
 * @param {object} [options]
 * @param {Record<string, string>} [options.settings] of `postgresql.conf`
 * @param {{ key: string, certificate: string }} [options.tls] in PEM; the server then takes connections with and without
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ settings = {}, tls } = {}) {
  const cluster = await makeCluster(tls);
  const { folder, within } = cluster;
  const port = await freePort();
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ...(tls && { ssl: 'on', ssl_cert_file: within('certificate'), ssl_key_file: within('key') }),
    ...settings,
  };
  const remove = () => rm(folder, { recursive: true, force: true });

  /** @type {Awaited<ReturnType<typeof startServer>> | undefined} */
  let server;
  try {
    server = await startServer(cluster, all);
  } catch (error) {
    await remove();
    throw error;
  }

  return {
    url: `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`,
    async stop() {
      await server?.end();
      server = undefined;
      await remove();
    },
    async kill() {
      await server?.kill();
      server = undefined;
    },
    async restart() {
      await server?.end();
      server = undefined;
      server = await startServer(cluster, all);
    },
  };
}

/**
 * Makes a cluster in a new temporary folder, which is removed again when that fails.
 * @param {{ key: string, certificate: string }} [tls]
 * @returns {Promise<Cluster>}
 */
async function makeCluster(tls) {
  const programs = findPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed; on Debian: apt-get install postgresql');
  const user = serverUser();
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-postgres-'));
  const within = (/** @type {string} */ name) => path.join(folder, name);
  const data = within('data');
  const run = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const password = randomBytes(18).toString('hex');
  const files = { password, ...tls };

  try {
    for (const [name, text] of Object.entries(files)) await writeFile(within(name), text, { mode: 0o600 });
    for (const name of ['', ...Object.keys(files)]) if (user) await chown(within(name), user.uid, user.gid);
    const account = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${within('password')}`];
    const form = ['--encoding=UTF8', '--no-locale', '--no-sync', `--pgdata=${data}`];
    const made = spawnSync(path.join(programs, 'initdb'), [...account, ...form], { ...run, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { programs, folder, within, data, password, run };
}

/**
 * Starts the server of a cluster and waits until it can be used.
 * @param {Cluster} cluster
 * @param {Record<string, string>} settings
 */
async function startServer({ programs, folder, data, run }, settings) {
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [path.join(programs, 'postgres'), '-D', data, ...assignments];
  const guard = spawn('sh', ['-c', guardedServer, 'sh', folder, ...command], {
    ...run,
    stdio: ['pipe', 'pipe', 'pipe'],
    // The guard is not in our process group: a Ctrl-C in the terminal must reach the tests first, and only then their
    // database.
    detached: true,
  });
  // Somebody may write to it after it ended by itself.
  guard.stdin.on('error', () => undefined);
  const gone = once(guard.stderr, 'close');
  const exited = once(guard, 'exit');
  const [answer] = await once(guard.stdout, 'data');
  const pid = Number(String(answer));

  async function end() {
    guard.stdin.end('\n');
    await Promise.all([gone, exited]);
  }
  async function kill() {
    // The server is stopped first, so that it starts no further process meanwhile.
    process.kill(pid, 'SIGSTOP');
    for (const child of childrenOf(pid)) process.kill(child, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await gone;
    await end();
  }

  let said = '';
  await new Promise((resolve, reject) => {
    guard.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-4000);
      if (said.includes(readyText)) resolve(undefined);
    });
    void gone.then(() => reject(new Error(`PostgreSQL did not start: ${said}`)));
  }).catch(async (error) => {
    await end();
    throw error;
  });
  return { end, kill };
}

/** Returns the user that the server runs as; undefined when that is the one who runs us. */
function serverUser() {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim(),
  );
  if (!uid || !gid) throw new Error('There is no user "postgres", and PostgreSQL does not run as root.');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Lists the processes below one. Only Linux tells them; elsewhere they end by themselves once the server is gone.
 * @param {number} pid
 */
function childrenOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
