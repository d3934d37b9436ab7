import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** @typedef {{ [key: string]: string | Texts }} Texts */

/** @param {string} file @returns {Promise<Texts>} */
const read = async (file) => JSON.parse(await readFile(file, 'utf8'));

/**
 * Adds the English texts that a language lacks. A key with an `_other` form lacks none of the other plural forms.
 * @param {Texts} texts @param {Texts} english
 * @returns {Texts}
 */
function withEnglish(texts, english) {
  const whole = { ...texts };
  for (const [key, text] of Object.entries(english)) {
    const own = texts[key];
    if (typeof own === 'object' && typeof text === 'object') whole[key] = withEnglish(own, text);
    else if (own === undefined && !(key.replace(/_(?:zero|one|two|few|many)$/, '_other') in texts)) whole[key] = text;
  }
  return whole;
}

/**
 * Adds the plural forms that a file lacks, such as Spanish `many` for a million, as copies of `other`.
 * @param {Texts} texts @param {readonly string[]} forms
 * @returns {Texts}
 */
function withAllForms(texts, forms) {
  /** @type {Texts} */
  const whole = {};
  for (const [key, text] of Object.entries(texts)) {
    whole[key] = typeof text === 'string' ? text : withAllForms(text, forms);
    if (!key.endsWith('_other')) continue;
    for (const form of forms) {
      const name = key.replace(/other$/, form);
      if (!(name in texts)) whole[name] = text;
    }
  }
  return whole;
}

/**
 * Completes the window's texts of a language while they are built: the texts that its file lacks are in English, and
 * every plural has all forms of the language. The window then loads one file, and does not walk it at each start.
 * @returns {import('vite').Plugin}
 */
export function windowTexts() {
  return {
    name: 'window-texts',
    load: {
      filter: { id: /\/locales\/window\/[\w-]+\.json$/ },
      async handler(id) {
        const english = path.join(path.dirname(id), 'en.json');
        this.addWatchFile(english);
        const { pluralCategories } = new Intl.PluralRules(path.basename(id, '.json')).resolvedOptions();
        return JSON.stringify(withAllForms(withEnglish(await read(id), await read(english)), pluralCategories));
      },
    },
  };
}
