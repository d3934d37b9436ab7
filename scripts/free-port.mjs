import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// A system gives ports of above this range to whatever asks for any (Linux from 32,768 on, others from 49,152 on).
const lowest = 20_000;
const beyond = 32_000;

/**
 * Finds a port of 127.0.0.1 for a program that is told its port. Until that listens, the port is nobody's: one that the
 * system gives by itself would go to another test meanwhile, which is then taken for the program.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(lowest, beyond);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') continue;
      throw error;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
