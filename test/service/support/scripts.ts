import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const statusesIn = (said: string): number[] =>
  [...said.matchAll(/^(?:HTTP\/[\d.]+ )?(\d{3})(?= )/gm)].map(([, status]) => Number(status));

/** The statuses that a script says were seen. */
export const statusesOf = (script: string): number[] =>
  [...script.matchAll(/^# → (\d{3})(?: × (\d+))?$/gm)].flatMap(([, status, times = '1']) =>
    Array.from({ length: Number(times) }, () => Number(status)),
  );

/** Runs a script of a report in `sh`, at a server like the one that it was made of, and answers what it prints. */
export async function printedBy(script: string, origin: string, more: Record<string, string> = {}): Promise<string> {
  const env = { PATH: process.env['PATH'], BASE: origin, ...more };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], { env });
  expect(stderr).toBe('');
  return stdout;
}

/** Runs a script of a report as {@link printedBy} does, and answers the statuses. */
export async function runScript(
  script: string,
  origin: string,
  more: Record<string, string> = {},
): Promise<{ seen: number[]; wanted: number[] }> {
  return { seen: statusesIn(await printedBy(script, origin, more)), wanted: statusesOf(script) };
}
