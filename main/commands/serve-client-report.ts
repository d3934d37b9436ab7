import { writeFile } from 'node:fs/promises';
import type { ClientFaultEntry, ClientReport } from '../service/fault-injection/client-monitor.ts';
import type { ClientFault } from '../../preload/contract/names.ts';

export const clientFaultTexts: Record<ClientFault, string> = {
  'registration-repeated':
    'The client repeated a registration after the connection was cut, without knowing whether the account exists.',
  'retry-after-ignored': 'The client sent another request before the time in Retry-After had passed.',
  'token-used-after-logout': 'The client used a token after its logout was confirmed.',
  'token-used-after-end': 'The client kept using a token after two responses that it had expired.',
  'password-in-url': 'The client sent a password in a URL, which logs and proxies may store.',
  'cookies-kept': 'The client sent cookies, which the API does not use.',
  'no-accept': 'The client sent no Accept header; the API expects Accept: application/json.',
  'body-on-profile': 'The client sent a body with the profile request, which takes none.',
};

/** JSON for programs. Times are ISO 8601, and `isComplete` is false until the service has ended. */
const formatClientReport = (report: ClientReport, isComplete: boolean): string => {
  const lines = report.lines().map(({ fault, count, shownBy }: ClientFaultEntry) => ({
    fault,
    says: clientFaultTexts[fault],
    count,
    shownBy: shownBy.map((requests) =>
      requests.map(({ atMs, ...request }) => ({ at: new Date(atMs).toISOString(), ...request })),
    ),
  }));
  return `${JSON.stringify({ version: 1, isComplete, requests: report.requests(), lines }, undefined, 2)}\n`;
};

/** Writes the file of `--client-report`; returns a sentence if that failed. */
export async function writeClientReport(
  file: string,
  report: ClientReport,
  isComplete: boolean,
): Promise<string | undefined> {
  try {
    await writeFile(file, formatClientReport(report, isComplete));
    return undefined;
  } catch (error) {
    return `The client report cannot be written: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
