import { createBuilder } from 'vite';
import { describe, expect, it } from 'vitest';
import config from '../../vite.config.ts';

/** Main's thread, which the first page waits for, reads and compiles all of this before it answers. */
const mostBytes = 560_000;

describe('what main reads for the first state', () => {
  it('is small', async () => {
    const bytes = await readByStart();
    expect(bytes).toBeLessThanOrEqual(mostBytes);
    expect(bytes).toBeGreaterThan(mostBytes / 2);
  });
});

/** Builds main as `npm run build` does, writes nothing, and follows what `start.ts` imports statically. */
async function readByStart(): Promise<number> {
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
  return [...read].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
}
