import type { GuessReason } from '../../../preload/contract/guess-reason.ts';
import type { FoundPart } from '../../../preload/contract/interface.ts';
import { isPasswordHash, looksLikeToken, secretsByForm } from '../../client/secrets/secret-forms.ts';
import { isSecretByName } from '../../client/secrets/is-secret.ts';
import { namesSecret, classifyName } from '../../client/secrets/secret-names.ts';
import { fieldNames } from '../../interface/template.ts';

/** Names that have a meaning of their own in a description. */
const reserved = new Set<string>([...fieldNames, 'origin', 'token', 'refreshToken', 'user']);

/** One word with letters and digits that no person would write. */
const opaque = /^(?=\D{0,400}\d)(?=[^A-Za-z]{0,400}[A-Za-z])[\w.~+/=-]{24,}$/;

export const looksSecret = (name: string, text: string): boolean =>
  isSecretByName(text, classifyName(name)) ||
  looksLikeToken(text) ||
  isPasswordHash(text) ||
  opaque.test(text) ||
  secretsByForm(text).length > 0;

/** The name of an output or a variable that is made of another name: `client_id` is `clientId`. */
export function camelName(name: string): string {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const camel = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const plain = camel.replace(/^[^A-Za-z]+/, '').slice(0, 45) || 'value';
  return reserved.has(plain) ? `${plain}Given` : plain;
}

/** What comes up while the calls of a description are made: its variables, dropped secrets, and what is a guess or missing. */
export class DescriptionDraft {
  readonly variables = new Map<string, { secret?: boolean }>();
  readonly dropped = new Set<string>();
  readonly #parts = new Map<string, FoundPart>();

  /** By their places, each once. */
  get parts(): FoundPart[] {
    return [...this.#parts.values()];
  }

  guess(at: string, why: GuessReason, said?: string): void {
    if (!this.#parts.has(at)) this.#parts.set(at, { at, is: 'guess', why, ...(said !== undefined && { said }) });
  }

  /** Something that is required, and that no description can say. */
  addMissing(at: string): void {
    this.#parts.set(at, { at, is: 'missing', why: 'no-value' });
  }

  /**
   * Adds a variable, for whose value the person is asked, and answers its placeholder.
   * @param why what the text has in its place
   */
  variable(name: string, { secret = false, why = 'no-value' }: { secret?: boolean; why?: GuessReason } = {}): string {
    const free = camelName(name);
    const isSecret = secret || this.variables.get(free)?.secret === true;
    this.variables.set(free, isSecret ? { secret: true } : {});
    const at = `variables.${free}`;
    if (!this.#parts.has(at)) this.#parts.set(at, { at, is: 'missing', why });
    return `{{${free}}}`;
  }

  /**
   * A constant as it stands in a description: a secret one becomes a variable without its value, as does what a collection
   * fills in.
   */
  constant(name: string, value: string, at: string): string {
    const filled = value.replaceAll(/\{\{\s*(?:_\.)?([\w.-]{1,100})\s*\}\}/g, (_, variable: string) =>
      this.variable(variable, { secret: namesSecret(name), why: 'placeholder' }),
    );
    if (!value.includes('{{')) {
      if (!looksSecret(name, value)) return value;
      this.dropped.add(at);
    } else if (/^(?:[^{}]|\{\{[A-Za-z]\w*\}\})*$/.test(filled)) return filled;
    return this.variable(name, { secret: true });
  }
}
