const deepest = 64;
const mostValues = 200_000;

/**
 * Says which limit a text of JSON is above, in one pass and before anything else reads it: what reads it costs a
 * thousand times as much for each value.
 */
export function exceededJsonLimit(text: string): 'too-deep' | 'too-large' | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    } else if (sign === '[' || sign === '{') {
      depth += 1;
      values += 1;
      if (depth > deepest) return 'too-deep';
    } else if (sign === ']' || sign === '}') depth -= 1;
    else if (sign === ',') values += 1;
    if (values > mostValues) return 'too-large';
  }
  return undefined;
}
