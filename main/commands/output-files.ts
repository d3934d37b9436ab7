import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOf } from '../files/error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { CheckArguments } from './check-arguments.ts';

type Written = Pick<CheckArguments, 'mockFile'> & Partial<Pick<CheckArguments, 'reports' | 'baseline'>>;

/** Anybody may read a report or a model: it holds no secret, and build servers collect it as another user. */
const fileMode = 0o644;

/** Says which file could not be written after the run, as far as its folder tells. */
export async function findMissingFolder({ reports = [], baseline, mockFile }: Written): Promise<string | undefined> {
  const files = [
    ...reports.map(({ file }) => ({ file, what: 'report' })),
    ...(mockFile === undefined ? [] : [{ file: mockFile, what: 'mock file' }]),
    ...(baseline?.accept ? [{ file: baseline.file, what: 'baseline' }] : []),
  ];
  for (const { file, what } of files) {
    const folder = path.dirname(path.resolve(file));
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) return `The ${what} "${file}" cannot be written: its folder does not exist.`;
  }
  return undefined;
}

/**
 * Writes a file whole or not at all. A pipe or a device is simply written to.
 * @returns why it could not be written, as Node's code; undefined when it was
 */
export async function writeOutputFile(file: string, content: string): Promise<string | undefined> {
  try {
    const isPlain = await stat(file).then(
      (found) => found.isFile(),
      () => true,
    );
    await (isPlain ? writeAtomically(file, content, fileMode) : writeFile(file, content));
    return undefined;
  } catch (error) {
    return errorCodeOf(error) ?? String(error);
  }
}
