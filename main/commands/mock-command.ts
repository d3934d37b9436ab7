import { once } from 'node:events';
import path from 'node:path';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { renderMarkdownComparison } from '../check/reports/markdown-comparison.ts';
import type { TestAccount } from '../check/test-accounts.ts';
import { generateMock, formatModel, type CompletedRun } from '../check/mock-generator/generate-mock.ts';
import { verifyMock } from '../check/mock-generator/verify-mock.ts';
import { formatRemarks, formatGenerationProblem } from '../check/mock-generator/format-remarks.ts';
import type { MockDefinition } from '../service/mock/mock-definition.ts';
import { formatAllowedOrigins } from './format-allowed-origins.ts';
import { writeOutputFile, findMissingFolder } from './output-files.ts';
import { formatSuggestedInterfaces } from './summarize-check.ts';
import { performCheck, readAccount, resolveInterface, type CheckIo } from './perform-check.ts';
import { resolveServer } from './resolve-server.ts';
import { DATABASE_NAME } from './data-folder.ts';
import { parseMockArguments, type MockArguments } from './mock-arguments.ts';
import { exitOnCrash, formatInternalError, runCommand, runAsProcess } from './run-command.ts';
import { programName } from './program-name.ts';

type ExitCode = 0 | 1 | 2 | 3 | 4;

/**
 * Measures a server, and serves its double.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const mockCommand = (args: string[], io: CheckIo): Promise<ExitCode> =>
  runCommand(parseMockArguments(args, io.env), io, (run) => mock(run, io));

async function mock(wanted: MockArguments, io: CheckIo): Promise<ExitCode> {
  // It is looked at before anything is sent, since a run makes accounts.
  const problem = await findMissingFolder(wanted.runArguments);
  if (problem !== undefined) {
    io.err(`${problem}\n`);
    return 2;
  }
  try {
    const learned = await learnAndCompare(wanted, io);
    if ('code' in learned) return learned.code;
    const isServed = wanted.isCompareOnly || (await serveDouble(learned.model, wanted, io));
    return isServed ? (learned.differs ? 1 : 0) : 3;
  } catch (error) {
    io.err(formatInternalError(error));
    return 4;
  }
}

/**
 * Measures the server, and compares its double with it. What the run saw, secrets included, ends with this function:
 * only the model is kept while the double is served.
 */
async function learnAndCompare(
  { runArguments: typed }: MockArguments,
  io: CheckIo,
): Promise<{ model: MockDefinition; differs: boolean } | { code: ExitCode }> {
  const say = (sentence: string): void => io.err(`${sentence}\n`);
  const named = await resolveServer(typed, io);
  const reached = named.ok ? await resolveInterface(named.wanted) : named;
  if (!reached.ok) {
    say(reached.sentence);
    return { code: 2 };
  }
  const { wanted: measuring } = reached;
  const read = await readAccount(measuring, io);
  if (!read.ok) {
    say(read.sentence);
    return { code: read.code };
  }
  const measured = await performCheck(measuring, read.account, io);
  if (io.stop.aborted) return { code: 1 };
  const words = createReportFormatter(measuring.language);
  const program = programName('mock', io.env);
  for (const sentence of formatSuggestedInterfaces(measured.report, words, program)) say(sentence);
  const learned = await generateMock(measured);
  if (!learned.ok) {
    say(formatGenerationProblem(learned, measuring.language));
    return { code: 3 };
  }
  const { model } = learned;
  if (measuring.mockFile !== undefined) {
    const command = words.texts('command');
    const code = await writeOutputFile(measuring.mockFile, formatModel(model));
    say(command(code === undefined ? 'written' : 'notWritten', { file: measuring.mockFile, code: code ?? '' }));
    if (code !== undefined) return { code: 4 };
  }
  const differs = await compare(measured, model, read.account, io, measuring.language);
  if (io.stop.aborted) return { code: 1 };
  if (differs === undefined) return { code: 3 };
  for (const sentence of formatRemarks(model, measuring.language)) say(sentence);
  return { model, differs };
}

/** Runs the contract over the double, and prints what differs. It is undefined when the double did not start. */
async function compare(
  { report }: CompletedRun,
  model: MockDefinition,
  account: TestAccount | undefined,
  io: CheckIo,
  language: string,
): Promise<boolean | undefined> {
  const { startMockService } = await import('../service/mock/start-mock-service.ts');
  // Limits that were not measured would only make this wait.
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
    // A run that was cut short differs from a whole one everywhere.
    if (io.stop.aborted) return undefined;
    io.err(renderMarkdownComparison(comparison, language));
    return comparison.differences.length > 0;
  } finally {
    await started.service.close();
  }
}

/** Serves the double until it is told to end. */
async function serveDouble(
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

/** Runs this as the process; a signal ends it. */
export function runMock(args: string[], toolVersion: string): Promise<ExitCode> {
  exitOnCrash();
  return runAsProcess((io) => mockCommand(args, { ...io, toolVersion }), { soon: true });
}
