import { expect, it, onTestFinished } from 'vitest';
import { RunOptions } from '../../../preload/contract/report.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { mainWith } from '../support/main-with-runs.ts';
import { smallServer } from '../support/small-server.ts';

const options = RunOptions.parse({ callsPerSecond: 100, only: ['login.answer'] });

it('a server says what its last call came to, who made it, and when', async () => {
  const server = await startRecordingServer(smallServer());
  let now = Date.parse('2026-11-21T10:00:00Z');
  const main = await mainWith(
    { small: { baseUrl: server.origin }, other: { baseUrl: `${server.origin}/other` } },
    { ports: { now: () => new Date(now) } },
  );
  const shown = (id: string) => main.shown.at(-1)?.servers.find((each) => each.id === id)?.lastCalls[0];
  expect(shown('small')).toBeUndefined();

  await main.run('small', options);
  await expect.poll(() => shown('small')).toMatchObject({ answered: true, at: '2026-11-21T10:00:00.000Z' });
  expect(shown('other'), 'the address counts').toEqual(shown('small'));

  now += 60_000;
  await main.handlers.servers.test({ id: 'small', address: server.origin });
  await expect
    .poll(() => shown('small'))
    .toMatchObject({ operation: 'profile', answered: true, at: '2026-11-21T10:01:00.000Z' });

  await server.close();
  await main.session.logins.login({ email: 'ana@example.test', password: 'wrong password' });
  await expect.poll(() => shown('small')).toMatchObject({ operation: 'login', answered: false, failure: 'refused' });
  const { servers } = main.application.parts.state.get();
  const ofSmall = servers.find(({ id }) => id === 'small')?.lastCalls ?? [];
  expect(ofSmall.length, 'no more than what the mark says').toBe(5);
  expect(JSON.stringify(ofSmall)).not.toContain('example');
});

it('an answer that cannot be read is one, and a call that was not sent says nothing', async () => {
  const server = await startRecordingServer(() => answer(200, '{}', { 'Transfer-Encoding': 'chunked' }));
  onTestFinished(server.close);
  const main = await mainWith({ small: { baseUrl: server.origin } });
  const ana = { email: 'ana@example.test', password: 'wrong password' };
  const lastCall = () => main.application.parts.state.get().servers.at(-1)?.lastCalls[0];
  const cancelled = main.session.logins.login(ana);
  main.session.operations.cancel();
  expect(await cancelled).toMatchObject({ error: { kind: 'cancelled' } });
  expect(lastCall()).toBeUndefined();
  expect(await main.session.logins.login(ana)).toMatchObject({ error: { kind: 'broken-http' } });
  expect(lastCall()).toMatchObject({ answered: true });
});

it('the test of an address belongs to the server that is made of it', async () => {
  const server = await startRecordingServer(smallServer());
  onTestFinished(server.close);
  const main = await mainWith({});
  expect(await main.handlers.servers.test({ address: server.origin })).toMatchObject({ ok: true });
  expect(await main.handlers.servers.chooseAddress({ address: server.origin })).toMatchObject({ ok: true });
  const { servers, activeServerId } = main.application.parts.state.get();
  expect(servers.find(({ id }) => id === activeServerId)).toMatchObject({
    baseUrl: server.origin,
    lastCalls: [{ operation: 'profile', answered: true }],
  });
});

it('a check is planned by how long the last calls took, and for both servers where two are compared', async () => {
  const [slow, quick] = ['https://slow.example.test', 'https://quick.example.test'];
  const main = await mainWith({ slow: { baseUrl: slow }, quick: { baseUrl: quick } });
  const { state } = main.application.parts;
  const call = { method: 'GET', answered: true, at: '2026-11-21T10:00:00.000Z' };
  const plan = async (serverId: string, compareWith?: string, callsPerSecond = 5) => {
    const wanted = { serverId, compareWith, options: RunOptions.parse({ callsPerSecond }) };
    const planned = await main.handlers.checks.plan(wanted);
    if (!planned.ok) throw new Error(planned.error.kind);
    return planned.value;
  };
  const unknown = await plan('slow');
  expect(unknown.seconds).toBe(Math.ceil(unknown.calls / 5));
  const lost = { ...call, answered: false, ms: 30_000 };
  state.set({
    lastCalls: new Map([
      [slow, [lost, { ...call, ms: 1200 }, { ...call, ms: 900 }, { ...call, ms: 2500 }]],
      [quick, [{ ...call, ms: 20 }]],
    ]),
  });
  expect((await plan('slow')).seconds).toBe(Math.ceil(unknown.calls * 1.2));
  expect((await plan('quick')).seconds).toBe(unknown.seconds);
  expect((await plan('slow', undefined, 0.5)).seconds).toBe(unknown.calls * 2);
  const both = await plan('slow', 'quick');
  expect(both).toMatchObject({ calls: 2 * unknown.calls, accounts: 2 * unknown.accounts });
  expect(both.seconds).toBe(Math.ceil(unknown.calls * 1.2) + unknown.seconds);
});

it('the response mapping of a server says what a check found there', async () => {
  const server = await startRecordingServer(smallServer());
  onTestFinished(server.close);
  const main = await mainWith({ small: { baseUrl: server.origin } });
  const learned = () => main.application.parts.state.get().servers.find(({ id }) => id === 'small')?.learned;
  expect(learned()).toEqual({});
  await main.run('small', RunOptions.parse({ callsPerSecond: 100, only: ['profile.answer'] }));
  expect(learned()).toMatchObject({ token: expect.any(String), user: expect.any(String) });
});
