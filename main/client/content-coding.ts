import { Readable, pipeline, type Transform } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** Thrown for a coding that we do not know, and for more of them than are undone. */
const unknownCoding = 'UNKNOWN_CODING';

/** As many as curl and undici undo, since each more one multiplies what a small body can become (CVE-2023-23916). */
const mostCodings = 5;

/** The first bytes of what gzip made (RFC 1952, 2.3.1). */
const isGzip = (first: Buffer): boolean => first[0] === 0x1f && first[1] === 0x8b;

/** The first bytes of zlib's own form (RFC 1950, 2.2). Some servers leave it away. */
const isZlib = (first: Buffer): boolean =>
  first.length > 1 && (first.readUInt8(0) & 0x0f) === 8 && first.readUInt16BE(0) % 31 === 0;

/** Makes what undoes a coding of which these are the first bytes. It is nothing where nothing is to be undone. */
const decoders: Readonly<Record<string, (first: Buffer) => Transform | undefined>> = {
  // A proxy may have undone it, and left the header as it was.
  gzip: (first) => (isGzip(first) ? createGunzip() : undefined),
  deflate: (first) => (isZlib(first) ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/**
 * Undoes the codings of a body (RFC 9110, 8.4), of which there may be several. What gzip made is unpacked although
 * nothing says so. It throws zlib's errors, and {@link unknownCoding}.
 * @param declared the Content-Encoding; a word that is no coding, such as a charset, says nothing
 */
export function decodeBody(body: AsyncIterable<Buffer>, declared = ''): AsyncIterable<Buffer> {
  const names = declared
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^x-/, ''))
    .filter((name) => (Object.hasOwn(decoders, name) && name !== 'identity') || isCoding.has(name));
  if (names.length > mostCodings) throw unknown();
  return (names.length > 0 ? names : ['gzip']).reduceRight(undo, body);
}

/** The other registered ones of which a body is no text any more. */
const isCoding = new Set(['compress', 'dcb', 'dcz', 'aes128gcm', 'exi', 'pack200-gzip']);

const unknown = (): Error => Object.assign(new Error('nobody here undoes this coding'), { code: unknownCoding });

async function untilRead(transform: Transform): Promise<void> {
  if (transform.destroyed || transform.writableLength + transform.readableLength === 0) return;
  await turn();
  return untilRead(transform);
}

async function* undo(body: AsyncIterable<Buffer>, coding: string): AsyncGenerator<Buffer> {
  const decoder = decoders[coding];
  if (!decoder) throw unknown();
  const source = body[Symbol.asyncIterator]();
  try {
    let first = Buffer.alloc(0);
    let isOver = false;
    while (first.length < 2 && !isOver) {
      const next = await source.next();
      if (next.done) isOver = true;
      else first = Buffer.concat([first, next.value]);
    }
    // Without a byte there is nothing to undo, such as in an answer to HEAD.
    if (first.length === 0) return;
    const transform = decoder(first);
    const rest = (async function* () {
      yield first;
      if (!isOver) yield* { [Symbol.asyncIterator]: () => source };
      // What ends too early fails at its end, and an error takes away what nobody has read yet.
      if (transform) await untilRead(transform);
    })();
    // An error of either end comes out of the iteration.
    yield* transform ? pipeline(Readable.from(rest), transform, () => undefined) : rest;
  } finally {
    await source.return?.();
  }
}
