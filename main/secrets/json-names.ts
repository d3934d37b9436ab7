import { createNameCache } from './name-cache.ts';
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
  /** It says none of these of a string or a number: most names do not. */
  isPlain: boolean;
};

const naming =
  /^(?:name|key|field|param|parameter|path|property|propertyname|header|headername|attribute|fieldname|column|loc|n|k)$/i;
const valued = /^(?:value|val|content|rejectedvalue|attemptedvalue|rejected_value|attempted_value|input|data|text|v)$/i;
const holding =
  /^(?:value|val|plain|plaintext|raw|string|text|content|encoded|access|refresh|bearer|key|data|id_?token|current|new|old)$/i;
const errors = /err|fail|valid|messag|mensaj|detail/i;

export function readJsonName(text: string): JsonName {
  const isSecret = namesSecret(text);
  const isNaming = naming.test(text);
  const isValued = valued.test(text);
  const isHolding = holding.test(text);
  return {
    text,
    isSecret,
    isAbout: isAboutSecret(text),
    kind: kindOfName(text),
    isNaming,
    isValued,
    isHolding,
    namesErrors: errors.test(text),
    isPlain: !isSecret && !isNaming && !isValued && !isHolding,
  };
}

/** What a name says that stands in a text, of which the codes are given too. */
export const jsonNameAt = createNameCache(readJsonName);
