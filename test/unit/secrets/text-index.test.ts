import { array, assert, constantFrom, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { createTextIndex } from '../../../main/secrets/text-index.ts';

const shortest = 3;
const letters = string({ unit: constantFrom('a', 'b', '漢', '😀', '\0'), maxLength: 12 });

const codesOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

it('the index finds what a search for each text alone finds', () => {
  assert(
    property(array(letters), array(letters), string({ unit: letters, maxLength: 20 }), (kept, gone, text) => {
      const index = createTextIndex<string>(shortest);
      const wanted = new Set(kept);
      for (const each of new Set([...gone, ...kept])) index.add(each, each);
      for (const each of gone) if (!wanted.has(each)) index.remove(each);
      const expected = [...wanted]
        .filter((each) => each.length >= shortest)
        .flatMap((each) => {
          const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(each, at));
          return places.map((from) => ({ from, to: from + each.length, of: each }));
        });
      const longest = expected.filter(
        ({ from, to }) => !expected.some((other) => other.to === to && other.from < from),
      );
      expect(new Set(index.find(codesOf(text), text.length).found.map((each) => JSON.stringify(each)))).toEqual(
        new Set(longest.map((each) => JSON.stringify(each))),
      );
    }),
  );
});
