import { addAbortSignal } from 'node:stream';
import { mostImportBytes, type FoundInterface, type InterfaceDescription } from '../../preload/contract/interface.ts';
import { createReportFormatter, type ReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { shippedNames } from '../interface/shipped-files.ts';
import type { DescribeArguments } from './describe-command.ts';
import type { CommandIo } from './run-command.ts';
import { readInterfaceSource, readInterfaceText, type InterfaceReadResult } from './read-interface.ts';
import { formatNotes, formatFoundPart, formatReadFailure } from './format-found-interface.ts';

/** Prints the description that a file or standard input gives, and on standard error how certain each part is. */
export async function describe({ from, language }: DescribeArguments, io: CommandIo): Promise<0 | 1 | 2> {
  const formatter = createReportFormatter(language);
  const name = from === '-' ? 'standard input' : from;
  const read = from === '-' ? await readInput(io) : await readInterfaceSource(from);
  if (!read) return 1;
  if (!read.ok) {
    io.err(`${formatReadFailure(read.unread, name, shippedNames.join(', '), formatter)}\n`);
    return read.unread.why === 'file' ? 2 : 1;
  }
  const { description, found } = read;
  for (const line of found ? formatFound(found, name, description, formatter) : []) io.err(`${line}\n`);
  io.out(`${JSON.stringify(description ?? found?.draft, undefined, 2)}\n`);
  return description ? 0 : 1;
}

function formatFound(
  found: FoundInterface,
  from: string,
  description: InterfaceDescription | undefined,
  formatter: ReportFormatter,
) {
  const { t } = formatter;
  const names = new Intl.ListFormat(formatter.language, { type: 'unit' });
  return [
    t('describe.from', { from, format: found.format }),
    ...formatNotes(found.notes, formatter),
    ...found.parts.map((part) => formatFoundPart(part, found, formatter)),
    ...(found.shipped.length > 0 ? [t('describe.shipped', { name: description?.name ?? '' })] : []),
    ...(found.possible.length > 0 ? [t('describe.possible', { names: names.format(found.possible) })] : []),
    ...(found.dropped.length > 0 ? [t('describe.dropped', { names: names.format(found.dropped) })] : []),
    ...found.missing.map((call) => t(call === 'login' ? 'describe.noLogin' : 'describe.noProfile')),
  ];
}

/** Reads standard input to its end, or to one byte more than an import takes. */
async function readInput({ input, stop }: CommandIo): Promise<InterfaceReadResult | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of addAbortSignal(stop, input()) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostImportBytes) break;
    }
  } catch (error) {
    // After a signal, the text is incomplete.
    if (stop.aborted) return undefined;
    throw error;
  }
  return readInterfaceText(Buffer.concat(chunks));
}
