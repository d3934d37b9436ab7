import { parseDocument } from 'yaml';
import type { PlainJson } from '../../interface/template.ts';
import type { ImportNote } from './shell-parser.ts';
import { parseWith } from './unknown-format.ts';

const options = { schema: 'core', resolveKnownTags: false, logLevel: 'silent' } as const;

/** Reads YAML. An error in it is noted by its line, and takes nothing from what can be read. */
export function readYaml(text: string, name: string | undefined, notes: ImportNote[]): PlainJson {
  return parseWith(() => {
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (error === undefined) return jsonOf(document);
    const line = String(error.linePos?.[0].line ?? 1);
    notes.push({ kind: 'yaml', said: (name === undefined ? line : `${name}:${line}`).slice(-100) });
    const mended = parseDocument(indented(text), options);
    return jsonOf(mended.errors.length === 0 ? mended : document);
  });
}

const jsonOf = (document: ReturnType<typeof parseDocument>): PlainJson =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The core schema makes nothing but JSON.
  document.toJS({ maxAliasCount: 100 }) as PlainJson;

/** Programs write a block (`data: |2-`) whose lines are no deeper than its key: here they are. */
function indented(text: string): string {
  let isInBlock = false;
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(?:- )?[A-Za-z][\w-]*:\s/.test(`${line} `)) {
        isInBlock = /:\s*[|>]\d?[-+]?\d?\s*$/.test(line);
        return line.replace(/([|>])\d?([-+]?)\d?\s*$/, isInBlock ? '$1$2' : '$&');
      }
      return isInBlock && line.trim() !== '' ? ' '.repeat(40) + line : line;
    })
    .join('\n');
}
