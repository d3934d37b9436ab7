import { addAbortSignal } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import { Language } from '../../preload/contract/settings.ts';
import { mostImportBytes, type FoundInterface, type InterfaceDescription } from '../../preload/contract/interface.ts';
import { createReportFormatter, type ReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { shippedNames } from '../interface/shipped-files.ts';
import { formatExitCodes, parseUsage, UsageError, type ParsedUsage } from './option-parser.ts';
import { exitOnCrash, runCommand, runAsProcess, type CommandIo } from './run-command.ts';
import { readInterfaceSource, readInterfaceText, type InterfaceReadResult } from './read-interface.ts';
import { formatNotes, formatFoundPart, formatReadFailure } from './format-found-interface.ts';

type DescribeArguments = { /** A path, or `-` for standard input. */ from: string; language: Language };

const options = [new Option('--lang <code>', 'language of messages').choices(Language.options).default('en')] as const;

const about =
  'Creates an API description from an OpenAPI document, a Postman, Insomnia or Bruno collection (or its folder), a HAR file, a .env file, or commands such as curl. It prints the description, and on standard error how certain each part is. It runs nothing in the file, sends no requests and prints no secrets. FILE is a path, or - for standard input.';

const examples = [
  ['openapi.yaml', 'prints the description, to be saved for --interface of check, mock and serve'],
  ['-', 'reads pasted text up to the end of the input'],
  ['bruno/', 'reads the folder of a collection'],
] as const;

const after = formatExitCodes([
  [0, 'The description can be used.'],
  [1, 'The login or the profile is missing, or nothing was found.'],
  [2, 'Invalid usage, or the file cannot be read.'],
  [4, 'Llavero itself failed.'],
]);

/** Parses what follows the command's name. */
export const parseDescribeArguments = (args: string[], env: NodeJS.ProcessEnv = {}): ParsedUsage<DescribeArguments> =>
  parseUsage(
    { name: 'describe', takes: 'FILE', about, options, examples, after },
    args,
    env,
    ({ lang }, { argument }) => {
      if (argument === undefined || argument === '')
        throw new UsageError('The file is missing: give its path, or - for standard input.');
      return { from: argument, language: lang };
    },
  );

/**
 * Prints the description that a file or standard input gives, and on standard error how certain each part is.
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const describeCommand = (args: string[], io: CommandIo): Promise<0 | 1 | 2> =>
  runCommand(parseDescribeArguments(args, io.env), io, (run) => describe(run, io));

async function describe({ from, language }: DescribeArguments, io: CommandIo): Promise<0 | 1 | 2> {
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

/** Runs the command as this process. */
export function runDescribe(args: string[]): Promise<0 | 1 | 2> {
  exitOnCrash();
  return runAsProcess((io) => describeCommand(args, io), { endsSoon: true, endsWithReaders: true });
}
