import type { InterpretationTrace } from '../../preload/contract/calls.ts';
import type { Interpretation } from './parse-response.ts';

const longestPath = 200;

const parts = ['token', 'user', 'message', 'fieldErrors', 'retryAfterSeconds'] as const;

/**
 * Why an answer was read as it was: where things were and by which rule, never what they were.
 * @param hide takes the secrets out of a path before it is shortened
 */
export function createInterpretationTrace(
  operation: InterpretationTrace['operation'],
  { trace, verdict }: Interpretation,
  hide = (path: string): string => path,
): InterpretationTrace {
  return {
    operation,
    verdict,
    rule: trace.verdict.rule,
    found: parts.flatMap((what) => {
      const finding = trace[what];
      // A path is made of the server's own field names, which may be of any length.
      return finding ? [{ what, path: hide(finding.path).slice(0, longestPath), rule: finding.rule }] : [];
    }),
  };
}
