import { afterEach, expect, it, vi } from 'vitest';
import { RunOptions } from '../../../preload/contract/report.ts';
import { startBuiltInServer } from '../support/behaviour.ts';

// The rules stay what they are. Calls of the function are only counted.
vi.mock('../../../main/client/read-answer.ts', { spy: true });
// A file that ran before in this worker may have loaded the function itself.
vi.resetModules();
const { readAnswer } = await import('../../../main/client/read-answer.ts');
const { makeMain } = await import('../../support/make-main.ts');

afterEach(() => vi.mocked(readAnswer).mockClear());

/** Counts the answers that were read. Status 0 stands for a call without an answer. */
const readings = (): number => vi.mocked(readAnswer).mock.calls.filter(([, answer]) => answer.status !== 0).length;

const everyCall = { search: '', outcome: 'all', contractRuns: 'with', pinnedOnly: false } as const;

it('the application reads each answer of a contract run once', async () => {
  const { service } = await startBuiltInServer({}, { isEmpty: true });
  const ended = Promise.withResolvers<void>();
  const main = await makeMain(
    { one: { baseUrl: service.baseUrl } },
    { onStep: ({ underWay }) => underWay === undefined && ended.resolve() },
  );
  await main.contractRuns.start({ serverId: 'one', options: RunOptions.parse({ callsPerSecond: 100 }) });
  await ended.promise;

  const recorded = main.calls.every(everyCall);
  expect(recorded.length).toBeGreaterThan(100);
  const understood = recorded.filter((call) => call.understood !== undefined);
  expect(understood.length).toBeGreaterThan(100);
  expect(readings()).toBe(recorded.length);
});

it('the application reads each answer of a registration, a login and a logout once', async () => {
  const { service } = await startBuiltInServer({}, { isEmpty: true });
  const main = await makeMain({ one: { baseUrl: service.baseUrl } });
  const ana = { email: 'ana@example.test', password: 'una clave bien larga' };
  expect(await main.session.register({ path: 'registro', name: 'Ana', cpassword: '', ...ana })).toMatchObject({
    ok: true,
  });
  expect(await main.session.login(ana)).toMatchObject({ ok: true });
  expect(await main.session.logOutShown(true)).toMatchObject({ ok: true });

  const recorded = main.calls.every(everyCall);
  expect(recorded.map(({ understood }) => understood?.verdict)).toEqual(recorded.map(() => 'ok'));
  expect(readings()).toBe(recorded.length);
});
