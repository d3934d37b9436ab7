import { Installer as DebianInstaller } from 'electron-installer-debian';
import { Installer as RedhatInstaller } from 'electron-installer-redhat';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const root = path.resolve(import.meta.dirname, '..');
const fromBuild = (/** @type {string[]} */ ...parts) => path.join(root, 'build', ...parts);

/** Pixels of a side, of the icons for Linux (freedesktop.org, Icon Theme Specification). */
const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512];

const description = 'Desktop client and service for a small authentication interface';
const productDescription = `Registers, logs in, shows the profile and logs out at any server that follows the interface, and keeps the tokens encrypted.
Has a built-in server for demonstrations without a network, and checks the login API of other servers.`;

/**
 * Returns what both kinds of packages have in common.
 * @param {{ unpacked: string, output: string, version: string, file: string }} options
 */
const common = ({ unpacked, output, version, file }) => ({
  src: unpacked,
  dest: output,
  logger: () => undefined,
  rename: () => path.join(output, file),
  options: {
    src: unpacked,
    dest: output,
    name: 'llavero',
    bin: 'llavero',
    productName: 'Llavero',
    genericName: 'Authentication client',
    version,
    description,
    productDescription,
    categories: ['Development'],
    mimeType: ['x-scheme-handler/llavero'],
    icon: Object.fromEntries([
      ...iconSizes.map((size) => [`${size}x${size}`, fromBuild('icons', `${size}x${size}.png`)]),
      ['scalable', fromBuild('icon.svg')],
    ]),
    desktopTemplate: fromBuild('linux', 'llavero.desktop.ejs'),
  },
});

/**
 * Puts beside the application what software centres look for, and says in it what kind of package it is: the
 * application must not replace what belongs to the system.
 * @param {string} usr the folder that becomes /usr
 * @param {'deb' | 'rpm'} kind
 */
async function addShared(usr, kind) {
  await writeFile(path.join(usr, 'lib/llavero/resources/package-type'), `${kind}\n`, { mode: 0o644 });
  const metainfo = path.join(usr, 'share/metainfo/app.llavero.desktop.metainfo.xml');
  await mkdir(path.dirname(metainfo), { recursive: true });
  await copyFile(fromBuild('linux', path.basename(metainfo)), metainfo);
  await chmod(metainfo, 0o644);
  const manual = path.join(usr, 'share/man/man1/llavero.1.gz');
  await mkdir(path.dirname(manual), { recursive: true });
  await writeFile(manual, gzipSync(await readFile(fromBuild('linux/llavero.1')), { level: 9 }), { mode: 0o644 });
}

/**
 * Makes a package for Debian and Ubuntu of what electron-builder has unpacked.
 * @param {{ unpacked: string, output: string, version: string, compression: 'xz' | 'gzip', file: string }} options
 * @returns {Promise<string>} where it is
 */
export async function makeDeb({ compression, ...options }) {
  const { options: shared, ...more } = common(options);
  const installer = new DebianInstaller({
    ...more,
    options: {
      ...shared,
      arch: 'amd64',
      compression,
      section: 'net',
      // Without these the program does not start, and the installer knows of none of them.
      depends: ['libc6 (>= 2.25)', 'libasound2t64 | libasound2'],
      maintainer: 'The Llavero authors <packages@llavero.invalid>',
      scripts: { postinst: fromBuild('linux', 'postinst'), postrm: fromBuild('linux', 'postrm') },
      lintianOverrides,
    },
  });
  await make(installer, () => addShared(path.join(installer.stagingDir, 'usr'), 'deb'));
  return path.join(options.output, options.file);
}

/**
 * Makes a package for Fedora and openSUSE of what electron-builder has unpacked.
 * @param {{ unpacked: string, output: string, version: string, file: string }} options
 * @returns {Promise<string>} where it is
 */
export async function makeRpm(options) {
  const { options: shared, ...more } = common(options);
  const installer = new RedhatInstaller({
    ...more,
    options: {
      ...shared,
      arch: 'x86_64',
      license: 'MIT',
      specTemplate: fromBuild('linux', 'llavero.spec.ejs'),
    },
  });
  await make(installer, () => addShared(path.join(installer.stagingDir, 'BUILD/usr'), 'rpm'));
  return path.join(options.output, options.file);
}

/**
 * Does what the installer's own function does, and adds files before the package is closed.
 * @param {DebianInstaller} installer
 * @param {() => Promise<void>} addFiles
 */
async function make(installer, addFiles) {
  await installer.generateDefaults();
  await installer.generateOptions();
  await installer.createStagingDir();
  await installer.createContents();
  await addFiles();
  await installer.createPackage();
  await installer.movePackage();
}

/**
 * What lintian says of Electron, which brings its own copies of libraries, of the helper of Chromium's sandbox, which
 * systems without user namespaces need, and of our changelog, which is no Debian one.
 */
const lintianOverrides = [
  'embedded-library *',
  'unstripped-binary-or-object [usr/lib/llavero/*]',
  'elevated-privileges 4755 root/root [usr/lib/llavero/chrome-sandbox]',
  'no-changelog usr/share/doc/llavero/changelog.gz (native package)',
];
