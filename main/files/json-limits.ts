const maxDepth = 64;
const maxValues = 200_000;

/** The limit that a JSON text exceeds, before it is parsed: parsing costs a thousand times as much for each value. */
export function exceededJsonLimit(text: string): 'too-deep' | 'too-large' | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    } else if (character === '[' || character === '{') {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return 'too-deep';
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
    if (values > maxValues) return 'too-large';
  }
  return undefined;
}
