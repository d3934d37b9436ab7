import { withCodes } from './character-codes.ts';
import { withoutEscapes, type Place } from './escapes.ts';
import { beginsAsJson, secretsOfJson, signs } from './json-secrets.ts';
import { secretsOfMarkup } from './markup-secrets.ts';
import { holdsName, secretsOfEvents, secretsOfPairs, secretsOfParts } from './pair-secrets.ts';
import { secretsByForm, type Found } from './secret-forms.ts';

export type FindOptions = {
  /** It is of an answer that says what is wrong with the fields it names: a sentence under a name is no secret. */
  isRefusal?: boolean | undefined;
  /** Whether a whole value is a known secret that is too short to be looked for within texts. */
  isShortSecret?: ((value: string) => boolean) | undefined;
};

/** So many layers are read: JSON as a text in JSON in JSON, say, or percent in JSON. */
const mostLayers = 4;

/**
 * Secrets that nobody has to know beforehand: told by their form in any text, and by their name in JSON, forms,
 * multipart bodies, markup, event streams, addresses, headers and dumps, also where one of these is a text in another.
 */
export function findSecrets(text: string, options: FindOptions = {}): Found[] {
  return secretsIn(text, options, mostLayers);
}

/** One of these is in every text that tells of a secret as it stands. */
const telling = /[=:<{["|$ \t]|eyJ/;

function secretsIn(text: string, options: FindOptions, layers: number): Found[] {
  if (!telling.test(text)) return belowSpellings(text, options, layers);
  let found: Found[] = [];
  withCodes(text, (codes) => {
    found = secretsByForm(text, codes).concat(
      beginsAsJson(text) ? ofWholeJson(text, codes, options, layers) : ofText(text, codes, options, layers),
    );
  });
  return found;
}

function ofWholeJson(text: string, codes: Uint16Array, options: FindOptions, layers: number): Found[] {
  const { found } = ofJson(text, { codes, start: 0 }, options, layers);
  // What is only nearly JSON has names and strings that its scanner does not know.
  return hasQuotedBySingle(text) ? found.concat(secretsOfPairs(text, codes)) : found;
}

/** Whether an apostrophe follows a colon: there are fewer of them than colons. */
function hasQuotedBySingle(text: string): boolean {
  for (let at = text.indexOf("'"); at > 0; at = text.indexOf("'", at + 1))
    if (text[at - 1] === ':' || (text[at - 1] === ' ' && text[at - 2] === ':')) return true;
  return false;
}

function ofText(text: string, codes: Uint16Array, options: FindOptions, layers: number): Found[] {
  const found = text.includes('<') ? secretsOfMarkup(text, codes, options.isRefusal) : [];
  found.push(...secretsOfParts(text), ...secretsOfEvents(text), ...secretsOfPairs(text, codes));
  found.push(...ofJsonWithin(text, codes, options, layers), ...belowSpellings(text, options, layers));
  return found;
}

function belowSpellings(text: string, options: FindOptions, layers: number): Found[] {
  const plain = layers > 0 ? withoutEscapes(text) : undefined;
  return plain ? secretsIn(plain.text, options, layers - 1).map((each) => inText(each, plain.place)) : [];
}

const inText = (found: Found, place: (from: number, to: number) => Place): Found => ({
  ...found,
  ...place(found.from, found.to),
});

function ofJsonWithin(text: string, codes: Uint16Array, options: FindOptions, layers: number): Found[] {
  const found: Found[] = [];
  if (!text.includes('{') && !text.includes('[')) return found;
  // Where JSON may begin.
  const start = /\{\s{0,20}"|\[\s{0,20}[{["]/g;
  for (;;) {
    const match = start.exec(text);
    if (!match) return found;
    const json = ofJson(text, { codes, start: match.index }, options, layers);
    found.push(...json.found);
    start.lastIndex = Math.max(json.end, match.index + 1);
  }
}

/** Signs without which a string of JSON holds nothing that its outer text does not show. */
const layered = signs.backslash | signs.slash | signs.spelling;
/** Signs of other forms in a string. */
const structured = signs.pair | signs.markup | signs.json;

/** Signs of what is more than a name and its value; lines may be those of parts and events. */
const maybeMore = signs.markup | signs.json | signs.line;

type JsonText = { codes: Uint16Array; start: number };

function ofJson(
  text: string,
  { codes, start }: JsonText,
  options: FindOptions,
  layers: number,
): { found: Found[]; end: number } {
  const inner: Found[] = [];
  const { found, end } = secretsOfJson(text, {
    start,
    codes,
    isRefusal: options.isRefusal ?? false,
    isShortSecret: options.isShortSecret,
    visit(from, to, seen) {
      if (to - from < 8 || layers === 0) return;
      if ((seen & ~signs.slash) === 0) return;
      const isLayered = (seen & layered) !== 0;
      if (!isLayered && (seen & structured) === 0) return;
      // Of most others, such as times and addresses, one look says that they hold none.
      if (!isLayered && (seen & maybeMore) === 0 && !holdsName(text, codes, from, to)) return;
      const written = text.slice(from, to);
      const plain = isLayered ? withoutEscapes(written) : undefined;
      if (!plain) {
        for (const each of secretsIn(written, options, layers - 1))
          inner.push({ ...each, from: from + each.from, to: from + each.to });
        return;
      }
      for (const each of secretsIn(plain.text, options, layers - 1)) {
        const place = plain.place(each.from, each.to);
        inner.push({ ...each, from: from + place.from, to: from + place.to });
      }
    },
  });
  return { found: found.concat(inner), end };
}
