import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { say, stop } from './child-process.mjs';

const projectDir = path.resolve(import.meta.dirname, '..');

/** What the package brings along from the project. Everything else that it needs is bundled. */
const native = '@node-rs/argon2';

/**
 * Makes the npm package of the commands alone, for a Node without Electron. Only what hashes passwords is not bundled: it
 * has a binary for each system, which npm chooses where the package is installed.
 * @param {string} output the folder for the tarball
 * @returns {Promise<string>} its path
 */
export async function packageCommands(output) {
  await build(['cli', 'workers']);
  const { name, version, license, author, dependencies } = JSON.parse(
    await readFile(path.join(projectDir, 'package.json'), 'utf8'),
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-cli-'));
  const cli = './dist/cli/cli.js';
  const described = {
    name,
    version,
    description: 'Checks, mocks and serves login APIs: check, mock, serve, describe',
    license,
    author,
    type: 'module',
    bin: { llavero: cli },
    files: ['dist'],
    engines: { node: '>=22.16' },
    dependencies: { [native]: dependencies[native] },
  };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(described, undefined, 2)}\n`);
  for (const file of ['LICENSE', 'dist/cli', 'dist/workers'])
    await cp(path.join(projectDir, file), path.join(folder, file), { recursive: true });
  for (const file of ['dist/cli/built-from', 'dist/workers/built-from', 'dist/workers/keyring-host.js'])
    await rm(path.join(folder, file));
  await writeFile(path.join(folder, 'README.md'), readme(version));

  await mkdir(output, { recursive: true });
  // npm's own path stands in the variable where npm runs this.
  const [command, ...before] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const packed = spawnSync(command ?? '', [...before, 'pack', '--silent', '--pack-destination', output], {
    cwd: folder,
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  if (packed.status !== 0) stop(1, `npm could not make the package of the commands: ${packed.stderr}`);
  const file = path.join(output, `${name}-${version}.tgz`);
  const { size } = await stat(file);
  say(`Made ${path.relative(process.cwd(), file)}, ${(size / 1e6).toFixed(1)} MB, for Node 22.16 or newer`);
  return file;
}

const readme = (/** @type {string} */ version) => `# Llavero: the commands

\`\`\`sh
npx ./llavero-${version}.tgz check URL      # checks a server
npx ./llavero-${version}.tgz mock URL       # creates a mock of a server and serves it
npx ./llavero-${version}.tgz serve          # runs the built-in server
npx ./llavero-${version}.tgz describe FILE  # creates an API description
\`\`\`

Each has its own \`--help\`. They need Node 22.16 or newer. The window is in the application.
`;
