import path from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { caseIds } from '../../preload/contract/case-ids.ts';
import { anyCodeOption } from './any-code-option.ts';
import type { CheckIo } from './perform-check.ts';
import { exitOnCrash, runCommand, runAsProcess } from './run-command.ts';
import {
  folderPath,
  formatExitCodes,
  grouped,
  numberFrom,
  parseUsage,
  repeatableOption,
  valueOption,
  webOrigin,
  type ParsedUsage,
} from './option-parser.ts';
import { type ExitCode, parseRunArguments, runOptions, type RunArguments } from './run-arguments.ts';

export type MockArguments = {
  runArguments: RunArguments;
  port: number;
  /** The folder of the mock's accounts; without one they are in memory. */
  folder: string | undefined;
  allowOrigins: readonly string[];
  anyCode: boolean;
  isCompareOnly: boolean;
};

const options = [
  ...grouped('Mock server:', [
    valueOption('--port <n>', 'port of the mock; 0 for any free one', numberFrom(0, 65_535)).default(0),
    valueOption('--data <folder>', 'folder for its accounts; without it they are kept in memory', folderPath),
    repeatableOption(
      '--allow-origin <url>',
      'lets web pages of this origin use the mock, including cookies and headers',
      webOrigin,
    ),
    anyCodeOption,
    new Option('--compare-only', 'stops after the comparison, without serving the mock'),
  ]),
  ...runOptions,
] as const;

const about =
  'Checks a server, creates a mock of it, checks the mock too and prints how the two differ. Then it serves the mock on 127.0.0.1 until it is stopped, and prints one line of JSON, {"baseUrl":"http://127.0.0.1:PORT"}. Use it on test servers only: it creates accounts, as check --help explains.';

const examples = [
  ['localhost:8000', 'creates a mock and serves it'],
  ['localhost:8000 --mock-file shop.json', 'also writes it to a file for serve --mock'],
  ['https://staging.example.test --compare-only', 'prints only the differences'],
] as const;

const after = formatExitCodes([
  [0, 'The mock does not differ from the server.'],
  [1, 'The mock differs, or a signal ended the command.'],
  [2, 'Invalid usage. Nothing was sent.'],
  [3, 'The server could not be checked, or the mock could not start.'],
  [4, 'The mock file could not be written, or Llavero itself failed.'],
]);

/** Parses what follows the command's name, and the account in its environment variables. */
export const parseMockArguments = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<ParsedUsage<MockArguments>> =>
  parseUsage(
    { name: 'mock', takes: 'URL', about, options, examples, after, cases: caseIds },
    args,
    env,
    async (values, { argument: address }) => ({
      runArguments: await parseRunArguments(values, address, {}, env),
      port: values.port,
      folder: values.data === undefined ? undefined : path.resolve(values.data),
      allowOrigins: values.allowOrigin ?? [],
      anyCode: values.anyCode === true,
      isCompareOnly: values.compareOnly === true,
    }),
  );

/**
 * Checks a server, and serves its mock.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const mockCommand = (args: string[], io: CheckIo): Promise<ExitCode> =>
  runCommand(parseMockArguments(args, io.env), io, async (run) => (await import('./run-mock.ts')).mock(run, io));

/** Runs the command as this process; a signal ends it. */
export function runMock(args: string[], toolVersion: string): Promise<ExitCode> {
  exitOnCrash();
  return runAsProcess((io) => mockCommand(args, { ...io, toolVersion }), { endsSoon: true });
}
