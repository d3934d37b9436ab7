import { looksLikeToken, isPasswordHash, secretsByForm } from '../../client/secrets/secret-forms.ts';
import { isSecretByName } from '../../client/secrets/is-secret.ts';
import { namesSecret, namingOf } from '../../client/secrets/secret-names.ts';
import { formFieldNamed } from '../../client/reading/fields.ts';
import { isRecord, textOf, type PlainJson } from '../../interface/template.ts';
import type { SeenRequest } from './seen-request.ts';

export type Role = 'register' | 'login' | 'profile' | 'logout' | 'refresh';

/** One letter-and-digit word that no person would write. */
const opaque = /^(?=\D{0,400}\d)(?=[^A-Za-z]{0,400}[A-Za-z])[\w.~+/=-]{24,}$/;
const oneVariable = /^\{\{\s*(?:_\.)?([\w.-]{1,100})\s*\}\}$/;
const longestConstant = 200;

/** Names that have a meaning of their own in a description. */
const taken = new Set([
  'name',
  'email',
  'username',
  'password',
  'cpassword',
  'origin',
  'token',
  'refreshToken',
  'user',
]);

export const looksSecret = (name: string, text: string): boolean =>
  isSecretByName(text, namingOf(name)) ||
  looksLikeToken(text) ||
  isPasswordHash(text) ||
  opaque.test(text) ||
  secretsByForm(text).length > 0;

/** What a description learns while its calls are made: its variables, and which values were left out. */
export class Learned {
  readonly variables = new Map<string, { secret?: boolean }>();
  readonly dropped = new Set<string>();
  readonly guessed = new Set<string>();

  /** The placeholder of a variable of the description, under a name that is free. */
  variable(name: string, { secret = false } = {}): string {
    const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const camel = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const plain = camel.replace(/^[^A-Za-z]+/, '').slice(0, 45) || 'value';
    const free = taken.has(plain) ? `${plain}Given` : plain;
    const isSecret = secret || this.variables.get(free)?.secret === true;
    this.variables.set(free, isSecret ? { secret: true } : {});
    return `{{${free}}}`;
  }

  /** A constant as it goes into a description: a secret is one of its variables, whose value rests elsewhere. */
  constant(name: string, value: string, at: string): string {
    const variable = oneVariable.exec(value)?.[1];
    if (variable !== undefined) return this.variable(variable, { secret: namesSecret(name) });
    if (!looksSecret(name, value)) return value;
    this.dropped.add(at);
    return this.variable(name, { secret: true });
  }
}

/** Which field of the interface a member of a body is, in a call that people fill in. */
function fieldOf(name: string, value: PlainJson): 'name' | 'email' | 'password' | 'cpassword' | undefined {
  if (/(?:^|[^a-z])(?:user[_-]?name|login|user|usuario|user[_-]?id|account)\]?$/i.test(name)) {
    return isRecord(value) ? undefined : 'email';
  }
  const field = formFieldNamed(name);
  if (field !== undefined || !/password|passwd|pwd|contrase|clave/i.test(name)) return field;
  return /confirm|repeat|again|verif|repet|2\]?$/i.test(name) ? 'cpassword' : 'password';
}

export type Field = { name: string; value: PlainJson; field: ReturnType<typeof fieldOf> };

/** The values of a body with their names, of three levels. */
export function fieldsIn(body: PlainJson | undefined, depth = 0): Field[] {
  if (!isRecord(body) || depth > 2) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    isRecord(value) ? fieldsIn(value, depth + 1) : [{ name, value, field: fieldOf(name, value) }],
  );
}

/** Makes the body of a call: names that are known are placeholders, other constants stay, and what is secret goes. */
export function templateOf(role: Role, { body, encoding }: SeenRequest, learned: Learned): PlainJson | undefined {
  const mayType = role === 'register' || role === 'login';
  const fields = fieldsIn(body);
  const hasEmail = fields.some(({ field }) => field === 'email');
  // A log-in has something that says who it is, whatever its name.
  const [only, ...more] = fields.filter(({ field, value }) => field === undefined && isTyped(value));
  const who = role === 'login' && !hasEmail && more.length === 0 ? only?.name : undefined;

  function memberOf(name: string, value: PlainJson, at: string): PlainJson | undefined {
    const field = name === who ? 'email' : mayType ? fieldOf(name, value) : undefined;
    if (!isRecord(value) && field !== undefined) {
      const isPlain = field !== 'email' || /mail|correo/i.test(name) || /@/.test(textOf(value));
      if (!isPlain) learned.guessed.add(at);
      return `{{${field}}}`;
    }
    if (!mayType && /token|jwt/i.test(name))
      return /refresh/i.test(name) || role === 'refresh' ? '{{refreshToken}}' : '{{token}}';
    if (isRecord(value)) return membersOf(value, at);
    if (value === '' || value === null || Array.isArray(value)) return undefined;
    if (typeof value !== 'string') return encoding === 'form' ? textOf(value) : value;
    return value.length > longestConstant && !looksSecret(name, value) ? undefined : learned.constant(name, value, at);
  }
  function membersOf(inner: PlainJson, at: string, depth = 0): PlainJson | undefined {
    if (!isRecord(inner) || depth > 2) return undefined;
    const members = Object.entries(inner)
      .slice(0, 50)
      .flatMap(([name, value]) => {
        const isNamed = name !== '' && name !== '__proto__' && name.length <= 100;
        const made = isNamed ? memberOf(name, value, `${at}.${name}`) : undefined;
        return made === undefined ? [] : [[name, made] as const];
      });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  return membersOf(body ?? null, `calls.${role}.body`);
}

const isTyped = (value: PlainJson): boolean => typeof value === 'string' && (value === '' || /@|\{\{/.test(value));
