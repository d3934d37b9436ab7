import type { InterfaceCall } from '../../preload/contract/interface.ts';
import type { ApiCall } from './list-calls.ts';
import { credentialSecrets, type Credential } from './credential.ts';
import { pathWildcard, matchesPath } from './matching.ts';
import { fillTextTemplate, placeholderNames, type PlaceholderValues } from './template.ts';

type Call = Pick<InterfaceCall, 'path'>;

/** In characters. */
const longestPathValue = 200;

/** The characters that ids have: those of databases, email addresses, URNs and Base64. None of them ends a segment of a path. */
const inPaths = /^[\w.~@:|+=-]+$/;

/**
 * Whether a value of an answer may stand in the path of a call, as one segment or a part of one. A server must not steer
 * where the next request goes.
 */
const isPathValue = (value: string): boolean =>
  value.length <= longestPathValue && inPaths.test(value) && !/^\.{1,2}$/.test(value);

/** Stands in a path for a value that nothing gave, or that may not stand there. */
const standIn = '0';

/** How many values of answers a path leaves open. */
const openIn = (path: string): number => path.split(pathWildcard).length - 1;

/**
 * What paths are made of.
 * @property prefix as the description has it
 * @property values those of the variables
 * @property open the outputs that are no secrets
 */
type Of = {
  baseUrl: string;
  prefix: string;
  values: Readonly<Record<string, string>>;
  open: ReadonlySet<string>;
  calls: ReadonlyMap<ApiCall, InterfaceCall>;
};

/** The paths of the calls of an interface: with what fills them, and read backwards. */
export class CallPaths {
  /** Between the server's address and the paths of the calls. */
  readonly prefix: string;
  readonly #of: Of;

  constructor(pathOf: Of) {
    this.#of = pathOf;
    this.prefix = fillTextTemplate(pathOf.prefix, pathOf.values, encodeURIComponent) ?? '';
  }

  /**
   * The path of a call after the server's address, with its query. What is not held, or may not stand in a path, is a zero:
   * calls without a session are made all the same.
   */
  of({ path }: Call, held: Credential = {}): string {
    const values = this.#valuesIn(held);
    return this.#filled(path, (name) => values[name] ?? standIn);
  }

  /** Which value of a path is not held, or may not stand in one since it would lead elsewhere, or would show a secret. */
  fault({ path }: Call, held: Credential): { output: string; why: 'missing' | 'unsafe' } | undefined {
    const values = this.#valuesIn(held);
    const output = placeholderNames(path).find((each) => this.#of.open.has(each) && !Object.hasOwn(values, each));
    return output === undefined
      ? undefined
      : { output, why: held.outputs?.[output] === undefined ? 'missing' : 'unsafe' };
  }

  /** The calls that an address is for, whatever the method, the nearest first. */
  callsAt(url: string): { name: ApiCall; method: string }[] {
    const { baseUrl, calls } = this.#of;
    const target = baseUrl !== '' && url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
    return (
      [...calls]
        .map(([name, call]) => ({ name, method: call.method, path: this.#filled(call.path, () => pathWildcard) }))
        .filter(({ path }) => matchesPath(target, path))
        // One that leaves nothing open is nearer than one that does, and one that names a query than one that names none.
        .toSorted((one, other) => openIn(one.path) - openIn(other.path) || other.path.length - one.path.length)
        .map(({ name, method }) => ({ name, method }))
    );
  }

  /** A path with what is known now. What an answer is to give, and a variable without a value, is named. */
  shown({ path }: Call): string {
    const { prefix, values, open } = this.#of;
    const named: PlaceholderValues = Object.fromEntries([...open].map((name) => [name, `{{${name}}}`]));
    const encode = (text: string): string => (text.startsWith('{{') ? text : encodeURIComponent(text));
    return fillTextTemplate(prefix + path, { ...named, ...values }, encode) ?? prefix + path;
  }

  /** What people copy of the paths along with an address: beginnings of the prefix, and whole paths. */
  pasted(): string[] {
    const segments = this.prefix.split('/').slice(1);
    const beginnings = segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
    const paths = [...this.#of.calls.values()].flatMap(({ path }) => {
      const filled = fillTextTemplate(path, this.#of.values, encodeURIComponent);
      return filled === undefined ? [] : [(this.prefix + filled).replace(/\/*(?:\?.*)?$/, '')];
    });
    return [...beginnings, ...paths].filter((each) => each !== '');
  }

  #filled(path: string, insteadOf: (output: string) => string): string {
    const { values, open } = this.#of;
    const given: PlaceholderValues = Object.fromEntries([...open].map((name) => [name, insteadOf(name)]));
    const encode = (text: string): string => (text === pathWildcard ? text : encodeURIComponent(text));
    const filled = fillTextTemplate(path, { ...given, ...values }, encode);
    if (filled === undefined) throw new Error(`a variable of the path ${path} has no value`);
    return this.prefix + filled;
  }

  /** The values of answers that may stand in a path. */
  #valuesIn(held: Credential): Record<string, string> {
    const { open } = this.#of;
    const secrets = new Set(credentialSecrets({ ...held, typed: [...open] }));
    const values = Object.entries(held.outputs ?? {}).filter(
      ([name, value]) => open.has(name) && isPathValue(value) && !secrets.has(value),
    );
    return Object.fromEntries(values);
  }
}
