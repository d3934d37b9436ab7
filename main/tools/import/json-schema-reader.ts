import { isRecord, type PlainJson } from '../../interface/template.ts';
import { memberAt, listAt, stringAt, type OptionalJson, type BodyMember } from './imported-request.ts';

const maxDepth = 6;
const maxProperties = 100;
/** Alternatives of `oneOf` and `anyOf` of an operation, nested ones included. */
const maxAlternatives = 12;
/** Schemas that are read, of one body and of the document: a hundred members of a hundred each would take minutes. */
const maxOfBody = 3000;
const maxOfDocument = 300_000;

export const entriesAt = (value: OptionalJson, ...path: readonly string[]): [string, PlainJson][] => {
  const found = memberAt(value, ...path);
  return isRecord(found) ? Object.entries(found) : [];
};

/** One alternative of a schema: its own keywords with those of each `allOf` and of one choice of each `oneOf`. */
type Shape = {
  properties: ReadonlyMap<string, PlainJson>;
  /** Undefined if no part of the schema has a list. */
  required: ReadonlySet<string> | undefined;
  keywords: { readonly [name: string]: PlainJson };
};

/** A request has no `readOnly` members, a response no `writeOnly` ones. */
type Direction = 'request' | 'answer';

type NamedSchema = {
  name: string;
  schema: OptionalJson;
  direction: Direction;
  required: boolean | undefined;
  depth: number;
};

/** Reads the schemas of a document (JSON Schema 2020-12 in OpenAPI 3.1). References out of it are not followed. */
export class JsonSchemaReader {
  readonly #root: PlainJson;
  #leftOfBody = 0;
  #left = maxOfDocument;

  constructor(root: PlainJson) {
    this.#root = root;
  }

  /** Follows up to eight references within the document. */
  follow(value: OptionalJson): OptionalJson {
    let target = value;
    for (let step = 0; step < 8; step += 1) {
      const reference = stringAt(target, '$ref');
      if (reference === undefined) return target;
      if (!reference.startsWith('#/')) return undefined;
      const names = reference.slice(2).split('/');
      target = memberAt(this.#root, ...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')));
    }
    return undefined;
  }

  /** The members of an object, once for each alternative; none if the schema is no object. */
  alternatives(schema: OptionalJson, direction: Direction): BodyMember[][] {
    this.#leftOfBody = maxOfBody;
    return this.#objects(this.#shapes(schema, 0), direction, 0);
  }

  /** A single value, such as a parameter. */
  member(name: string, schema: OptionalJson, required: boolean): BodyMember {
    this.#leftOfBody = maxOfBody;
    return this.#members({ name, schema, required, direction: 'request', depth: 0 })[0]!;
  }

  #objects(shapes: readonly Shape[], direction: Direction, depth: number): BodyMember[][] {
    return shapes
      .filter(({ properties }) => properties.size > 0)
      .flatMap((shape) => this.#filled(shape, direction, depth))
      .slice(0, maxAlternatives);
  }

  #filled({ properties, required }: Shape, direction: Direction, depth: number): BodyMember[][] {
    let filled: BodyMember[][] = [[]];
    for (const [name, schema] of [...properties].slice(0, maxProperties)) {
      const isExcluded = memberAt(this.follow(schema), direction === 'request' ? 'readOnly' : 'writeOnly') === true;
      if (isExcluded) continue;
      const members = this.#members({ name, schema, direction, required: required?.has(name), depth: depth + 1 });
      filled =
        members.length === 1
          ? (filled.forEach((before) => before.push(members[0]!)), filled)
          : filled.flatMap((before) => members.map((each) => before.concat(each))).slice(0, maxAlternatives);
    }
    return filled;
  }

  #members({ name, schema, direction, required, depth }: NamedSchema): BodyMember[] {
    const shapes = this.#shapes(schema, depth);
    const keywords = shapes[0]?.keywords ?? {};
    const choices = listAt(keywords, 'enum');
    const types = [memberAt(keywords, 'type')].flat().filter((each) => typeof each === 'string' && each !== 'null');
    const member: BodyMember = {
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
    if (inner.length > 0) return inner.map((members) => Object.assign({ members }, member));
    const items =
      direction === 'answer'
        ? this.#objects(this.#shapes(memberAt(keywords, 'items'), depth + 1), direction, depth + 1)[0]
        : undefined;
    return [items ? { ...member, type: 'array', members: items } : member];
  }

  #shapes(given: OptionalJson, depth: number): Shape[] {
    const schema = this.follow(given);
    if (!isRecord(schema) || depth > maxDepth || this.#leftOfBody <= 0 || this.#left <= 0) return [];
    this.#leftOfBody -= 1;
    this.#left -= 1;
    const own: Shape = {
      properties: new Map(entriesAt(schema, 'properties').filter(([, each]) => isRecord(each) || each === true)),
      required: Array.isArray(memberAt(schema, 'required'))
        ? new Set(listAt(schema, 'required').map(String))
        : undefined,
      keywords: schema,
    };
    // An empty list is as good as none.
    if (own.required?.size === 0) own.required = undefined;
    const choicesOf = (key: string) =>
      listAt(schema, key)
        .filter((each) => stringAt(each, 'type') !== 'null')
        .slice(0, maxAlternatives)
        .flatMap((each) => this.#shapes(each, depth + 1));
    const parts = [
      ...listAt(schema, 'allOf')
        .slice(0, maxAlternatives)
        .map((each) => this.#shapes(each, depth + 1)),
      choicesOf('oneOf'),
      choicesOf('anyOf'),
    ].filter((part) => part.length > 0);
    return parts.reduce<Shape[]>(
      (before, part) => before.flatMap((one) => part.map((other) => merged(one, other))).slice(0, maxAlternatives),
      [own],
    );
  }
}

const merged = (one: Shape, other: Shape): Shape => ({
  properties: new Map([...other.properties, ...one.properties]),
  required: one.required || other.required ? new Set([...(one.required ?? []), ...(other.required ?? [])]) : undefined,
  keywords: { ...other.keywords, ...one.keywords },
});

/** An example response. Each text has some content, so that the token finder finds it. */
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
