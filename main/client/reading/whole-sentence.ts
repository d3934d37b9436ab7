import { lastPart } from './form-fields.ts';
import { words } from './words.ts';

/** A text that begins with one of these has left its subject to the name of the field: `has already been taken`. */
const verbs = new Set(
  words(`
    has is was are isn't hasn't must mustn't should shouldn't may can cannot can't does doesn't do don't needs need contains
    already exists ya es está debe deben ha fue tiene puede existe contiene necesita
    já é deve foi tem pode está não contém precisa
    est n'est doit ne existe déjà contient
    ist muss darf wird hat kann soll sollte existiert bereits enthält
  `),
);
/** Of two words: `no` alone may begin an English sentence. */
const negated = new Set(words('no'));
const afterNo = new Set(words('es está puede tiene debe coincide cumple existe ha contiene son'));

/** Puts the server's name of the field before a text that is no sentence by itself. */
export function wholeSentence(serverName: string, text: string): string {
  const [first = '', second = ''] = text.slice(0, 100).trim().split(/\s+/);
  const isPart = verbs.has(first) || (negated.has(first) && afterNo.has(second));
  const name = isPart ? readable(serverName) : '';
  return name === '' ? text : `${name} ${text.trim()}`;
}

/** Makes `password_confirmation` and `passwordConfirmation` words; other names than of words are left out. */
function readable(serverName: string): string {
  const name = lastPart(serverName);
  if (!/^[\p{L}\p{N}_-]{1,60}$/u.test(name)) return '';
  const spaced = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1);
}
