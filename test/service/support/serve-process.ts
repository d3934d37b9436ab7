import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const Ready = z.object({ baseUrl: z.string() });

export const CLI = fileURLToPath(new URL('../../../main/commands/cli.ts', import.meta.url));

/** A temporary folder, which goes with the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'llavero-serve-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A process of `serve`, with what it wrote and how it ended. */
export function watch(child: ChildProcess) {
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, ...texts }));
  return {
    child,
    ended,
    async ready(): Promise<z.infer<typeof Ready>> {
      while (!texts.out.includes('\n')) {
        const end = await Promise.race([once(child.stdout!, 'data').then(() => undefined), ended]);
        if (end) throw new Error(`It ended before it was ready: ${JSON.stringify(end)}`);
      }
      return Ready.parse(JSON.parse(texts.out));
    },
  };
}

/** The command as a process of its own, on Electron's own Node like these tests. */
export const serve = (args: string[], cwd = tmpdir()) =>
  watch(spawn(process.execPath, [CLI, 'serve', ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] }));

export const postJson = (baseUrl: string, path: string, body: unknown) =>
  fetch(`${baseUrl}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
