import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFeed } from '../../../main/updates/feed.ts';
import { notesFor } from '../../../main/updates/notes.ts';
import { compareVersions } from '../../../main/updates/versions.ts';
import { feedOf, makers, makersKey, now, running, signed, signedFeed, somebody } from '../../support/update-feeds.ts';

const read = (text: string | Uint8Array, some: Partial<Parameters<typeof readFeed>[1]> = {}) =>
  readFeed(typeof text === 'string' ? Buffer.from(text) : text, {
    key: makersKey,
    version: running,
    newestSignedAt: undefined,
    now,
    ...some,
  });
const problemOf = (text: string | Uint8Array, some?: Partial<Parameters<typeof readFeed>[1]>) => {
  const result = read(text, some);
  return result.ok ? 'believed' : result.problem;
};

const feed = feedOf('new');
const good = signedFeed(feed);

describe('a feed', () => {
  it('that the makers signed is believed, and says whether it is newer', () => {
    expect(read(good)).toEqual({ ok: true, feed, isNewer: true });
    expect(read(signedFeed({ ...feed, version: running }))).toMatchObject({ ok: true, isNewer: false });
  });

  it.each([
    ['unsigned', JSON.stringify({ signed: JSON.stringify(feed) })],
    ['unsigned', JSON.stringify({ signed: JSON.stringify(feed), signature: undefined })],
    ['other-signature', signedFeed(feed, somebody.privateKey)],
    ['other-signature', JSON.stringify({ signed: JSON.stringify(feed), signature: 'none' })],
    ['other-product', signedFeed({ ...feed, product: 'app.other' })],
    ['older', signedFeed({ ...feed, version: '0.0.9' })],
    ['expired', signedFeed({ ...feed, expires: '2026-11-22T11:59:59Z' })],
    ['damaged', ''],
    ['damaged', '<!doctype html>'],
    ['damaged', 'null'],
    ['damaged', JSON.stringify(feed)],
    ['damaged', signed('')],
    ['damaged', signedFeed({ ...feed, version: '0.2.0-beta.1' })],
    ['damaged', signedFeed({ ...feed, files: [] })],
    ['damaged', signedFeed({ ...feed, files: [{ ...feed.files[0], name: '../Llavero.AppImage' }] })],
    ['damaged', signedFeed({ ...feed, files: [{ ...feed.files[0], name: 'a/b' }] })],
    ['damaged', signedFeed({ ...feed, files: [{ ...feed.files[0], name: '..' }] })],
    ['damaged', signedFeed({ ...feed, files: [{ ...feed.files[0], bytes: 1e13 }] })],
    ['damaged', signedFeed({ ...feed, page: 'file:///etc/passwd' })],
    ['damaged', signedFeed({ ...feed, page: 'http://llavero.example' })],
  ])('is refused as %s: %.60s', (problem, text) => {
    expect(problemOf(text)).toBe(problem);
  });

  it('that the makers signed for something else is not believed', () => {
    const text = JSON.stringify(feed);
    const { signature } = JSON.parse(signed(`x\n${text}`)) as { signature: string };
    expect(problemOf(JSON.stringify({ signed: text, signature }))).toBe('other-signature');
  });

  it('that is older than one seen before is a repetition, and one from the same moment is none', () => {
    expect(problemOf(good, { newestSignedAt: '2026-11-20T10:00:01Z' })).toBe('replayed');
    expect(problemOf(good, { newestSignedAt: feed.signedAt })).toBe('believed');
  });

  it('is refused when a single bit of it is another, wherever that is', () => {
    const bytes = Buffer.from(good);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = damaged[at]! ^ (1 << bit);
        const result = read(damaged);
        // What is signed is compared to the bit. Spaces and names around it are not signed, and decide nothing.
        const [said, refused] = result.ok ? [result.feed, 'damaged'] : [feed, result.problem];
        expect([said, ['damaged', 'unsigned', 'other-signature'].includes(refused)]).toEqual([feed, true]);
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused when it is cut off, at whichever place', () => {
    for (let length = 0; length < good.length; length++) expect(problemOf(good.slice(0, length))).toBe('damaged');
  });

  it('is refused whatever is changed in what was signed', () => {
    const { signature } = JSON.parse(good) as { signature: string };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(feed)), fc.jsonValue(), (name, value) => {
        const changed = JSON.stringify({ ...feed, [name]: value });
        fc.pre(changed !== JSON.stringify(feed));
        expect(problemOf(JSON.stringify({ signed: changed, signature }))).toBe('other-signature');
      }),
    );
  });

  it('of any content throws nothing, signed or not', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.uint8Array().map((each) => Buffer.from(each)),
        ),
        (any) => {
          expect(read(any).ok).toBe(false);
          expect(read(signed(any.toString(), makers.privateKey)).ok).toBe(false);
        },
      ),
    );
  });
});

describe('versions', () => {
  it('are compared by their numbers, and not as texts', () => {
    expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
    expect(compareVersions('1.0.0', '1.0.0')).toBe(0);
    expect(compareVersions('0.2.0', '0.2.0-beta.1')).toBe(0);
    expect(compareVersions('0.1.9', '0.2.0')).toBeLessThan(0);
  });
});

describe('what changes', () => {
  it('is plain text in the language of the window, else in English', () => {
    expect(notesFor(feed.notes, 'es')).toBe('Más silencioso.');
    expect(notesFor(feed.notes, 'de')).toBe('Quieter.\nFaster.');
    expect(notesFor({}, 'en')).toBe('');
  });

  it('is cut at a length, between two characters', () => {
    const long = notesFor({ en: `${'a'.repeat(1499)}😀 and more` }, 'en');
    expect(long).toBe(`${'a'.repeat(1499)}…`);
  });

  it('has no character that turns or hides text', () => {
    expect(notesFor({ en: 'Fast\u202Etxt.exe\u0000\u2066\r\nnext\n\n\n\nlast' }, 'en')).toBe(
      'Fast txt.exe  \nnext\n\nlast',
    );
  });
});
