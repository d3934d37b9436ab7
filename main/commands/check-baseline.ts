import type { AcceptedFault } from '../../preload/contract/report.ts';
import { readAcceptedFaults } from '../check/accepted-faults.ts';
import { readLimited } from '../files/read-limited.ts';

/** The file of what is accepted, and why all that is found is to be accepted now. */
export type Baseline = { file: string; accept: string | undefined };

const largestBytes = 5 * 1024 * 1024;

/** Reads what is accepted. A file that is about to be written need not be there. */
export async function readBaselineFile(
  baseline: Baseline | undefined,
): Promise<{ ok: true; accepted: AcceptedFault[] } | { ok: false; sentence: string }> {
  if (!baseline) return { ok: true, accepted: [] };
  const { file, accept } = baseline;
  const content = await readLimited(file, largestBytes);
  if (content.ok) {
    const read = readAcceptedFaults(content.content.toString('utf8'));
    return read.ok ? read : { ok: false, sentence: `The baseline "${file}" ${read.sentence}` };
  }
  if (accept !== undefined && 'code' in content && content.code === 'ENOENT') return { ok: true, accepted: [] };
  const why = 'code' in content ? content.code : content.reason;
  return { ok: false, sentence: `The baseline "${file}" cannot be read (${why}).` };
}
