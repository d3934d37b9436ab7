import { randomUUID } from 'node:crypto';
import path from 'node:path';

export type Log = {
  warn: (what: string, error?: unknown) => void;
  /** Logs a fault of ours and answers the id under which it can be found. */
  report: (error: unknown) => string;
};

/**
 * The log in `<folder>/main.log`. Callers give sentences of ours and errors, never inputs or answers, so that no secret
 * can get in. The library is loaded on first use: most runs log nothing.
 */
export function createLog(folder: string): Log {
  const write = async (level: 'warn' | 'error', ...parts: string[]): Promise<void> => {
    const { default: log } = await import('electron-log/main.js');
    log.transports.file.resolvePathFn = () => path.join(folder, 'main.log');
    log.transports.file.maxSize = 1024 * 1024;
    log[level](...parts);
  };
  const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : typeof error);
  return {
    warn: (what, error) => void write('warn', what, error === undefined ? '' : textOf(error)),
    report(error) {
      const id = randomUUID().slice(0, 8);
      void write('error', id, textOf(error));
      return id;
    },
  };
}
