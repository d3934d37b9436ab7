import { describe, expect, it } from 'vitest';
import reportsEn from '../../../preload/contract/locales/reports/en.json' with { type: 'json' };
import reportsEs from '../../../preload/contract/locales/reports/es.json' with { type: 'json' };
import systemEn from '../../../preload/contract/locales/system/en.json' with { type: 'json' };
import systemEs from '../../../preload/contract/locales/system/es.json' with { type: 'json' };
import en from '../../../preload/contract/locales/window/en.json' with { type: 'json' };
import es from '../../../preload/contract/locales/window/es.json' with { type: 'json' };
import { flatTexts } from '../../support/texts.ts';

const placeholders = (text: string): string => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted().join();

// The rules by which answers are read are named in English, so only other languages have words for them.
const { rules: _rules, ...screensEs } = es;
const files = {
  screens: { en, es: screensEs },
  reports: { en: reportsEn, es: reportsEs },
  system: { en: systemEn, es: systemEs },
};

/** What no text has, in either language. A text that quotes another one's words may hold them, so each is a phrase. */
const never: Record<string, RegExp> = {
  'an exclamation mark': /[!¡]/,
  'three full stops for an ellipsis': /\.\.\./,
  'two spaces, or one at an end': / {2}|^ | $/,
  please: /\bplease\b|por favor/i,
  'an optional plural': /\(e?s\)/,
  'an apostrophe of "cannot"': /can't|can’t/i,
};

/** What no Spanish text has. The words are those that the glossary of the copy replaced. */
const neverInSpanish: Record<string, RegExp> = {
  'a straight quotation mark': /^[^"]*"(?!not shown")[^"]*$/,
  'an English quotation mark outside of others': /^[^«]*[“”]/,
  'a plain space before a unit': /[\d}] (?:ms|s|KiB|MB|%)(?!\w)/,
  usted: /\busted\b|vuelva a (?:intentar|escribir|iniciar)|introduzca|compruebe\b/i,
  "a word for a person's computer that only Spain uses": /ordenador/i,
  'an older word for a server, a call, a keyring or a thing encrypted':
    /entorno|intercambio|llavero de claves|sellad[oa]/i,
  'a page of a house for one of the window, or erróneo for wrong': /\bsalas?\b|erróne[oa]/i,
  'ello, suyo or cuyo': /\bello\b|\bsuy[oa]s?\b|\bcuy[oa]s?\b/i,
  'a capital in the middle':
    /^(?!.*\b(?:GNOME|macOS)\b).*[a-záéíóú] (?:Servidor|Sesión|Cuenta|Contrato|Español|Inglés)\b/,
};

/** What no English text has: words that the copy replaced. */
const neverInEnglish: Record<string, RegExp> = {
  'an older word for a server or a call': /\benvironments?\b|\bexchanges?\b/i,
  'sealed for encrypted': /\bsealed\b/i,
  'American spelling': /\b(?:color|behavior|recogni[z]e|authorization(?! header)|canceled)\b/i,
};

