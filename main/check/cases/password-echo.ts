import { parseBody } from '../../client/reading/body.ts';
import { withoutEntities } from '../../client/reading/sentences.ts';
import { isList, isJsonObject, nonEmptyText, type JsonValue, type JsonObject } from '../../client/reading/json.ts';
import { normalizeFieldName, namesSecret } from '../../client/secrets/secret-names.ts';
import { readSentFields, listResponseTexts, type Observation } from '../observation.ts';

/** A password that was given may be a word. */
const isWord = (password: string): boolean => /^(?:\p{L}+|\d+)$/u.test(password);

/** Under these names an error says which field it is about. */
const fieldNames = 'path param field property propertyName name key label loc instancePath attribute'.split(' ');
/** Under these names it has the value that was refused. */
const valueNames = new Set(
  'value input rejectedvalue attemptedvalue invalidvalue originalvalue actual received given'.split(' '),
);

const ofPasswords = /pass|contras|clave|senha|pwd|motdepasse|kennwort/;
const namesPassword = (name: string): boolean => ofPasswords.test(normalizeFieldName(name));

/** Returns the passwords that a call sent, of any length. */
function passwordsOf(seen: Observation): string[] {
  const fields = readSentFields(seen);
  return ['password', 'cpassword'].map((name) => fields?.get(name)).filter((value) => typeof value === 'string');
}

const isAboutPassword = (error: JsonObject): boolean =>
  fieldNames.some((name) => {
    const field = error.values.get(name);
    const last = isList(field) ? field.at(-1) : field;
    return last !== undefined && namesPassword((nonEmptyText(last) ?? '').split(/[./]/).at(-1) ?? '');
  });

/**
 * Looks for a value that was refused and comes back beside or below the name of its field, such as
 * `{"path": "password", "value": "x"}`. Even one character is then the password and no chance.
 */
function returnsValue(body: JsonValue, sent: ReadonlySet<string>, isBeside: (name: string) => boolean): boolean {
  function walk(value: JsonValue, name: string): boolean {
    if (isList(value)) return value.some((each) => walk(each, name));
    if (!isJsonObject(value)) return false;
    const isAbout = namesPassword(name) || isAboutPassword(value);
    for (const [key, inner] of value.values) {
      if (isBeside(key)) continue;
      const isSent = typeof inner === 'string' && sent.has(inner);
      if (isSent && ((isAbout && valueNames.has(normalizeFieldName(key))) || namesPassword(key))) return true;
      if (walk(inner, key)) return true;
    }
    return false;
  }
  return walk(body, '');
}

const longestGap = 40;

/** The name of a password stands directly before the value in quotes: `:password "x"`, `password = 'x'`. */
const beforeValue =
  /(?:passw?o?r?d|contrase\w{1,5}|clave|senha|pwd|passwort|kennwort|motdepasse)["']?\s{0,3}(?:=>|[:=])?\s{0,3}["']$/i;

/** Says whether a text has the value in quotes right after the name of a password. */
function quotesValue(text: string, password: string): boolean {
  for (let at = text.indexOf(password); at >= 0; at = text.indexOf(password, at + 1)) {
    const [quote, next] = [text[at - 1], text[at + password.length]];
    const isQuoted = quote !== undefined && quote === next && (quote === '"' || quote === "'");
    if (isQuoted && beforeValue.test(text.slice(Math.max(0, at - longestGap), at))) return true;
  }
  return false;
}

/** Returns what a page has filled in where passwords are entered. */
function valuesFilledIn(page: string): Set<string> {
  const fields = page.match(/<input\b[^<>]{0,1000}>/gi) ?? [];
  const values = fields
    .filter((field) => /\btype\s{0,3}=\s{0,3}["']?password\b/i.test(field))
    .flatMap((field) => /\bvalue\s{0,3}=\s{0,3}(?:"([^"]{1,500})"|'([^']{1,500})')/i.exec(field)?.slice(1) ?? []);
  return new Set(values.filter((value) => value !== undefined).map(withoutEntities));
}

/** Says whether a text or a page has the password of its call where a password is named. */
function showsValue(text: string, sent: readonly string[]): boolean {
  const filledIn = text.includes('<') ? valuesFilledIn(text) : new Set<string>();
  return sent.some((password) => filledIn.has(password) || quotesValue(text, password));
}

/**
 * Says which fields of an answer are no echo of a password. `/registro` describes no repeated password: a server that
 * stores and returns each field that it does not know returns that as one of them, and gets it from no other client.
 */
const besideIn =
  ({ operation, handling }: Observation) =>
  (name: string): boolean =>
    operation === 'registro' && handling === 'accepted' && normalizeFieldName(name) === 'cpassword';

/**
 * Makes what finds the password of a call anywhere in its answer. One that is a word, or is short, counts only as the
 * value of a password.
 * @param passwords those of the run that are long enough to be no chance
 */
export const createPasswordEchoDetector =
  (passwords: ReadonlySet<string>) =>
  (seen: Observation): boolean => {
    const sent = passwordsOf(seen).filter((password) => password !== '');
    const known = [...passwords].filter(
      (password) => sent.includes(password) || seen.call?.request.body?.includes(JSON.stringify(password).slice(1, -1)),
    );
    if (known.length === 0 && sent.length === 0) return false;
    const holds = ({ name, text }: { name: string; text: string }): boolean =>
      known.some((password) => (isWord(password) ? text === password && namesSecret(name) : text.includes(password)));
    const isBeside = besideIn(seen);
    const texts = listResponseTexts(seen).filter(({ name }) => !isBeside(name));
    return (
      texts.some(holds) ||
      texts.some(({ text }) => showsValue(text, sent)) ||
      returnsValue(parseBody(seen.call?.response?.body ?? '').json, new Set(sent), isBeside)
    );
  };
