import type { ObservedField } from './report-cases.ts';

/** A field of an answer, with those within it. What only others stand in has no type of its own. */
export interface FieldNode {
  name: string;
  path: string;
  type: ObservedField['type'] | undefined;
  secret: boolean;
  fields: FieldNode[];
}

/** A path whose names cannot be taken for its signs. */
const plain = /^[\p{L}\p{N}_$-]+(?:\[\d+\]|\.[\p{L}\p{N}_$-]+)*$/u;

/** Makes a tree of the fields of an answer, whose paths are written as `data.users[0].email`. */
export function fieldTree(fields: readonly ObservedField[]): FieldNode[] {
  const roots: FieldNode[] = [];
  const known = new Map<string, FieldNode>();
  for (const { path, type, secret } of fields) {
    let level = roots;
    let at = '';
    for (const name of plain.test(path) ? path.split(/\.|(?=\[)/) : [path]) {
      at += `/${name}`;
      const node = known.get(at) ?? { name, path: at, type: undefined, secret: false, fields: [] };
      if (!known.has(at)) level.push(node);
      known.set(at, node);
      level = node.fields;
    }
    const own = known.get(at);
    if (own) Object.assign(own, { type, secret });
  }
  return roots;
}
