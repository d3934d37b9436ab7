import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { type EnvironmentOptions, type Plugin, runnerImport } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { lazyElectron } from './scripts/lazy-electron.mjs';
import { licences } from './scripts/licences.mjs';
import { startLinks } from './scripts/start-links.mjs';
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
 * Puts the values that `channels.ts` exports into main and the preload script instead of its code, which would bring the
 * contract along, and zod into the preload script.
 */
const contractNames: Plugin = {
  name: 'contract-names',
  applyToEnvironment: ({ name }) => name !== 'client',
  load: { filter: { id: /\/preload\/contract\/channels\.ts$/ }, handler: valuesOf },
};

const ofLanguages = /\/preload\/contract\/locales\/(?:languages|(?:system|report)-files)\.ts$/;

/** Does the same with the languages, which are found by looking into the folder of their files. */
const languageFiles: Plugin = {
  name: 'language-files',
  load: { filter: { id: ofLanguages }, handler: valuesOf },
  // `npm run dev` shows a language once it has a file.
  hotUpdate({ type, file }) {
    if (type === 'update' || !file.startsWith(here('preload/contract/locales/'))) return undefined;
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

/** Puts what the service's page loads of Swagger UI beside the bundles, compressed. */
const servicePage: Plugin = {
  name: 'service-page',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'main' || name === 'cli',
  async generateBundle() {
    for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      const originalFileName = here(`node_modules/swagger-ui-dist/${name}`);
      const source = gzipSync(await readFile(originalFileName), { level: 9 });
      this.emitFile({ type: 'asset', fileName: `service-page/${name}.gz`, source, originalFileName });
    }
  },
};

/** Writes the JSON schemas of reports, server models and files of servers beside main, named as in their addresses (`$id`). */
const schemas: Plugin = {
  name: 'schemas',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'main' || name === 'cli',
  async generateBundle() {
    type Makers = Record<'reportSchema' | 'modelSchema' | 'createServersFileSchema', () => { $id: string }>;
    const [report, model, servers] = await Promise.all([
      runnerImport<Makers>(here('main/check/reports/json-report.ts')),
      runnerImport<Makers>(here('main/service/mock/mock-definition.ts')),
      runnerImport<Makers>(here('main/servers-file/servers-file-schema.ts')),
    ]);
    const made = [report.module.reportSchema(), model.module.modelSchema(), servers.module.createServersFileSchema()];
    for (const schema of made) {
      const fileName = new URL(schema.$id).pathname.slice(1);
      this.emitFile({ type: 'asset', fileName, source: `${JSON.stringify(schema)}\n` });
    }
  },
};

/**
 * One part of the tests. The parts run one after the other, as their order says, and those of the same order share their
 * workers. Vitest refuses one order for parts with different numbers of workers.
 */
const part = (name: string, groupOrder: number, more: ProjectConfig = {}): TestProjectInlineConfiguration => ({
  test: {
    name,
    root: here('.'),
    include: [`test/${name}/**/*.test.ts`],
    // These are two more than there are cores, since nearly every test waits for a server, a process or a window now and then.
    maxWorkers: availableParallelism() + 2,
    // A worker keeps what it has loaded, such as Fastify or Playwright, and one stub application, from file to file. Our
    // own modules are evaluated again for each.
    isolate: false,
    sequence: { groupOrder },
    setupFiles: [here('test/support/fixed-seeds.ts')],
    ...limits,
    ...more,
  },
});

const licenceList = licences();

/**
 * What runs on Node: the modules that its entries read, as scripts with the names of the entries.
 * @param groups modules that are each in one chunk with all that they import statically
 */
const onNode = (
  folder: string,
  target: string,
  input: Record<string, string>,
  groups: { name: string; test: RegExp; priority: number }[] = [],
): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { noExternal: true, external },
  build: {
    outDir: here(folder),
    emptyOutDir: true,
    target,
    minify: false,
    rolldownOptions: {
      input,
      external,
      output: {
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: { groups },
        ...small,
      },
    },
  },
});

export default defineConfig({
  root: here('renderer'),
  plugins: [
    react(),
    contractNames,
    languageFiles,
    windowTexts(),
    startLinks(),
    servicePage,
    schemas,
    licenceList.plugin,
    lazyElectron(),
  ],
  // The nonce is a placeholder that main replaces in every page it serves.
  html: { cspNonce: '__CSP_NONCE__' },
  // Bruno's reader requires it, and a `require` of its ES module gets an object with `default` alone.
  resolve: { alias: { 'ohm-js': here('node_modules/ohm-js/dist/ohm.cjs') } },
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
        // Each further file of a start costs the page 1.5 ms and a round through main's thread, so the first screens are
        // in one script and one style sheet, with all that they import.
        rolldownOptions: {
          output: { codeSplitting: { groups: [{ name: 'start', test: /\/renderer\/main\.tsx$/ }] } },
        },
        chunkSizeWarningLimit: 900,
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
    // A start reads two files, and not thirty: what opens the window, and what sends its first state.
    main: onNode('dist/main', 'node24', { index: here('main/index.ts') }, [
      {
        name: 'window',
        test: /\/main\/(?:commands\/command-line|window\/(?:open-window|link-queue))\.ts$/,
        priority: 2,
      },
      { name: 'start', test: /\/main\/start\.ts$/, priority: 1 },
    ]),
    // Other threads and processes, of main and of the commands. In one build with main they would import its chunks, and
    // Electron with them.
    workers: onNode('dist/workers', 'node22', {
      'keyring-host': here('main/account/vault/keyring-host.ts'),
      worker: here('main/worker.ts'),
      'import-worker': here('main/tools/import/import-worker.ts'),
    }),
    // The commands without the application.
    cli: onNode('dist/cli', 'node22', { cli: here('main/commands/cli.ts') }),
  },
  builder: {
    buildApp: async (builder) => {
      for (const name of ['main', 'workers', 'preload', 'client']) await builder.build(builder.environments[name]!);
    },
  },
  test: {
    root: here('.'),
    // What a test writes is shown where the test fails.
    silent: 'passed-only',
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
      // `npm run prove -- NAME` runs one of these, and `npm test` none.
      part('prove', 3, {
        include: ['test/prove/*.prove.ts'],
        maxWorkers: 1,
        // A proof draws a new seed each time, takes as long as it was told to, and writes what it says itself.
        setupFiles: [here('test/support/ended-by-signals.ts')],
        testTimeout: 0,
        hookTimeout: 0,
        disableConsoleIntercept: true,
      }),
    ],
  },
});
