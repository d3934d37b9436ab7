import vm from 'node:vm';
import { createBuilder } from 'vite';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventNames } from '../../preload/contract/channels.ts';
import { contract } from '../../preload/contract/contract.ts';
import config from '../../vite.config.ts';

const methods = Object.entries(contract).flatMap(([group, each]) =>
  Object.entries(each).map(([name, method]) => [`${group}.${name}`, method] as const),
);

describe('the preload script as it is built', async () => {
  const script = await buildPreload();

  it('carries no zod', () => {
    expect(script).toContain('app.state');
    expect(script).not.toMatch(/zod|safeParse/i);
    // The script is the names and a handful of lines.
    expect(script.length).toBeLessThan(5000);
  });

  it('gives the page every method and every event of the contract, and nothing else', () => {
    const page: Record<string, Record<string, object>> = {};
    const heard: string[] = [];
    const electron = {
      ipcRenderer: { on: (name: string) => void heard.push(name) },
      contextBridge: { exposeInMainWorld: (name: string, value: Record<string, object>) => void (page[name] = value) },
    };
    const addEventListener = () => undefined;
    vm.runInNewContext(script, { addEventListener, require: (name: string) => ({ electron })[name] });

    expect(Object.keys(page)).toEqual(['api', 'events']);
    // The script itself takes these.
    expect(heard).toEqual(['app.answered', 'app.idle']);
    const given = Object.entries(page['api']!).flatMap(([group, each]) =>
      Object.keys(each).map((name) => `${group}.${name}`),
    );
    expect(given).toEqual(methods.map(([name]) => name));
    expect(Object.keys(page['events']!)).toEqual(eventNames);
  });
});

/** Builds the preload script as `npm run build` does, and writes nothing. */
async function buildPreload(): Promise<string> {
  const builder = await createBuilder({ ...config, configFile: false, logLevel: 'warn', build: { write: false } });
  const built = await builder.build(builder.environments['preload']!);
  if (!('output' in built)) throw new Error('The build gave more than one bundle.');
  return built.output[0].code;
}

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

  /** Returns the places in an input that may be of any length. */
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

  it.each(methods)('has a greatest length everywhere: %s', (name, { input }: { input: z.ZodType }) => {
    const isVoid = input.safeParse(undefined).success;
    const shape = isVoid ? { enum: [] } : (z.toJSONSchema(input, { io: 'input' }) as Shape);
    expect(unbounded(shape, name)).toEqual([]);
  });

  it('is found where it has no greatest length', () => {
    const open = z.object({ a: z.string(), b: z.array(z.string().max(3)), c: z.record(z.string(), z.boolean()) });
    expect(unbounded(z.toJSONSchema(open) as Shape, 'x')).toEqual(['x.a', 'x.b', 'x.c.*']);
  });
});
