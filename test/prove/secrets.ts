import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSecretReferences } from '../../main/secrets/secret-references.ts';
import { cutText, readText } from '../../main/secrets/redact.ts';
import { createRandom, type Random } from './random.ts';
import { places, showAt, type Echo } from './secret-places.ts';
import { charsets, containers, secrets, spellings, spelt } from './spellings.ts';

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

type Combination = { secret: string; chain: string[]; charset: string; container: string; place: string };

const mostFindings = 20;
const longestChain = 4;

/** Every spelling alone with every secret, charset, container and place comes first; then chains at random. */
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
      secret: pick(secrets),
      chain,
      charset: pick(all.charset),
      container: pick(all.container),
      place: all.place[at % all.place.length]!,
    };
  }
}

const before = 'before ';
const after = ' after';

function echoOf({ secret, chain, charset, container }: Combination, said: string): Echo | undefined {
  const written = spelt(`${before}${said}${after}`, chain);
  const { type, write } = containers[container]!;
  const body = charsets[charset]!(write(written));
  return body && { secret, status: 401, contentType: `${type}; charset=${charset}`, body, header: encodeURI(written) };
}

/** As long as the secret, and nowhere in it. */
const otherThan = (secret: string): string => secret.replaceAll(/[^\s]/gu, (each) => (each === 'Q' ? 'J' : 'Q'));

/**
 * Looks for a secret, and for the part of its spelling that is of the secret alone: what differs when something else
 * as long is said. Half of that is enough to be one that got through.
 */
async function isFound(combination: Combination): Promise<boolean | undefined> {
  const echo = echoOf(combination, combination.secret);
  const other = echoOf(combination, otherThan(combination.secret));
  if (!echo || !other) return undefined;
  const shown = await showAt(combination.place, echo);
  return shown.includes(combination.secret) || ownParts(echo, other).some((part) => holds(shown, part));
}

function ownParts(echo: Echo, other: Echo): string[] {
  const pairs = [
    [echo.header, other.header],
    [echo.body.toString('utf8'), other.body.toString('utf8')],
  ] as const;
  return pairs.map(([mine, others]) => {
    let from = 0;
    while (from < mine.length && mine[from] === others[from]) from++;
    let end = 0;
    while (end < Math.min(mine.length, others.length) - from && mine.at(-1 - end) === others.at(-1 - end)) end++;
    return mine.slice(from, mine.length - end);
  });
}

/** A half of a part stands in what is shown. Short parts are those of words. */
function holds(shown: string, part: string): boolean {
  const length = Math.max(8, Math.ceil(part.length / 2));
  if (part.length < length) return false;
  for (let from = 0; from + length <= part.length; from++)
    if (shown.includes(part.slice(from, from + length))) return true;
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
