import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pictureIn } from '../../../main/client/reading/picture.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };

/** The head of a PNG of this size, with so many bytes after it. */
function png(width: number, height: number, more = 0): string {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const head = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1'),
    size,
    Buffer.from([8, 2, 0, 0, 0]),
  ]);
  return dataOf('png', Buffer.concat([head, deflateSync('x'), Buffer.alloc(more, 7)]));
}
const dataOf = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`;

const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.from('ffc0001108012c019003012200021101031101', 'hex'),
  Buffer.alloc(20),
]);
const gif = Buffer.concat([Buffer.from('GIF89a', 'latin1'), Buffer.from([64, 1, 240, 0]), Buffer.alloc(30)]);
const webp = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0', 'latin1'),
  Buffer.from([0x8f, 1, 0, 0x2b, 1, 0]),
  Buffer.alloc(10),
]);

describe('a picture in a profile', () => {
  it.each([
    ['PNG', png(400, 300), 400, 300],
    ['JPEG', dataOf('jpeg', jpeg), 400, 300],
    ['GIF', dataOf('gif', gif), 320, 240],
    ['WebP', dataOf('webp', webp), 400, 300],
  ])('has the size that its head says: %s', (_type, text, width, height) => {
    expect(pictureIn(text)).toEqual({ is: 'picture', width, height });
  });

  it.each([
    ['a drawing', 'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+'],
    ['an address', 'https://a.test/picture.png'],
    ['wider than is shown', png(4097, 10)],
    ['of no size', png(0, 10)],
    ['larger than 5 MB', png(10, 10, 5 * 1024 * 1024)],
    ['another type than it says', dataOf('png', jpeg)],
    ['without an end', 'data:image/png;base64,iVBOR'],
    ['no frame', dataOf('jpeg', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(400, 0xff)]))],
  ])('is not seen in other values, which are shown as text: %s', (_what, text) =>
    expect(pictureIn(text)).toBeUndefined(),
  );

  it('of 300 KB is no secret: main answers it by its place, and nothing else', async () => {
    const avatar = png(400, 300, 300_000);
    const body = { user: { ...ana, avatar, drawing: 'data:image/svg+xml;base64,PHN2Zy8+', token: 'hidden-token-1' } };
    const foreign = await startForeignServer({
      override: ({ path }) => (path.endsWith('/perfil') ? { status: 200, body } : undefined),
    });
    const main = await makeMain({ foreign });
    await main.session.logins.register({ ...ana, path: 'registro' });
    const { session } = main.state.get();
    const rows = session.step === 'signed-in' ? session.user.rest : [];
    expect(rows.find(({ name }) => name === 'avatar')?.value).toEqual({ is: 'picture', width: 400, height: 300 });
    expect(rows.find(({ name }) => name === 'drawing')?.value).toMatchObject({ is: 'text' });
    const addressOf = (place: string) => main.handlers.profile.picture({ place });
    expect(await addressOf('/user/avatar')).toEqual({ ok: true, value: { address: avatar } });
    for (const place of ['/user/drawing', '/user/token', '/user/email', ''])
      expect(await addressOf(place)).toEqual({ ok: true, value: {} });
  });
});
