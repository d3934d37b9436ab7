import { isAboutSecret, kindOfName, namesSecret, type Kind } from './secret-names.ts';

/** What the name of a member of JSON says of its value. */
export type JsonName = {
  text: string;
  isSecret: boolean;
  isAbout: boolean;
  kind: Kind;
  /** It names what another member of the same object is the value of. */
  isNaming: boolean;
  /** It is of such a value. */
  isValued: boolean;
  /** Under a secret's name, it is of the secret itself. */
  isHolding: boolean;
  /** What is below it says what is wrong. */
  namesErrors: boolean;
};

const naming =
  /^(?:name|key|field|param|parameter|path|property|propertyname|header|headername|attribute|fieldname|column|loc|n|k)$/i;
const valued = /^(?:value|val|content|rejectedvalue|attemptedvalue|rejected_value|attempted_value|input|data|text|v)$/i;
const holding =
  /^(?:value|val|plain|plaintext|raw|string|text|content|encoded|access|refresh|bearer|key|data|id_?token|current|new|old)$/i;
const errors = /err|fail|valid|messag|mensaj|detail/i;

export const readJsonName = (text: string): JsonName => ({
  text,
  isSecret: namesSecret(text),
  isAbout: isAboutSecret(text),
  kind: kindOfName(text),
  isNaming: naming.test(text),
  isValued: valued.test(text),
  isHolding: holding.test(text),
  namesErrors: errors.test(text),
});

/** Names by a number that is made of their characters: an answer says the same ones over and over. */
const slots = 512;
const known: (JsonName | undefined)[] = Array.from({ length: slots });

/** A name that was one to somebody may be a secret of another. */
export const forgetJsonNames = (): void => void known.fill(undefined);

/** What a name says that stands in a text, of which the codes are given too. */
export function jsonNameAt(text: string, codes: Uint16Array, from: number, to: number): JsonName {
  let number = to - from;
  for (let at = from; at < to; at++) number = (Math.imul(number, 31) + codes[at]!) | 0;
  const slot = number & (slots - 1);
  const there = known[slot];
  if (there && isAt(there.text, codes, from, to)) return there;
  const name = readJsonName(text.slice(from, to));
  known[slot] = name;
  return name;
}

function isAt(name: string, codes: Uint16Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) !== codes[from + at]) return false;
  return true;
}
