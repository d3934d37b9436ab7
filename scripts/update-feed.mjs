import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say, stop } from './child-process.mjs';

// This is `npm run update-feed -- FOLDER`: it announces the packages in a folder, in a signed file beside them. Whoever
// has that file and the packages can serve them: nobody without the key can announce anything.
const HELP = `Usage: update-feed FOLDER [options]
       update-feed --new-key FILE --feed URL

  FOLDER            has the packages of one version; llavero-updates.json is written there
  --page URL        the address where a person gets the packages
  --notes LANG=FILE what changes, in a language; for English it is the part of CHANGELOG.md otherwise
  --days N          the days for which the feed is believed (180 unless given); sign it anew before they are over
  --source FILE     says where updates come from, with the public key (build/updates.json unless given)
  --new-key FILE    makes a pair of keys: the private one in FILE, the public one in build/updates.json
  --feed URL        the folder on a server where people's copies look for the feed and the packages

The private key comes from the environment variable LLAVERO_UPDATE_KEY, as PEM.
`;

const feedName = 'llavero-updates.json';
const product = 'app.llavero.desktop';
const root = path.resolve(import.meta.dirname, '..');
const day = 24 * 60 * 60_000;

/**
 * What a copy looks for that was installed in some way, by the names of packages.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const kinds = [
  [/-(?:x64|x86_64)\.AppImage$/, 'appimage-x64'],
  [/-(?:arm64|aarch64)\.AppImage$/, 'appimage-arm64'],
  [/_amd64\.deb$/, 'deb-x64'],
  [/\.x86_64\.rpm$/, 'rpm-x64'],
  [/-setup\.exe$/, 'nsis-x64'],
  [/-universal-mac\.zip$/, 'mac-universal'],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    page: { type: 'string' },
    notes: { type: 'string', multiple: true, default: [] },
    days: { type: 'string', default: '180' },
    source: { type: 'string', default: path.join(root, 'build/updates.json') },
    feed: { type: 'string' },
    'new-key': { type: 'string' },
    help: { type: 'boolean' },
  },
});
const [folder] = positionals;

if (values.help) {
  process.stdout.write(HELP);
} else if (values['new-key'] !== undefined) {
  await makeKeys(values['new-key']);
} else if (folder === undefined) {
  stop(2, HELP);
} else {
  await announce(folder);
}

/** @param {string} file */
async function makeKeys(file) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  const key = publicKey.export({ type: 'spki', format: 'pem' });
  await writeFile(values.source, `${JSON.stringify({ updates: values.feed, key }, undefined, 2)}\n`);
  say(`Made ${file}: keep it where only releases are made, and ${path.relative(root, values.source)}: commit it.`);
}

/** @param {string} folder */
async function announce(folder) {
  const privateKey = privateKeyFor(await publicKeyIn(values.source));
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  if (!/^\d+\.\d+\.\d+$/.test(version)) stop(1, `${version} is for trying out: a feed announces three numbers alone.`);
  const days = Number(values.days);
  if (!(days > 0)) stop(2, 'The option --days takes a number above 0.');
  const now = new Date();
  const signed = JSON.stringify({
    product,
    version,
    signedAt: now.toISOString(),
    expires: new Date(now.getTime() + days * day).toISOString(),
    notes: await notesOf(version),
    page: values.page,
    files: await filesIn(folder),
  });
  const signature = sign(null, Buffer.from(`Llavero update feed 1\n${signed}`), privateKey).toString('base64');
  await writeFile(path.join(folder, feedName), `${JSON.stringify({ signed, signature })}\n`);
  say(`Made ${path.join(folder, feedName)}, which announces ${version} for ${days} days.`);
}

/** @param {string} file */
async function publicKeyIn(file) {
  if (!existsSync(file)) stop(1, `There is no ${file}: make the keys first, with --new-key.`);
  return createPublicKey(JSON.parse(await readFile(file, 'utf8')).key);
}

/**
 * Returns the private key, if the copies of people have the public one of its pair.
 * @param {import('node:crypto').KeyObject} publicKey
 */
function privateKeyFor(publicKey) {
  const given = process.env.LLAVERO_UPDATE_KEY ?? '';
  if (given.trim() === '') stop(1, 'The private key is missing: set LLAVERO_UPDATE_KEY.');
  /** @type {import('node:crypto').KeyObject} */
  let privateKey;
  try {
    privateKey = createPrivateKey(given);
  } catch {
    return stop(1, 'LLAVERO_UPDATE_KEY is no private key.');
  }
  if (!createPublicKey(privateKey).equals(publicKey))
    stop(1, `The private key is not that of ${values.source}: no copy would believe the feed.`);
  return privateKey;
}

/**
 * Returns what changes, by language.
 * @param {string} version
 */
async function notesOf(version) {
  /** @type {Record<string, string>} */
  const notes = {};
  const changelog = await readFile(path.join(root, 'CHANGELOG.md'), 'utf8');
  const part = changelog
    .split(/^## /m)
    .find((each) => each.startsWith(`${version} `) || each.startsWith(`${version}\n`));
  notes.en = (part ?? '')
    .replace(/^.*\n/, '')
    .replaceAll(/^### /gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim()
    .slice(0, 4000);
  for (const given of values.notes) {
    const [language = '', file] = given.split('=');
    if (!/^[a-z-]{2,10}$/i.test(language) || file === undefined) stop(2, 'The option --notes takes LANG=FILE.');
    notes[language] = (await readFile(file, 'utf8')).trim().slice(0, 4000);
  }
  return notes;
}

/** @param {string} folder */
async function filesIn(folder) {
  /** @type {{ name: string, for: string, bytes: number, sha512: string }[]} */
  const files = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const kind = kinds.find(([pattern]) => pattern.test(name))?.[1];
    if (kind === undefined) continue;
    const twice = files.find((each) => each.for === kind);
    if (twice) stop(1, `${twice.name} and ${name} are both for ${kind}.`);
    const file = path.join(folder, name);
    files.push({ name, for: kind, bytes: (await stat(file)).size, sha512: await sha512(file) });
  }
  if (files.length === 0) stop(1, `There is no package in ${folder}.`);
  return files;
}

/** @param {string} file */
async function sha512(file) {
  const hash = createHash('sha512');
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest('base64');
}
