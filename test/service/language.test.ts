import { expect, it } from 'vitest';
import { chooseLanguage } from '../../main/service/language.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['es', 'es'],
  ['es-ES,es;q=0.9,en;q=0.8', 'es'],
  ['ES-mx', 'es'],
  ['en;q=0.4, es;q=0.5', 'es'],
  ['en-GB, es', 'en'],
  ['fr, de', 'en'],
  ['fr, es;q=0.1', 'es'],
  ['*', 'en'],
  ['es;q=0, *', 'en'],
  [';;;,q=,=', 'en'],
])('the service chooses for %j the language %s', (header, language) => {
  expect(chooseLanguage(header)).toBe(language);
});
