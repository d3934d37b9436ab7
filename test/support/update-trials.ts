import type { UpdateProblem } from '../../preload/contract/updates.ts';
import type { Answer } from './update-server.ts';
import { feedOf, sha512, signedFeed, somebody } from './update-feeds.ts';

/** One feed, or one file behind a good feed, and what comes of it. */
export type Trial = { of: string; answers: Answer; comes: 'current' | 'available' | 'ready' | UpdateProblem };

const day = 24 * 60 * 60_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

/** A file that takes the place of an AppImage: it writes down that it was started, as the launcher of one would. */
export const newAppImage = (log: string): string =>
  `#!/bin/sh\n[ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ] && exit 0\necho started > '${log}'\n`;

/** The newest feed that was seen before any trial was signed then. */
export const seenBefore = inDays(-2);

/** All trials were signed then: one that was signed a moment before another would be a repetition. */
const signedAt = inDays(-1);
const expires = inDays(180);

const feed = (content: string, some: object = {}) => ({
  ...feedOf(content, { signedAt, expires }),
  ...some,
});

/** Makes the trials of feeds; `elsewhere` is another server, which nobody may ask. */
export function feedTrials(content: string, elsewhere: string): Trial[] {
  const good = signedFeed(feed(content));
  const [first, ...others] = feed(content).files;
  const otherHash = JSON.stringify({
    ...(JSON.parse(good) as object),
    signed: JSON.stringify(feed(content, { files: [{ ...first, sha512: sha512('other') }, ...others] })),
  });
  const at = Math.floor(good.length / 2);
  return [
    { of: 'the same version', answers: { body: signedFeed(feed(content, { version: '0.1.0' })) }, comes: 'current' },
    { of: 'an older version', answers: { body: signedFeed(feed(content, { version: '0.0.9' })) }, comes: 'older' },
    { of: 'damaged', answers: { body: `${good.slice(0, at)}#${good.slice(at + 1)}` }, comes: 'other-signature' },
    { of: 'cut off', answers: { body: good.slice(0, at) }, comes: 'damaged' },
    { of: 'cut off by the connection', answers: { body: good.slice(0, at), ends: 'early' }, comes: 'damaged' },
    {
      of: 'another product',
      answers: { body: signedFeed(feed(content, { product: 'app.x' })) },
      comes: 'other-product',
    },
    { of: 'unsigned', answers: { body: JSON.stringify({ signed: JSON.stringify(feed(content)) }) }, comes: 'unsigned' },
    { of: 'another key', answers: { body: signedFeed(feed(content), somebody.privateKey) }, comes: 'other-signature' },
    { of: 'another hash, not signed anew', answers: { body: otherHash }, comes: 'other-signature' },
    {
      of: 'past its last day',
      answers: { body: signedFeed(feed(content, { expires: inDays(-1) })) },
      comes: 'expired',
    },
    { of: 'one of before', answers: { body: signedFeed(feed(content, { signedAt: inDays(-3) })) }, comes: 'replayed' },
    {
      of: 'nothing for this computer',
      answers: { body: signedFeed(feed(content, { files: others })) },
      comes: 'no-file',
    },
    {
      of: 'a redirect to another host',
      answers: { status: 302, headers: { Location: elsewhere } },
      comes: 'redirected',
    },
    { of: 'without an end', answers: { body: good, ends: 'never' }, comes: 'too-large' },
    { of: 'a page of a network', answers: { body: '<!doctype html><title>Sign in</title>' }, comes: 'damaged' },
    { of: 'not there', answers: { status: 404, body: good }, comes: 'refused' },
    { of: 'a newer version', answers: { body: good }, comes: 'available' },
  ];
}

/** Makes the trials of the file that a good feed announces. */
export function fileTrials(content: string, elsewhere: string): Trial[] {
  const other = Buffer.from(content);
  other[other.length - 2] = other[other.length - 2]! ^ 1;
  return [
    { of: 'other contents of the same size', answers: { body: other }, comes: 'changed' },
    { of: 'longer than announced', answers: { body: `${content} ` }, comes: 'changed' },
    { of: 'without an end', answers: { body: content, ends: 'never' }, comes: 'changed' },
    { of: 'shorter than announced', answers: { body: content.slice(0, -5) }, comes: 'cut-off' },
    { of: 'cut off by the connection', answers: { body: content.slice(0, -5), ends: 'early' }, comes: 'cut-off' },
    {
      of: 'a redirect to another host',
      answers: { status: 302, headers: { Location: elsewhere } },
      comes: 'redirected',
    },
    { of: 'not there', answers: { status: 404 }, comes: 'refused' },
    { of: 'as announced', answers: { body: content }, comes: 'ready' },
  ];
}
