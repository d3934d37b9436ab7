import { deserialize, serialize } from 'node:v8';
import { aside, type Job } from '../aside/aside.ts';
import type { Call } from '../client/call.ts';
import { readLimited, type LimitedRead } from '../files/read-limited.ts';
import { callOfEntry, maxHarBytes, parseHar, type HarProblem } from './har.ts';

type Input = { file: string; most: number };

/** The calls of a file in pieces, each of which takes a few milliseconds to take over. */
type Output =
  | { ok: true; pieces: Uint8Array<ArrayBuffer>[]; entries: number }
  | { ok: false; reason: Extract<LimitedRead, { ok: false }>['reason'] | HarProblem; code?: string | undefined };

/** So many characters of calls make a piece; one call may be longer. */
const longestPiece = 256 * 1024;

/** A file of the greatest size takes a third of it on a slow computer. */
const deadlineMs = 10_000;

/** Reads the last calls of an HTTP archive on the other thread, from the disk on. */
export const archiveJob: Job<Input, Output> = {
  name: 'archive',
  deadlineMs,
  async work({ file, most }) {
    const read = await readLimited(file, maxHarBytes);
    if (!read.ok) return read;
    const har = parseHar(read.content.toString('utf8'));
    if (!har.ok) return { ok: false, reason: har.problem };
    const calls = har.entries.slice(-most).flatMap((entry) => callOfEntry(entry) ?? []);
    return { ok: true, pieces: piecesOf(calls), entries: har.entries.length };
  },
  moved: (output) => (output.ok ? output.pieces.map(({ buffer }) => buffer) : []),
};

function piecesOf(calls: readonly Call[]): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let piece: Call[] = [];
  let length = 0;
  const end = (): void => {
    if (piece.length > 0) pieces.push(Uint8Array.from(serialize(piece)));
    piece = [];
    length = 0;
  };
  for (const call of calls) {
    piece.push(call);
    length += call.request.head.text.length + (call.response?.body.length ?? 0) + (call.request.body?.length ?? 0);
    if (length > longestPiece) end();
  }
  end();
  return pieces;
}

/**
 * The last calls of an HTTP archive, of which one piece after the other is taken over, and the number of its entries.
 * A file that the other thread cannot read counts as too large.
 */
export async function readArchive(
  file: string,
  most: number,
): Promise<Extract<Output, { ok: false }> | { ok: true; calls: Iterable<Call>; entries: number }> {
  const done = await aside.run(archiveJob, { file, most });
  if (!done.ok) return { ok: false, reason: 'too-large' };
  const read = done.value;
  return read.ok ? { ok: true, calls: callsIn(read.pieces), entries: read.entries } : read;
}

function* callsIn(pieces: readonly Uint8Array[]): Generator<Call> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- They are what `piecesOf` wrote.
  for (const piece of pieces) yield* deserialize(piece) as Call[];
}
