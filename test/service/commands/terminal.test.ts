import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { CLI } from '../support/serve-process.ts';

const ESCAPE = '\u001B';
const BACK = `\r${ESCAPE}[K`;

/** Runs `check` on a terminal 60 columns wide, which `script` opens, and returns all that it is sent. */
function checkOnTerminal(args: string[], more: Record<string, string> = {}): Promise<string> {
  const command = [process.execPath, CLI, 'check', ...args].map((word) => `'${word}'`).join(' ');
  // Node takes a build server for a terminal without colours.
  const { NO_COLOR: _no, FORCE_COLOR: _force, CI: _ci, ...inherited } = process.env;
  const env = { ...inherited, TERM: 'xterm-256color', ...more };
  return new Promise((resolve) => {
    execFile('script', ['--quiet', '--command', `stty cols 60; ${command}`, '/dev/null'], { env }, (_error, shown) =>
      resolve(shown),
    );
  });
}

it('check tells its progress on a terminal in one line, and colours its end', async () => {
  const { service } = await startBuiltInServer({}, { isEmpty: true });
  const only = '--only=registration.served,login.wrong-password,token.required';
  const shown = await checkOnTerminal([service.baseUrl, '--rate=100', only, '--report=html=/dev/null']);
  const lines = shown.split(/\r?\n/).filter((line) => /\b\d+\/\d+ /.test(line));
  expect(lines).toHaveLength(1);
  const pieces = lines[0]?.split(BACK).filter((piece) => /^\d+\/\d+ /.test(piece)) ?? [];
  expect(pieces.length).toBeGreaterThan(2);
  // A line that was wrapped could not be taken back.
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(60);
  expect(shown).toContain(`${ESCAPE}[32m`);
});

it.each([
  ['nothing said', [], {}, true],
  ['the option --no-color', ['--no-color'], {}, false],
  ['the variable NO_COLOR', [], { NO_COLOR: '1' }, false],
])('check and colours with %s', async (_what, args, env, hasColours) => {
  // Nobody listens there.
  const url = 'http://127.0.0.1:9';
  const shown = await checkOnTerminal([url, '--report=html=/dev/null', ...args], env);
  expect(shown.includes(`${ESCAPE}[33m`)).toBe(hasColours);
});
