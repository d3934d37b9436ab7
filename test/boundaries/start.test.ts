import { createBuilder } from 'vite';
import { describe, expect, it } from 'vitest';
import config from '../../vite.config.ts';

/** Main's thread, which the first page waits for, reads and compiles all of this before it answers. Zod is two thirds of it. */
const mostBytes = 239_000;

/** What is done with the settings, servers and sessions is read once the first state is on the screen. */
const loadedLater =
  /\/main\/(?:tools|check|commands|service(?!\/data\/demo-user))\/|\/main\/client\/(?!secrets\/)|\/main\/account\/(?:vault\/(?!sealed-box)|servers\/(?!link-scheme)|storage\/)|\/(?:application|preload\/contract\/contract)\.ts$/;

describe('what main reads for the first state', () => {
  it('is small, and nothing of what is loaded later', async () => {
    const { bytes, modules } = await readByStart();
    expect(bytes).toBeLessThanOrEqual(mostBytes);
    expect(bytes).toBeGreaterThan(mostBytes / 2);
    expect(modules.some((id) => id.endsWith('/main/initial-state.ts'))).toBe(true);
    expect(modules.filter((id) => loadedLater.test(id))).toEqual([]);
  });
});

/** Builds main as `npm run build` does, writes nothing, and follows what `start.ts` imports statically. */
async function readByStart(): Promise<{ bytes: number; modules: string[] }> {
  const builder = await createBuilder({ ...config, configFile: false, logLevel: 'warn', build: { write: false } });
  const built = await builder.build(builder.environments['main']!);
  if (!('output' in built)) throw new Error('The build gave more than one bundle.');
  const chunks = built.output.filter((file) => file.type === 'chunk');
  const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/main/start.ts'));
  const read = new Set([start!]);
  // A set gives what is added to it meanwhile as well.
  for (const { imports } of read) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) read.add(chunk);
  }
  const modules = [...read].flatMap(({ modules: each }) =>
    Object.entries(each).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
  );
  return { bytes: [...read].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0), modules };
}
