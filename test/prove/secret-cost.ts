import { cutText, readText } from '../../main/secrets/redact.ts';
import { createSecretReferences } from '../../main/secrets/secret-references.ts';
import type { Random } from './random.ts';
import { secrets } from './spellings.ts';

const words =
  `the quick brown fox jumps over a lazy dog usuario perfil cuenta nombre última sesión created updated profile
  message invalid required address number`.split(/\s+/);

/** Pieces of texts as servers write them, without a secret. */
function pieces(random: Random) {
  const word = (): string => words[random.whole(0, words.length)]!;
  const sentence = (): string => `${Array.from({ length: random.whole(5, 15) }, word).join(' ')}.`;
  const digits = (length: number): string => Array.from({ length }, () => random.whole(0, 16).toString(16)).join('');
  const person = (): string =>
    JSON.stringify({
      id: random.whole(1, 1e6),
      uuid: [8, 4, 4, 4, 12].map(digits).join('-'),
      name: `${word()} ${word()}`,
      email: `${word()}${random.whole(1, 1e6)}@example.test`,
      createdAt: new Date(1.7e12 + random.whole(0, 1e9)).toISOString(),
      bio: sentence(),
      active: random.chance(0.5),
      score: random.whole(0, 1000) / 7,
    });
  const row = (): string =>
    `<div class="row" id="e${digits(6)}"><a href="/users/${random.whole(1, 999)}?tab=info&amp;page=2">${word()}</a>` +
    `<p>${sentence()} &quot;${word()}&quot;</p></div>\n`;
  return { person, row, sentence };
}

/** Pieces until they are so long. */
function joined(piece: () => string, between: string, length: number): string {
  let text = piece();
  while (text.length < length) text += between + piece();
  return text;
}

/**
 * The least milliseconds that each of several works takes, which are done in turns: others share the machine, and what
 * they take lengthens all of them, but hardly ever all of the turns.
 */
function leastMs(works: readonly (() => unknown)[]): number[] {
  const least = works.map(() => Infinity);
  const until = performance.now() + 1500;
  for (let turn = 0; turn < 20 || performance.now() < until; turn++) {
    for (const [at, work] of works.entries()) {
      const before = performance.now();
      work();
      least[at] = Math.min(least[at]!, performance.now() - before);
    }
  }
  return least;
}

const sizes = { '10 KB': 10_000, '60 KB': 60_000, '1 MB': 1_000_000 };

/** How many times as long as `JSON.parse` of as much JSON it takes to find and cut all secrets of a text. */
export function costs(random: Random): Record<string, number> {
  const references = createSecretReferences();
  for (const secret of secrets) references.watch(secret, 'password');
  const { person, row, sentence } = pieces(random);
  const factors: Record<string, number> = {};
  for (const [size, length] of Object.entries(sizes)) {
    const texts = {
      JSON: `{"data":[${joined(person, ',', length)}]}`,
      HTML: `<html><body>${joined(row, '', length)}</body></html>`,
      sentences: joined(sentence, ' ', length),
    };
    // What takes microseconds is done several times for one look at the clock.
    const times = Math.ceil(20_000 / length);
    const often = (work: () => unknown) => (): void => {
      for (let at = 0; at < times; at++) work();
    };
    const [parseMs = 1, ...searchMs] = leastMs([
      often(() => JSON.parse(texts.JSON)),
      ...Object.values(texts).map((text) => often(() => cutText(readText(text, references), references))),
    ]);
    for (const [at, what] of Object.keys(texts).entries())
      factors[`${what}, ${size}`] = Math.round((10 * searchMs[at]!) / parseMs) / 10;
  }
  return factors;
}
