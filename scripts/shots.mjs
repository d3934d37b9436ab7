import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { runChild, stop } from './child-process.mjs';
import { findElectron, thirdPartyMarker } from './electron-binary.mjs';
import { keyringSession } from './keyring-session.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { installServerPackages } from './server-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';

// It takes pictures of every screen and state, in both languages, both themes and four widths, of the built page with the
// main process that the tests have for it.
const options = new Set(['--only', '--list', '--renew', '--readme', '--moving']);
const unknown = process.argv.slice(2).find((word) => word.startsWith('--') && !options.has(word));
if (unknown !== undefined) {
  stop(
    unknown === '--help' ? 0 : 2,
    `Usage: npm run shots -- [options]
  --only NAME  takes the pictures of one screen or state
  --list       lists the screens and states
  --renew      takes anew those that the walk compares the screens with
  --readme     takes the pictures of the README and its example report, of the real application at real servers
  --moving     makes its moving picture, for which LLAVERO_FILM=1 npm run setup installs ffmpeg`,
  );
}
const electron = await findElectron();
const isReal = process.argv.includes('--readme') || process.argv.includes('--moving');
const hasKeyring = isReal && process.platform === 'linux';
const film = process.argv.includes('--moving');
await ensureSystemPackages(electron.executable, { display: !hasDisplay(), keyring: hasKeyring, film });
if (isReal) await installServerPackages();
await build();
const display = await displayIfNone();

// Electron's own Node runs TypeScript as it stands.
const entry = path.resolve(import.meta.dirname, '../test/shots/take.ts');
const session = hasKeyring ? keyringSession() : undefined;
const unmarked = isReal ? withoutMark(electron) : undefined;
const env = { ...process.env, ...display?.env, ...session?.env, ELECTRON_RUN_AS_NODE: '1' };
const program = [...(session?.command ?? []), unmarked?.executable ?? electron.executable, entry];
process.exitCode = await runChild(program[0] ?? '', [...program.slice(1), ...process.argv.slice(2)], { env });
display?.close();
session?.close();
unmarked?.close();

/**
 * Copies Electron without the mark of a third party's, so that the window has no badge of a development build, as for
 * people who have a release.
 * @param {Pick<Awaited<ReturnType<typeof findElectron>>, 'dist' | 'executable'>} electron
 */
function withoutMark({ dist, executable }) {
  const copy = mkdtempSync(path.join(tmpdir(), 'llavero-electron-'));
  cpSync(dist, copy, { recursive: true, filter: (file) => path.basename(file) !== thirdPartyMarker });
  return {
    executable: path.join(copy, path.relative(dist, executable)),
    close: () => rmSync(copy, { recursive: true, force: true }),
  };
}
