import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { folder } from '../prove/given.ts';

// A signal ends the proof as an exit does, so that what it started ends, too. `scripts/prove-reporter.mjs` sends it here.
writeFileSync(path.join(folder, 'worker'), String(process.pid));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    try {
      process.exit(1);
    } catch {
      // While a test runs, vitest lets nobody do that. It does it itself when it has lost its own channel.
      process.disconnect?.();
    }
  });
