import * as fc from 'fast-check';
import { z } from 'zod';
import { contract, type MethodName } from '../../preload/contract/contract.ts';
import type { Method } from '../../preload/contract/method.ts';

/** What an attacker knows: each is tried wherever a method takes something of that name. */
export type Known = Partial<Record<string, readonly unknown[]>>;

type Schema = {
  type?: string;
  format?: string;
  minimum?: number;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};

const groups: Record<string, Record<string, Method>> = contract;

/** So many inputs are made at a time, and so many times: of some methods, few that are made by chance are taken. */
const tries = 30;
const mostRounds = 20;

/** An input that a method takes, made of its own schema and of what is known. */
export function hostileInput(name: MethodName, known: Known, seed: number): unknown {
  const [group = '', method = ''] = name.split('.');
  const { input } = groups[group]![method]!;
  if (input instanceof z.ZodVoid) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod's own type of a JSON schema allows booleans in the place of schemas, which it never writes.
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const arbitrary = valueOf(schema, '', known);
  for (let round = 0; round < mostRounds; round++) {
    const made = fc.sample(arbitrary, { numRuns: tries, seed: seed + round });
    const good = made.find((value) => input.safeParse(value).success);
    if (good !== undefined) return good;
  }
  throw new Error(`${name} takes nothing of what is known: extend what is`);
}

function valueOf(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  // Some methods call a number by the name that others have for a text.
  const ofName = schema.type === 'integer' ? undefined : known[name];
  // Nothing is known when what a page did before has removed it all.
  if (ofName && ofName.length > 0) return fc.constantFrom(...ofName);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map((each) => valueOf(each, name, known)));
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => [key, valueOf(field, key, known)]);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` knows no pairs of different kinds.
      const arbitraries = Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>;
      return fc.record(arbitraries, { requiredKeys: schema.required ?? [] });
    }
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, name, known), { maxLength: 2 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.constantFrom(...[0, 1, 2, 5, 100].map((number) => Math.max(number, schema.minimum ?? 0)));
    case 'number':
      return fc.constantFrom(0.1, 1, 5);
    case 'string':
      if (schema.format === 'date') return fc.constantFrom('2020-02-29', '2099-12-31');
      return fc.constantFrom('', 'x', '0000', 'eve@evil.test');
    case undefined:
    default:
      return fc.constant(undefined);
  }
}
