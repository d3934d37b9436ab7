import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mockCommand } from '../../../main/commands/mock-command.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { closedPort } from '../../support/closed-port.ts';

vi.setConfig({ testTimeout: 120_000 });

async function mock(args: string[], stop = new AbortController()) {
  const texts = { out: '', err: '' };
  const code = await mockCommand(args, {
    out: (text) => void (texts.out += text),
    err: (text) => void (texts.err += text),
    stop: stop.signal,
    env: {},
    input: () => Readable.from([]),
    toolVersion: '0.1.0',
  });
  return { code, ...texts };
}

describe('mock', () => {
  it('sends nothing where its model could not be written', async () => {
    const server = await startRecordingServer(() => answer(200, {}));
    onTestFinished(() => server.close());
    const file = path.join(await makeTemporaryFolder(), 'missing', 'model.json');
    const { code, err } = await mock([server.origin, '--mock-file', file, '--rate', '100']);
    expect({ code, requests: server.requests.length }).toEqual({ code: 2, requests: 0 });
    expect(err).toBe(`The mock file "${file}" cannot be written: its folder does not exist.\n`);
  });

  it.each([
    [
      'nothing answers',
      async () => `http://127.0.0.1:${await closedPort()}`,
      { code: 3, says: 'The check ended early, so no mock was created.' },
    ],
    [
      'it is stopped',
      async (stop: AbortController) => {
        const server = await startRecordingServer(() => {
          if (server.requests.length === 3) stop.abort();
          return answer(200, {});
        });
        onTestFinished(() => server.close());
        return server.origin;
      },
      { code: 1, says: '' },
    ],
  ])('writes no model and serves nothing where %s', async (_where, original, { code: expected, says }) => {
    const stop = new AbortController();
    const folder = await makeTemporaryFolder();
    const baseUrl = await original(stop);
    const { code, out, err } = await mock(
      [baseUrl, '--mock-file', path.join(folder, 'model.json'), '--rate', '100'],
      stop,
    );
    expect(err).toContain(says);
    expect({ code, out, files: await readdir(folder) }).toEqual({ code: expected, out: '', files: [] });
  });

  it('says that a server may have another interface where neither login nor profile is there', async () => {
    const server = await startRecordingServer(() => answer(404, 'nothing'));
    onTestFinished(() => server.close());
    const { err } = await mock([server.origin, '--compare-only', '--rate', '100']);
    expect(err).toContain(`its description: llavero mock ${server.origin} --interface FILE\n`);
  });

  it('says what it did not measure, and how many calls would', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const only = 'login.right-credentials,profile.served';
    const { code, err } = await mock([service.baseUrl, '--compare-only', '--only', only, '--rate', '100']);
    expect(code).toBe(0);
    expect(err).toMatch(
      /The check did not show how many logins may fail in a row: .+ At most \d+ more requests would show it \(--throttling\)\./,
    );
    expect(err).toMatch(/the maximum body size: .+ At most \d+ more requests would show it\./);
  });
});
