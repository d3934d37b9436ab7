import type { InterfaceCall } from '../../preload/contract/interface.ts';
import type { ApiCall } from './list-calls.ts';
import { credentialSecrets, type Credential } from './credential.ts';
import { pathWildcard, matchesPath } from './matching.ts';
import { fillTextTemplate, placeholderNames, type PlaceholderValues } from './template.ts';

type Call = Pick<InterfaceCall, 'path'>;

/** In characters. */
const longestPathValue = 200;

/** The characters of ids: of databases, email addresses, URNs and Base64. None of them ends a path segment. */
const pathValue = /^[\w.~@:|+=-]+$/;

/** True if a value of a response may be a path segment or a part of one: a server must not decide where the next request goes. */
const isPathValue = (value: string): boolean =>
  value.length <= longestPathValue && pathValue.test(value) && !/^\.{1,2}$/.test(value);

/** Replaces a value that is missing or not allowed in a path. */
const placeholderValue = '0';

const wildcardsIn = (path: string): number => path.split(pathWildcard).length - 1;

/**
 * @property prefix of the description
 * @property values of the variables
 */
type PathOptions = {
  baseUrl: string;
  prefix: string;
  values: Readonly<Record<string, string>>;
  publicOutputs: ReadonlySet<string>;
  calls: ReadonlyMap<ApiCall, InterfaceCall>;
};

/** Fills in the paths of the calls of an API, and matches URLs with them. */
export class CallPaths {
  /** Between the base URL and the paths of the calls. */
  readonly prefix: string;
  readonly #options: PathOptions;

  constructor(options: PathOptions) {
    this.#options = options;
    this.prefix = fillTextTemplate(options.prefix, options.values, encodeURIComponent) ?? '';
  }

  /** The path and query of a call after the base URL. A missing value is a zero, so that calls without a session can be made. */
  of({ path }: Call, credential: Credential = {}): string {
    const values = this.#pathValuesOf(credential);
    return this.#fill(path, (name) => values[name] ?? placeholderValue);
  }

  /** The value of a path that is missing, or that is a secret or leads elsewhere. */
  fault({ path }: Call, credential: Credential): { output: string; why: 'missing' | 'unsafe' } | undefined {
    const values = this.#pathValuesOf(credential);
    const { publicOutputs } = this.#options;
    const output = placeholderNames(path).find((each) => publicOutputs.has(each) && !Object.hasOwn(values, each));
    return output === undefined
      ? undefined
      : { output, why: credential.outputs?.[output] === undefined ? 'missing' : 'unsafe' };
  }

  /** The calls that a URL matches, whatever their method, the most specific first. */
  callsAt = (url: string): { name: ApiCall; method: string }[] => this.matching(this.#options.calls, url);

  /** As {@link CallPaths.callsAt}, among other calls. */
  matching<Name>(
    calls: Iterable<readonly [Name, Call & { method: string }]>,
    url: string,
  ): { name: Name; method: string }[] {
    const { baseUrl } = this.#options;
    const target = baseUrl !== '' && url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
    return (
      [...calls]
        .map(([name, call]) => ({ name, method: call.method, path: this.#fill(call.path, () => pathWildcard) }))
        .filter(({ path }) => matchesPath(target, path))
        // Without wildcards before with, and with a query before without.
        .toSorted(
          (one, other) => wildcardsIn(one.path) - wildcardsIn(other.path) || other.path.length - one.path.length,
        )
        .map(({ name, method }) => ({ name, method }))
    );
  }

  /** A path for people, with the name of each value that is not known yet. */
  format({ path }: Call): string {
    const { prefix, values, publicOutputs } = this.#options;
    const named: PlaceholderValues = Object.fromEntries([...publicOutputs].map((name) => [name, `{{${name}}}`]));
    const encode = (text: string): string => (text.startsWith('{{') ? text : encodeURIComponent(text));
    return fillTextTemplate(prefix + path, { ...named, ...values }, encode) ?? prefix + path;
  }

  /** Paths that people paste along with a base URL: beginnings of the prefix, and whole paths. */
  pasted(): string[] {
    const segments = this.prefix.split('/').slice(1);
    const beginnings = segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
    const paths = [...this.#options.calls.values()].flatMap(({ path }) => {
      const filled = fillTextTemplate(path, this.#options.values, encodeURIComponent);
      return filled === undefined ? [] : [(this.prefix + filled).replace(/\/*(?:\?.*)?$/, '')];
    });
    return [...beginnings, ...paths].filter((each) => each !== '');
  }

  #fill(path: string, valueOf: (output: string) => string): string {
    const { values, publicOutputs } = this.#options;
    const outputs: PlaceholderValues = Object.fromEntries([...publicOutputs].map((name) => [name, valueOf(name)]));
    const encode = (text: string): string => (text === pathWildcard ? text : encodeURIComponent(text));
    const filled = fillTextTemplate(path, { ...outputs, ...values }, encode);
    if (filled === undefined) throw new Error(`a variable of the path ${path} has no value`);
    return this.prefix + filled;
  }

  /** The outputs that may stand in a path. */
  #pathValuesOf(credential: Credential): Record<string, string> {
    const { publicOutputs } = this.#options;
    const secrets = new Set(credentialSecrets({ ...credential, typed: [...publicOutputs] }));
    const values = Object.entries(credential.outputs ?? {}).filter(
      ([name, value]) => publicOutputs.has(name) && isPathValue(value) && !secrets.has(value),
    );
    return Object.fromEntries(values);
  }
}
