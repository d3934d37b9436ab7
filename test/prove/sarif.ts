import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { judgeFaults } from '../../main/contract-run/accepted-faults.ts';
import { faultsOf } from '../../main/contract-run/faults.ts';
import { sarifReport } from '../../main/contract-run/reports/sarif.ts';
import { hostileTexts, reportWith } from '../support/report.ts';

/** It takes 104 MB, so that it is fetched by this proof and is no dependency. */
const validator = '@microsoft/sarif-multitool@5.7.0';

/** What is read of the validator's log, which is SARIF itself. */
const Log = z.object({
  runs: z.array(
    z.object({
      results: z.array(
        z.object({
          ruleId: z.string(),
          level: z.enum(['error', 'warning', 'note']).default('warning'),
          message: z.object({ id: z.string().optional(), arguments: z.array(z.string()).optional() }),
        }),
      ),
    }),
  ),
});

/** What the validator says of the reports. Its warnings are advice, each by its rule with how often it was given. */
type Summary = { proof: 'sarif'; reports: number; errors: string[]; warnings: Record<string, number> };

/**
 * Writes reports as SARIF: of what a hostile server says, in both languages, whole and ended early, with and without what
 * was accepted. Microsoft's validator, fetched from the registry, judges them by the schema and by its own rules.
 * @param folder an empty folder, which stays the caller's
 */
export function proveSarif(folder: string): Summary {
  const files = writeReports(path.join(folder, 'reports'));
  // The scripts of the package would only make its program executable, and they may be forbidden.
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, validator]);
  const [program, log] = ['node_modules/@microsoft/sarif-multitool/bin.js', 'log.sarif'].map((name) =>
    path.join(folder, name),
  ) as [string, string];
  run('chmod', ['-R', 'u+x', path.join(folder, 'node_modules/@microsoft')]);
  // It ends with 1 where there are errors, and its log says which.
  run(process.execPath, [program, 'validate', ...files, '--output', log, '--log', 'ForceOverwrite'], [0, 1]);
  const { runs } = Log.parse(JSON.parse(readFileSync(log, 'utf8').replace(/^\uFEFF/, '')));
  const results = runs.flatMap((each) => each.results);
  const warnings: Record<string, number> = {};
  for (const { level, ruleId } of results) if (level !== 'error') warnings[ruleId] = (warnings[ruleId] ?? 0) + 1;
  const errors = results
    .filter(({ level }) => level === 'error')
    .map(({ ruleId, message }) => `${ruleId}: ${message.arguments?.join(' ') ?? message.id}`);
  return { proof: 'sarif', reports: files.length, errors, warnings };
}

function writeReports(folder: string): string[] {
  mkdirSync(folder);
  const files: string[] = [];
  for (const text of hostileTexts) {
    const report = reportWith(text);
    const accepted = faultsOf(report).map(({ id, caseId }) => ({
      fault: id,
      case: caseId,
      reason: text,
      accepted: '2026-01-01',
    }));
    for (const language of ['en', 'es']) {
      for (const content of [
        sarifReport(report, language),
        sarifReport({ ...report, ended: { kind: 'cancelled' } }, language),
        sarifReport(report, language, judgeFaults(report, accepted)),
      ]) {
        const file = path.join(folder, `${files.length}.sarif`);
        writeFileSync(file, content);
        files.push(file);
      }
    }
  }
  return files;
}

/** Runs a program to its end. It throws when the program ends otherwise than it may. */
function run(command: string, args: string[], codes: readonly number[] = [0]): void {
  const done = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (!codes.includes(done.status ?? -1)) {
    throw new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${done.status}: ${done.stderr}${done.stdout}`);
  }
}
