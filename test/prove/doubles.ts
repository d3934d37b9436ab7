import type { ReportComparison } from '../../preload/contract/contract-report.ts';
import type { RunOptions } from '../../preload/contract/report-run.ts';
import { createTransport } from '../../main/client/transport.ts';
import type { Clock } from '../../main/contract-run/pace.ts';
import { createRun } from '../../main/contract-run/run.ts';
import { learnModel, type MeasuredRun } from '../../main/double/learn.ts';
import { proveDouble } from '../../main/double/prove-double.ts';
import { createSecretReferences } from '../../main/secrets/secret-references.ts';
import { dialects, isDialectName } from '../../main/service/behaviour/dialects.ts';
import { isWrongName, wrongs } from '../../main/service/behaviour/wrongs.ts';
import type { ServerModel } from '../../main/service/double/model.ts';
import { startService, type ServiceOptions } from '../../main/service/server.ts';
import { serverNames, startServer, whyNot, type ServerName } from '../servers/start-server.ts';

/** A server that can be imitated here, by its name. */
type Original = { baseUrl: string; close: () => Promise<void> };

const isServerName = (name: string): name is ServerName => serverNames.some((each) => each === name);

/** It is fetched from npm's registry. */
const fetchedName = 'json-server-auth';

/** Every server that this proof knows: the service, its dialects, its wrong modes, and those of `test/servers/`. */
export const originalNames: readonly string[] = [
  'service',
  ...Object.keys(dialects).map((name) => `dialect:${name}`),
  ...Object.keys(wrongs).map((name) => `wrong:${name}`),
  ...serverNames,
  fetchedName,
];

/** Says why a server cannot be started here. */
const whyNotOriginal = (name: string): string | undefined => (isServerName(name) ? whyNot(name) : undefined);

/** How a proof is done in the tests: with cheap hashes, a clock that stands, and without what only takes time. */
export type Haste = {
  argon2?: ServiceOptions['argon2'];
  clock?: Clock;
  options?: Partial<RunOptions>;
};

async function startOurs(options: Partial<ServiceOptions>): Promise<Original> {
  const started = await startService({
    database: { file: ':memory:' },
    port: 0,
    rateLimit: 'off',
    ...options,
  });
  if (!started.ok) throw new Error(started.message);
  return { baseUrl: started.service.baseUrl, close: () => started.service.close() };
}

export async function startOriginal(name: string, { argon2 }: Haste = {}): Promise<Original> {
  if (isServerName(name) || name === fetchedName) {
    const { origin, stop } = await startServer(name);
    return { baseUrl: origin, close: stop };
  }
  const [, kind, itsName = ''] = /^(dialect|wrong):(.+)$/.exec(name) ?? [];
  if (kind === 'dialect' && isDialectName(itsName)) return startOurs({ argon2, behaviour: { dialect: itsName } });
  const wrong = itsName.split('+').filter(isWrongName);
  if (kind === 'wrong' && wrong.length > 0) return startOurs({ argon2, behaviour: { wrong } });
  if (name !== 'service') throw new Error(`There is no server "${name}" to imitate.`);
  return startOurs({ argon2 });
}

/** Starts the double of a model. Limits that were not measured would only make the proof wait. */
export const startDouble = (model: ServerModel, { argon2 }: Haste = {}): Promise<Original> =>
  startOurs({ model, argon2, rateLimit: isLimited(model) ? 'on' : 'off' });

const isLimited = ({ rules }: ServerModel): boolean => rules.failedLogins.calls.length > 0;

/** Measures a server, and learns its model. */
export async function measureAndLearn(
  baseUrl: string,
  { options, clock }: Haste = {},
): Promise<MeasuredRun & { model: ServerModel; secrets: string[] }> {
  const transport = createTransport({});
  const references = createSecretReferences();
  const run = createRun({
    transport,
    baseUrl,
    toolVersion: '0.0.0',
    options: { callsPerSecond: 100, ...options },
    references,
    ...(clock && { clock }),
  });
  try {
    const report = await run.start();
    const measured = { report, everything: run.everything(), references };
    const learned = await learnModel(measured);
    if (!learned.ok) throw new Error(learned.sentence);
    return { ...measured, model: learned.model, secrets: references.watched().map(({ value }) => value) };
  } finally {
    transport.close();
  }
}

type DoubleSummary = {
  server: string;
  /** The cases of the run whose answers were compared. */
  cases: number;
  differences: ReportComparison['differences'];
  /** Cases that only one side measured. */
  unknown: string[];
  notMeasured: number;
  seconds: number;
};

/** Does something with a server, and closes it. */
async function during<T>({ baseUrl, close }: Original, work: (baseUrl: string) => Promise<T>): Promise<T> {
  try {
    return await work(baseUrl);
  } finally {
    await close();
  }
}

/** Makes the double of one server, and compares it with its original. */
export async function proveDoubleOf(name: string, haste: Haste = {}): Promise<DoubleSummary> {
  const began = performance.now();
  const original = await startOriginal(name, haste);
  const { report, model } = await during(original, (baseUrl) => measureAndLearn(baseUrl, haste));
  const double = await startDouble(model, haste);
  const { comparison } = await during(double, (baseUrl) => proveDouble(report, baseUrl, haste));
  return {
    server: name,
    cases: comparison.compared,
    differences: comparison.differences,
    unknown: comparison.unknown.map(({ caseId, side }) => `${caseId} ${side}`),
    notMeasured: report.cases.filter(({ outcome }) => outcome === 'not-measured').length,
    seconds: Math.round((performance.now() - began) / 100) / 10,
  };
}

type DoublesSummary = { name: 'doubles'; compared: number; skipped: string[]; differing: string[] };

/** Makes the doubles of several servers one after the other, and hands on a row of a table for each. */
export async function proveDoubles({
  only,
  onRow,
}: {
  only: readonly string[];
  onRow: (row: string) => void;
}): Promise<DoublesSummary> {
  const summary: DoublesSummary = { name: 'doubles', compared: 0, skipped: [], differing: [] };
  onRow('| server | cases | differences | not measured | seconds |\n|---|---|---|---|---|');
  for (const name of originalNames.filter((each) => only.includes(each))) {
    const reason = whyNotOriginal(name);
    if (reason !== undefined) {
      summary.skipped.push(reason);
      onRow(`| ${name} | skipped: ${reason} | | | |`);
      continue;
    }
    const { cases, differences, unknown, notMeasured, seconds } = await proveDoubleOf(name);
    summary.compared += 1;
    const all = [...differences.map(sayDifference), ...unknown];
    if (all.length > 0) summary.differing.push(name);
    onRow(
      `| ${name} | ${cases} | ${all.length === 0 ? 'nothing differs' : all.join('; ')} | ${notMeasured} | ${seconds} |`,
    );
  }
  return summary;
}

/** Says in short what differs. */
export const sayDifference = (difference: ReportComparison['differences'][number]): string =>
  difference.kind === 'answer'
    ? [difference.caseId, difference.question, difference.subject].filter(Boolean).join(' ')
    : difference.kind === 'outcome'
      ? `${difference.caseId} ${difference.before} ${difference.after}`
      : `${difference.caseId} ${difference.id} ${difference.change}`;
