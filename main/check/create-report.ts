import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { FindingId, type Report } from '../../preload/contract/report.ts';
import { CaseId, Choice, Question } from '../../preload/contract/report-cases.ts';
import { maskStrings } from '../client/secrets/mask-secrets.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { shippedNameOf } from '../interface/shipped.ts';
import { isDefaultInterface } from './case-applicability.ts';
import { createReproScript } from './repro-script.ts';
import type { Results } from './results.ts';
import type { TestClient } from './test-client.ts';

type ReportInput = { client: TestClient; results: Results; cleanup: Report['cleanup'] } & Pick<
  Report,
  'toolVersion' | 'baseUrl' | 'serverName' | 'ended' | 'startedAt' | 'endedAt' | 'durationMs'
>;

/** Returns the report of a check, without secrets. */
export async function createReport({ client, results, cleanup, ...input }: ReportInput): Promise<Report> {
  const { adapter, givenAccount, secretRegistry } = client;
  const throttlings = client.throttlings();
  const report: Report = {
    schema: 'llavero-report',
    version: 1,
    toolVersion: input.toolVersion,
    baseUrl: input.baseUrl,
    serverName: input.serverName,
    ...(!isDefaultInterface(adapter) && { interface: await describeInterface(adapter) }),
    startedAt: input.startedAt,
    endedAt: input.endedAt,
    durationMs: Math.round(input.durationMs),
    options: client.options,
    ended: input.ended,
    calls: client.calls(),
    accounts: [...client.createdAccounts()],
    ...(cleanup && cleanup.created > 0 && { cleanup }),
    throttlings: throttlings.length > 0 ? [...throttlings] : undefined,
    // The password of the account may be a part of it.
    givenAccount: givenAccount && secretRegistry.mask(givenAccount.email),
    ...(givenAccount && client.secondFactor.has(givenAccount) && { givenFactor: true as const }),
    extraHeaders: client.extraHeaders().length > 0 ? client.extraHeaders() : undefined,
    cases: results.all(),
    findings: results.findings((observations, id) =>
      createReproScript(observations, client.reproducibleObservations(), {
        adapter,
        given: givenAccount,
        isAboutTokens: id === 'tokens-guessable',
      }),
    ),
    evidence: [...client.recordedCalls().values()],
  };
  return redactReport(report, secretRegistry);
}

async function describeInterface(adapter: ApiAdapter): Promise<NonNullable<Report['interface']>> {
  const { features, description } = adapter;
  const [register] = features.registrations;
  const shipped = await shippedNameOf(description);
  return {
    name: description.name,
    ...(shipped !== undefined && { shipped }),
    digest: digestOf(description),
    calls: {
      ...(register && { register: adapter.formatCall(register) }),
      login: adapter.formatCall('login'),
      profile: adapter.formatCall('profile'),
      ...(features.logout && { logout: adapter.formatCall('logout') }),
    },
  };
}

/** The SHA-256 of the canonical JSON of a description (RFC 8785, without its rules for numbers). */
const digestOf = (description: object): string =>
  createHash('sha256').update(formatCanonicalJson(description)).digest('hex');

const formatCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );

/** A shorter secret might be a word of the report. */
const shortestRedacted = 11;

/** Values of the report format, which stay even if the given password equals one. */
const reportValues: ReadonlySet<string> = new Set([
  ...CaseId.options,
  ...FindingId.options,
  ...Question.options,
  ...Choice.options,
  'llavero-report',
  'not-measured',
]);

/** Redacts what the redaction of single texts did not find. */
export const redactStrings = <T>(value: T, secretRegistry: SecretRegistry): T =>
  maskStrings(value, (text) => (reportValues.has(text) ? text : secretRegistry.mask(text, shortestRedacted)));

/** Yields to the event loop between calls, since the evidence of a check may take a second. */
async function redactReport({ evidence, ...rest }: Report, secretRegistry: SecretRegistry): Promise<Report> {
  const redacted: Report['evidence'] = [];
  for (const call of evidence) {
    await yieldToEventLoop();
    redacted.push(redactStrings(call, secretRegistry));
  }
  // Scripts contain no secrets by construction, and redaction would break their quotes.
  const findings = rest.findings.map((finding) => ({
    ...redactStrings(finding, secretRegistry),
    script: finding.script,
  }));
  return { ...redactStrings({ ...rest, findings: [] }, secretRegistry), findings, evidence: redacted };
}
