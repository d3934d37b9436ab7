import { addAbortSignal } from 'node:stream';
import { mostImportBytes, type FoundInterface, type InterfaceDescription } from '../../preload/contract/interface.ts';
import { createReportFormatter, type ReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { shippedNames } from '../interface/shipped.ts';
import { parseDescribeArguments, type DescribeArguments } from './describe-arguments.ts';
import { exitOnCrash, runCommand, runAsProcess, type CommandIo } from './run-command.ts';
import { readInterfaceSource, readInterfaceText, type InterfaceReadResult } from './read-interface.ts';
import { formatNotes, formatFoundPart, formatReadFailure } from './format-found-interface.ts';

/**
 * Prints the description of what a file or standard input says, and on standard error how certain each part is.
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const describeCommand = (args: string[], io: CommandIo): Promise<0 | 1 | 2> =>
  runCommand(parseDescribeArguments(args, io.env), io, (run) => describe(run, io));

async function describe({ from, language }: DescribeArguments, io: CommandIo): Promise<0 | 1 | 2> {
  const say = createReportFormatter(language);
  const name = from === '-' ? 'standard input' : from;
  const read = from === '-' ? await readInput(io) : await readInterfaceSource(from);
  if (!read) return 1;
  if (!read.ok) {
    io.err(`${formatReadFailure(read.unread, name, shippedNames.join(', '), say)}\n`);
    return read.unread.why === 'file' ? 2 : 1;
  }
  const { description, found } = read;
  for (const line of found ? sayFound(found, name, description, say) : []) io.err(`${line}\n`);
  io.out(`${JSON.stringify(description ?? found?.draft, undefined, 2)}\n`);
  return description ? 0 : 1;
}

/** Says what was found, part for part, in lines. */
function sayFound(
  found: FoundInterface,
  from: string,
  description: InterfaceDescription | undefined,
  say: ReportFormatter,
) {
  const { t } = say;
  const names = new Intl.ListFormat(say.language, { type: 'unit' });
  return [
    t('describe.from', { from, format: found.format }),
    ...formatNotes(found.notes, say),
    ...found.parts.map((part) => formatFoundPart(part, found, say)),
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
    // What came until a signal is a part of a text, of which nothing is said.
    if (stop.aborted) return undefined;
    throw error;
  }
  return readInterfaceText(Buffer.concat(chunks));
}

/** Describes as this process. */
export function runDescribe(args: string[]): Promise<0 | 1 | 2> {
  exitOnCrash();
  return runAsProcess((io) => describeCommand(args, io), { soon: true, withoutReaders: true });
}
