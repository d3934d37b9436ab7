import { stat } from 'node:fs/promises';
import { longestDescription, type InterfaceFault } from '../../preload/contract/connection.ts';
import {
  mostImportBytes,
  type FoundInterface,
  type FoundPart,
  type InterfaceDescription,
  type ImportResult,
} from '../../preload/contract/interface.ts';
import { readLimited } from '../files/read-limited.ts';
import { readDescription } from '../interface/read-description.ts';
import { shippedInterface } from '../interface/shipped.ts';
import { isRecord, parseJson } from '../interface/template.ts';

/** Why there is no description: the file cannot be read, its description has faults, or the import found nothing. */
export type InterfaceReadFailure =
  | { why: 'file'; code: string }
  | { why: 'faults'; faults: readonly InterfaceFault[] }
  | { why: 'not-found'; finding: Exclude<ImportResult, { kind: 'found' }> };

/**
 * @property found what the import found, where the text is no description itself, with its guesses
 * @property description absent where the import found no login or no profile
 */
export type InterfaceReadResult =
  | { ok: true; description: InterfaceDescription; found?: FoundInterface }
  | { ok: true; description?: undefined; found: FoundInterface }
  | { ok: false; unread: InterfaceReadFailure };

/**
 * Reads a description, or imports one. Nothing in a file is run, and no request is sent.
 * @param from the name of a shipped description, or the path of a file or of the folder of a collection
 */
export async function readInterfaceSource(from: string): Promise<InterfaceReadResult> {
  const shipped = await shippedInterface(from);
  if (shipped) return { ok: true, description: shipped };
  const isFolder = await stat(from).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const read = isFolder
    ? await (await import('../tools/import/bruno-folder.ts')).readBrunoFolder(from, mostImportBytes)
    : await readLimited(from, mostImportBytes);
  if (read.ok) return readInterfaceText(read.content);
  if (read.reason === 'too-large') return notFound({ kind: 'too-large', mostBytes: mostImportBytes });
  return { ok: false, unread: { why: 'file', code: read.code ?? read.reason } };
}

/** Reads or imports a description from the bytes of a text, such as standard input. */
export async function readInterfaceText(bytes: Uint8Array): Promise<InterfaceReadResult> {
  const text = new TextDecoder().decode(bytes);
  if (looksLikeDescription(text)) {
    const read = readDescription(text);
    return read.ok ? read : { ok: false, unread: { why: 'faults', faults: read.faults } };
  }
  const { findInterface } = await import('../tools/import/find-interface.ts');
  const found = await findInterface(bytes);
  if (found.kind !== 'found') return notFound(found);
  const [name, ...others] = found.shipped;
  const shipped = name === undefined ? undefined : await shippedInterface(name);
  if (shipped)
    return {
      ok: true,
      description: shipped,
      found: { ...found, draft: shipped, parts: shippedParts(found, others) },
    };
  if (found.missing.length > 0) return { ok: true, found };
  const read = readDescription(JSON.stringify(found.draft));
  return read.ok ? { ...read, found } : { ok: false, unread: { why: 'faults', faults: read.faults } };
}

/** A shipped description is sure, unless others have the same login. */
const shippedParts = ({ parts }: FoundInterface, others: readonly string[]): FoundPart[] => [
  ...parts.filter(({ at }) => at === 'address'),
  ...(others.length > 0 ? [{ at: 'security', is: 'guess', why: 'several', detail: others.join(', ') } as const] : []),
];

const notFound = (finding: Exclude<ImportResult, { kind: 'found' }>): InterfaceReadResult => ({
  ok: false,
  unread: { why: 'not-found', finding },
});

/** Whether a text is meant as a description, so that its faults help more than the errors of an import. */
function looksLikeDescription(text: string): boolean {
  const bare = text
    .slice(0, longestDescription)
    .trimStart()
    .replace(/^\uFEFF/, '');
  if (!bare.startsWith('{') || !bare.includes('"calls"')) return false;
  const json = parseJson(text);
  return json === undefined || (isRecord(json) && isRecord(json['calls']));
}
