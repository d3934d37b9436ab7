import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { z } from 'zod';

const Announced = z.object({ baseUrl: z.url() });
const Usage = z.object({ cpuMicroseconds: z.number() });

export type Peer = {
  /** It has no slash at its end. */
  baseUrl: string;
  /** Answers the processor time of all its threads since it started. */
  cpuMicroseconds: () => Promise<number>;
  close: () => Promise<void>;
};

/**
 * Starts one of the servers beside this file as a process of its own, on this Node.
 * @param argument is passed as JSON
 * @throws Error when it ends instead of listening; what it says goes to stderr
 */
export async function startPeer(
  name: 'service' | 'constant' | 'better-auth' | 'slow',
  argument: unknown,
): Promise<Peer> {
  const child = fork(path.join(import.meta.dirname, `${name}.ts`), [JSON.stringify(argument)], {
    // Its stdout would mix with the figures.
    stdio: ['ignore', 2, 2, 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  const next = async (): Promise<unknown> => {
    const gone = ended.then(([code]) => {
      throw new Error(`The server ${name} ended with code ${String(code)}`);
    });
    const [message] = await Promise.race([once(child, 'message'), gone]);
    return message;
  };
  const { baseUrl } = Announced.parse(await next());
  return {
    baseUrl: baseUrl.replace(/\/$/, ''),
    async cpuMicroseconds() {
      child.send('cpu');
      return Usage.parse(await next()).cpuMicroseconds;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
