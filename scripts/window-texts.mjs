import { readFile } from 'node:fs/promises';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../preload/contract/locales/window');

/** @typedef {{ [key: string]: string | Texts }} Texts */

/** @param {string} file @returns {Promise<Texts>} */
const read = async (file) => JSON.parse(await readFile(file, 'utf8'));

/**
 * Says in English what a language does not say. Of a text that it has for many, it needs no other forms.
 * @param {Texts} texts @param {Texts} english
 * @returns {Texts}
 */
function filledIn(texts, english) {
  const whole = { ...texts };
  for (const [key, text] of Object.entries(english)) {
    const own = texts[key];
    if (typeof own === 'object' && typeof text === 'object') whole[key] = filledIn(own, text);
    else if (own === undefined && !(key.replace(/_(?:zero|one|two|few|many)$/, '_other') in texts)) whole[key] = text;
  }
  return whole;
}

/**
 * Makes the texts of the window out of the file of a language. What the file lacks is in English, so that the window
 * needs one language at the start.
 * @returns {import('vite').Plugin}
 */
export function windowTexts() {
  return {
    name: 'window-texts',
    load: {
      filter: { id: /\/words\/window\/[\w-]+\.json$/ },
      async handler(id) {
        const english = path.join(folder, 'en.json');
        this.addWatchFile(english);
        return JSON.stringify(filledIn(await read(id), await read(english)));
      },
    },
  };
}
