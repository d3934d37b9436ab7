import type { Understanding } from '../../preload/contract/models.ts';
import type { Reading } from './read-answer.ts';

const longestPath = 200;

const parts = ['token', 'user', 'message', 'fieldErrors', 'retryAfterSeconds'] as const;

/** Says why an answer was read as it was: where things were and by which rule, and never what they were. */
export function understandingOf(operation: Understanding['operation'], { why, verdict }: Reading): Understanding {
  return {
    operation,
    verdict,
    rule: why.verdict.rule,
    found: parts.flatMap((what) => {
      const finding = why[what];
      // A path is made of the server's own field names, which may be of any length.
      return finding ? [{ what, path: finding.path.slice(0, longestPath), rule: finding.rule }] : [];
    }),
  };
}
