import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startRecordingServer } from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { check, quickly } from '../support/check.ts';

vi.setConfig({ testTimeout: 60_000 });

const baselineIn = async (folder?: string): Promise<string> =>
  path.join(folder ?? (await makeTemporaryFolder()), 'accepted.json');

/** Runs against a server of ours that is unsafe in these ways. */
async function checkUnsafe(defects: ('token-outlives-logout' | 'password-echoed')[], args: string[]) {
  const { service } = await startBuiltInServer({ defects }, { isEmpty: true });
  return check([service.baseUrl, ...quickly, '--only', 'logout.same-token-afterwards,errors.secrets-sent', ...args]);
}

describe('check with a baseline', () => {
  it('fails for what is new, and passes what was accepted', async () => {
    const file = await baselineIn();
    const failing = ['--baseline', file, '--fail-on', 'new'];
    expect(await checkUnsafe(['token-outlives-logout'], failing)).toMatchObject({ code: 2 });

    const accepting = [...failing, '--accept', 'Ticket 7, mended in May'];
    const accepted = await checkUnsafe(['token-outlives-logout'], accepting);
    expect(accepted).toMatchObject({ code: 0, err: expect.stringContaining(`Written: ${file}`) });
    expect(accepted.err).toContain('Accepted: The token still works after logging out (Ticket 7,');

    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      version: 1,
      accepted: [{ fault: 'finding:token-outlives-logout', reason: 'Ticket 7, mended in May' }],
    });
    expect(await checkUnsafe(['token-outlives-logout'], failing)).toMatchObject({ code: 0 });
    expect(await checkUnsafe(['token-outlives-logout', 'password-echoed'], failing)).toMatchObject({ code: 1 });
  });

  it('says what was accepted and is no longer there', async () => {
    const file = await baselineIn();
    await checkUnsafe(['token-outlives-logout'], ['--baseline', file, '--accept', 'known']);
    const before = await readFile(file, 'utf8');
    const { code, err } = await checkUnsafe([], ['--baseline', file, '--fail-on', 'new']);
    expect(code).toBe(0);
    expect(err).toContain('Accepted, and no longer present: finding:token-outlives-logout (known)');
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('lets a broken rule pass that was accepted, and says so', async () => {
    const server = await startRecordingServer(() => {
      const body = '{"message":"ok","token":"7|abcdefghijklmnopqrstuvwxyzabcdefghijklmn"}';
      return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    });
    const file = await baselineIn();
    const args = [server.origin, ...quickly, '--only', 'login.wrong-password', '--baseline', file];
    expect(await check([...args, '--accept', 'known'])).toMatchObject({ code: 0 });
    const { code, err } = await check(args);
    expect(code).toBe(0);
    expect(err).toMatch(/; \d accepted\n$/);
    expect(err).not.toContain('requirements failed');
  });

  it.each([
    [['--fail-on', 'new'], 'The option --fail-on new needs --baseline FILE.'],
    [['--accept', 'known'], 'The option --accept needs --baseline FILE, into which it writes.'],
    [['--baseline', 'x.json', '--accept', '  '], 'The option --accept takes a reason of 1 to 1000 characters.'],
    [['--baseline', ''], 'The option --baseline takes the path of a file.'],
    [['--baseline', '/nowhere/x.json', '--accept', 'known'], 'cannot be written: its folder does not exist.'],
    [['--baseline', '/nowhere/x.json'], 'The baseline "/nowhere/x.json" cannot be read (ENOENT).'],
  ])('%j is a wrong use, and nothing is sent', async (args, sentence) => {
    const server = await startRecordingServer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    const { code, err } = await check([server.origin, ...args]);
    expect({ code, requests: server.requests.length }).toEqual({ code: 2, requests: 0 });
    expect(err).toContain(sentence);
  });

  it('refuses a damaged baseline before anything is sent, and leaves it as it is', async () => {
    const file = await baselineIn();
    await writeFile(file, '{"schema":"llavero-accepted-faults","version":9}');
    const { code, err } = await check(['127.0.0.1:1', '--baseline', file, '--accept', 'known']);
    expect({ code, err: err.split('\n')[0] }).toEqual({
      code: 2,
      err: `The baseline "${file}" was written by another version of Llavero.`,
    });
    expect((await stat(file)).size).toBe(48);
  });
});
