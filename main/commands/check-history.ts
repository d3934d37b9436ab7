import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { errorCodeOf } from '../files/error-code.ts';
import { ReportStore } from '../check/report-store.ts';
import { sqliteFileProblem } from '../files/sqlite-file.ts';

/** Opens the file of a folder of earlier runs, and makes both if need be. */
export function openHistory(
  folder: string | undefined,
): { ok: true; store: ReportStore | undefined } | { ok: false; sentence: string } {
  if (folder === undefined) return { ok: true, store: undefined };
  try {
    mkdirSync(folder, { recursive: true });
    return { ok: true, store: new ReportStore(path.join(folder, 'reports.sqlite')) };
  } catch (error) {
    const why = {
      broken: 'its file is damaged, or of another program',
      'other-version': 'it was written by another version of Llavero',
      unreadable: errorCodeOf(error) ?? String(error),
    }[sqliteFileProblem(error)];
    return { ok: false, sentence: `The history "${folder}" cannot be used: ${why}.` };
  }
}
