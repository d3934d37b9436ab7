import { onTestFinished } from 'vitest';
import type { Report } from '../../../preload/contract/report.ts';
import type { CaseAnswer, CaseId, CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Clock } from '../../../main/check/request-sender.ts';
import { publicPasswords } from '../../../main/check/validation-probes.ts';
import { createRun, type RunInput } from '../../../main/check/run.ts';
import type { TransportCall } from '../../../main/client/call.ts';
import { createTransport, type TransportOptions } from '../../../main/client/transport.ts';

/** A clock whose time passes only in `sleep`, which returns at once. */
export function standingClock(): Clock & { slept: number[] } {
  let ms = 0;
  const slept: number[] = [];
  return {
    now: () => ms,
    date: () => Date.now() + ms,
    sleep: async (time) => {
      slept.push(time);
      ms += time;
    },
    slept,
  };
}

/** A check without waits, with all requests that it sends, secrets included. */
export function createCheck(
  baseUrl: string,
  { limits, connection, options, ...more }: Partial<RunInput> & Pick<TransportOptions, 'limits' | 'connection'> = {},
) {
  const wire: TransportCall[] = [];
  const transport = createTransport({
    record: (call) => void wire.push(call),
    ...(limits && { limits }),
    ...(connection && { connection }),
  });
  onTestFinished(() => transport.close());
  const run = createRun({
    transport,
    baseUrl,
    toolVersion: '0.0.0',
    options: options ?? {},
    clock: standingClock(),
    ...more,
  });
  return { ...run, wire };
}

export function caseOf(report: Report, id: CaseId): CaseResult {
  const found = report.cases.find((each) => each.id === id);
  if (!found) throw new Error(`The report has no case ${id}`);
  return found;
}

/** Returns all that a run answered, by case, question and subject, such as `login.answer success-status login`. */
export const answersOf = (report: Report): Record<string, CaseAnswer['value']> =>
  Object.fromEntries(
    report.cases.flatMap((each) =>
      each.outcome === 'not-measured'
        ? []
        : each.answers.map(({ question, subject = '', value }) => [`${each.id} ${question} ${subject}`.trim(), value]),
    ),
  );

/** The cases that nobody asks for by running all. */
export const unaskedByDefault: readonly string[] = [
  'races.registration: not-asked',
  'races.logins: not-asked',
  'races.logout-and-profile: not-asked',
  'races.logout-twice: not-asked',
  'limits.throttling: not-asked',
];

const noisy = 'login.told-apart-by-time: noisy';

/**
 * Returns the cases that were not measured. Times that a busy machine blurs are told as that, and are left out here:
 * `findings.test.ts` has times that depend on no machine.
 */
export const notMeasured = (report: Report): string[] =>
  outcomesOf(report, 'not-measured').filter((each) => each !== noisy);

/** Returns the cases with this outcome, and why those were not measured that were not. */
export const outcomesOf = (report: Report, outcome: CaseResult['outcome']): string[] =>
  report.cases
    .filter((each) => each.outcome === outcome)
    .map((each) => (each.outcome === 'not-measured' ? `${each.id}: ${each.reason.kind}` : each.id));

/** Returns the passwords and tokens that went over the wire, but for short ones, which ordinary words contain. */
export function secretsIn(wire: readonly TransportCall[]): string[] {
  const secrets = new Set<string>();
  for (const { request, response } of wire) {
    for (const [name, value] of request.headers) if (name === 'Authorization') secrets.add(value.replace(/^\w+ /, ''));
    for (const text of [request.body ?? '', response?.body ?? '']) {
      for (const [, value = ''] of text.matchAll(/"(?:c?password|(?:access_)?token|password_hash)"\s*:\s*"([^"]+)"/g))
        secrets.add(value);
    }
  }
  return [...secrets].filter((secret) => secret.length >= 8 && !publicPasswords.has(secret));
}
