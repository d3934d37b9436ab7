import type { InterfaceFault } from '../../preload/contract/connection.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { readDescription, variableFaults, variableValues } from '../interface/read-description.ts';
import { defaultInterface, canonicalInterface } from '../interface/shipped.ts';
import { shippedNames } from '../interface/shipped-files.ts';
import { ApiAdapter } from '../interface/api-adapter.ts';
import type { InterfaceReference } from './interface-arguments.ts';
import { sanitizeForTerminal } from './option-parser.ts';
import { readInterfaceSource, type InterfaceReadResult } from './read-interface.ts';
import { uncertainParts, formatFoundPart, formatReadFailure } from './format-found-interface.ts';

/** @property guesses a line for each part of the description that is a guess: no account data may be sent by it */
type LoadedInterface =
  | { ok: true; adapter: ApiAdapter; secrets: readonly string[]; guesses: readonly string[] }
  | { ok: false; sentence: string };

/**
 * Loads a description, or returns all faults of it and of the values of its variables.
 * @param address the base URL as typed, with paths of the API type; undefined for a service, which needs no secret
 */
export async function loadInterface(
  reference: InterfaceReference | undefined,
  address: string | undefined,
  language: string,
): Promise<LoadedInterface> {
  if (!reference)
    return { ok: true, adapter: new ApiAdapter(defaultInterface, address ?? ''), secrets: [], guesses: [] };
  const { from, values: named, text } = reference;
  const formatter = createReportFormatter(language);
  const refuse = (faults: readonly InterfaceFault[]): LoadedInterface => ({
    ok: false,
    sentence: faults
      .map((fault) =>
        sanitizeForTerminal(formatter.t('command.interfaceFault', { from, fault: formatter.interfaceFault(fault) })),
      )
      .join('\n'),
  });
  const read = text === undefined ? await readInterfaceSource(from) : readText(text);
  if (!read.ok)
    return { ok: false, sentence: formatReadFailure(read.unread, from, shippedNames.join(', '), formatter) };
  const { description } = read;
  if (!description) {
    const lines = uncertainParts(read.found).map((part) => formatFoundPart(part, read.found, formatter));
    const lacks = formatter.t(read.found.missing.includes('login') ? 'describe.noLogin' : 'describe.noProfile');
    return { ok: false, sentence: [...lines, lacks].join('\n') };
  }
  const unknown = Object.keys(named).filter((name) => !Object.hasOwn(description.variables, name));
  if (unknown.length > 0)
    return refuse(unknown.map((name) => ({ problem: 'unknown-key', at: 'variables', name }) as const));
  const origin = URL.parse(address ?? 'http://localhost')?.origin ?? '';
  const values = variableValues(description, named, origin);
  const isFault = ({ problem, name = '' }: InterfaceFault): boolean =>
    address !== undefined || problem !== 'missing' || description.variables[name]?.secret !== true;
  const faults = variableFaults(description, values).filter(isFault);
  if (faults.length > 0) return refuse(faults);
  const isFinal = text !== undefined;
  const base = parseBaseUrl(address ?? '', isFinal ? [] : new ApiAdapter(description, '', named).paths.pasted());
  const secrets = Object.entries(values).flatMap(([name, value]) =>
    description.variables[name]?.secret ? [value] : [],
  );
  const adapter = new ApiAdapter(canonicalInterface(description), base.ok ? base.value : (address ?? ''), named);
  return {
    ok: true,
    adapter,
    secrets,
    guesses: guessesOf(read).map((part) => formatFoundPart(part, read.found!, formatter)),
  };
}

/** The guesses of a description that an import made. The address stands on the command line. */
const guessesOf = ({ found }: Extract<InterfaceReadResult, { ok: true; description: object }>) =>
  (found?.parts ?? []).filter(({ at, is }) => is === 'guess' && at !== 'address');

function readText(text: string): InterfaceReadResult {
  const read = readDescription(text);
  return read.ok ? read : { ok: false, unread: { why: 'faults', faults: read.faults } };
}
