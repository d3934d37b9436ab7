import { isRecord, type PlainJson } from '../../interface/template.ts';
import { memberAt, listAt, stringAt, type OptionalJson, type BodyMember } from './imported-request.ts';

const deepestSchema = 6;
const mostProperties = 100;
/** Of an operation: what `oneOf` and `anyOf` allow, nested ones too. */
const mostAlternatives = 12;
/** In schemas that are looked at: of one body, which may be a hundred members of a hundred each, and of a whole document. */
const mostOfBody = 3000;
const mostOfDocument = 300_000;

export const entriesAt = (value: OptionalJson, ...path: readonly string[]): [string, PlainJson][] => {
  const found = memberAt(value, ...path);
  return isRecord(found) ? Object.entries(found) : [];
};

/** One way to fill a schema in: its own keywords, with those of all that `allOf` adds and of one choice of each `oneOf`. */
type Shape = {
  properties: ReadonlyMap<string, PlainJson>;
  /** Undefined where no part of the schema has a list of them. */
  required: ReadonlySet<string> | undefined;
  keywords: { readonly [name: string]: PlainJson };
};

/** What a schema is read for: members that only answers have are in no request, and the other way round. */
type Direction = 'request' | 'answer';

type Place = { name: string; schema: OptionalJson; direction: Direction; required: boolean | undefined; depth: number };

/** Reads the schemas of a document (JSON Schema 2020-12 as OpenAPI 3.1 uses it). References go nowhere but into it. */
export class JsonSchemaReader {
  readonly #root: PlainJson;
  #leftOfBody = 0;
  #left = mostOfDocument;

  constructor(root: PlainJson) {
    this.#root = root;
  }

  /** Follows references within the document, a few in a row. */
  follow(value: OptionalJson): OptionalJson {
    let found = value;
    for (let step = 0; step < 8; step += 1) {
      const reference = stringAt(found, '$ref');
      if (reference === undefined) return found;
      if (!reference.startsWith('#/')) return undefined;
      const names = reference.slice(2).split('/');
      found = memberAt(this.#root, ...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')));
    }
    return undefined;
  }

  /** The members of an object, once for each choice that its schema leaves; none where it is no object. */
  alternatives(schema: OptionalJson, direction: Direction): BodyMember[][] {
    this.#leftOfBody = mostOfBody;
    return this.#objects(this.#shapes(schema, 0), direction, 0);
  }

  /** A value by itself, such as a parameter. */
  member(name: string, schema: OptionalJson, required: boolean): BodyMember {
    this.#leftOfBody = mostOfBody;
    return this.#members({ name, schema, required, direction: 'request', depth: 0 })[0]!;
  }

  #objects(shapes: readonly Shape[], direction: Direction, depth: number): BodyMember[][] {
    return shapes
      .filter(({ properties }) => properties.size > 0)
      .flatMap((shape) => this.#filled(shape, direction, depth))
      .slice(0, mostAlternatives);
  }

  #filled({ properties, required }: Shape, direction: Direction, depth: number): BodyMember[][] {
    let filled: BodyMember[][] = [[]];
    for (const [name, schema] of [...properties].slice(0, mostProperties)) {
      const isOther = memberAt(this.follow(schema), direction === 'request' ? 'readOnly' : 'writeOnly') === true;
      if (isOther) continue;
      const members = this.#members({ name, schema, direction, required: required?.has(name), depth: depth + 1 });
      filled =
        members.length === 1
          ? (filled.forEach((before) => before.push(members[0]!)), filled)
          : filled.flatMap((before) => members.map((each) => before.concat(each))).slice(0, mostAlternatives);
    }
    return filled;
  }

  #members({ name, schema, direction, required, depth }: Place): BodyMember[] {
    const shapes = this.#shapes(schema, depth);
    const keywords = shapes[0]?.keywords ?? {};
    const choices = listAt(keywords, 'enum');
    const types = [memberAt(keywords, 'type')].flat().filter((each) => typeof each === 'string' && each !== 'null');
    const about: BodyMember = {
      name,
      value:
        memberAt(keywords, 'const') ??
        (choices.length === 1 ? choices[0] : undefined) ??
        (required === true ? memberAt(keywords, 'default') : undefined),
      example:
        memberAt(keywords, 'example') ?? listAt(keywords, 'examples')[0] ?? memberAt(keywords, 'default') ?? choices[0],
      required,
      type: types.map(String)[0],
      format: stringAt(keywords, 'format'),
      choices: choices.length > 0 ? choices : undefined,
    };
    const inner = this.#objects(shapes, direction, depth);
    if (inner.length > 0) return inner.map((members) => Object.assign({ members }, about));
    const items =
      direction === 'answer'
        ? this.#objects(this.#shapes(memberAt(keywords, 'items'), depth + 1), direction, depth + 1)[0]
        : undefined;
    return [items ? { ...about, type: 'array', members: items } : about];
  }

  #shapes(given: OptionalJson, depth: number): Shape[] {
    const schema = this.follow(given);
    if (!isRecord(schema) || depth > deepestSchema || this.#leftOfBody <= 0 || this.#left <= 0) return [];
    this.#leftOfBody -= 1;
    this.#left -= 1;
    const own: Shape = {
      properties: new Map(entriesAt(schema, 'properties').filter(([, each]) => isRecord(each) || each === true)),
      required: Array.isArray(memberAt(schema, 'required'))
        ? new Set(listAt(schema, 'required').map(String))
        : undefined,
      keywords: schema,
    };
    // One that is an empty list says nothing.
    if (own.required?.size === 0) own.required = undefined;
    const choicesOf = (key: string) =>
      listAt(schema, key)
        .filter((each) => stringAt(each, 'type') !== 'null')
        .slice(0, mostAlternatives)
        .flatMap((each) => this.#shapes(each, depth + 1));
    const parts = [
      ...listAt(schema, 'allOf')
        .slice(0, mostAlternatives)
        .map((each) => this.#shapes(each, depth + 1)),
      choicesOf('oneOf'),
      choicesOf('anyOf'),
    ].filter((part) => part.length > 0);
    return parts.reduce<Shape[]>(
      (before, part) => before.flatMap((one) => part.map((other) => merged(one, other))).slice(0, mostAlternatives),
      [own],
    );
  }
}

const merged = (one: Shape, other: Shape): Shape => ({
  properties: new Map([...other.properties, ...one.properties]),
  required: one.required || other.required ? new Set([...(one.required ?? []), ...(other.required ?? [])]) : undefined,
  keywords: { ...other.keywords, ...one.keywords },
});

/** What an answer looks like that has these members: each text has some content, so that the reader finds its place. */
export function exampleOf(members: readonly BodyMember[]): { [name: string]: PlainJson } {
  return Object.fromEntries(
    members.map(({ name, value, example, type, members: inner }) => {
      const shown = value ?? example;
      if (inner) return [name, type === 'array' ? [exampleOf(inner)] : exampleOf(inner)];
      if (shown !== undefined && shown !== '') return [name, shown];
      return [
        name,
        type === 'integer' || type === 'number' ? 1 : type === 'boolean' ? true : type === 'array' ? [] : 'text',
      ];
    }),
  );
}
