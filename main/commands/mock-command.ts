import { once } from 'node:events';
import path from 'node:path';
import { reportWords } from '../../preload/contract/words/say-report.ts';
import { markdownComparison } from '../contract/reports/comparison.ts';
import type { Account } from '../contract/identities.ts';
import { learnModel, writeModel, type MeasuredRun } from '../contract/learn/learn.ts';
import { proveDouble } from '../contract/learn/prove-double.ts';
import { remarksOf, sayNotLearned } from '../contract/learn/say-remarks.ts';
import type { MockDefinition } from '../service/double/model.ts';
import { sayAllowedOrigins } from './allowed-origins.ts';
import { failureOfWriting, folderProblem } from './check-files.ts';
import { otherInterfaceSentences } from './check-outcome.ts';
import { measure, readAccount, withInterface, type CheckIo } from './check-measure.ts';
import { withServer } from './check-named-server.ts';
import { DATABASE_NAME } from './data-folder.ts';
import { readArgs, type MockRun } from './mock-options.ts';
import { endCrashesAsOurs, faultOfOurs, obey, runAsProcess } from './process.ts';
import { programOf } from './program-name.ts';

type ExitCode = 0 | 1 | 2 | 3 | 4;

/**
 * Measures a server, and serves its double.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const mockCommand = (args: string[], io: CheckIo): Promise<ExitCode> =>
  obey(readArgs(args, io.env), io, (run) => mock(run, io));

async function mock(wanted: MockRun, io: CheckIo): Promise<ExitCode> {
  // It is looked at before anything is sent, since a run makes accounts.
  const problem = await folderProblem(wanted.measuring);
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
    io.err(faultOfOurs(error));
    return 4;
  }
}

/**
 * Measures the server, and compares its double with it. What the run saw, secrets included, ends with this function:
 * only the model is kept while the double is served.
 */
async function learnAndCompare(
  { measuring: typed }: MockRun,
  io: CheckIo,
): Promise<{ model: MockDefinition; differs: boolean } | { code: ExitCode }> {
  const say = (sentence: string): void => io.err(`${sentence}\n`);
  const named = await withServer(typed, io);
  const reached = named.ok ? await withInterface(named.wanted) : named;
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
  const measured = await measure(measuring, read.account, io);
  if (io.stop.aborted) return { code: 1 };
  const words = reportWords(measuring.language);
  const program = programOf('mock', io.env);
  for (const sentence of otherInterfaceSentences(measured.report, words, program)) say(sentence);
  const learned = await learnModel(measured);
  if (!learned.ok) {
    say(sayNotLearned(learned, measuring.language));
    return { code: 3 };
  }
  const { model } = learned;
  if (measuring.model !== undefined) {
    const command = words.texts('command');
    const code = await failureOfWriting(measuring.model, writeModel(model));
    say(command(code === undefined ? 'written' : 'notWritten', { file: measuring.model, code: code ?? '' }));
    if (code !== undefined) return { code: 4 };
  }
  const differs = await compare(measured, model, read.account, io, measuring.language);
  if (io.stop.aborted) return { code: 1 };
  if (differs === undefined) return { code: 3 };
  for (const sentence of remarksOf(model, measuring.language)) say(sentence);
  return { model, differs };
}

/** Runs the contract over the double, and prints what differs. It is undefined when the double did not start. */
async function compare(
  { report }: MeasuredRun,
  model: MockDefinition,
  account: Account | undefined,
  io: CheckIo,
  language: string,
): Promise<boolean | undefined> {
  const { startMockService } = await import('../service/double/start-double.ts');
  // Limits that were not measured would only make this wait.
  const started = await startMockService(model, { isLimited: model.rules.failedLogins.calls.length > 0, port: 0 });
  if (!started.ok) {
    io.err(`${started.message}\n`);
    return undefined;
  }
  try {
    if (account) await started.service.addAccount(account);
    const { comparison } = await proveDouble(report, started.service.baseUrl, {
      signal: io.stop,
      account,
      interface: model.interface,
    });
    // A run that was cut short differs from a whole one everywhere.
    if (io.stop.aborted) return undefined;
    io.err(markdownComparison(comparison, language));
    return comparison.differences.length > 0;
  } finally {
    await started.service.close();
  }
}

/** Serves the double until it is told to end. */
async function serveDouble(
  model: MockDefinition,
  { port, folder, allowOrigins, measuring: { language } }: MockRun,
  io: CheckIo,
): Promise<boolean> {
  const { startMockService } = await import('../service/double/start-double.ts');
  const file = folder === undefined ? ':memory:' : path.join(folder, DATABASE_NAME);
  const started = await startMockService(model, { isLimited: true, port, file, allowOrigins });
  if (!started.ok) {
    io.err(`${started.message}\n`);
    return false;
  }
  const { baseUrl } = started.service;
  for (const sentence of sayAllowedOrigins({ allowOrigins, baseUrl, model }, language)) io.err(`${sentence}\n`);
  io.out(`${JSON.stringify({ baseUrl })}\n`);
  if (!io.stop.aborted) await once(io.stop, 'abort');
  await started.service.close();
  return true;
}

/** Runs this as the process; a signal ends it. */
export function runMock(args: string[], toolVersion: string): Promise<ExitCode> {
  endCrashesAsOurs();
  return runAsProcess((io) => mockCommand(args, { ...io, toolVersion }), { soon: true });
}
