import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { watch } from '../../../main/commands/check-watch.ts';
import { openReportStore } from '../../../main/contract-run/report-store.ts';
import { mostFailures } from '../../../main/contract-run/watch-pace.ts';
import type { BehaviourSettings } from '../../../main/service/behaviour/settings.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { ada } from '../support/make-service.ts';
import { startBuiltInServer } from '../support/behaviour.ts';
import { check, quickly } from '../support/check.ts';
import { contractRun } from '../support/contract-run.ts';

vi.setConfig({ testTimeout: 60_000 });

const hour = 3_600_000;

/** Watches a service through these states of it, one run each, and returns all that was written. */
async function watchThrough(states: (Partial<BehaviourSettings> | 'away')[], onChange?: string) {
  const { service, behaviour } = await startBuiltInServer();
  const store = openReportStore(':memory:');
  const stop = new AbortController();
  const texts = { out: '', err: '' };
  const pauses: number[] = [];
  const ran: string[] = [];
  const code = await watch({
    measure: () => {
      const state = states[ran.length]!;
      ran.push(state === 'away' ? state : (state.wrong ?? []).join());
      if (state !== 'away') behaviour.set({ wrong: [], ...state });
      const baseUrl = state === 'away' ? 'http://127.0.0.1:1' : service.baseUrl;
      return contractRun(baseUrl, { options: { variant: 'none' }, account: ada }).start();
    },
    store,
    io: { out: (text) => void (texts.out += text), err: (text) => void (texts.err += text), stop: stop.signal },
    of: { baseUrl: service.baseUrl, everyMs: hour, onChange },
    pause: (ms) => {
      pauses.push(ms);
      if (ran.length === states.length) stop.abort();
      return Promise.resolve();
    },
    random: () => (ran.length % 2 === 0 ? 0 : 0.999),
  });
  store.close();
  const events = texts.out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, events, pauses, ran, err: texts.err };
}

const wrong = { wrong: ['token-outlives-logout'] } as const satisfies Partial<BehaviourSettings>;

describe('a watch', () => {
  it('tells each change once, also when the server was away in between, and waits about as long as it is told', async () => {
    const { code, events, pauses } = await watchThrough([{}, {}, wrong, 'away', wrong, {}]);
    expect(code).toBe(0);
    expect(
      events.map(({ changes }) =>
        (changes as { kind: string; change: string; id: string }[])
          .filter(({ kind }) => kind === 'finding')
          .map(({ change, id }) => `${change} ${id}`),
      ),
    ).toEqual([['new token-outlives-logout'], ['gone token-outlives-logout']]);
    expect(events[0]).toMatchObject({ event: 'changed', at: expect.any(String), since: expect.any(String) });
    expect(Math.min(...pauses)).toBe(0.9 * hour);
    expect(Math.max(...pauses)).toBeGreaterThan(1.09 * hour);
    expect(Math.max(...pauses)).toBeLessThan(1.1 * hour);
  });

  it('ends by itself and says so once the server is away for too long', async () => {
    const { code, events, ran } = await watchThrough([
      {},
      ...Array.from({ length: mostFailures }, () => 'away' as const),
    ]);
    expect({ code, events }).toMatchObject({ code: 3, events: [{ event: 'stopped', runs: mostFailures }] });
    expect(ran).toHaveLength(1 + mostFailures);
  });

  it('starts a program for each change, with the change on its standard input and nothing in its arguments', async () => {
    const folder = await makeTemporaryFolder();
    const program = path.join(folder, 'tell; rm -rf x');
    await writeFile(program, `#!/bin/sh\n{ echo "$# arguments"; cat; } > "${folder}/told"\n`);
    await chmod(program, 0o700);
    const { events } = await watchThrough([{}, wrong], program);
    const [count, line = ''] = (await readFile(path.join(folder, 'told'), 'utf8')).split('\n');
    expect(count).toBe('0 arguments');
    expect(JSON.parse(line)).toEqual(events[0]);
  });

  it.each([
    ['/nowhere/tell', /could not be started/],
    ['/bin/false', /ended with 1/],
  ])('goes on where %s cannot do it, and says so', async (program, sentence) => {
    const { code, events, err } = await watchThrough([{}, wrong, {}], program);
    expect({ code, told: events.length }).toEqual({ code: 0, told: 2 });
    expect(err).toMatch(sentence);
  });
});

const env = { LLAVERO_CHECK_EMAIL: ada.email, LLAVERO_CHECK_PASSWORD: ada.password };

describe('the options of a history', () => {
  const watching = ['--history', 'h', '--watch', '15m'];
  it.each<[string[], string, NodeJS.ProcessEnv?]>([
    [['--watch', '15m'], 'The option --watch needs --history FOLDER.'],
    [watching, 'The option --watch needs an account that is there, since a run leaves those that it makes.', {}],
    [[...watching, '--variant', 'both'], 'The option --watch needs an account that is there'],
    [
      ['--history', 'h', '--watch', '10s'],
      'The option --watch takes a time from 1m to 7d, such as 15m or 2h, not "10s".',
    ],
    [['--history', 'h', '--watch', '8d'], 'The option --watch takes a time from 1m to 7d'],
    [[...watching, '--report', 'md=x'], 'The option --report does not go together with --watch.'],
    [[...watching, '--races'], 'The option --races does not go together with --watch.'],
    [['--on-change', 'x'], 'The option --on-change needs --watch.'],
    [['--history', ''], 'The option --history takes a folder.'],
    [['--history', '/dev/null/h'], 'The history "/dev/null/h" cannot be used: '],
  ])('%j is a wrong use, and nothing is sent', async (args, sentence, given = env) => {
    const server = await startRecordingServer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    const { code, err } = await check([server.origin, ...args], { env: given });
    expect({ code, requests: server.requests.length }).toEqual({ code: 2, requests: 0 });
    expect(err).toContain(sentence);
  });

  it('say what has changed since the run before', async () => {
    const { service, behaviour } = await startBuiltInServer({}, { isEmpty: true });
    const folder = path.join(await makeTemporaryFolder(), 'new', 'history');
    const args = [service.baseUrl, ...quickly, '--only', 'logout.same-token-afterwards', '--history', folder];
    expect((await check(args)).out).toMatch(/^# Contract report: /);
    expect((await check(args)).out).toMatch(/^# [^\n]*ompar[^]*nothing differs/i);
    behaviour.set({ wrong: ['token-outlives-logout'] });
    expect((await check(args)).out).toContain('The token still works after logging out');
  });
});
