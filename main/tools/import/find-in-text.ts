import type { ImportResult, InterfaceFormat } from '../../../preload/contract/interface.ts';
import { exceededJsonLimit } from '../../files/json-limits.ts';
import { parseJson, type PlainJson } from '../../interface/template.ts';
import { memberAt, listAt, stringAt, type Imported } from './imported-request.ts';
import { inferInterface } from './infer-interface.ts';
import type { ShippedInterfaces } from './match-shipped.ts';
import { looksLikeRequests, PastedReader, splitMarkdown, type Pasted } from './pasted-text.ts';
import type { ImportNote } from './shell-parser.ts';
import { UnknownFormat } from './unknown-format.ts';
import { detectUnsupportedFormat } from './unsupported-formats.ts';

const maxRequests = 2000;
const maxNotes = 50;

const isBruno = /^[a-z]+(?::[\w-]+)* *[{[][^\S\n]*(?:\n|[}\]])/;
const isYaml = /^["']?(?:openapi|swagger|opencollection|type|info|_type|http)["']?\s*:/m;
const isEnvLine = /^\s*(?:#.*|(?:export\s+)?[A-Za-z_][\w.-]*\s*=.*)?$/;
/** The text that `bruno-folder.ts` makes of a folder. */
const isBrunoFolder = /^[^\0\n]{1,500}\.(bru|ya?ml)\0/;

type Reader = { format: InterfaceFormat; read: () => Imported; notes?: readonly ImportNote[] };

/** Detects the format of a text, and loads its reader. Libraries are loaded only if they are needed. */
async function detectReader(text: string): Promise<Reader | 'unknown-format' | 'resource-limit'> {
  const collection = await detectCollection(text);
  if (collection !== 'unknown-format') return collection;
  for (const { text: inner, isFenced } of text.includes('\n') ? splitMarkdown(text) : []) {
    const found = isFenced ? await detectCollection(inner.trim()) : 'unknown-format';
    if (typeof found === 'object' && found.format !== 'env') return found;
  }
  return 'unknown-format';
}

/** The reader of a file of another program, or of its text. */
async function detectCollection(text: string): Promise<Reader | 'unknown-format' | 'resource-limit'> {
  if (/^[{[]/.test(text)) {
    if (exceededJsonLimit(text) !== undefined) return 'resource-limit';
    const json = parseJson(text);
    return json === undefined ? 'unknown-format' : detectJson(json);
  }
  const folder = isBrunoFolder.exec(text)?.[1];
  if (isBruno.test(text) || folder !== undefined) {
    const { readBruno, readBrunoYaml } = await import('./collections.ts');
    const hasYaml = folder !== undefined && /(?:^|\0)[^\0\n]{0,500}\.ya?ml\0/.test(text) && !/\.bru\0/.test(text);
    if (!hasYaml) return { format: 'bruno', read: () => readBruno(text) };
    const { readYaml } = await import('./yaml.ts');
    const notes: ImportNote[] = [];
    return {
      format: 'opencollection',
      read: () => readBrunoYaml(text, (file, name) => readYaml(file, name, notes)),
      notes,
    };
  }
  if (!isYaml.test(text)) return 'unknown-format';
  const { readYaml } = await import('./yaml.ts');
  const notes: ImportNote[] = [];
  const reader = await detectJson(readYaml(text, undefined, notes));
  return typeof reader === 'string' ? reader : { ...reader, notes };
}

/** A `.env`: names and values, and nothing else. */
async function detectEnv(text: string): Promise<Reader | undefined> {
  // A quoted value, such as a key, may have several lines.
  const lines = text.replaceAll(/="[^"]*"|='[^']*'/g, '=').split('\n');
  if (text === '' || !lines.every((line) => isEnvLine.test(line))) return undefined;
  const { readEnv } = await import('./collections.ts');
  return { format: 'env', read: () => readEnv(text) };
}

async function detectJson(json: PlainJson): Promise<Reader | 'unknown-format'> {
  const has = (...path: string[]): boolean => memberAt(json, ...path) !== undefined;
  if (has('openapi') || has('swagger')) {
    const { readOpenApi } = await import('./read-openapi.ts');
    return { format: 'openapi', read: () => readOpenApi(json) };
  }
  const collections = await import('./collections.ts');
  const isInsomnia =
    stringAt(json, '_type') === 'export' || stringAt(json, 'type')?.startsWith('collection.insomnia.rest/');
  if (listAt(json, 'items').length > 0 && !has('opencollection'))
    return { format: 'bruno', read: () => collections.readBrunoExport(json) };
  if (has('log', 'entries')) return { format: 'har', read: () => collections.readHar(json) };
  if (has('opencollection') || has('http'))
    return { format: 'opencollection', read: () => collections.readOpenCollection(json) };
  if (isInsomnia) return { format: 'insomnia', read: () => collections.readInsomnia(json) };
  if (has('item') || has('collection', 'item') || has('collections'))
    return { format: 'postman', read: () => collections.readPostman(json) };
  if (listAt(json, 'values').length > 0) return { format: 'env', read: () => collections.readPostmanEnvironment(json) };
  return 'unknown-format';
}

/** Decodes UTF-8, and UTF-16, which is detected by its byte order mark or its zeros. */
function decode(bytes: Uint8Array): string {
  const [first, second, , fourth] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes).trim();
}

/**
 * Finds the five calls in a text of any format. It throws only because of a bug.
 * @param onLoaded called once the libraries are loaded, before the text is read
 */
export async function findInText(
  bytes: Uint8Array,
  shipped: ShippedInterfaces,
  onLoaded: () => void = () => undefined,
): Promise<ImportResult> {
  try {
    const text = decode(bytes);
    const reader = await detectReader(text);
    if (reader === 'resource-limit') return { kind: reader };
    onLoaded();
    if (typeof reader === 'object') return inferFrom(reader.format, reader.read(), reader.notes ?? [], shipped);
    const pasted = looksLikeRequests(text) ? new PastedReader().read(text) : undefined;
    if (pasted?.format !== undefined) return orRefusal(pasted, inferFrom(pasted.format, pasted, pasted.notes, shipped));
    const env = await detectEnv(text);
    if (env) return inferFrom(env.format, env.read(), [], shipped);
    const name = detectUnsupportedFormat(text);
    if (name !== undefined) return { kind: 'unread-format', name };
    if (pasted === undefined) return { kind: 'unknown-format' };
    return orRefusal(pasted, { kind: 'curl-refused', why: 'no-address' });
  } catch (error) {
    if (error instanceof UnknownFormat) return { kind: 'unknown-format' };
    // Deeply nested texts exceed the stack, and the YAML library refuses many aliases.
    const isTooHard = error instanceof RangeError || (error instanceof ReferenceError && /alias/i.test(error.message));
    if (!isTooHard) throw error;
    return { kind: 'resource-limit' };
  }
}

function inferFrom(
  format: InterfaceFormat,
  { requests, environments }: Imported,
  notes: readonly ImportNote[],
  shipped: ShippedInterfaces,
): ImportResult {
  const result = inferInterface(format, { requests: requests.slice(0, maxRequests), environments }, shipped);
  const distinct = [...new Map(notes.map((each) => [JSON.stringify(each), each])).values()].slice(0, maxNotes);
  return result.kind === 'found' || result.kind === 'nothing-found' ? { ...result, notes: distinct } : result;
}

/** If nothing was found, the unreadable command or file is the reason. */
function orRefusal({ refusal, notes }: Pasted, result: ImportResult): ImportResult {
  if (result.kind === 'found') return result;
  const note = notes.map(({ kind }) => kind).find((kind) => kind === 'file' || kind === 'substitution');
  const why = refusal ?? note;
  return why === undefined ? result : { kind: 'curl-refused', why };
}
