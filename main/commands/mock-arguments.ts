import { CaseId } from '../../preload/contract/report-cases.ts';
import { resolve } from 'node:path';
import { parseRunArguments, runArgumentOptions, type RunArguments } from './run-arguments.ts';
import {
  folderPathKind,
  webOriginKind,
  flag,
  grouped,
  repeatableOption,
  numberFrom,
  singleOption,
  parseUsage,
  formatExitCodes,
  defaultedOption,
  type ParsedUsage,
} from './option-parser.ts';

export type MockArguments = {
  runArguments: RunArguments;
  port: number;
  /** The folder of its accounts; they are in memory without one. */
  folder: string | undefined;
  /** Origins of web pages that may use the mock. */
  allowOrigins: readonly string[];
  isCompareOnly: boolean;
};

const options = {
  ...grouped('Mock server:', {
    port: defaultedOption(numberFrom(0, 65_535), 0, 'port of the mock; 0 for any free one'),
    data: singleOption(folderPathKind, 'folder for its accounts; without it they are kept in memory'),
    allowOrigin: repeatableOption(
      webOriginKind,
      'lets web pages of this origin use the mock, including cookies and headers',
    ),
    compareOnly: flag('stops after the comparison, without serving the mock'),
  }),
  ...runArgumentOptions,
};

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

/** Reads what follows the command's name, and the account in its environment variables. */
export const parseMockArguments = (args: string[], env: NodeJS.ProcessEnv = {}): ParsedUsage<MockArguments> =>
  parseUsage(
    { name: 'mock', takes: 'URL', about, options, examples, after, cases: CaseId.options },
    args,
    env,
    (values, { argument: address }) => ({
      runArguments: parseRunArguments(values, address, { bail: false, races: false }, env),
      port: values.port,
      folder: values.data === undefined ? undefined : resolve(values.data),
      allowOrigins: values.allowOrigin,
      isCompareOnly: values.compareOnly,
    }),
  );
