import { AcceptedFault } from '../../preload/contract/accepted-faults.ts';
import { Severity } from '../../preload/contract/report-findings.ts';
import { readAcceptedFaults } from '../contract-run/accepted-faults.ts';
import { readLimited } from '../files/read-limited.ts';
import { read, wrong, type Read } from './read-arguments.ts';

/** The file of what is accepted, and why all that is found is to be accepted now. */
export type Baseline = { file: string; accept: string | undefined };

const largestBytes = 5 * 1024 * 1024;

/** Reads which severities of findings fail a run. */
export function readFailOn(text: string, baseline: string | undefined): Read<readonly Severity[]> {
  if (text === 'none') return read([]);
  // What is new is all that the baseline does not accept.
  if (text === 'new' && baseline === undefined) return wrong('The option --fail-on new needs --baseline FILE.');
  if (text === 'new') return read(Severity.exclude(['info']).options);
  const at = Severity.options.findIndex((severity) => severity === text);
  // A finding that is only a note is no reason to fail.
  if (at < 0 || text === 'info')
    return wrong(`The option --fail-on takes none, new, low, medium or high, not "${text}".`);
  return read(Severity.options.slice(0, at + 1));
}

/** Reads what the options say of a baseline. */
export function readBaselineOptions(file: string | undefined, reason: string | undefined): Read<Baseline | undefined> {
  if (file === '') return wrong('The option --baseline takes a file.');
  if (reason === undefined) return read(file === undefined ? undefined : { file, accept: undefined });
  if (file === undefined) return wrong('The option --accept needs --baseline FILE, into which it writes.');
  const accept = AcceptedFault.shape.reason.safeParse(reason);
  if (accept.success) return read({ file, accept: accept.data });
  return wrong('The option --accept takes a reason of 1 to 1000 characters.');
}

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
