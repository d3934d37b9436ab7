type Range = { from: number; to: number };

/** The names of U+00A0 to U+00FF in order, which PHP writes. */
const latin1 =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
  middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute
  Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute
  THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde
  ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s+/);
/** Pairs of a name and its character. */
const signs =
  `amp & lt < gt > quot " apos ' AMP & LT < GT > QUOT " excl ! num # dollar $ percnt % lpar ( rpar ) ast * plus +
  comma , period . sol / colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^
  lowbar _ grave \` lcub { lbrace { verbar | vert | rcub } rbrace } euro € hyphen - dash -`.split(/\s+/);
const named = new Map<string, string>([
  ...latin1.map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
  ...signs.flatMap((name, at) => (at % 2 === 0 ? [[name, signs[at + 1]!] as const] : [])),
]);

/** `&#34;`, `&#x00022;`, `&quot;`; the semicolon of a number may be missing (HTML, 13.2.5.80). */
const reference = /&(?:#0*(\d{1,7});?|#x0*([\da-f]{1,6});?|([A-Za-z]{2,8}\d{0,2});)/gi;
const partial = /&(?:#(?:x[\da-f]{0,20}|\d{0,20})|[A-Za-z\d]{0,8})$/i;

function characterOf(decimal: string | undefined, hex: string | undefined, name: string): string | undefined {
  if (decimal === undefined && hex === undefined) return named.get(name);
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : undefined;
}

/**
 * Decodes the HTML character references of a text: all numeric ones, and the names of ASCII and Latin-1. Undefined if it has
 * none. `placeOf` maps a range of the decoded text to one of the original.
 * @param isCut whether the text was cut off: the beginning of a reference at its end is left out
 */
export function decodeCharacterReferences(
  whole: string,
  isCut: boolean,
): { text: string; placeOf: <R extends Range>(range: R) => R } | undefined {
  /** Of each reference: the range of its character in the decoded text, and its own end in the original. */
  const read: { from: number; to: number; end: number }[] = [];
  const parts: string[] = [];
  let [at, length] = [0, 0];
  for (const { 0: written, index, 1: decimal, 2: hex, 3: name = '' } of whole.matchAll(reference)) {
    const character = characterOf(decimal, hex, name);
    if (character === undefined) continue;
    parts.push(whole.slice(at, index), character);
    const from = length + index - at;
    length = from + character.length;
    at = index + written.length;
    read.push({ from, to: length, end: at });
  }
  if (read.length === 0) return undefined;
  const rest = whole.slice(at);
  const text = [...parts, isCut ? rest.replace(partial, '') : rest].join('');

  function toWhole(index: number): number {
    let [low, high] = [0, read.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (read[middle]!.from < index) low = middle + 1;
      else high = middle;
    }
    const before = read[low - 1];
    return before ? before.end + Math.max(0, index - before.to) : index;
  }
  const placeOf = <R extends Range>(range: R): R => ({
    ...range,
    from: toWhole(range.from),
    to: isCut && range.to === text.length ? whole.length : toWhole(range.to),
  });
  return { text, placeOf };
}
