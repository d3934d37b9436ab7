import type { GuessReason } from '../../../preload/contract/guess-reason.ts';
import type { FoundPart } from '../../../preload/contract/interface.ts';
import { isPasswordHash, looksLikeToken, secretsByForm } from '../../client/secrets/secret-forms.ts';
import { isSecretByName } from '../../client/secrets/is-secret.ts';
import { namesSecret, classifyName } from '../../client/secrets/secret-names.ts';
import { fieldNames } from '../../interface/template.ts';

/** Variables that a description defines itself. */
const reserved = new Set<string>([...fieldNames, 'origin', 'token', 'refreshToken', 'user']);

/** A long word of letters and digits. */
const opaque = /^(?=\D{0,400}\d)(?=[^A-Za-z]{0,400}[A-Za-z])[\w.~+/=-]{24,}$/;

export const looksSecret = (name: string, text: string): boolean =>
  isSecretByName(text, classifyName(name)) ||
  looksLikeToken(text) ||
  isPasswordHash(text) ||
  opaque.test(text) ||
  secretsByForm(text).length > 0;

/** A name as that of a variable: `client_id` is `clientId`. */
export function camelName(name: string): string {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const camel = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const plain = camel.replace(/^[^A-Za-z]+/, '').slice(0, 45) || 'value';
  return reserved.has(plain) ? `${plain}Given` : plain;
}

/** Collects the variables, dropped secrets, guesses and missing parts of a description while its calls are made. */
export class DescriptionDraft {
  readonly variables = new Map<string, { secret?: boolean }>();
  readonly dropped = new Set<string>();
  readonly #parts = new Map<string, FoundPart>();

  /** Each path once. */
  get parts(): FoundPart[] {
    return [...this.#parts.values()];
  }

  guess(at: string, why: GuessReason, detail?: string): void {
    if (!this.#parts.has(at)) this.#parts.set(at, { at, is: 'guess', why, ...(detail !== undefined && { detail }) });
  }

  /** A required part that no description can have. */
  addMissing(at: string): void {
    this.#parts.set(at, { at, is: 'missing', why: 'no-value' });
  }

  /**
   * Adds a variable that the user fills in, and returns its placeholder.
   * @param why what the text has instead of a value
   */
  variable(name: string, { secret = false, why = 'no-value' }: { secret?: boolean; why?: GuessReason } = {}): string {
    const ownName = camelName(name);
    const isSecret = secret || this.variables.get(ownName)?.secret === true;
    this.variables.set(ownName, isSecret ? { secret: true } : {});
    const at = `variables.${ownName}`;
    if (!this.#parts.has(at)) this.#parts.set(at, { at, is: 'missing', why });
    return `{{${ownName}}}`;
  }

  /**
   * The value of a constant in the description. A secret becomes a variable without its value, a placeholder of a collection
   * a variable as well.
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
