import { writeFile } from 'node:fs/promises';
import type { ClientLine, ClientReport } from '../service/lab/client-watch.ts';
import type { ClientFault } from '../../preload/contract/names.ts';

/** Says each fault in one English sentence. */
export const clientFaultTexts: Record<ClientFault, string> = {
  'registration-repeated':
    'The client sent a registration again by itself after the connection was cut, and cannot know whether there is an account already.',
  'retry-after-ignored': 'The client asked again before the time was over that Retry-After had named.',
  'token-used-after-logout': 'The client used a token after it was told that this token is logged out.',
  'token-used-after-end': 'The client went on using a token after it was told twice that this token has ended.',
  'password-in-url': 'The client put a password into a URL, where logs and proxies keep it.',
  'cookies-kept': 'The client sent cookies, and the interface has none.',
  'no-accept': 'The client sent no Accept header, and the interface asks for Accept: application/json.',
  'body-on-profile': 'The client sent a body with the profile call, which has none.',
};

/** What the file holds, for programs. Times are ISO 8601, and `isComplete` is false until the service has ended. */
const contentOf = (report: ClientReport, isComplete: boolean): string => {
  const lines = report.lines().map(({ fault, count, shownBy }: ClientLine) => ({
    fault,
    says: clientFaultTexts[fault],
    count,
    shownBy: shownBy.map((requests) =>
      requests.map(({ atMs, ...request }) => ({ at: new Date(atMs).toISOString(), ...request })),
    ),
  }));
  return `${JSON.stringify({ version: 1, isComplete, requests: report.requests(), lines }, undefined, 2)}\n`;
};

/** Writes the report of `--client-report`; answers a sentence when the file cannot be written. */
export async function writeClientReport(
  file: string,
  report: ClientReport,
  isComplete: boolean,
): Promise<string | undefined> {
  try {
    await writeFile(file, contentOf(report, isComplete));
    return undefined;
  } catch (error) {
    return `The client report cannot be written: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
