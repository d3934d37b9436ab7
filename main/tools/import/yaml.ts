import { parseDocument } from 'yaml';
import type { PlainJson } from '../../interface/template.ts';
import type { ImportNote } from './shell-parser.ts';
import { parseWith } from './unknown-format.ts';

const options = { schema: 'core', resolveKnownTags: false, logLevel: 'silent' } as const;

/** Reads YAML. The line of an error is noted, and the rest is read. */
export function readYaml(text: string, name: string | undefined, notes: ImportNote[]): PlainJson {
  return parseWith(() => {
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (error === undefined) return jsonOf(document);
    const line = String(error.linePos?.[0].line ?? 1);
    notes.push({ kind: 'yaml', detail: (name === undefined ? line : `${name}:${line}`).slice(-100) });
    const repaired = parseDocument(indentBlocks(text), options);
    return jsonOf(repaired.errors.length === 0 ? repaired : document);
  });
}

const jsonOf = (document: ReturnType<typeof parseDocument>): PlainJson =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The core schema makes nothing but JSON.
  document.toJS({ maxAliasCount: 100 }) as PlainJson;

/** Indents blocks (`data: |2-`) whose lines are not deeper than their key, as some programs write them. */
function indentBlocks(text: string): string {
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
