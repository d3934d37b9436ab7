import type { Update, UpdateProblem } from '../../preload/contract/updates.ts';
import { type Feed, type FeedFile, feedName, maxFeedBytes, readFeed } from './feed.ts';
import { type Fetch, fetchLimited, isFailed } from './fetch-limited.ts';
import { fileFor, type InstallWay } from './install-way.ts';
import { notesFor } from './notes.ts';

/** The most milliseconds that the feed may take. */
const FEED_WITHIN_MS = 30_000;

/** A newer version, as the window shows it and as it can be downloaded. */
export type Offer = { update: Update; folder: string; file: FeedFile | undefined };

export type Found =
  | { state: 'newer'; offer: Offer; signedAt: string }
  | { state: 'current'; signedAt: string }
  | { state: 'failed'; problem: UpdateProblem };

/**
 * Looks whether the feed announces a newer version. Nothing but the feed is fetched.
 * @param options.version the version that runs
 */
export async function lookForUpdate(options: {
  fetch: Fetch;
  source: { folder: string; key: string };
  version: string;
  way: InstallWay;
  processor: string;
  language: string;
  newestSignedAt: string | undefined;
  now: Date;
  signal: AbortSignal;
}): Promise<Found> {
  const { fetch, source, signal } = options;
  const pieces: Uint8Array[] = [];
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(FEED_WITHIN_MS)]);
    const limits = { maxBytes: maxFeedBytes, signal: within };
    for await (const piece of fetchLimited(fetch, `${source.folder}${feedName}`, limits)) pieces.push(piece);
  } catch (error) {
    if (!isFailed(error)) throw error;
    return { state: 'failed', problem: error.problem === 'cut-off' ? 'damaged' : error.problem };
  }
  const read = readFeed(Buffer.concat(pieces), { ...options, key: source.key });
  if (!read.ok) return { state: 'failed', problem: read.problem };
  const { signedAt } = read.feed;
  if (!read.isNewer) return { state: 'current', signedAt };
  const offer = offerOf(read.feed, options);
  return offer ? { state: 'newer', offer, signedAt } : { state: 'failed', problem: 'no-file' };
}

const byOthers = { deb: 'deb', rpm: 'rpm', unpacked: 'person' } as const;

/** A package of the system is installed as root, and an unpacked folder by whoever unpacked it: both are announced. */
function offerOf(
  { version, notes, page, files }: Feed,
  {
    way,
    processor,
    language,
    source,
  }: { way: InstallWay; processor: string; language: string; source: { folder: string } },
): Offer | undefined {
  const file = files.find((each) => each.for === fileFor(way, processor));
  const by = way === 'deb' || way === 'rpm' || way === 'unpacked' ? byOthers[way] : 'application';
  if (by === 'application' && !file) return undefined;
  const named = file && { name: file.name, bytes: file.bytes };
  return { update: { version, notes: notesFor(notes, language), by, file: named, page }, folder: source.folder, file };
}
