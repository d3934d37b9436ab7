import { writeFile } from 'node:fs/promises';
import type { ClientLine, ClientReport } from '../service/clients/client-watch.ts';
import { clientFaultTexts } from '../service/clients/fault-texts.ts';

/** What the file holds, for programs. Times are ISO 8601, and `isComplete` is false until the service has ended. */
const contentOf = (report: ClientReport, isComplete: boolean): string => {
  const lines = report.lines().map(({ fault, count, shownBy }: ClientLine) => ({
    fault,
    says: clientFaultTexts[fault],
    count,
    shownBy: shownBy.map((requests) =>
      requests.map(({ atMs, ...request }) => ({ at: new Date(atMs).toISOString(), ...request })),
    ),
  }));
  return `${JSON.stringify({ version: 1, isComplete, requests: report.requests(), lines }, undefined, 2)}\n`;
};

/** Writes the report of `--client-report`; answers a sentence when the file cannot be written. */
export async function writeClientReport(
  file: string,
  report: ClientReport,
  isComplete: boolean,
): Promise<string | undefined> {
  try {
    await writeFile(file, contentOf(report, isComplete));
    return undefined;
  } catch (error) {
    return `The client report cannot be written: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
