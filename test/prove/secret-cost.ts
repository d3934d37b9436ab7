import { cutText, readText } from '../../main/secrets/redact.ts';
import { createSecretReferences } from '../../main/secrets/secret-references.ts';
import type { Random } from './random.ts';
import { secrets } from './spellings.ts';

const words =
  `the quick brown fox jumps over a lazy dog usuario perfil cuenta nombre última sesión created updated profile
  message invalid required address number`.split(/\s+/);

const syllables = 'ba ce di fo gu la me ni po ra se ti do tion ment ing er est ado pre con'.split(' ');

/** Pieces of texts as servers write them, without a secret. Half of their words are made up, so that few come twice. */
function pieces(random: Random) {
  const pick = (from: readonly string[]): string => from[random.whole(0, from.length)]!;
  const several = (count: number, piece: () => string, between = ''): string =>
    Array.from({ length: count }, piece).join(between);
  const word = (): string => (random.chance(0.5) ? pick(words) : several(random.whole(1, 5), () => pick(syllables)));
  const sentence = (): string => `${several(random.whole(5, 15), word, ' ')}.`;
  const digits = (length: number): string => several(length, () => random.whole(0, 16).toString(16));
  const name = (): string => `${word()}${word().replace(/^./, (first) => first.toUpperCase())}`;
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
  const callOfPhp = (): string =>
    JSON.stringify({
      file: `/var/www/html/vendor/laravel/framework/src/Illuminate/${name()}/${name()}.php`,
      line: random.whole(10, 900),
      function: name(),
      class: `Illuminate\\${name()}\\${name()}`,
      type: '->',
    }).replaceAll('/', '\\/');
  const number = (): string => `14${random.whole(1e6, 9e6)}${random.whole(1e5, 9e5)}`;
  const line = (): string =>
    `<li onclick="toggle('pre${number()}', 'post${number()}')"><pre>    ${word()} = self.${word()}(&quot;${word()}&quot;)` +
    `  # ${word()}&#x27;s</pre></li>\n`;
  const variable = (): string =>
    `<tr><td>${word()}</td><td class="code"><pre>{&#x27;${word()}&#x27;: &#x27;${word()} ${word()}&#x27;}</pre></td></tr>\n`;
  const callOfDjango = (): string =>
    `<li class="frame django"><code class="fname">/usr/lib/python3/site-packages/django/${word()}.py</code>, line ` +
    `${random.whole(1, 999)}, in ${word()}_${word()}<ol class="context" id="c${number()}">${several(6, line)}</ol>` +
    `<table class="vars" id="v${number()}"><tbody>${several(6, variable)}</tbody></table></li>\n`;
  return { person, row, sentence, callOfPhp, callOfDjango };
}

/** Pieces until they are so long, in one stretch of memory, as an answer is. */
function joined(piece: () => string, between: string, length: number): string {
  let text = piece();
  while (text.length < length) text += between + piece();
  return Buffer.from(text).toString();
}

/** Writes texts of each kind of so many characters. */
function kindsOf(random: Random): Record<string, (length: number) => string> {
  const { person, row, sentence, callOfPhp, callOfDjango } = pieces(random);
  return {
    JSON: (length) => `{"data":[${joined(person, ',', length)}]}`,
    HTML: (length) => `<html><body>${joined(row, '', length)}</body></html>`,
    'trace of PHP as JSON': (length) => `{"message":"${sentence()}","trace":[${joined(callOfPhp, ',', length)}]}`,
    'page of Django': (length) =>
      `<!DOCTYPE html>\n<html><body><ul>${joined(callOfDjango, '', length)}</ul></body></html>`,
    sentences: (length) => joined(sentence, ' ', length),
  };
}

/** Milliseconds for a character. Others share the machine, so the quickest tenth counts. */
function quickest(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 10)]!;
}

function msOf(work: () => unknown): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

/** So many characters, and so many texts of them: before each is measured, others make the code warm. */
const sizes = { '10 KB': [10_000, 40], '60 KB': [60_000, 40], '1 MB': [1_000_000, 2] } as const;

/**
 * How many times as long as `JSON.parse` of as much JSON it takes to find and cut all secrets of a text that comes for
 * the first time, and of one that comes again and again, as when one page is reloaded.
 */
export function costs(random: Random): Record<string, number> {
  const references = createSecretReferences();
  for (const secret of secrets) references.watch(secret, 'password');
  const kinds = kindsOf(random);
  const search = (text: string): unknown => cutText(readText(text, references), references);
  const factors: Record<string, number> = {};
  for (const [size, [length, count]] of Object.entries(sizes)) {
    for (const [kind, write] of Object.entries(kinds)) {
      const times = { parse: [] as number[], parseAgain: [] as number[], once: [] as number[], again: [] as number[] };
      const [json, text] = [kinds['JSON']!(length), write(length)];
      for (let at = -count / 2; at < count; at++) {
        const [freshJson, fresh] = [kinds['JSON']!(length), write(length)];
        const parse = msOf(() => JSON.parse(freshJson)) / freshJson.length;
        const once = msOf(() => search(fresh)) / fresh.length;
        const parseAgain = msOf(() => JSON.parse(json)) / json.length;
        const again = msOf(() => search(text)) / text.length;
        if (at < 0) continue;
        times.parse.push(parse);
        times.parseAgain.push(parseAgain);
        times.once.push(once);
        times.again.push(again);
      }
      const factor = (of: number[], parse: number[]): number => Math.round((10 * quickest(of)) / quickest(parse)) / 10;
      factors[`${kind}, ${size}`] = factor(times.once, times.parse);
      factors[`${kind}, ${size}, again`] = factor(times.again, times.parseAgain);
    }
  }
  return factors;
}
