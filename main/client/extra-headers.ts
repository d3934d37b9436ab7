import type { HeaderProblem } from '../../preload/contract/connection.ts';
import { headerNameProblem, longestHeaderName } from '../interface/header-name.ts';
import type { TransportCall, HeaderList } from './call.ts';

/** In characters. With more of it, most servers refuse a request by its size. */
const longestValue = 8_000;

/** As many as anybody needs; each has to be asked for in the vault. */
export const mostHeaders = 20;

/** What every server reads alike: a value of other characters is taken for Latin-1 by one, and refused by another. */
const printable = /^[\x20-\x7E]+$/;

/** A header as it was entered. `isKept` says that an empty value stands for one that is there already. */
type EnteredHeader = { name: string; value: string; isKept: boolean };

type Wrong = { row: number; problem: HeaderProblem; name: string };

/** HTTP does not tell names by their case. */
export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Headers without the blanks around them, which HTTP drops. */
export const trimmedHeader = <H extends { name: string; value: string }>(header: H): H => ({
  ...header,
  name: withoutBlanks(header.name),
  value: withoutBlanks(header.value),
});

const withoutBlanks = (text: string): string => text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');

function valueProblem({ value, isKept }: EnteredHeader): HeaderProblem | undefined {
  if (value === '') return isKept ? undefined : 'value-missing';
  if (value.length > longestValue) return 'value-long';
  return printable.test(value) ? undefined : 'value-characters';
}

/** Returns the first thing that is wrong with extra headers, and with which of them. No value is in it. */
export function headersProblem(headers: readonly EnteredHeader[]): Wrong | undefined {
  if (headers.length > mostHeaders) return { row: mostHeaders, problem: 'too-many', name: '' };
  for (const [row, header] of headers.entries()) {
    const { name } = header;
    const isTwice = headers.slice(0, row).some((other) => sameName(other.name, name));
    const problem = headerNameProblem(name) ?? (isTwice ? 'name-twice' : valueProblem(header));
    if (problem) return { row, problem, name: name.slice(0, longestHeaderName) };
  }
  return undefined;
}

/**
 * Says whether an address is below a base URL. Dots in a path lead elsewhere at the same host, so it is asked of the
 * address as it is sent.
 */
export const isBelow = (url: string, baseUrl: string): boolean =>
  baseUrl !== '' && URL.canParse(url) && new URL(url).href.startsWith(`${baseUrl}/`);

/** Of the headers to add, those that a request does not have itself. */
export const headersToAdd = (headers: HeaderList, own: HeaderList): HeaderList =>
  headers.filter(([name]) => !own.some(([given]) => sameName(given, name)));

/**
 * The secret values that were added to a call. A value that is a part of the address is not secret.
 */
export function addedValues({ request: { added = [], headers, url } }: Pick<TransportCall, 'request'>): string[] {
  return headers
    .filter(([name]) => added.includes(name))
    .map(([, value]) => value)
    .filter((value) => isSecretAt(value, url));
}

/** Whether a value can be a secret where an address is no secret. */
export const isSecretAt = (value: string, url: string): boolean => !url.includes(value);
