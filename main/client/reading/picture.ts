import type { DisplayImage } from '../../../preload/contract/models.ts';

/** No drawing: that may hold scripts, and loads what it names. */
const raster = /^data:image\/(png|jpeg|gif|webp);base64,(?=[\w+/])/;

/** What may be shown: 5 MB, and so many pixels a side. */
const mostBytes = 5 * 1024 * 1024;
const mostPixels = 4096;

/** The size of a picture stands in its head; of a JPEG, after what a camera writes about it. */
const headBytes = 256 * 1024;

/** Reads the size of a picture that stands in a text. Undefined where it is no picture, too large, or of no size. */
export function pictureIn(text: string): DisplayImage | undefined {
  const [start, type] = raster.exec(text.slice(0, 40)) ?? [];
  if (start === undefined || (text.length - start.length) * 0.75 > mostBytes + 2) return undefined;
  const head = Buffer.from(text.slice(start.length, start.length + Math.ceil(headBytes / 3) * 4), 'base64');
  const size = sizeOf(type, head);
  const isShown = size !== undefined && size.every((side) => side > 0 && side <= mostPixels);
  return isShown ? { is: 'picture', width: size[0], height: size[1] } : undefined;
}

/** Reads width and height as the formats have them (RFC 2083, ITU T.81 B.2.2, GIF89a, RFC 9649). */
function sizeOf(type: string | undefined, head: Buffer): readonly [number, number] | undefined {
  const says = (text: string, at: number): boolean => head.toString('latin1', at, at + text.length) === text;
  if (head.length < 30) return undefined;
  if (type === 'png' && says('\x89PNG\r\n\x1a\n', 0) && says('IHDR', 12))
    return [head.readUInt32BE(16), head.readUInt32BE(20)];
  if (type === 'gif' && says('GIF8', 0)) return [head.readUInt16LE(6), head.readUInt16LE(8)];
  if (type === 'jpeg' && says('\xff\xd8', 0)) return sizeOfJpeg(head);
  if (type !== 'webp' || !says('RIFF', 0) || !says('WEBP', 8)) return undefined;
  if (says('VP8X', 12)) return [head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1];
  if (says('VP8L', 12)) {
    const bits = head.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  return says('VP8 ', 12) ? [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff] : undefined;
}

/** Goes from segment to segment to the frame, which has the size. */
function sizeOfJpeg(head: Buffer): readonly [number, number] | undefined {
  for (let at = 2; at + 9 < head.length && head[at] === 0xff;) {
    const marker = head[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [head.readUInt16BE(at + 7), head.readUInt16BE(at + 5)];
    at += 2 + Math.max(2, head.readUInt16BE(at + 2));
  }
  return undefined;
}
