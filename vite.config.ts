import { realpathSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type Plugin, runnerImport } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { lazyElectron } from './scripts/lazy-electron.mjs';
import { licences } from './scripts/licences.mjs';
import { windowTexts } from './scripts/window-texts.mjs';

type ProjectConfig = NonNullable<TestProjectInlineConfiguration['test']>;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What Electron and Node bring, and the packages with native binaries, stays outside the bundles. */
const external = [
  'electron',
  '@napi-rs/keyring',
  '@node-rs/argon2',
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
];

/** V8 keeps the text of every script for good. Names stay, so that an error can be read. */
const small = {
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
};

/** How many times slower every page runs (`test/support/slow-page.ts`). */
const slower = Number(process.env['LLAVERO_TEST_SLOW'] ?? 1);

/** Milliseconds after which a test hangs rather than being slow, also on a busy machine. */
const limits = {
  testTimeout: 60_000 * slower,
  hookTimeout: 60_000 * slower,
  expect: { poll: { timeout: 30_000 * slower, interval: 100 } },
};

/**
 * Puts the values that `names.ts` exports into the preload script instead of its code, which would bring the contract and
 * zod along.
 */
const contractNames: Plugin = {
  name: 'contract-names',
  applyToEnvironment: ({ name }) => name === 'preload',
  load: { filter: { id: /\/preload\/contract\/names\.ts$/ }, handler: valuesOf },
};

const ofLanguages = /\/preload\/contract\/(?:languages|language-names)\.ts$/;

/** Does the same with the languages, which are found by looking into the folder of their files. */
const languageFiles: Plugin = {
  name: 'language-files',
  load: { filter: { id: ofLanguages }, handler: valuesOf },
  // `npm run dev` shows a language once it has a file.
  hotUpdate({ type, file }) {
    if (type === 'update' || !file.startsWith(here('renderer/locales/'))) return undefined;
    const { moduleGraph } = this.environment;
    return [...moduleGraph.idToModuleMap.values()].filter(({ id }) => id !== null && ofLanguages.test(id));
  },
};

async function valuesOf(id: string): Promise<string> {
  const { module } = await runnerImport<object>(id);
  return Object.entries(module)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/**
 * One part of the tests. The parts run one after the other, as their order says, and those of the same order share their
 * workers. Vitest refuses one order for parts with different numbers of workers.
 */
const part = (name: string, groupOrder: number, more: ProjectConfig = {}): TestProjectInlineConfiguration => ({
  // What the builds need (React's plugin, the renderer's root) is not for tests on Node.
  extends: false,
  test: {
    name,
    root: here('.'),
    include: [`test/${name}/**/*.test.ts`],
    // These are two more than there are cores, since nearly every test waits for a server, a process or a window now and then.
    maxWorkers: availableParallelism() + 2,
    // A worker keeps what it has loaded, such as Fastify or Playwright, and one stub application, from file to file. Our
    // own modules are evaluated anew for each.
    isolate: false,
    sequence: { groupOrder },
    setupFiles: [here('test/support/fixed-seeds.ts')],
    ...limits,
    ...more,
  },
});

const licenceList = licences();

export default defineConfig({
  root: here('renderer'),
  plugins: [react(), contractNames, languageFiles, windowTexts(), licenceList.plugin, lazyElectron()],
  // The nonce is a placeholder that main replaces in every page it serves.
  html: { cspNonce: '__CSP_NONCE__' },
  worker: { plugins: () => [licenceList.inWorkers] },
  // How long plugins take changes nothing of what is built, and depends on how busy the machine is.
  build: { rolldownOptions: { checks: { bundlerTimings: false } } },
  // The packages may be those of another copy of the project, by a link.
  server: { host: '127.0.0.1', fs: { allow: [here('.'), realpathSync(here('node_modules'))] } },
  environments: {
    client: {
      build: {
        outDir: here('dist/renderer'),
        emptyOutDir: true,
        target: 'chrome148',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        // The one page is loaded from the disk, and splitting it would only add requests.
        chunkSizeWarningLimit: 700,
      },
    },
    preload: {
      consumer: 'server',
      build: {
        outDir: here('dist/preload'),
        emptyOutDir: true,
        target: 'node24',
        rolldownOptions: {
          input: here('preload/index.ts'),
          external: ['electron'],
          // A sandboxed preload must be CommonJS (electron/electron#41460).
          output: { format: 'cjs', entryFileNames: 'index.cjs', ...small },
        },
      },
    },
    main: {
      consumer: 'server',
      resolve: { noExternal: true, external },
      build: {
        outDir: here('dist/main'),
        emptyOutDir: true,
        target: 'node24',
        minify: false,
        rolldownOptions: {
          input: {
            index: here('main/index.ts'),
            serve: here('main/commands/serve.ts'),
            check: here('main/commands/check.ts'),
            imitate: here('main/commands/imitate.ts'),
            'keyring-host': here('main/vault/keyring-host.ts'),
            'aside-host': here('main/aside-host.ts'),
          },
          external,
          output: {
            format: 'esm',
            entryFileNames: '[name].js',
            chunkFileNames: '[name]-[hash].js',
            ...small,
          },
        },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      for (const name of ['main', 'preload', 'client']) await builder.build(builder.environments[name]!);
    },
  },
  test: {
    root: here('.'),
    projects: [
      part('unit', 1),
      part('boundaries', 1),
      part('service', 1, {
        globalSetup: [here('test/support/database.setup.ts'), here('test/support/node-servers.setup.ts')],
      }),
      part('e2e', 2, {
        globalSetup: [
          here('test/support/build.setup.ts'),
          here('test/support/displays.setup.ts'),
          here('test/support/node-servers.setup.ts'),
        ],
        // Each worker has a display of its own.
        setupFiles: [here('test/support/fixed-seeds.ts'), here('test/support/own-display.ts')],
        // A journey through several windows and builds, with fifteen others at work for each core, took 90 seconds.
        testTimeout: 180_000,
        hookTimeout: 180_000,
      }),
    ],
  },
});
