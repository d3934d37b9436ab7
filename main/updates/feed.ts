import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { UpdateProblem } from '../../preload/contract/updates.ts';
import { compareVersions, versionPattern } from './versions.ts';

/** The name of the feed, in the folder that is configured. All files that it announces lie beside it. */
export const feedName = 'llavero-updates.json';
export const maxFeedBytes = 256 * 1024;

/** What is signed begins with this, so that no other text that the key ever signs is taken for a feed. */
const signedFor = 'Llavero update feed 1\n';
const product = 'app.llavero.desktop';
const maxFileBytes = 2 * 1024 ** 3;

const FeedFile = z.object({
  /** A name without a folder. */
  name: z.string().regex(/^[\w+-][\w.+-]{0,199}$/),
  /** How a copy was installed and for which processor, such as `appimage-x64`. */
  for: z.string().max(50),
  bytes: z.int().min(1).max(maxFileBytes),
  /** In base64. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});
export type FeedFile = z.infer<typeof FeedFile>;

const Feed = z.object({
  product: z.literal(product),
  version: z.string().regex(versionPattern),
  /** When it was signed, and when it is no longer to be believed. */
  signedAt: z.iso.datetime(),
  expires: z.iso.datetime(),
  /** What changes, as plain text, by language. */
  notes: z.record(z.string().max(10), z.string().max(20_000)),
  /** The address where a person gets the files. */
  page: z
    .url({ protocol: /^https$/ })
    .max(500)
    .optional(),
  files: z.array(FeedFile).min(1).max(50),
});
export type Feed = z.infer<typeof Feed>;

const Envelope = z.object({ signed: z.string(), signature: z.string().min(1).optional() });
const AnyProduct = z.object({ product: z.string() });

type ReadFeed = { ok: true; feed: Feed; isNewer: boolean } | { ok: false; problem: UpdateProblem };

const refuse = (problem: UpdateProblem): ReadFeed => ({ ok: false, problem });

/** Parses without throwing. A failure is no value of JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a feed. Nothing of it is believed before its signature fits the key, and nothing that it names is fetched
 * before all of it was believed.
 * @param known.key the public key as PEM
 * @param known.version the version that runs
 * @param known.newestSignedAt when the newest feed was signed that was seen before
 */
export function readFeed(
  content: Uint8Array,
  known: { key: string; version: string; newestSignedAt: string | undefined; now: Date },
): ReadFeed {
  const envelope = Envelope.safeParse(parseJson(Buffer.from(content).toString('utf8')));
  if (!envelope.success) return refuse('damaged');
  const { signed, signature } = envelope.data;
  if (signature === undefined) return refuse('unsigned');
  const isSigned = verify(
    null,
    Buffer.from(signedFor + signed, 'utf8'),
    createPublicKey(known.key),
    Buffer.from(signature, 'base64'),
  );
  if (!isSigned) return refuse('other-signature');
  const said = parseJson(signed);
  const named = AnyProduct.safeParse(said);
  if (named.success && named.data.product !== product) return refuse('other-product');
  const feed = Feed.safeParse(said);
  if (!feed.success) return refuse('damaged');
  const order = compareVersions(feed.data.version, known.version);
  if (order < 0) return refuse('older');
  if (Date.parse(feed.data.expires) <= known.now.getTime()) return refuse('expired');
  const newest = known.newestSignedAt;
  if (newest !== undefined && Date.parse(feed.data.signedAt) < Date.parse(newest)) return refuse('replayed');
  return { ok: true, feed: feed.data, isNewer: order > 0 };
}
