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

const mostRequests = 2000;
const mostNotes = 50;

const isBruno = /^[a-z]+(?::[\w-]+)* *[{[][^\S\n]*(?:\n|[}\]])/;
const isYaml = /^["']?(?:openapi|swagger|opencollection|type|info|_type|http)["']?\s*:/m;
const isEnvLine = /^\s*(?:#.*|(?:export\s+)?[A-Za-z_][\w.-]*\s*=.*)?$/;
/** What `bruno-folder.ts` makes of a folder. */
const isBrunoFolder = /^[^\0\n]{1,500}\.(bru|ya?ml)\0/;

type Reader = { format: InterfaceFormat; read: () => Imported; notes?: readonly ImportNote[] };

/** Loads what reads a text, by what the text is. Libraries are loaded only when they are needed. */
async function readerOf(text: string): Promise<Reader | 'unknown-format' | 'resource-limit'> {
  const collection = await collectionOf(text);
  if (collection !== 'unknown-format') return collection;
  for (const { text: inner, isFenced } of text.includes('\n') ? splitMarkdown(text) : []) {
    const found = isFenced ? await collectionOf(inner.trim()) : 'unknown-format';
    if (typeof found === 'object' && found.format !== 'env') return found;
  }
  return 'unknown-format';
}

/** What reads a file of another program, or the text of one. */
async function collectionOf(text: string): Promise<Reader | 'unknown-format' | 'resource-limit'> {
  if (/^[{[]/.test(text)) {
    if (exceededJsonLimit(text) !== undefined) return 'resource-limit';
    const json = parseJson(text);
    return json === undefined ? 'unknown-format' : readerOfJson(json);
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
  const reader = await readerOfJson(readYaml(text, undefined, notes));
  return typeof reader === 'string' ? reader : { ...reader, notes };
}

/** A `.env`: names and values, and nothing else. */
async function envOf(text: string): Promise<Reader | undefined> {
  // A quoted value may have several lines, such as a key.
  const lines = text.replaceAll(/="[^"]*"|='[^']*'/g, '=').split('\n');
  if (text === '' || !lines.every((line) => isEnvLine.test(line))) return undefined;
  const { readEnv } = await import('./collections.ts');
  return { format: 'env', read: () => readEnv(text) };
}

async function readerOfJson(json: PlainJson): Promise<Reader | 'unknown-format'> {
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

/** Decodes UTF-8, and UTF-16 by its mark or by where its zeros are. */
function decode(bytes: Uint8Array): string {
  const [first, second, , fourth] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes).trim();
}

/**
 * Looks for the five calls in a text of any format. What is thrown is a bug, and no fact about the text.
 * @param onLoaded called once the libraries are loaded, before the text is read
 */
export async function findInText(
  bytes: Uint8Array,
  shipped: ShippedInterfaces,
  onLoaded: () => void = () => undefined,
): Promise<ImportResult> {
  try {
    const text = decode(bytes);
    const reader = await readerOf(text);
    if (reader === 'resource-limit') return { kind: reader };
    onLoaded();
    if (typeof reader === 'object') return foundBy(reader.format, reader.read(), reader.notes ?? [], shipped);
    const pasted = looksLikeRequests(text) ? new PastedReader().read(text) : undefined;
    if (pasted?.format !== undefined) return orRefused(pasted, foundBy(pasted.format, pasted, pasted.notes, shipped));
    const env = await envOf(text);
    if (env) return foundBy(env.format, env.read(), [], shipped);
    const name = detectUnsupportedFormat(text);
    if (name !== undefined) return { kind: 'unread-format', name };
    if (pasted === undefined) return { kind: 'unknown-format' };
    return orRefused(pasted, { kind: 'curl-refused', why: 'no-address' });
  } catch (error) {
    if (error instanceof UnknownFormat) return { kind: 'unknown-format' };
    // Deep texts fill the stack, and the YAML reader refuses many aliases.
    const isTooHard = error instanceof RangeError || (error instanceof ReferenceError && /alias/i.test(error.message));
    if (!isTooHard) throw error;
    return { kind: 'resource-limit' };
  }
}

function foundBy(
  format: InterfaceFormat,
  { requests, environments }: Imported,
  notes: readonly ImportNote[],
  shipped: ShippedInterfaces,
): ImportResult {
  const finding = inferInterface(format, { requests: requests.slice(0, mostRequests), environments }, shipped);
  const told = [...new Map(notes.map((each) => [JSON.stringify(each), each])).values()].slice(0, mostNotes);
  return finding.kind === 'found' || finding.kind === 'nothing-found' ? { ...finding, notes: told } : finding;
}

/** Where nothing was found, what could not be read is why. */
function orRefused({ refusal, notes }: Pasted, finding: ImportResult): ImportResult {
  if (finding.kind === 'found') return finding;
  const elsewhere = notes.map(({ kind }) => kind).find((kind) => kind === 'file' || kind === 'substitution');
  const why = refusal ?? elsewhere;
  return why === undefined ? finding : { kind: 'curl-refused', why };
}
