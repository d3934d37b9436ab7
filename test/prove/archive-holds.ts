import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransfer } from '../../main/calls/transfer.ts';
import { createSecretReferences } from '../../main/secrets/secret-references.ts';
import { fail } from '../../preload/contract/result.ts';
import { createCallsAlone } from './calls-alone.ts';
import { watchTurns } from './watch-turns.ts';

type Parts = { headers?: { name: string; value: string }[]; body?: string; url?: string; statusText?: string };

const entryOf = ({ headers = [], body = '', url = 'http://a.test/', statusText = 'OK' }: Parts) =>
  JSON.stringify({
    startedDateTime: '2026-11-21T10:00:00Z',
    request: { method: 'GET', url, headers },
    response: { status: 200, statusText, headers, content: { text: body } },
  });

const ordinary = entryOf({ headers: [{ name: 'Accept', value: 'application/json' }], body: '{"name":"Ana"}' });

/** The same entry over and over, as often as it has room. */
const many = (entry: string, length: number): string =>
  `{"log":{"entries":[${Array.from({ length: Math.max(1, Math.min(10_000, Math.floor(length / entry.length))) }, () => entry).join()}]}}`;

/** So many tokens that their call is too hard. */
const tokens = Array.from({ length: 12_000 }, (_, at) => `${100_000 + at}|markedXX${at}markedXX`).join(' ');

/** Archives of a length, each hard in its own way. */
export const archives: Readonly<Record<string, (length: number) => string>> = {
  'many calls': (length) => many(entryOf({ body: 'word '.repeat(length / 60_000) }), length),
  'calls with long answers': (length) => many(entryOf({ body: 'word '.repeat(250_000) }), length),
  'one answer that fills it': (length) => many(entryOf({ body: 'word '.repeat(length / 5) }), length),
  'one call with headers that fill it': (length) =>
    many(
      entryOf({ headers: Array.from({ length: length / 100_000 }, () => ({ name: 'X', value: 'x '.repeat(25_000) })) }),
      length,
    ),
  'addresses as long as may be': (length) =>
    many(entryOf({ url: `http://a.test/?a=${'%25'.repeat(33_000)}` }), length / 5),
  'a head that is too hard': () => many(entryOf({ headers: [{ name: 'X', value: tokens }] }), 1),
  'an address that is too hard': () => many(entryOf({ url: `http://a.test/?${'=eyJhbGciOi'.repeat(9_000)}` }), 1),
  'a status that fills it': (length) => many(entryOf({ statusText: 'a=b '.repeat(length / 4) }), length),
  'what is no call': (length) => `{"log":{"x":[${'[],'.repeat(length / 3)}1],"entries":[${ordinary}]}}`,
  'names without end': (length) =>
    `{"log":{"x":{${Array.from({ length: length / 12 }, (_, at) => `"${at}":0`).join()}},"entries":[${ordinary}]}}`,
};

/** Imports an archive as the application does, and says how long its thread was held. */
export async function holdOf(
  archive: string,
  folder: string,
): Promise<{ holdMs: number; imported: number | undefined; reason: string | undefined }> {
  const file = path.join(folder, 'import.har');
  await writeFile(file, archive);
  const references = createSecretReferences();
  references.watch('correct horse battery', 'password');
  const calls = createCallsAlone({
    file: path.join(folder, 'imported.sqlite'),
    references,
    limits: () => ({ count: 1000, bytes: 100_000_000 }),
  });
  const transfer = createTransfer({
    calls,
    limits: () => ({ count: 1000, bytes: 100_000_000 }),
    references,
    tokenOf: async () => undefined,
    confirmSecrets: async () => fail({ kind: 'cancelled' }),
    clipboard: { readText: () => '', writeText: () => undefined },
    chooseFile: async () => file,
    version: '0.1.0',
  });
  const turns = watchTurns();
  const result = await transfer.importHar();
  await calls.settled();
  const holdMs = await turns.end();
  calls.close();
  const { error } = result.ok ? { error: undefined } : result;
  return {
    holdMs,
    imported: result.ok ? result.value.imported : undefined,
    reason: error?.kind === 'import-refused' ? error.reason : error?.kind,
  };
}

/** Imports all archives of a length, each twice: code is compiled the first time, and the shorter hold counts. */
export async function longestArchiveHold(
  length: number,
  folder: string,
): Promise<{ archiveHoldMs: number; heldByArchive: string }> {
  let longest = { archiveHoldMs: 0, heldByArchive: '' };
  for (const [name, make] of Object.entries(archives)) {
    const archive = make(length);
    const holds: number[] = [];
    for (let time = 0; time < 2; time++) {
      const { holdMs, imported } = await holdOf(archive, await mkdtemp(path.join(folder, 'archive-')));
      if (imported === undefined) throw new Error(`${name} was not imported`);
      holds.push(holdMs);
    }
    const archiveHoldMs = Math.min(...holds);
    if (archiveHoldMs > longest.archiveHoldMs) longest = { archiveHoldMs, heldByArchive: name };
  }
  return longest;
}
