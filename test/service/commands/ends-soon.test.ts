import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { startRecordingServer, type Respond } from '../../support/recording-server.ts';
import { CLI, watch } from '../support/serve-process.ts';
import { isPath, smallServer } from '../support/small-server.ts';

/** It ends after 1.5 seconds by itself. What is more than that is a busy machine; a call would be waited for 600. */
const patience = { timeout: 60_000 };
const mostMs = 20_000;

/** Logins that are answered as they should be, so that there are sessions. */
const fewest = 2;

/** What a server does with every later call. */
const ways: Record<string, Respond> = {
  'never answers': () => undefined,
  'answers a sign at a time': (_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"message":"');
    const timer = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(timer));
    return undefined;
  },
};

it.each(['check', 'mock'].flatMap((command) => Object.keys(ways).map((way) => [command, way] as const)))(
  '%s ends soon after a signal at a server that %s, and says what is left',
  patience,
  async (command, way) => {
    const small = smallServer();
    let logins = 0;
    const stuck = Promise.withResolvers<void>();
    const server = await startRecordingServer((request, socket) => {
      if (logins < fewest && !isPath(request, 'salir')) {
        const said = small(request, socket);
        if (String(said).includes('"token"')) logins += 1;
        return said;
      }
      stuck.resolve();
      return ways[way]!(request, socket);
    });
    onTestFinished(() => server.close());
    const child = spawn(process.execPath, [CLI, command, server.origin, '--rate', '100', '--timeout', '600000'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { ended } = watch(child);
    await stuck.promise;
    const toldAt = performance.now();
    child.kill('SIGTERM');
    const { code, signal, err } = await ended;
    expect(performance.now() - toldAt).toBeLessThan(mostMs);
    expect([code, signal]).toEqual([1, null]);
    expect(err).toMatch(
      /^(?:Requests sent: \d+ of at most|Ended early\. Tests completed: \d+ of \d+; requests sent: \d+\.)/m,
    );
    expect(err).toMatch(/^Sessions that could not be ended: \S+@\S+/m);
  },
);
