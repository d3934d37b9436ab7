import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { channels, eventNames } from '../../preload/contract/channels.ts';
import { contract } from '../../preload/contract/contract.ts';
import { events } from '../../preload/contract/events.ts';

describe('the channel lists', () => {
  it('name exactly the calls of the contract', () => {
    const listed = Object.fromEntries(Object.entries(channels).map(([group, names]) => [group, [...names].toSorted()]));
    const declared = Object.fromEntries(
      Object.entries(contract).map(([group, calls]) => [group, Object.keys(calls).toSorted()]),
    );
    expect(listed).toEqual(declared);
  });

  it('name exactly the events', () => {
    expect([...eventNames]).toEqual(Object.keys(events));
  });
});

describe('what the page may send', () => {
  type Shape = {
    type?: string;
    enum?: unknown[];
    const?: unknown;
    maxLength?: number;
    maxItems?: number;
    pattern?: string;
    items?: Shape;
    properties?: Record<string, Shape>;
    propertyNames?: Shape;
    additionalProperties?: Shape | boolean;
    maxProperties?: number;
    anyOf?: Shape[];
    oneOf?: Shape[];
    allOf?: Shape[];
  };

  /** The places in an input that may be of any length. */
  function unbounded(shape: Shape, at: string): string[] {
    const parts = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])];
    if (parts.length > 0) return parts.flatMap((part) => unbounded(part, at));
    if (shape.enum || 'const' in shape) return [];
    switch (shape.type) {
      case 'string':
        return shape.maxLength === undefined && !isOfOneLength(shape.pattern) ? [at] : [];
      case 'array':
        return [...(shape.maxItems === undefined ? [at] : []), ...unbounded(shape.items ?? {}, `${at}[]`)];
      case 'object': {
        const { additionalProperties: others, propertyNames } = shape;
        const named = Object.entries(shape.properties ?? {}).flatMap(([name, each]) =>
          unbounded(each, `${at}.${name}`),
        );
        if (typeof others !== 'object') return named;
        const hasEnd = propertyNames?.enum !== undefined || shape.maxProperties !== undefined;
        return [...named, ...(hasEnd ? [] : [`${at}.*`]), ...unbounded(others, `${at}.*`)];
      }
      case 'null':
      case 'boolean':
      case 'integer':
      case 'number':
        return [];
      case undefined:
      default:
        return [`${at}: any`];
    }
  }
  const isOfOneLength = (pattern: string | undefined): boolean =>
    pattern !== undefined && pattern.startsWith('^') && pattern.endsWith('$') && !/[*+]|,\}/.test(pattern);

  const inputs = Object.entries(contract).flatMap(([group, calls]) =>
    Object.entries(calls).map(([name, { input }]) => [`${group}.${name}`, input] as const),
  );

  it.each(inputs)('has an end everywhere: %s', (name, input: z.ZodType) => {
    const isVoid = input.safeParse(undefined).success;
    const shape = isVoid ? { enum: [] } : (z.toJSONSchema(input, { io: 'input' }) as Shape);
    expect(unbounded(shape, name)).toEqual([]);
  });

  it('would be found without an end', () => {
    const open = z.object({ a: z.string(), b: z.array(z.string().max(3)), c: z.record(z.string(), z.boolean()) });
    expect(unbounded(z.toJSONSchema(open) as Shape, 'x')).toEqual(['x.a', 'x.b', 'x.c.*']);
  });
});
