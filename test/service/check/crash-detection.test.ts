import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answer,
  startRecordingServer,
  type RecordedRequest,
  type RecordingServer,
  type Respond,
} from '../../support/recording-server.ts';
import {
  answersOf,
  caseOf,
  createCheck,
  notMeasured,
  outcomesOf,
  standingClock,
  unaskedByDefault,
} from '../support/run-check.ts';
import { bearerOf, isPath, smallServer } from '../support/small-server.ts';

type Mortal = {
  /** What the server is after each restart: one in memory knows no account any more. */
  next?: (before: Respond) => Respond;
  first?: Respond;
  /** Whether the call is answered before the server ends, so that it is not to blame. */
  isAnswered?: boolean;
  /** How often it ends at most. */
  most?: number;
};

/** Starts a right server that ends at some calls, and is started again once so much time is slept, if ever. */
async function mortalServer(
  isDeadly: (request: RecordedRequest) => boolean,
  restartMs: number,
  {
    next = (before) => before,
    first = smallServer(),
    isAnswered = false,
    most = Number.POSITIVE_INFINITY,
  }: Mortal = {},
) {
  const clock = standingClock();
  const deaths: RecordedRequest[] = [];
  let diedAt: number | undefined;
  let current: RecordingServer;
  let small = first;
  const start = (port: number): Promise<RecordingServer> =>
    startRecordingServer(
      (request, socket) => {
        if (diedAt !== undefined || deaths.length >= most || !isDeadly(request)) return small(request, socket);
        deaths.push(request);
        diedAt = clock.now();
        // One that is told to end takes no more connections, and answers what it has.
        if (!isAnswered) void current.close();
        else socket.once('finish', () => void current.close());
        if (isAnswered) socket.end(small(request, socket) ?? '');
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
    await current.close();
    diedAt = undefined;
    small = next(small);
    current = await start(port);
  };
  return { origin, deaths, clock: { ...clock, sleep } };
}

const isList = (request: RecordedRequest): boolean => isPath(request, 'login') && request.body === '[]';
const isObject = ({ body }: RecordedRequest): boolean => body.includes('"an object"');

it('a call that ends the server is a finding, and the run goes on without it', async () => {
  const { origin, clock, deaths } = await mortalServer(isList, 2_000);
  const { start, rerunCase } = createCheck(origin, { clock });
  const report = await start();

  expect(report.ended).toEqual({ kind: 'complete' });
  expect(report.findings.map(({ id, severity }) => [id, severity])).toEqual([['server-killed', 'high']]);
  const [finding] = report.findings;
  expect(finding?.calls).toHaveLength(1);
  expect(finding?.script).toContain("--data-raw '[]'");
  expect(finding?.script).toContain('# No readable response came.');
  expect(deaths).toHaveLength(1);
  expect(notMeasured(report)).toEqual(unaskedByDefault);
  expect(answersOf(report)).toMatchObject({
    'errors.body-not-json body-not-json login': { handling: 'refused' },
    'errors.body-not-json body-no-object login': { kind: 'none', why: 'ends-server' },
  });
  await rerunCase('errors.body-not-json');
  expect(deaths).toHaveLength(1);
});

it('each call that does so is one, and is sent once', async () => {
  const { origin, clock, deaths } = await mortalServer((request) => isList(request) || isObject(request), 1_000);
  const report = await createCheck(origin, { clock }).start();
  expect(report.findings.map(({ id }) => id)).toEqual(['server-killed']);
  expect(report.findings[0]?.calls).toHaveLength(3);
  expect(deaths).toHaveLength(3);
  expect(answersOf(report)['login.fields field-of-other-type password']).toMatchObject({ handling: 'refused' });
});

it('one from which it does not come back ends the run, with the finding', async () => {
  const { origin, clock } = await mortalServer(isList, Number.POSITIVE_INFINITY);
  const report = await createCheck(origin, { clock }).start();
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
  const report = await createCheck(server.origin).start();
  expect(report.findings).toEqual([]);
  expect(caseOf(report, 'errors.body-not-json')).toMatchObject({ reason: { kind: 'no-answer' } });
});

const isLogin = (request: RecordedRequest): boolean => isPath(request, 'login');
const empty = (): Respond => smallServer();
const isNumber = ({ body }: RecordedRequest): boolean => body.includes('12345678');
const isProfile = (request: RecordedRequest): boolean => isPath(request, 'perfil') && bearerOf(request) !== undefined;
/** It is true from the nth time on. */
function from(nth: number, isMet: (request: RecordedRequest) => boolean = () => true) {
  let count = 0;
  return (request: RecordedRequest): boolean => isMet(request) && (count += 1) >= nth;
}

describe('a server that knows nobody after a restart is accused of nothing, and measured with a new account', () => {
  it.each<[string, (request: RecordedRequest) => boolean, Mortal, string[]]>([
    ['after a password that is a number', isNumber, {}, ['server-killed']],
    ['after a list', isList, {}, ['server-killed']],
    ['after several calls', (request) => isNumber(request) || isObject(request), {}, ['server-killed']],
    ['by itself, early', from(8), { isAnswered: true, most: 1 }, []],
    [
      'by itself, before the login',
      from(1, (request) => isPath(request, 'registro')),
      { isAnswered: true, most: 1 },
      [],
    ],
    ['by itself, after the login', from(2, isLogin), { isAnswered: true, most: 1 }, []],
    ['by itself, after a profile', from(3, isProfile), { isAnswered: true, most: 1 }, []],
    ['by itself, late', from(100), { isAnswered: true, most: 1 }, []],
  ])('%s', async (_name, isDeadly, more, findings) => {
    const { origin, clock, deaths } = await mortalServer(isDeadly, 1_500, { next: empty, ...more });
    const report = await createCheck(origin, { clock }).start();
    expect(deaths.length).toBeGreaterThan(0);
    expect(report.ended).toEqual({ kind: 'complete' });
    expect(report.findings.map(({ id }) => id)).toEqual(findings);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    // Of eight accounts, there may be none left for it.
    const others = outcomesOf(report, 'not-measured').filter(
      (each) => each !== 'login.told-apart-by-time: account-limit',
    );
    expect(others).toEqual(unaskedByDefault);
    expect(report.accounts.filter(({ state }) => state === 'made').length).toBeLessThanOrEqual(8);
  });

  it.each<[string, number, (request: RecordedRequest) => boolean]>([
    ['after the login', 2, isLogin],
    ['after a profile', 3, isProfile],
    ['late', 100, () => true],
  ])('also where nobody saw it away, %s', async (_name, nth, isMet) => {
    let small = empty();
    const isNow = from(nth, isMet);
    let isOver = false;
    const server = await startRecordingServer((request, socket) => {
      const answered = small(request, socket);
      if (isOver || !isNow(request)) return answered;
      isOver = true;
      small = empty();
      return answered;
    });
    onTestFinished(server.close);
    const report = await createCheck(server.origin).start();
    expect(isOver).toBe(true);
    expect(report.findings).toEqual([]);
    expect(outcomesOf(report, 'failed')).toEqual([]);
  });

  it('also where it knows its accounts, and only the tokens no more', async () => {
    let life = 0;
    const lives = new Map<string, number>();
    const small = smallServer({
      newToken: () => {
        const token = `${lives.size}|${crypto.randomUUID()}${crypto.randomUUID()}`;
        lives.set(token, life);
        return token;
      },
      ownerOf: (token, given) => (lives.get(token) === life ? given.get(token) : undefined),
    });
    const next = (): Respond => {
      life += 1;
      return small;
    };
    const { origin, clock } = await mortalServer(isNumber, 1_500, { first: small, next });
    const report = await createCheck(origin, { clock }).start();
    expect(report.findings.map(({ id }) => id)).toEqual(['server-killed']);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(notMeasured(report)).toEqual(unaskedByDefault);
  });
});

describe('what a server that knows nobody after a restart leaves unmeasured is named', () => {
  const closed = (): Respond => {
    const right = smallServer();
    return (request, socket) =>
      /regist/.test(request.target) ? answer(403, { message: 'No.' }) : right(request, socket);
  };

  it.each<[string, (request: RecordedRequest) => boolean, Mortal]>([
    ['a deadly call', isNumber, {}],
    ['a restart by itself', from(2, isLogin), { isAnswered: true, most: 1 }],
  ])('where nobody can register any more, after %s', async (_name, isDeadly, more) => {
    const { origin, clock } = await mortalServer(isDeadly, 1_500, { next: closed, ...more });
    const report = await createCheck(origin, { clock }).start();
    expect(report.ended).toEqual({ kind: 'complete' });
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(outcomesOf(report, 'not-measured')).toEqual(
      expect.arrayContaining(['login.two-tokens: restarted', 'logout.served: restarted']),
    );
  });

  it('with an account that was given, which is not blamed', async () => {
    const account = { email: 'rosa@example.test', password: 'correct horse 9' };
    const { origin, clock } = await mortalServer(isNumber, 1_500, { next: empty });
    const body = JSON.stringify({ name: 'Rosa', ...account });
    await fetch(`${origin}/api/v1/auth/registro`, { method: 'POST', body });
    const report = await createCheck(origin, { clock, account, options: { variant: 'none' } }).start();
    expect(report.ended).toEqual({ kind: 'complete' });
    expect(report.findings.map(({ id }) => id)).toEqual(['server-killed']);
    expect(report.accounts).toEqual([]);
    expect(outcomesOf(report, 'failed')).toEqual([]);
    expect(outcomesOf(report, 'not-measured')).toEqual(expect.arrayContaining(['logout.served: restarted']));
  });
});

it('a server that goes away by itself and does not come back ends the run, without a finding', async () => {
  const { origin, clock } = await mortalServer(from(30), Number.POSITIVE_INFINITY, { isAnswered: true, most: 1 });
  const report = await createCheck(origin, { clock }).start();
  expect(report.ended).toMatchObject({ kind: 'unreachable', error: { kind: 'refused' } });
  expect(report.findings).toEqual([]);
});
