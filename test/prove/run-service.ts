import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Database } from '../../main/service/stores/open-stores.ts';

const ENTRY = fileURLToPath(new URL('./service-process.ts', import.meta.url));
const READY_WITHIN_MS = 60_000;
const Ready = z.object({ baseUrl: z.string() });

/**
 * Starts a service in a process of its own, which need not be ready yet.
 * @param model the file of a model, for a mock server
 */
export function forkService(database: Database, model?: string) {
  const args = ['--database', JSON.stringify(database), ...(model === undefined ? [] : ['--model', model])];
  const child = fork(ENTRY, args, {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.err = (texts.err + text).slice(-10_000)));
  // It would end with the channel to us, but a moment later, in which it makes files in a folder that is being removed.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'close').then(() => {
    process.off('exit', kill);
    return true as const;
  });

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    child.kill(signal);
    await ended;
  }
  return {
    /** Answers the last that it wrote for people. */
    errors: () => texts.err,
    /** Resolves with the base URL, and rejects when the process ends before. */
    async ready(): Promise<string> {
      while (!texts.out.includes('\n')) {
        const signal = AbortSignal.timeout(READY_WITHIN_MS);
        if (await Promise.race([once(child.stdout!, 'data', { signal }).then(() => false), ended]))
          throw new Error(`The service ended before it was ready: ${texts.err}`);
      }
      return Ready.parse(JSON.parse(texts.out)).baseUrl;
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    /** Answers its resident memory in bytes, where the system tells it. */
    memoryBytes(): number | undefined {
      if (process.platform !== 'linux') return undefined;
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    },
  };
}
