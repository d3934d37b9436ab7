import type { InterfaceFormat } from '../../../preload/contract/interface.ts';
import { jsonAboveLimits } from '../../files/json-limits.ts';
import { parseJson, type PlainJson } from '../../interface/template.ts';
import { readBy } from './not-that-format.ts';
import { readCurl } from './read-curl.ts';
import { readHar } from './read-har.ts';
import { readInsomnia } from './read-insomnia.ts';
import { readOpenCollection } from './read-open-collection.ts';
import { readPostman } from './read-postman.ts';
import { at, listAt, textAt, type SeenRequest } from './seen-request.ts';

/** What a text is, and the requests in it; no format if nobody knows it, and `too-hard` if it is above the limits. */
export type ReadText = { format: InterfaceFormat; requests: readonly SeenRequest[] } | 'unknown-format' | 'too-hard';

/** More requests than a person's own interface has say nothing more. */
const mostRequests = 2000;

const isCurl = /^(?:Invoke-|iwr\b|irm\b)|(?:^|[\n;&|"'\s])(?:[^\s"';&|]{0,100}\/)?curl(?:\.exe)?\s/i;
/** A block of Bruno begins with its name: `meta {`, `vars:secret [`, `script:pre-request {`. */
const isBruno = /^[a-z]+(?::[\w-]+)* *[{[][^\S\n]*(?:\n|[}\]])/;
const isYaml = /^["']?(?:openapi|swagger|opencollection|type|info|_type|http)["']?\s*:/m;
const isEnvLine = /^\s*(?:#.*|(?:export\s+)?[A-Za-z_][\w.-]*\s*=.*)?$/;

/**
 * Reads a text by what it is, whatever the name of its file.
 * @param onLoaded called once what reads it is loaded, and before it is read
 */
export async function readText(bytes: Uint8Array, onLoaded: () => void): Promise<ReadText> {
  const text = decode(bytes).trim();
  if (/^[{[]/.test(text)) {
    if (jsonAboveLimits(text) !== undefined) return 'too-hard';
    const json = parseJson(text);
    return json === undefined ? 'unknown-format' : readJson(json, onLoaded);
  }
  if (isBruno.test(text)) {
    const { readBruno } = await import('./read-bruno.ts');
    onLoaded();
    return of('bruno', readBruno(text));
  }
  if (isYaml.test(text)) {
    const { parse } = await import('yaml');
    onLoaded();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The core schema makes nothing but JSON.
    const json = readBy(() =>
      parse(text, { schema: 'core', resolveKnownTags: false, maxAliasCount: 100, logLevel: 'silent' }),
    ) as PlainJson;
    return readJson(json, onLoaded);
  }
  if (isCurl.test(text.slice(0, 20_000))) {
    onLoaded();
    return of('curl', readCurl(text));
  }
  // A value in quotes may have several lines, such as a key.
  const lines = text.replaceAll(/="[^"]*"|='[^']*'/g, '=').split('\n');
  if (text === '' || !lines.every((line) => isEnvLine.test(line))) return 'unknown-format';
  const { readEnv } = await import('./read-env.ts');
  onLoaded();
  return of('env', readEnv(text));
}

async function readJson(json: PlainJson, onLoaded: () => void): Promise<ReadText> {
  if (at(json, 'openapi') !== undefined || at(json, 'swagger') !== undefined) {
    const { readOpenApi } = await import('./read-openapi.ts');
    onLoaded();
    return of('openapi', readOpenApi(json));
  }
  const isExport = listAt(json, 'items').length > 0 && at(json, 'opencollection') === undefined;
  const bruno = isExport ? await import('./read-bruno.ts') : undefined;
  onLoaded();
  if (bruno) return of('bruno', bruno.readBrunoExport(json));
  if (at(json, 'log', 'entries') !== undefined) return of('har', readHar(json));
  if (at(json, 'opencollection') !== undefined || at(json, 'http') !== undefined) {
    return of('opencollection', readOpenCollection(json));
  }
  if (textAt(json, '_type') === 'export' || textAt(json, 'type')?.startsWith('collection.insomnia.rest/')) {
    return of('insomnia', readInsomnia(json));
  }
  const isPostman = at(json, 'item') !== undefined || at(json, 'collection', 'item') !== undefined;
  return isPostman ? of('postman', readPostman(json)) : 'unknown-format';
}

const of = (format: InterfaceFormat, requests: readonly SeenRequest[]): ReadText => ({
  format,
  requests: requests.slice(0, mostRequests),
});

/** Decodes a text by its mark, or by where its zeros are: Windows writes UTF-16 too. */
function decode(bytes: Uint8Array): string {
  const [first, second, , fourth] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}
