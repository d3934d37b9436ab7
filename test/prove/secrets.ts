import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSecretReferences } from '../../main/secrets/secret-references.ts';
import { cutText, readText } from '../../main/secrets/redact.ts';
import { createRandom, type Random } from './random.ts';
import { places, showAt, type Echo } from './secret-places.ts';
import { charsets, containers, markedIn, secrets, spellings, spelt, speltAndMarked, type Marked } from './spellings.ts';

export type SecretsSummary = {
  proof: 'secrets';
  seed: number;
  /** Echoes of secrets, each of which was looked for in one place. */
  combinations: number;
  found: number;
  /** Answers in which no secret is known, and what was cut out of them that is none. */
  answers: number;
  wronglyCut: number;
  findings: string[];
};

type Combination = {
  secret: string;
  /** What stands right before and after it. */
  before?: string;
  after?: string;
  chain: string[];
  charset: string;
  container: string;
  place: string;
};

const mostFindings = 20;
const longestChain = 4;

/**
 * By turns: a spelling alone, with every place, and a chain of them at random; a secret that was thought of, between
 * words, and one at random, between signs at random.
 */
function* combinations(random: Random): Generator<Combination> {
  const names = Object.keys(spellings);
  const pick = <T>(from: readonly T[]): T => from[random.whole(0, from.length)]!;
  const all = { charset: Object.keys(charsets), container: Object.keys(containers), place: Object.keys(places) };
  for (let at = 0; ; at++) {
    const chain =
      at % 2 === 0
        ? [names[(at / 2) % names.length]!]
        : Array.from({ length: random.whole(0, longestChain + 1) }, () => pick(names));
    yield {
      ...(at % 4 < 2 ? { secret: pick(secrets) } : randomSecret(random)),
      chain,
      charset: pick(all.charset),
      container: pick(all.container),
      place: all.place[at % all.place.length]!,
    };
  }
}

const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '0123456789',
  ' ',
  '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  'áéíóúñüçãõ',
  'жяйё',
  '密碼字',
  '🔑😀',
].map((letters) => Array.from(letters));

/** Signs of one to four alphabets. */
function signs(random: Random, least: number, most: number): string {
  const pick = <T>(from: readonly T[]): T => from[random.whole(0, from.length)]!;
  const used = Array.from({ length: random.whole(1, 5) }, () => pick(alphabets));
  return Array.from({ length: random.whole(least, most + 1) }, () => pick(pick(used))).join('');
}

/** A secret of eight signs or more, three of them different: what is less may also stand in ordinary words. */
function randomSecret(random: Random): { secret: string; before: string; after: string } {
  let secret = '';
  while (secret.length < 8 || new Set(secret).size < 3) secret = signs(random, 8, 24).trim();
  return { secret, before: signs(random, 0, 20), after: signs(random, 0, 20) };
}

/** What is said, and which part of it is the secret. */
function saidOf({ secret, before = 'before ', after = ' after' }: Combination): Marked {
  return { text: before + secret + after, from: before.length, to: before.length + secret.length };
}

function echoOf(combination: Combination): Echo | undefined {
  const { secret, chain, charset, container } = combination;
  const written = spelt(saidOf(combination).text, chain);
  const { type, write } = containers[container]!;
  const body = charsets[charset]!(write(written));
  return body && { secret, status: 401, contentType: `${type}; charset=${charset}`, body, header: encodeURI(written) };
}

/**
 * Looks for a secret, and for the part of its spelling that is of the secret alone. Half of that is enough to be one
 * that got through.
 * @param typed what was typed: the secret, unless it is to be seen whether the place would show it
 */
