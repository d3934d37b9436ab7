import { isPasswordHash, looksLikeToken, secretsByForm } from '../../client/secrets/secret-forms.ts';
import { isSecretByName } from '../../client/secrets/is-secret.ts';
import { namesSecret, namingOf } from '../../client/secrets/secret-names.ts';
import { fieldNames } from '../../interface/template.ts';

/** Names that have a meaning of their own in a description. */
const reserved = new Set<string>([...fieldNames, 'origin', 'token', 'refreshToken', 'user']);

/** One word with letters and digits that no person would write. */
const opaque = /^(?=\D{0,400}\d)(?=[^A-Za-z]{0,400}[A-Za-z])[\w.~+/=-]{24,}$/;

export const looksSecret = (name: string, text: string): boolean =>
  isSecretByName(text, namingOf(name)) ||
  looksLikeToken(text) ||
  isPasswordHash(text) ||
  opaque.test(text) ||
  secretsByForm(text).length > 0;

/** What comes up while the calls of a description are made: its variables, dropped secrets, and guesses by their place. */
export class Draft {
  readonly variables = new Map<string, { secret?: boolean }>();
  readonly dropped = new Set<string>();
  readonly guessed = new Set<string>();

  /** Adds a variable, and answers its placeholder. */
  variable(name: string, secret = false): string {
    const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const camel = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const plain = camel.replace(/^[^A-Za-z]+/, '').slice(0, 45) || 'value';
    const free = reserved.has(plain) ? `${plain}Given` : plain;
    const isSecret = secret || this.variables.get(free)?.secret === true;
    this.variables.set(free, isSecret ? { secret: true } : {});
    return `{{${free}}}`;
  }

  /** A constant as it stands in a description: a secret one becomes a variable without its value. */
  constant(name: string, value: string, at: string): string {
    const variable = /^\{\{\s*(?:_\.)?([\w.-]{1,100})\s*\}\}$/.exec(value)?.[1];
    if (variable !== undefined) return this.variable(variable, namesSecret(name));
    if (!looksSecret(name, value)) return value;
    this.dropped.add(at);
    return this.variable(name, true);
  }
}
