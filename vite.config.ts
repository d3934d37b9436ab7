import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type Plugin, runnerImport } from 'vite';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Left outside the bundles: what Electron and Node bring, and the packages with native binaries. */
const external = [
  'electron',
  '@napi-rs/keyring',
  '@node-rs/argon2',
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
];

/** Milliseconds after which a test hangs rather than being slow, also on a busy machine. */
const limits = { testTimeout: 30_000, hookTimeout: 30_000, expect: { poll: { timeout: 15_000 } } };

/**
 * Puts the values that `names.ts` exports into the preload script instead of its code, which would bring the contract and
 * zod along.
 */
const contractNames: Plugin = {
  name: 'contract-names',
  applyToEnvironment: ({ name }) => name === 'preload',
  load: {
    filter: { id: /\/preload\/contract\/names\.ts$/ },
    async handler(id) {
      const { module } = await runnerImport<object>(id);
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  },
};

export default defineConfig({
  root: here('renderer'),
  plugins: [react(), contractNames],
  // The nonce is a placeholder that main replaces in every page it serves.
  html: { cspNonce: '__CSP_NONCE__' },
  server: { host: '127.0.0.1', port: 5173, strictPort: true },
  environments: {
    client: {
      build: {
        outDir: here('dist/renderer'),
        emptyOutDir: true,
        target: 'chrome148',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        // One page, loaded from the disk: splitting it would only add requests.
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
          output: { format: 'cjs', entryFileNames: 'index.cjs' },
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
            'keyring-host': here('main/vault/keyring-host.ts'),
          },
          external,
          output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
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
      // `extends: false`: what the builds need (React's plugin, the renderer's root) is not for Node tests.
      { extends: false, test: { name: 'unit', root: here('.'), include: ['test/unit/**/*.test.ts'], ...limits } },
      {
        extends: false,
        test: { name: 'service', root: here('.'), include: ['test/service/**/*.test.ts'], ...limits },
      },
      {
        extends: false,
        test: { name: 'boundaries', root: here('.'), include: ['test/boundaries/**/*.test.ts'], ...limits },
      },
      {
        extends: false,
        test: {
          name: 'e2e',
          root: here('.'),
          include: ['test/e2e/**/*.test.ts'],
          ...limits,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
