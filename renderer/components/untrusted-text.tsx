import { Fragment } from 'react';

/** Places inside a host, path or email where a new line may begin. None is in a number, such as a version or a time. */
const joints = /(?<=[\p{L}\p{N}][.:/_@=&-])(?=\p{L})|(?<=\p{L}[.:/_@=&-])(?=\p{N})/u;

/** A longer text is no name and no address, and its many parts would take long to lay out. */
const longest = 2000;

/**
 * Shows a text, of which hosts and the like go on in the next line after a dot or another mark, and not within a word,
 * unless the word alone is wider than the line.
 */
export function BreakableText({ text }: { text: string }) {
  if (text.length > longest) return text;
  return text.split(joints).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- The parts of a text are told apart by nothing else.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

interface UntrustedTextProps {
  text: string;
  className?: string | undefined;
  title?: string | undefined;
}

/** Shows a text from outside, such as a name or an address, which keeps its writing direction to itself. */
export function UntrustedText({ text, ...more }: UntrustedTextProps) {
  return (
    <bdi {...more}>
      <BreakableText text={text} />
    </bdi>
  );
}
