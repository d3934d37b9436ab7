import path from 'node:path';
import { createBuilder } from 'vite';

/**
 * Builds main, preload and renderer into `dist/`.
 * @param {string[]} [only] names of Vite's environments to build; all unless told
 */
export async function build(only) {
  const builder = await createBuilder({
    configFile: path.resolve(import.meta.dirname, '../vite.config.ts'),
    logLevel: 'warn',
  });
  if (!only) return builder.buildApp();
  for (const [name, environment] of Object.entries(builder.environments)) {
    if (only.includes(name)) await builder.build(environment);
  }
}
