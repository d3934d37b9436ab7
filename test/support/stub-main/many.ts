import type { ChecksState } from '../../../preload/contract/checks.ts';
import type { Server, SessionInfo } from '../../../preload/contract/models.ts';
import { reportWith } from '../report.ts';
import { manyCalls } from './calls.ts';
import { heldSessions, staging } from './states.ts';

export const accountsOfServer = 20;

export const manyServers: Server[] = Array.from({ length: 200 }, (_, at) => ({
  ...staging,
  id: `server-${at}`,
  name: `Server ${at}`,
  baseUrl: `http://server-${at}.example.test/app`,
}));

/** Sessions of the first ten of those servers. */
export const manySessions: SessionInfo[] = Array.from({ length: 200 }, (_, at) => ({
  ...heldSessions[0]!,
  id: `session-${at}`,
  serverId: `server-${Math.floor(at / accountsOfServer)}`,
  account: `person-${at}@example.test`,
  name: `Person ${at}`,
  tokenId: String(at),
  baseUrl: `http://server-${Math.floor(at / accountsOfServer)}.example.test/app`,
}));

const report = reportWith('Not valid');
const evidence = manyCalls(150).map(({ summary }) => summary);
const callsOf = (at: number): string[] =>
  [0, 1, 2].flatMap((more) => evidence[(at * 3 + more) % evidence.length]?.id ?? []);

/** The report of a check of the first server with every test and every finding. */
export const longReport: ChecksState = {
  reports: [
    {
      serverId: 'server-0',
      report: {
        ...report,
        baseUrl: manyServers[0]!.baseUrl,
        calls: evidence.length,
        cases: report.cases.map((each, at) => Object.assign({}, each, { calls: callsOf(at) })),
        findings: report.findings.map((each, at) => Object.assign({}, each, { calls: callsOf(at) })),
        evidence,
      },
      canRerun: true,
    },
  ],
};
