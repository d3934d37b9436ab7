import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { assertNoSymlinks } from './path-checks.ts';

export type Log = {
  warn: (what: string, error?: unknown) => void;
  /** Logs a bug and returns the id of its entry. */
  report: (error: unknown) => string;
};

/** In bytes. A larger log becomes `main.old.log`, in the place of the one before. */
const maxBytes = 1024 * 1024;

/**
 * The log in `<folder>/main.log` (0600). Callers pass our own sentences and errors, never inputs or responses; `hide` masks
 * the secrets of this run, which the error of a library may contain. The library is loaded on first use: most runs log
 * nothing.
 */
export function createLog(folder: string, hide: (text: string) => string): Log {
  const write = async (level: 'warn' | 'error', ...parts: string[]): Promise<void> => {
    try {
      const { default: log } = await import('electron-log/node.js');
      const { file } = log.transports;
      file.resolvePathFn = () => path.join(folder, 'main.log');
      file.maxSize = maxBytes;
      // A link would let another program choose the file that is written.
      assertNoSymlinks(folder, path.join(folder, 'main.log'));
      file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' };
      log[level](...parts.map((part) => hide(part)));
    } catch (error) {
      // The library cannot be loaded once an update or a build has replaced the program's files. A rejection would be
      // reported here again, without an end: an application whose folder was deleted took half a core for 40 minutes.
      process.stderr.write(`${String(error)}\n`);
    }
  };
  return {
    warn: (what, error) => void write('warn', what, ...(error === undefined ? [] : [textOf(error)])),
    report(error) {
      const id = randomUUID().slice(0, 8);
      void write('error', id, textOf(error));
      return id;
    },
  };
}

/** An error with cause and stack, without the user's name in paths. Of anything else, the type. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const text = (error.stack ?? error.message).replaceAll(homedir(), '~');
  return error.cause === undefined ? text : `${text}\ncaused by ${textOf(error.cause)}`;
}
