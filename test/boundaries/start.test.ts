import { createBuilder } from 'vite';
import { describe, expect, it } from 'vitest';
import config from '../../vite.config.ts';

type Environment = 'main' | 'client';
type Output = Awaited<ReturnType<typeof build>>;
type Chunk = Extract<Output[number], { type: 'chunk' }>;

/** Main's thread, which the first page waits for, reads and compiles all of this before it answers. With zod it was 246,000. */
const mostMainBytes = 75_000;

/** Of it, what is read before the window opens. */
const mostOpeningBytes = 20_000;

/** Scripts, styles, font and the texts of one language. Two thirds of it are React and Mantine. */
const mostPageBytes = 1_130_000;

/** What is done with the settings, servers and sessions is read once the first state is on the screen. */
const loadedLater =
  /\/main\/(?:tools|check|commands(?!\/command-line)|service(?!\/data\/demo-user))\/|\/main\/client\/(?!secrets\/)|\/main\/account\/(?:vault|storage|servers(?!\/link-scheme))\/|\/(?:application|preload\/contract\/contract)\.ts$|\/node_modules\/zod\//;

describe('what main reads for the first state', () => {
  it('is small, in few files, and nothing of what is loaded later', async () => {
    const output = await build('main');
    const opening = importedBy(output, chunkOf(output, '/main/index.ts'));
    const read = [...new Set([...opening, ...importedBy(output, chunkOf(output, '/main/start.ts'))])];
    const modules = read.flatMap(modulesOf);
    expect(sizeOf(read)).toBeLessThanOrEqual(mostMainBytes);
    expect(sizeOf(read)).toBeGreaterThan(mostMainBytes / 2);
    expect(read).toHaveLength(4);
    expect(sizeOf(opening)).toBeLessThanOrEqual(mostOpeningBytes);
    expect(modules.some((id) => id.endsWith('/main/initial-state.ts'))).toBe(true);
    expect(modules.filter((id) => loadedLater.test(id))).toEqual([]);
  });
});

describe('what the page reads for its first frame', () => {
  it('is one script, one style sheet, the font and the texts of one language, all named in its head', async () => {
    const output = await build('client');
    const page = output.find(({ fileName }) => fileName === 'index.html');
    const html = page?.type === 'asset' ? String(page.source) : '';
    const named = [...html.matchAll(/<(?:link|script) [^>]*(?:src|href)="\/(assets\/[^"]+)"[^>]*>/g)].map(
      ([tag, file]) => ({
        file: output.find(({ fileName }) => fileName === file)!,
        language: /data-language="([^"]*)"/.exec(tag)?.[1],
      }),
    );
    const read = named.filter(({ language }) => language === undefined || language === 'es').map(({ file }) => file);
    const scripts = read.filter((file) => file.type === 'chunk');
    const script = scripts.find((file) => file.name === 'start')!;

    // The bundler's own 0.7 KB cannot be put into another chunk.
    expect(scripts.map(({ name }) => name).toSorted()).toEqual(['es', 'rolldown-runtime', 'start']);
    expect(importedBy(output, script).every((chunk) => read.includes(chunk))).toBe(true);
    expect(read.filter(({ fileName }) => fileName.endsWith('.css'))).toHaveLength(1);
    expect(read.filter(({ fileName }) => fileName.endsWith('.woff2'))).toHaveLength(1);
    // A start shows the first page of a new profile, the form, the profile of a session, or the lock.
    const modules = modulesOf(script);
    for (const screen of ['welcome', 'login-screen', 'profile-screen', 'locked-screen'])
      expect(modules.some((id) => id.endsWith(`/${screen}.tsx`))).toBe(true);
    expect(sizeOf(read)).toBeLessThanOrEqual(mostPageBytes);
    expect(sizeOf(read)).toBeGreaterThan(mostPageBytes / 2);
  });
});

/** Builds as `npm run build` does, and writes nothing. */
async function build(environment: Environment) {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    const builder = await createBuilder({ ...config, configFile: false, logLevel: 'warn', build: { write: false } });
    const built = await builder.build(builder.environments[environment]!);
    if (!('output' in built)) throw new Error('The build gave more than one bundle.');
    return built.output;
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
}

/** The chunk in which a module is. */
function chunkOf(output: Output, module: string): Chunk {
  const chunk = output.find((file) => file.type === 'chunk' && modulesOf(file).some((id) => id.endsWith(module)));
  if (chunk?.type !== 'chunk') throw new Error(`No chunk has ${module}.`);
  return chunk;
}

/** A chunk with all that it imports statically. */
function importedBy(output: Output, chunk: Chunk): Chunk[] {
  const read = new Set([chunk]);
  // A set gives what is added to it meanwhile as well.
  for (const { imports } of read)
    for (const file of output) if (file.type === 'chunk' && imports.includes(file.fileName)) read.add(file);
  return [...read];
}

const modulesOf = ({ modules }: Chunk): string[] =>
  Object.entries(modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []));

const sizeOf = (files: readonly Output[number][]): number =>
  files.reduce((sum, file) => sum + Buffer.byteLength(file.type === 'chunk' ? file.code : file.source), 0);