/** What no text has since one thing has one name (issue 47). The words by which a person searches may be any. */
const oldWordsInEnglish: Record<string, RegExp> = {
  'another word for a mock server': /\bdoubles?\b(?!-click)|\bimitat\w+/i,
  'another word for a check':
    /\bcontract (?:run|report)s?\b|\bmeasur(?:es?|ing) (?:it|them|again|the (?:server|original))\b/i,
  'another word for passed, failed or not tested': /\brules? (?:kept|broken)\b|\b(?:not|never) measured\b/i,
  'another word for unspecified': /\bnot shown\b/i,
  'another word for the tools': /\bworkbench\b/i,
  'another word for simulated faults': /\bmisbehav\w+|\bwrong on purpose\b/i,
  'another word for a response format': /\bdialects?\b/i,
  'a login with a hyphen': /\blog-(?:in|out)s?\b/i,
  'sign in or up for log in or create account': /(?<!# )\bsign(?:s|ed|ing)?[ -](?:in|up|out)\b/i,
  'press for click': /\bdouble press\b/i,
  'a phrase for automatic, separate or none': /\b(?:by itself|of its own|there is none|is told|comes along)\b/i,
  'a server that knows or speaks': /\bserver (?:does not |now )?(?:knows?|speaks?)\b/i,
};

const oldWordsInSpanish: Record<string, RegExp> = {
  'another word for a mock server': /\b(?:un|el|del|al|los) dobles?\b|\bdobles? de\b|\bimit(?:a|ar|arlo)\b/i,
  'another word for a check': /\b(?:prueba|informe)s? del? contrato\b|\bmedir (?:otra vez|de nuevo)\b/i,
  'another word for not tested': /\bsin medir\b/i,
  'another word for the tools': /\btaller\b/i,
  'another word for simulated faults': /\b(?:portarse mal|fall(?:a|an|ar) a propósito|defectos simulados)\b/i,
  'another word for a response format': /\bdialectos?\b/i,
  'another word for a request': /\bllamadas?\b/i,
  'another word for a click': /\bpulsaci(?:ón|ones)\b/i,
  'a server that knows or speaks': /\bservidor (?:ya |todavía |no )*(?:lo )?(?:sabe|habla)\b/i,
};

/** In the window an interface is an API type and a call a request. `interface.md` is a document. */
const neverInTheWindow: Record<string, RegExp> = {
  'an older word for an API type': /\binterface\b(?!\.md)|\binterfaz\b/i,
  'a call for a request': /(?<!\{\{)\bcalls?\b/i,
};

/** Keys whose texts may have old words: what a person searches by. */
const notYet: Record<string, RegExp> = { screens: /^palette\.words\./, reports: /(?!)/, system: /(?!)/ };

const breaking = (texts: [key: string, text: string][], rules: Record<string, RegExp>): string[] =>
  Object.entries(rules).flatMap(([rule, pattern]) =>
    texts.filter(([, text]) => pattern.test(text)).map(([key, text]) => `${rule} in ${key}: ${text}`),
  );

/** A number that a noun in the plural follows says "1 files" of one. A text of two forms takes the right one. */
const beforePlural =
  /\{\{(?:number|count|calls|cases|files|accounts|planned|total|samples|measured|compared|bits|bytes)\}\} (?!más\b|cases differs\b|casos\b)\p{L}{2,}s\b/u;

describe.each(Object.entries(files))('the texts of %s', (name, { en, es }) => {
  const english = flatTexts(en);
  const spanish = new Map(flatTexts(es));

  it('have the same keys in both languages, in the same order', () => {
    expect([...spanish.keys()]).toEqual(english.map(([key]) => key));
  });

  it('say everything in both languages with the same placeholders', () => {
    const wrong = english.filter(([key, text]) => {
      const other = spanish.get(key) ?? '';
      const isSaid = text.trim() !== '' && other.trim() !== '';
      return !isSaid || placeholders(other) !== placeholders(text);
    });
    expect(wrong).toEqual([]);
  });

  it('have a form for one and a form for more wherever a count is before its noun', () => {
    const texts = [...english, ...spanish];
    expect(texts.filter(([key, text]) => beforePlural.test(text) && !/_(?:one|other)$/.test(key))).toEqual([]);
    const forms = (end: string) => english.flatMap(([key]) => (key.endsWith(end) ? [key.slice(0, -end.length)] : []));
    expect(forms('_one')).toEqual(forms('_other'));
  });

  it('keep to the rules of typography and to the words of the glossary', () => {
    expect(breaking(english, { ...never, ...neverInEnglish })).toEqual([]);
    expect(breaking([...spanish], { ...never, ...neverInSpanish })).toEqual([]);
  });

  it('call each thing by its one name', () => {
    const shown = (texts: [key: string, text: string][]) => texts.filter(([key]) => notYet[name]?.test(key) !== true);
    const rules = name === 'screens' ? neverInTheWindow : {};
    expect(breaking(shown(english), { ...rules, ...oldWordsInEnglish })).toEqual([]);
    expect(breaking(shown([...spanish]), { ...rules, ...oldWordsInSpanish })).toEqual([]);
  });

  it('end a sentence alike in both languages: a label has no full stop, a sentence has one', () => {
    const ends = (text: string) => /[.…:?]$/.exec(text)?.[0] ?? '';
    const wrong = english.filter(([key, text]) => ends(text) !== ends(spanish.get(key) ?? ''));
    expect(wrong).toEqual([]);
  });
});
