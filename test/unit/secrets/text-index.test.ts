import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { createTextIndex } from '../../../main/secrets/text-index.ts';
import { createTrie } from '../../../main/secrets/text-trie.ts';

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

/** Texts of which several go on alike for long, as tokens of one server do, and differ in a space and a `+`. */
const alike = oneof(
  string({ unit: constantFrom('a', 'b', ' ', '+'), maxLength: 8 }),
  string({ unit: constantFrom('ab ', 'ab+', 'abb'), minLength: 3, maxLength: 40 }),
);
const spaced = (text: string): string => text.replaceAll('+', ' ');

it('the index finds long texts that begin alike, a space as a plus, and whatever the text ends with of one', () => {
  assert(
    property(array(alike), array(alike), string({ unit: alike, maxLength: 12 }), (kept, gone, text) => {
      const index = createTextIndex<string>(shortest);
      const wanted = new Set(kept.filter((each) => each.length >= shortest));
      for (const each of [...gone, ...kept]) index.add(each, each);
      for (const each of gone) if (!wanted.has(each)) index.remove(each);
      const expected = new Set<string>();
      let longest = 0;
      for (let to = 1; to <= text.length; to++) {
        const read = spaced(text.slice(0, to));
        const ended = [...wanted].filter((each) => read.endsWith(spaced(each))).map(({ length }) => to - length);
        if (ended.length > 0) expected.add(`${Math.min(...ended)} to ${to}`);
      }
      for (const each of wanted) {
        for (let depth = longest + 1; depth < each.length; depth++) {
          if (spaced(text).endsWith(spaced(each.slice(0, depth)))) longest = depth;
        }
      }
      const { found, beginning } = index.find(codesOf(text), text.length);
      expect(new Set(found.map(({ from, to }) => `${from} to ${to}`))).toEqual(expected);
      expect(found.every(({ of, from, to }) => wanted.has(of) && spaced(of) === spaced(text.slice(from, to)))).toBe(
        true,
      );
      // What is found as a whole at the end covers what would begin in it.
      const isCovered = [...expected].some((each) => each.endsWith(` to ${text.length}`));
      expect(isCovered || (beginning()?.depth ?? 0) === longest).toBe(true);
    }),
  );
});

it('a text that differs from a removed one in a space alone is still found', () => {
  for (const gone of ['two words', 'two+words']) {
    const index = createTextIndex<string>(shortest);
    for (const each of ['two words', 'two+words']) index.add(each, each);
    index.remove(gone);
    const text = '<two words>';
    expect(index.find(codesOf(text), text.length).found).toMatchObject([{ from: 1, to: 10 }]);
  }
});

/** An index that counts the tries it makes, and the nodes of the last one. */
function counted() {
  const made = { tries: 0, nodes: 0 };
  const index = createTextIndex<string>(shortest, (least) => {
    made.tries += 1;
    made.nodes = 0;
    const trie = createTrie(least);
    const grow: typeof trie.grow = (...place) => {
      made.nodes += 1;
      return trie.grow(...place);
    };
    return { ...trie, grow };
  });
  return { index, made };
}

it('an index in which texts come and go has room for few that are gone', () => {
  const tokenOf = (number: number): string => `${number}|`.padEnd(56, String(number * 7919));
  const { index, made } = counted();
  const there = 200;
  let added = 0;
  let most = 0;
  for (; added < 10_000; added++) {
    index.add(tokenOf(added), '');
    if (added >= there) index.remove(tokenOf(added - there));
    index.find(codesOf(''), 0);
    most = Math.max(most, made.nodes);
  }
  // These are the 200 and 64 000 characters more.
  const whole = counted();
  for (let token = added; token < added + there + 64_000 / 56; token++) whole.index.add(tokenOf(token), '');
  expect(most).toBeLessThan(1.5 * whole.made.nodes);
});

it('many long texts that go between two searches have the index built anew once', () => {
  const { index, made } = counted();
  const longOf = (number: number): string =>
    Array.from({ length: 150 }, (_, at) => number * 1009 + at * at)
      .join('-')
      .slice(0, 600);
  for (let number = 0; number < 100; number++) index.add(longOf(number), longOf(number));
  index.find(codesOf('x'), 1);
  const before = made.tries;
  for (let number = 0; number < 100; number++) {
    index.add(longOf(number + 100), longOf(number + 100));
    index.remove(longOf(number));
  }
  const text = `${longOf(99)} ${longOf(100)}`;
  expect(index.find(codesOf(text), text.length).found).toMatchObject([{ from: 601, to: 1201 }]);
  expect(made.tries - before).toBe(1);
});
