import { spawn } from 'node:child_process';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { answer, startRecordingServer, type Respond } from '../../support/recording-server.ts';
import { CLI, watch } from '../support/serve-process.ts';
import { isPath, smallServer } from '../support/small-server.ts';

const cases = 'login.right-credentials,login.wrong-password,login.unknown-email,login.answer,login.email-spelling';

const head = (more: string) => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${more}\r\n`;

/** What a server answers to each log-in. Each filled 580 to 770 MB once. */
const bombs: Record<string, () => Respond> = {
  'a body without an end': () => (_request, socket) => {
    socket.write(head('Transfer-Encoding: chunked\r\n'));
    const chunk = Buffer.from(`10000\r\n${'{"a":'.padEnd(0x1_00_00, ' ')}\r\n`);
    const more = (error?: Error | null): void => {
      if (!error && !socket.destroyed) socket.write(chunk, more);
    };
    more();
    return undefined;
  },
  '64 MB in some bytes of Brotli': () => {
    const body = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    const text = Buffer.concat([Buffer.from(head(`Content-Encoding: br\r\nContent-Length: ${body.length}\r\n`)), body]);
    return () => text;
  },
  'seven million brackets': () => {
    const text = answer(200, `${'['.repeat(3_500_000)}${']'.repeat(3_500_000)}`);
    return () => text;
  },
};

/** The most memory that the process had, in MB. The figure of `getrusage` would begin with that of its parent. */
const atEnd = `process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\\s+(\\d+)/.exec(process.getBuiltinModule('node:fs').readFileSync('/proc/self/status', 'utf8'));
  process.stderr.write('\\nmost MB: ' + Math.round(kilobytes / 1024));
})`;

it.runIf(process.platform === 'linux').each(Object.keys(bombs))(
  'check stays under 300 MB where every log-in is answered with %s',
  { timeout: 120_000 },
  async (name) => {
    const [small, bomb] = [smallServer(), bombs[name]!()];
    const server = await startRecordingServer((request, socket) =>
      isPath(request, 'login') ? bomb(request, socket) : small(request, socket),
    );
    onTestFinished(() => server.close());
    const loaded = ['--import', `data:text/javascript,${encodeURIComponent(atEnd)}`];
    const child = spawn(process.execPath, [...loaded, CLI, 'check', server.origin, '--rate', '100', '--only', cases], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { err } = await watch(child).ended;
    const [, most] = /most MB: (\d+)/.exec(err) ?? [];
    expect(Number(most)).toBeLessThan(300);
    expect(server.requests.filter((request) => isPath(request, 'login')).length).toBeGreaterThan(3);
  },
);
