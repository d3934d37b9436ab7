import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startRecordingServer } from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { check, quickly } from '../support/check.ts';

vi.setConfig({ testTimeout: 60_000 });

describe('a history', () => {
  it.each<[string[], string]>([
    [['--history', ''], 'The option --history takes the path of a folder.'],
    [['--history', '/dev/null/h'], 'The history "/dev/null/h" cannot be used: '],
  ])('%j is a wrong use, and nothing is sent', async (args, sentence) => {
    const server = await startRecordingServer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    const { code, err } = await check([server.origin, ...args]);
    expect({ code, requests: server.requests.length }).toEqual({ code: 2, requests: 0 });
    expect(err).toContain(sentence);
  });

  it('says what has changed since the run before', async () => {
    const { service, behaviour } = await startBuiltInServer({}, { isEmpty: true });
    const folder = path.join(await makeTemporaryFolder(), 'new', 'history');
    const args = [service.baseUrl, ...quickly, '--only', 'logout.same-token-afterwards', '--history', folder];
    expect((await check(args)).out).toMatch(/^# Check report: /);
    expect((await check(args)).out).toMatch(/^# [^\n]*ompar[^]*nothing differs/i);
    behaviour.set({ defects: ['token-outlives-logout'] });
    expect((await check(args)).out).toContain('The token still works after logging out');
  });
});
