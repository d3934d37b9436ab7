import type { CompletedRun } from '../check/mock-generator/mock-inference.ts';
import { once } from 'node:events';
import path from 'node:path';
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
import type { MockArguments } from './mock-command.ts';
import type { ExitCode } from './run-arguments.ts';
import { formatInternalError } from './run-command.ts';
import { programName } from './option-parser.ts';

/** Checks a server, and serves its mock. */
export async function mock(args: MockArguments, io: CheckIo): Promise<ExitCode> {
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
  { port, folder, allowOrigins, anyCode, runArguments: { language } }: MockArguments,
  io: CheckIo,
): Promise<boolean> {
  const { startMockService } = await import('../service/mock/start-mock-service.ts');
  const file = folder === undefined ? ':memory:' : path.join(folder, DATABASE_NAME);
  const started = await startMockService(model, { isLimited: true, port, file, allowOrigins, anyCode });
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
