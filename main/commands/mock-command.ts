import type { CompletedRun } from '../check/mock-generator/mock-inference.ts';
import { once } from 'node:events';
import path from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { CaseId } from '../../preload/contract/report-cases.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import type { TestAccount } from '../check/test-accounts.ts';
import { generateMock, formatMockFile } from '../check/mock-generator/generate-mock.ts';
import { verifyMock } from '../check/mock-generator/verify-mock.ts';
import { formatRemarks, formatGenerationProblem } from '../check/mock-generator/format-remarks.ts';
import type { MockDefinition } from '../service/mock/mock-definition.ts';
import { formatAllowedOrigins } from './format-allowed-origins.ts';
import { findMissingFolder, writeOutputFile } from './check-files.ts';
import { formatSuggestedInterfaces } from './summarize-check.ts';
import { performCheck, readAccount, resolveArguments, type CheckIo } from './perform-check.ts';
import { DATABASE_NAME } from './data-folder.ts';
import { exitOnCrash, formatInternalError, runCommand, runAsProcess } from './run-command.ts';
import {
  folderPath,
  formatExitCodes,
  grouped,
  numberFrom,
  parseUsage,
  programName,
  repeatableOption,
  valueOption,
  webOrigin,
  type ParsedUsage,
} from './option-parser.ts';
import { parseRunArguments, runOptions, type RunArguments } from './run-arguments.ts';

type MockArguments = {
  runArguments: RunArguments;
  port: number;
  /** The folder of the mock's accounts; without one they are in memory. */
  folder: string | undefined;
  allowOrigins: readonly string[];
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
export const parseMockArguments = (args: string[], env: NodeJS.ProcessEnv = {}): ParsedUsage<MockArguments> =>
  parseUsage(
    { name: 'mock', takes: 'URL', about, options, examples, after, cases: CaseId.options },
    args,
    env,
    (values, { argument: address }) => ({
      runArguments: parseRunArguments(values, address, {}, env),
      port: values.port,
      folder: values.data === undefined ? undefined : path.resolve(values.data),
      allowOrigins: values.allowOrigin ?? [],
      isCompareOnly: values.compareOnly === true,
    }),
  );

type ExitCode = 0 | 1 | 2 | 3 | 4;

/**
 * Checks a server, and serves its mock.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const mockCommand = (args: string[], io: CheckIo): Promise<ExitCode> =>
  runCommand(parseMockArguments(args, io.env), io, (run) => mock(run, io));

async function mock(args: MockArguments, io: CheckIo): Promise<ExitCode> {
  // Before anything is sent, since a run creates accounts.
  const problem = await findMissingFolder(args.runArguments);
  if (problem !== undefined) {
    io.err(`${problem}\n`);
    return 2;
  }
  try {
    const created = await createAndCompare(args, io);
    if ('code' in created) return created.code;
    const isServed = args.isCompareOnly || (await serveMock(created.model, args, io));
    return isServed ? (created.differs ? 1 : 0) : 3;
  } catch (error) {
    io.err(formatInternalError(error));
    return 4;
  }
}

/**
 * Checks the server, and compares a mock of it with it. What the run recorded, secrets included, is released at the end:
 * while the mock is served, only its model is in memory.
 */
async function createAndCompare(
  { runArguments }: MockArguments,
  io: CheckIo,
): Promise<{ model: MockDefinition; differs: boolean } | { code: ExitCode }> {
  const say = (sentence: string): void => io.err(`${sentence}\n`);
  const resolved = await resolveArguments(runArguments, io);
  if (!resolved.ok) {
    say(resolved.sentence);
    return { code: 2 };
  }
  const { args } = resolved;
  const read = await readAccount(args, io);
  if (!read.ok) {
    say(read.sentence);
    return { code: read.code };
  }
  const completed = await performCheck(args, read.account, io);
  if (io.stop.aborted) return { code: 1 };
  const formatter = createReportFormatter(args.language);
  const program = programName('mock', io.env);
  for (const sentence of formatSuggestedInterfaces(completed.report, formatter, program)) say(sentence);
  const generated = await generateMock(completed);
  if (!generated.ok) {
    say(formatGenerationProblem(generated, args.language));
    return { code: 3 };
  }
  const { model } = generated;
  if (args.mockFile !== undefined) {
    const command = formatter.texts('command');
    const code = await writeOutputFile(args.mockFile, formatMockFile(model));
    say(command(code === undefined ? 'written' : 'notWritten', { file: args.mockFile, code: code ?? '' }));
    if (code !== undefined) return { code: 4 };
  }
  const differs = await compare(completed, model, read.account, io, args.language);
  if (io.stop.aborted) return { code: 1 };
  if (differs === undefined) return { code: 3 };
  for (const sentence of formatRemarks(model, args.language)) say(sentence);
  return { model, differs };
}

/** Checks the mock, and prints how it differs. Undefined if it did not start or was stopped. */
async function compare(
  { report }: CompletedRun,
  model: MockDefinition,
  account: TestAccount | undefined,
  io: CheckIo,
  language: string,
): Promise<boolean | undefined> {
  const { startMockService } = await import('../service/mock/start-mock-service.ts');
  // Default limits would only make the check wait.
  const started = await startMockService(model, { isLimited: model.rules.failedLogins.calls.length > 0, port: 0 });
  if (!started.ok) {
    io.err(`${started.message}\n`);
    return undefined;
  }
  try {
    if (account) await started.service.addAccount(account);
    const { comparison } = await verifyMock(report, started.service.baseUrl, {
      signal: io.stop,
      account,
      interface: model.interface,
    });
    // An incomplete run differs from a complete one everywhere.
    if (io.stop.aborted) return undefined;
    const { renderMarkdownComparison } = await import('../check/reports/markdown-comparison.ts');
    io.err(renderMarkdownComparison(comparison, language));
    return comparison.differences.length > 0;
  } finally {
    await started.service.close();
  }
}

async function serveMock(
  model: MockDefinition,
  { port, folder, allowOrigins, runArguments: { language } }: MockArguments,
  io: CheckIo,
): Promise<boolean> {
  const { startMockService } = await import('../service/mock/start-mock-service.ts');
  const file = folder === undefined ? ':memory:' : path.join(folder, DATABASE_NAME);
  const started = await startMockService(model, { isLimited: true, port, file, allowOrigins });
  if (!started.ok) {
    io.err(`${started.message}\n`);
    return false;
  }
  const { baseUrl } = started.service;
  for (const sentence of formatAllowedOrigins({ allowOrigins, baseUrl, model }, language)) io.err(`${sentence}\n`);
  io.out(`${JSON.stringify({ baseUrl })}\n`);
  if (!io.stop.aborted) await once(io.stop, 'abort');
  await started.service.close();
  return true;
}

/** Runs the command as this process; a signal ends it. */
export function runMock(args: string[], toolVersion: string): Promise<ExitCode> {
  exitOnCrash();
  return runAsProcess((io) => mockCommand(args, { ...io, toolVersion }), { endsSoon: true });
}
