import type { Report, ReportComparison } from '../../preload/contract/contract-report.ts';
import { createTransport } from '../client/transport.ts';
import { createRun, type RunInput } from '../contract-run/run.ts';
import { compareWithOriginal } from './compare-double.ts';

/** Nothing waits for a double: it is on this computer. */
const callsPerSecond = 100;

export type DoubleProof = { report: Report; comparison: ReportComparison };

/**
 * Runs over a double what was run over its original, and compares the two reports by meaning.
 *
 * @param original the report that the model was learned with
 * @param baseUrl where the double answers
 */
export async function proveDouble(
  original: Report,
  baseUrl: string,
  {
    signal,
    account,
    clock,
    paths,
    onProgress,
  }: Pick<RunInput, 'signal' | 'account' | 'clock' | 'paths' | 'onProgress'> = {},
): Promise<DoubleProof> {
  const transport = createTransport({});
  try {
    const { start } = createRun({
      transport,
      baseUrl,
      toolVersion: original.toolVersion,
      options: { ...original.options, callsPerSecond },
      account,
      paths,
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
      ...(clock && { clock }),
    });
    const report = await start();
    return { report, comparison: compareWithOriginal(original, report) };
  } finally {
    transport.close();
  }
}
