import { deflateSync, inflateSync } from 'node:zlib';
import type { Report } from '../../preload/contract/contract-report.ts';
import { jsonReport, readReport } from './reports/json.ts';

/** Packs a report for the file of reports. */
export const pack = (report: Report): Buffer => deflateSync(jsonReport(report));

/** Reads a packed report; undefined where there is none that this version can read. */
export function unpack(packed: unknown): Report | undefined {
  if (!(packed instanceof Uint8Array)) return undefined;
  const read = readReport(inflateSync(packed).toString('utf8'));
  return read.ok ? read.report : undefined;
}
