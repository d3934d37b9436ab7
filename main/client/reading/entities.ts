/** The named entities that pages of errors and of frameworks write: the signs of HTML and the letters of Western Europe. */
const named: Readonly<Record<string, string>> = Object.fromEntries(
  `amp& lt< gt> quot" apos' nbsp\u00a0 aacuteá eacuteé iacuteí oacuteó uacuteú ntildeñ uumlü iexcl¡ iquest¿ ccedilç agraveà
  egraveè igraveì ograveò ugraveù acircâ ecircê icircî ocircô ucircû atildeã otildeõ aumlä oumlö szligß lsquo‘ rsquo’
  ldquo“ rdquo” ndash– mdash— hellip…`
    .split(/[ \n]+/)
    .map((each) => [each.slice(0, -1), each.slice(-1)]),
);

/** Returns a text with characters in the place of the entities of HTML. */
export const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));?/gi, (entity, decimal, hex, name) => {
    if (typeof name === 'string') return named[name] ?? entity;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : entity;
  });
