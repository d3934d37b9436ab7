import type { CompletedRun } from '../../main/check/mock-generator/mock-inference.ts';
import type { ReportComparison, RunOptions } from '../../preload/contract/report.ts';
import { defaultInterface } from '../../main/interface/shipped.ts';
import { ApiAdapter } from '../../main/interface/api-adapter.ts';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { createTransport } from '../../main/client/transport.ts';
import type { Clock } from '../../main/check/request-sender.ts';
import { createRun } from '../../main/check/run.ts';
import { generateMock } from '../../main/check/mock-generator/generate-mock.ts';
import { verifyMock } from '../../main/check/mock-generator/verify-mock.ts';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { dialectNames, defectNames } from '../../preload/contract/names.ts';
import type { MockDefinition } from '../../main/service/mock/mock-definition.ts';
import {
  startExtendedService,
  type ExtendedServiceOptions,
} from '../../main/service/fault-injection/extended-service.ts';
import { serverNames, startServer, whyNot, type ServerName } from '../servers/start-server.ts';

/** A server that can be imitated here, by its name. */
type Original = { baseUrl: string; close: () => Promise<void> };

const isServerName = (name: string): name is ServerName => serverNames.some((each) => each === name);

/** It is fetched from npm's registry. */
const fetchedName = 'json-server-auth';

/** Every server that this proof knows: the service, its dialects, its wrong modes, and those of `test/servers/`. */
export const originalNames: readonly string[] = [
  'service',
  ...dialectNames.map((name) => `dialect:${name}`),
  ...defectNames.map((name) => `wrong:${name}`),
  ...serverNames,
  fetchedName,
];

/** Says why a server cannot be started here. */
export const whyNotOriginal = (name: string): string | undefined => (isServerName(name) ? whyNot(name) : undefined);

/** How a proof is done in the tests: with cheap hashes, a clock that stands, and without what only takes time. */
export type Haste = {
  argon2?: ExtendedServiceOptions['argon2'];
  clock?: Clock;
  options?: Partial<RunOptions>;
  /** That of the original, where it has another than `interface.md`. */
  interface?: InterfaceDescription;
  /** One that is there, where the original's interface makes none. */
  account?: { email: string; password: string };
};

async function startOurs(options: Partial<ExtendedServiceOptions>): Promise<Original> {
  const started = await startExtendedService({
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
  const dialect = dialectNames.find((each) => each === itsName);
  if (kind === 'dialect' && dialect) return startOurs({ argon2, faultInjection: { dialect } });
  const defects = defectNames.filter((each) => itsName.split('+').includes(each));
  if (kind === 'wrong' && defects.length > 0) return startOurs({ argon2, faultInjection: { defects } });
  if (name !== 'service') throw new Error(`There is no server "${name}" to imitate.`);
  return startOurs({ argon2 });
}

/** Starts the mock server of a model. Limits that were not measured would only make the proof wait. */
export const startMemoryMock = (mock: MockDefinition, { argon2 }: Haste = {}): Promise<Original> =>
  startOurs({ mock, argon2, rateLimit: isLimited(mock) ? 'on' : 'off' });

const isLimited = ({ rules }: MockDefinition): boolean => rules.failedLogins.calls.length > 0;

/** Measures a server, and learns its model. */
export async function measureAndLearn(
  baseUrl: string,
  { options, clock, account, interface: description = defaultInterface }: Haste = {},
): Promise<CompletedRun & { model: MockDefinition; secrets: string[] }> {
  const transport = createTransport({});
  const secretRegistry = new SecretRegistry();
  const adapter = new ApiAdapter(description, baseUrl);
  const run = createRun({
    transport,
    baseUrl,
    toolVersion: '0.0.0',
    options: { callsPerSecond: 100, ...options },
    secretRegistry,
    adapter,
    ...(account && { account }),
    ...(clock && { clock }),
  });
  try {
    const report = await run.start();
    const measured = { report, observations: run.observations(), secretRegistry, adapter };
    const learned = await generateMock(measured);
    if (!learned.ok) throw new Error(learned.problem);
    return { ...measured, model: learned.model, secrets: secretRegistry.registered().map(({ value }) => value) };
  } finally {
    transport.close();
  }
}

type MockSummary = {
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

/** Makes the mock server of one server, and compares it with its original. */
export async function proveMock(name: string, haste: Haste = {}): Promise<MockSummary> {
  const began = performance.now();
  const original = await startOriginal(name, haste);
  const { report, model } = await during(original, (baseUrl) => measureAndLearn(baseUrl, haste));
  const mockServer = await startMemoryMock(model, haste);
  const { comparison } = await during(mockServer, (baseUrl) => verifyMock(report, baseUrl, haste));
  return {
    server: name,
    cases: comparison.compared,
    differences: comparison.differences,
    unknown: comparison.unknown.map(({ caseId, side }) => `${caseId} ${side}`),
    notMeasured: report.cases.filter(({ outcome }) => outcome === 'not-measured').length,
    seconds: Math.round((performance.now() - began) / 100) / 10,
  };
}

/** Says in short what differs. */
export const sayDifference = (difference: ReportComparison['differences'][number]): string =>
  difference.kind === 'answer'
    ? [difference.caseId, difference.question, difference.subject].filter(Boolean).join(' ')
    : difference.kind === 'outcome'
      ? `${difference.caseId} ${difference.before} ${difference.after}`
      : `${difference.caseId} ${difference.id} ${difference.change}`;
