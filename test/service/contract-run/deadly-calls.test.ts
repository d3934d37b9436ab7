import { expect, it, onTestFinished } from 'vitest';
import { startRecordingServer, type RecordedRequest, type RecordingServer } from '../../support/recording-server.ts';
import {
  answersOf,
  caseOf,
  contractRun,
  outcomesOf,
  standingClock,
  unaskedByDefault,
} from '../support/contract-run.ts';
import { isPath, smallServer } from '../support/small-server.ts';

/** Starts a right server that ends at some calls, and is started again once so much time is slept, if ever. */
async function mortalServer(isDeadly: (request: RecordedRequest) => boolean, restartMs: number) {
  const clock = standingClock();
  const deaths: RecordedRequest[] = [];
  let diedAt: number | undefined;
  let current: RecordingServer;
  const small = smallServer();
  const start = (port: number): Promise<RecordingServer> =>
    startRecordingServer(
      (request, socket) => {
        if (!isDeadly(request)) return small(request, socket);
        deaths.push(request);
        diedAt = clock.now();
        void current.close();
        return undefined;
      },
      undefined,
      { port },
    );
  current = await start(0);
  onTestFinished(() => current.close());
  const { origin, port } = current;
  const sleep = async (ms: number): Promise<void> => {
    await clock.sleep(ms);
    if (diedAt === undefined || clock.now() - diedAt < restartMs) return;
    diedAt = undefined;
    current = await start(port);
  };
  return { origin, deaths, clock: { ...clock, sleep } };
}

const isList = (request: RecordedRequest): boolean => isPath(request, 'login') && request.body === '[]';
const isObject = ({ body }: RecordedRequest): boolean => body.includes('"an object"');

it('a call that ends the server is a finding, and the run goes on without it', async () => {
  const { origin, clock, deaths } = await mortalServer(isList, 2_000);
  const { start, again } = contractRun(origin, { clock });
  const report = await start();

  expect(report.ended).toEqual({ kind: 'complete' });
  expect(report.findings.map(({ id, severity }) => [id, severity])).toEqual([['server-killed', 'high']]);
  const [finding] = report.findings;
  expect(finding?.calls).toHaveLength(1);
  expect(finding?.script).toContain("--data-raw '[]'");
  expect(finding?.script).toContain('# No answer came that can be read.');
  expect(deaths).toHaveLength(1);
  expect(outcomesOf(report, 'not-measured')).toEqual(unaskedByDefault);
  expect(answersOf(report)).toMatchObject({
    'errors.body-not-json body-not-json login': { handling: 'refused' },
    'errors.body-not-json body-no-object login': { kind: 'none', why: 'ends-server' },
  });
  await again('errors.body-not-json');
  expect(deaths).toHaveLength(1);
});

it('each call that does so is one, and is sent once', async () => {
  const { origin, clock, deaths } = await mortalServer((request) => isList(request) || isObject(request), 1_000);
  const report = await contractRun(origin, { clock }).start();
  expect(report.findings.map(({ id }) => id)).toEqual(['server-killed']);
  expect(report.findings[0]?.calls).toHaveLength(3);
  expect(deaths).toHaveLength(3);
  expect(answersOf(report)['login.fields field-of-other-type password']).toMatchObject({ handling: 'refused' });
});

it('one from which it does not come back ends the run, with the finding', async () => {
  const { origin, clock } = await mortalServer(isList, Number.POSITIVE_INFINITY);
  const report = await contractRun(origin, { clock }).start();
  expect(report.ended).toMatchObject({ kind: 'unreachable', error: { kind: 'refused' } });
  expect(report.findings.map(({ id }) => id)).toEqual(['server-killed']);
});

it('a server that only closes a connection was not ended', async () => {
  const small = smallServer();
  const server = await startRecordingServer((request, socket) => {
    if (!isList(request)) return small(request, socket);
    socket.destroy();
    return undefined;
  });
  onTestFinished(server.close);
  const report = await contractRun(server.origin).start();
  expect(report.findings).toEqual([]);
  expect(caseOf(report, 'errors.body-not-json')).toMatchObject({ reason: { kind: 'no-answer' } });
});
