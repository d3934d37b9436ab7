import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Feed } from '../../main/updates/feed.ts';

/** The keys of a test: those of the makers, and those of somebody else. */
export const makers = generateKeyPairSync('ed25519');
export const somebody = generateKeyPairSync('ed25519');
export const makersKey = makers.publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** The version that runs in these tests. */
export const running = '0.1.0';
export const now = new Date('2026-11-22T12:00:00Z');

export const sha512 = (content: string | Uint8Array): string => createHash('sha512').update(content).digest('base64');

/** Makes a feed of 0.2.0 that is as it should be, for a file with this content. */
export const feedOf = (content: string | Uint8Array, some: Partial<Feed> = {}): Feed => ({
  product: 'app.llavero.desktop',
  version: '0.2.0',
  signedAt: '2026-11-20T10:00:00Z',
  expires: '2027-05-20T10:00:00Z',
  notes: { en: 'Quieter.\nFaster.', es: 'Más silencioso.' },
  page: 'https://llavero.example/0.2.0',
  files: [
    { name: 'Llavero.AppImage', for: 'appimage-x64', bytes: Buffer.byteLength(content), sha512: sha512(content) },
    { name: 'llavero_0.2.0_amd64.deb', for: 'deb-x64', bytes: 100, sha512: sha512('deb') },
  ],
  ...some,
});

/** Signs a text as `scripts/update-feed.mjs` does, and makes the file of it that a server has. */
export const signed = (text: string, key: KeyObject = makers.privateKey): string =>
  JSON.stringify({
    signed: text,
    signature: sign(null, Buffer.from(`Llavero update feed 1\n${text}`), key).toString('base64'),
  });

export const signedFeed = (feed: object, key?: KeyObject): string => signed(JSON.stringify(feed), key);
