import type { Part } from '../../../preload/contract/words/say-report.ts';
import { Redacted } from '../../answers/redacted.tsx';

/** Shows words of ours with texts from outside among them, which stay text. */
export function Parts({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          // The parts are made of one value, and stay in their order.
          // oxlint-disable-next-line react/no-array-index-key
          <Redacted key={index} text={part.outside} />
        ),
      )}
    </>
  );
}
