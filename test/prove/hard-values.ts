import * as fc from 'fast-check';

/** How to make a value that cannot be written as JSON, or would be too long for it. A page can be told the recipe. */
export type Recipe =
  | { json: string }
  /** The value is nested so many times. */
  | { deep: number; of: 'array' | 'object' }
  | { long: number; of: 'string' | 'array' | 'keys' }
  | { odd: (typeof odd)[number] }
  /** The value is under a key of an object that is otherwise as the JSON says. */
  | { within: string; key: string; value: Recipe };

const odd = [
  'undefined',
  'NaN',
  'Infinity',
  'bigint',
  'date',
  'map',
  'set',
  'regexp',
  'buffer',
  'error',
  'cyclic',
  'symbol',
  'function',
  'throwing getter',
  'changing getter',
  'promise',
  'window',
] as const;

/** Makes the value. It runs in the page as well, so it uses nothing from outside itself. */
export function makeValue(recipe: Recipe): unknown {
  if ('json' in recipe) return JSON.parse(recipe.json);
  if ('within' in recipe) {
    const made: unknown = JSON.parse(recipe.within);
    const base = typeof made === 'object' && made !== null ? made : {};
    const value = makeValue(recipe.value);
    // An assignment would set the prototype instead of a key of that name.
    Object.defineProperty(base, recipe.key, { value, enumerable: true, configurable: true, writable: true });
    return base;
  }
  if ('deep' in recipe) {
    let value: unknown = 1;
    for (let level = 0; level < recipe.deep; level++) value = recipe.of === 'array' ? [value] : { id: value };
    return value;
  }
  if ('long' in recipe) {
    if (recipe.of === 'string') return 'x'.repeat(recipe.long);
    const numbers = Array.from({ length: recipe.long }, (_, index) => index);
    return recipe.of === 'array' ? numbers : Object.fromEntries(numbers.map((number) => [`k${number}`, number]));
  }
  const cyclic: Record<string, unknown> = { id: 'x' };
  cyclic['self'] = cyclic;
  let asked = 0;
  const values: Record<(typeof odd)[number], () => unknown> = {
    undefined: () => undefined,
    NaN: () => Number.NaN,
    Infinity: () => Number.POSITIVE_INFINITY,
    bigint: () => 2n ** 70n,
    date: () => new Date(0),
    map: () => new Map([['id', 'x']]),
    set: () => new Set(['x']),
    regexp: () => /(a+)+$/,
    buffer: () => new Uint8Array(100_000),
    error: () => new Error('id'),
    cyclic: () => cyclic,
    symbol: () => Symbol('id'),
    function: () => () => 'x',
    'throwing getter': () =>
      Object.defineProperty({}, 'id', {
        enumerable: true,
        get() {
          throw new Error('read');
        },
      }),
    'changing getter': () =>
      Object.defineProperty({}, 'id', { enumerable: true, get: () => (asked++ === 0 ? 'x' : { id: asked }) }),
    promise: () => Promise.resolve({ id: 'x' }),
    window: () => globalThis,
  };
  return values[recipe.odd]();
}

const keys = ['id', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length'];

/** These are names that an object has without being given them, and ids of nobody. */
const hardText = fc.oneof(
  fc.constantFrom(...keys, 'built-in', '', '\0', '\ud800', '../../etc/passwd', 'file:///etc/passwd', '%s%n', '\u202e'),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

const leaf: fc.Arbitrary<Recipe> = fc.oneof(
  { weight: 3, arbitrary: hardText.map((text) => ({ json: JSON.stringify(text) })) },
  { weight: 3, arbitrary: fc.json().map((json) => ({ json })) },
  { weight: 2, arbitrary: fc.constantFrom(...odd).map((each) => ({ odd: each })) },
  {
    weight: 1,
    arbitrary: fc.record({ deep: fc.integer({ min: 1, max: 1500 }), of: fc.constantFrom('array', 'object') }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Recipe>(
      { long: 65_537, of: 'string' },
      { long: 1_000_000, of: 'string' },
      { long: 10_000, of: 'array' },
      { long: 10_000, of: 'keys' },
    ),
  },
  { weight: 1, arbitrary: hardText.map((text) => ({ json: `{"__proto__":{"id":${JSON.stringify(text)}}}` })) },
);

/**
 * Makes anything, or one of these good inputs with one part that is anything.
 * @param good as JSON
 */
export const hardValue = (good: string[]): fc.Arbitrary<Recipe> => {
  const parts = [...new Set(good.flatMap((json) => Object.keys(JSON.parse(json) as object)))];
  const mutated = fc.record({
    within: fc.constantFrom('{}', ...good),
    key: fc.constantFrom(...keys, ...parts),
    value: leaf,
  });
  return fc.oneof({ weight: 1, arbitrary: leaf }, { weight: parts.length > 0 ? 3 : 1, arbitrary: mutated });
};
