import type { TestProject } from 'vitest/node';
import { startVirtualDisplay } from '../../scripts/virtual-display.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The display of each worker, as `DISPLAY` names it. It is empty where windows need none of their own. */
    displays: string[];
  }
}

/** Opens one virtual display for each worker on Linux, before the tests with a window. */
export default async function setup(project: TestProject): Promise<() => void> {
  const count = process.platform === 'linux' ? project.config.maxWorkers : 0;
  const displays = await Promise.all(Array.from({ length: count }, () => startVirtualDisplay()));
  project.provide(
    'displays',
    displays.map(({ env }) => env.DISPLAY),
  );
  return () => {
    for (const display of displays) display.close();
  };
}
