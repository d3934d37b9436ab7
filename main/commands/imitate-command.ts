import { once } from 'node:events';
import path from 'node:path';
import { fill, reportWords } from '../../preload/contract/words/say-report.ts';
import { markdownComparison } from '../contract-run/reports/comparison.ts';
import type { Account } from '../contract-run/identities.ts';
import { learnModel, writeModel, type MeasuredRun } from '../double/learn.ts';
import { proveDouble } from '../double/prove-double.ts';
import { codeOf } from '../error-code.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { ServerModel } from '../service/double/model.ts';
import { measure, readAccount, type CheckIo } from './check-measure.ts';
import { HELP, readArgs, type ImitateRun } from './imitate-options.ts';
import { obey, runAsProcess } from './process.ts';

type ExitCode = 0 | 1 | 2 | 3 | 4;

/** The database's name inside a data folder. */
const DATABASE_NAME = 'service.sqlite';
/** Anybody may read a model: it holds no secret. */
const modelMode = 0o644;

/**
 * Measures a server, and serves its double.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const imitateCommand = (args: string[], io: CheckIo): Promise<ExitCode> =>
  obey(readArgs(args, io.env), HELP, io, (run) => imitate(run, io));

async function imitate(wanted: ImitateRun, io: CheckIo): Promise<ExitCode> {
  const say = (sentence: string): void => io.err(`${sentence}\n`);
  const { check } = wanted;
  try {
    const read = await readAccount(check, io);
    if (!read.ok) {
      say(read.sentence);
      return read.code;
    }
    const measured = await measure(check, read.account, io);
    if (io.stop.aborted) return 1;
    const learned = await learnModel(measured);
    if (!learned.ok) {
      say(learned.sentence);
      return 3;
    }
    const { model } = learned;
    if (check.model !== undefined && !(await isWritten(check.model, model, check.language, say))) return 4;
    const differs = await compare(measured, model, read.account, io, check.language);
    if (io.stop.aborted) return 1;
    if (differs === undefined) return 3;
    for (const sentence of [...model.remarks, ...model.notMeasured]) say(sentence);
    if (wanted.isCompareOnly) return differs ? 1 : 0;
    const isServed = await serveDouble(model, wanted, io);
    return isServed ? (differs ? 1 : 0) : 3;
  } catch (error) {
    say(`Llavero itself failed: ${error instanceof Error ? error.stack : String(error)}`);
    return 4;
  }
}

async function isWritten(
  file: string,
  model: ServerModel,
  language: string,
  say: (text: string) => void,
): Promise<boolean> {
  const { command } = reportWords(language).words;
  try {
    await writeAtomically(file, writeModel(model), modelMode);
    say(fill(command.written, { file, code: '' }));
    return true;
  } catch (error) {
    say(fill(command.notWritten, { file, code: codeOf(error) ?? String(error) }));
    return false;
  }
}

/** Runs the contract over the double, and prints what differs. It is undefined when the double did not start. */
async function compare(
  { report }: MeasuredRun,
  model: ServerModel,
  account: Account | undefined,
  io: CheckIo,
  language: string,
): Promise<boolean | undefined> {
  const { startDouble } = await import('../service/double/start-double.ts');
  // Limits that were not measured would only make this wait.
  const started = await startDouble(model, { isLimited: model.rules.failedLogins.calls.length > 0, port: 0 });
  if (!started.ok) {
    io.err(`${started.message}\n`);
    return undefined;
  }
  try {
    if (account) await started.service.addAccount(account);
    const { comparison } = await proveDouble(report, started.service.baseUrl, { signal: io.stop, account });
    // A run that was cut short differs from a whole one everywhere.
    if (io.stop.aborted) return undefined;
    io.err(markdownComparison(comparison, language));
    return comparison.differences.length > 0;
  } finally {
    await started.service.close();
  }
}

/** Serves the double until it is told to end. */
async function serveDouble(model: ServerModel, { port, folder }: ImitateRun, io: CheckIo): Promise<boolean> {
  const { startDouble } = await import('../service/double/start-double.ts');
  const file = folder === undefined ? ':memory:' : path.join(folder, DATABASE_NAME);
  const started = await startDouble(model, { isLimited: true, port, file });
  if (!started.ok) {
    io.err(`${started.message}\n`);
    return false;
  }
  io.out(`${JSON.stringify({ baseUrl: started.service.baseUrl })}\n`);
  if (!io.stop.aborted) await once(io.stop, 'abort');
  await started.service.close();
  return true;
}

/** Runs this as the process; a signal ends it. */
export const runImitate = (args: string[], toolVersion: string): Promise<ExitCode> =>
  runAsProcess((io) => imitateCommand(args, { ...io, toolVersion }));
