import { mkdirSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AcceptedFault, Report } from '../../preload/contract/report.ts';
import type { ReportForm } from '../../preload/contract/names.ts';
import { readAcceptedFaults } from '../check/accepted-faults.ts';
import { ReportStore } from '../check/report-store.ts';
import { formatReportProblem, readReport } from '../check/reports/json-report.ts';
import { errorCodeOf } from '../files/error-code.ts';
import { readLimited } from '../files/read-limited.ts';
import { sqliteFileProblem } from '../files/sqlite-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

type Failure = { ok: false; sentence: string };

/** The file of accepted faults. With a reason to accept, all faults of the run are added to it. */
export type Baseline = { file: string; accept: string | undefined };

const largestBaselineBytes = 5 * 1024 * 1024;
const largestReportBytes = 50 * 1024 * 1024;

/** Reads the accepted faults. A file that will be written need not exist. */
export async function readBaselineFile(
  baseline: Baseline | undefined,
): Promise<{ ok: true; accepted: AcceptedFault[] } | Failure> {
  if (!baseline) return { ok: true, accepted: [] };
  const { file, accept } = baseline;
  const content = await readLimited(file, largestBaselineBytes);
  if (content.ok) {
    const read = readAcceptedFaults(content.content.toString('utf8'));
    return read.ok ? read : { ok: false, sentence: `The baseline "${file}" ${read.sentence}` };
  }
  if (accept !== undefined && 'code' in content && content.code === 'ENOENT') return { ok: true, accepted: [] };
  const why = 'code' in content ? content.code : content.reason;
  return { ok: false, sentence: `The baseline "${file}" cannot be read (${why}).` };
}

/** Reads the earlier report to compare with. */
export async function readEarlierReport(file: string | undefined): Promise<{ ok: true; report?: Report } | Failure> {
  if (file === undefined) return { ok: true };
  const read = await readLimited(file, largestReportBytes);
  if (!read.ok) {
    const why = 'code' in read ? read.code : read.reason;
    return { ok: false, sentence: `The report "${file}" cannot be read (${why}).` };
  }
  const report = readReport(read.content.toString('utf8'));
  return report.ok
    ? report
    : { ok: false, sentence: `The report "${file}" cannot be compared with: ${formatReportProblem(report.problem)}.` };
}

/** Opens the database of earlier reports in a folder. Both are created if missing. */
export function openHistory(folder: string | undefined): { ok: true; store: ReportStore | undefined } | Failure {
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

type OutputFiles = {
  reports?: readonly { form: ReportForm; file: string }[];
  baseline?: Baseline | undefined;
  mockFile: string | undefined;
};

/** Anybody may read a report or a mock file: it holds no secret, and build servers collect it as another user. */
const fileMode = 0o644;

/** The sentence about the first file whose folder does not exist. */
export async function findMissingFolder({
  reports = [],
  baseline,
  mockFile,
}: OutputFiles): Promise<string | undefined> {
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
 * Writes a file atomically. A pipe or a device is written to in place.
 * @returns Node's error code if that failed
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
