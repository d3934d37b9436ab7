import { CaseId } from '../../preload/contract/report-cases.ts';
import { resolve } from 'node:path';
import { measuringOf, measuringOptions, type Measuring } from './check-measuring.ts';
import { aFolder, anOrigin, flag, grouped, many, numberFrom, one, readUsage, usual, type Usage } from './options.ts';

export type MockRun = {
  measuring: Measuring;
  port: number;
  /** The folder of its accounts; they are in memory without one. */
  folder: string | undefined;
  /** Origins of web pages that may use the double. */
  allowOrigins: readonly string[];
  isCompareOnly: boolean;
};

const options = {
  ...grouped('The double:', {
    port: usual(numberFrom(0, 65_535), 0, 'the port of the double; 0 for any free one'),
    data: one(aFolder, 'the folder of its accounts; without it they are gone at its end'),
    allowOrigin: many(anOrigin, 'let web pages of this origin use the double, cookies and headers included'),
    compareOnly: flag('ends after the comparison, without serving the double'),
  }),
  ...measuringOptions,
};

const about =
  'Measures a server as check does, makes its double from what it learned, runs the contract over the double too, and says what differs between the two. Then it serves the double on 127.0.0.1 until it is told to end, and prints one line of JSON, {"baseUrl":"http://127.0.0.1:PORT"}. Use it on servers that are there for testing: the run creates accounts. What check --help says of accounts and cases holds here too.';

const examples = [
  ['localhost:8000', 'measures it, and serves its double'],
  ['localhost:8000 --mock-file shop.json', 'keeps what was learned for serve --mock'],
  ['https://staging.example.test --compare-only', 'says only what differs'],
] as const;

const after = `Exit codes: 0 nothing differs; 1 something differs, or a signal ended the run; 2 wrong usage; 3 the
server could not be measured, or the double could not start; 4 a model could not be written, or
Llavero itself failed.`;

/** Reads what follows the command's name, and the account in its environment variables. */
export const readArgs = (args: string[], env: NodeJS.ProcessEnv = {}): Usage<MockRun> =>
  readUsage(
    { name: 'mock', takes: 'URL', about, options, examples, after, cases: CaseId.options },
    args,
    (values, { argument: address }) => ({
      measuring: measuringOf(values, address, { bail: false, races: false }, env),
      port: values.port,
      folder: values.data === undefined ? undefined : resolve(values.data),
      allowOrigins: values.allowOrigin,
      isCompareOnly: values.compareOnly,
    }),
  );
