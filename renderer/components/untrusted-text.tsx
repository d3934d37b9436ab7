import { Fragment } from 'react';

/** Where a line may break inside a host, path or email. Never inside a number, such as a version or a time. */
const joints = /(?<=[\p{L}\p{N}][.:/_@=&-])(?=\p{L})|(?<=\p{L}[.:/_@=&-])(?=\p{N})/u;

/** A longer text is no name or address, and its many parts would take long to lay out. */
const longest = 2000;

/**
 * A text whose hosts and the like break after a dot or another mark, and within a word only if that is wider than the
 * line.
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

/** A text from outside, such as a name or an address, with isolated writing direction. */
export function UntrustedText({ text, ...more }: UntrustedTextProps) {
  return (
    <bdi {...more}>
      <BreakableText text={text} />
    </bdi>
  );
}