export async function isFound(combination: Combination, typed = combination.secret): Promise<boolean | undefined> {
  const { secret, chain, container } = combination;
  const echo = echoOf(combination);
  if (!echo) return undefined;
  const shown = await showAt(combination.place, { ...echo, secret: typed });
  if (shown.includes(secret)) return true;
  const written = speltAndMarked(saidOf(combination), chain);
  return [encodeURI, containers[container]!.write].some((write) => {
    const marked = markedIn(write, written);
    return rewritings.some((rewrite) => holdsPart(shown, markedIn(rewrite, marked)));
  });
}

/** How a place writes what it shows: as it is, in JSON, in JSON within JSON, in a page, in JSON in a page. */
const rewritings: readonly ((text: string) => string)[] = [
  (text) => text,
  spellings['json']!,
  (text) => spelt(text, ['json', 'json']),
  spellings['entities of Django']!,
  (text) => spelt(text, ['json', 'entities of Django']),
];

/** Whether half of what is of the secret stands in what is shown. Short parts are those of words. */
function holdsPart(shown: string, { text, from, to }: Marked): boolean {
  const length = Math.max(8, Math.ceil((to - from) / 2));
  const others = [text.slice(0, from), text.slice(to)];
  for (let at = from; at + length <= to; at++) {
    const half = text.slice(at, at + length);
    // Spaces stand before every line of a report.
    if (half.replaceAll(' ', '').length < length / 2) continue;
    // A line break in base64, for one, is spelt alike wherever it stands.
    if (shown.includes(half) && !others.some((other) => other.includes(half))) return true;
  }
  return false;
}

/** Answers of the fixtures, as texts. */
function answersOfFixtures(): { id: string; text: string; isRefusal: boolean }[] {
  return ['dialects.json', 'more-shapes.json'].flatMap((name) => {
    const file = path.resolve(import.meta.dirname, '../fixtures', name);
    const entries: { id: string; status?: number; body?: unknown }[] = JSON.parse(readFileSync(file, 'utf8'));
    return entries.flatMap(({ id, status = 200, body }) =>
      body === undefined
        ? []
        : [{ id, text: typeof body === 'string' ? body : JSON.stringify(body), isRefusal: status >= 400 }],
    );
  });
}

/** Values that were cut out of an answer in which no secret is known. */
function cutOutOf(text: string, isRefusal: boolean): string[] {
  const references = createSecretReferences();
  references.watch('another secret of this run', 'password');
  const redacted = cutText(readText(text, references, isRefusal), references);
  return redacted.flatMap((part) => (typeof part === 'string' ? [] : [references.valueOf(part.id) ?? '']));
}

/** Values in the fixtures that are secrets, as somebody read them; all else that is cut is wrong. */
function secretsOfFixtures(): Set<string> {
  const file = path.resolve(import.meta.dirname, '../fixtures/secrets-in-answers.json');
  const values: string[] = JSON.parse(readFileSync(file, 'utf8'));
  return new Set(values);
}

export async function proveSecrets(options: {
  seed: number;
  combinations: number;
  onProgress?: (summary: SecretsSummary) => void;
}): Promise<SecretsSummary> {
  const { seed, onProgress } = options;
  const summary: SecretsSummary = {
    proof: 'secrets',
    seed,
    combinations: 0,
    found: 0,
    answers: 0,
    wronglyCut: 0,
    findings: [],
  };
  const note = (finding: string): void =>
    void (summary.findings.length < mostFindings && summary.findings.push(finding));
  for (const combination of combinations(createRandom(seed))) {
    if (summary.combinations >= options.combinations) break;
    const found = await isFound(combination);
    if (found === undefined) continue;
    summary.combinations += 1;
    if (found) {
      summary.found += 1;
      note(JSON.stringify(combination));
    }
    onProgress?.(summary);
  }
  const known = secretsOfFixtures();
  for (const { id, text, isRefusal } of answersOfFixtures()) {
    summary.answers += 1;
    for (const value of cutOutOf(text, isRefusal)) {
      if (known.has(value)) continue;
      summary.wronglyCut += 1;
      note(`${id}: ${value} was cut out`);
    }
  }
  return summary;
}
