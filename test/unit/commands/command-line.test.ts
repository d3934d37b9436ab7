import { describe, expect, it } from 'vitest';
import { parseCommandLine, refusedSwitches } from '../../../main/commands/command-line.ts';

describe('the command line', () => {
  it('opens the window when nothing is asked for', () => {
    expect(parseCommandLine([])).toEqual({
      verb: 'window',
      verbArguments: [],
      userDataDir: undefined,
      language: undefined,
      virtualDisplay: false,
      developerTools: false,
    });
  });

  it('reads the folder, the language and the display among switches of Chromium', () => {
    const args = ['--no-sandbox', '--user-data-dir=/tmp/a b', '--lang=es', '--virtual-display', '--disable-gpu'];
    expect(parseCommandLine(args)).toMatchObject({
      verb: 'window',
      userDataDir: '/tmp/a b',
      language: 'es',
      virtualDisplay: true,
    });
  });

  it('takes the last of two values, as a shell alias with defaults needs', () => {
    expect(parseCommandLine(['--lang=es', '--lang=en']).language).toBe('en');
  });

  it('hands the arguments after check to check', () => {
    expect(parseCommandLine(['--ozone-platform=headless', 'check', 'localhost', '--bail'])).toMatchObject({
      verb: 'check',
      verbArguments: ['localhost', '--bail'],
    });
  });

  it('hands the arguments after serve to serve', () => {
    expect(parseCommandLine(['--no-sandbox', 'serve', '--port', '0'])).toMatchObject({
      verb: 'serve',
      verbArguments: ['--port', '0'],
    });
  });
});

describe('the switches that a release refuses', () => {
  it.each([
    ['--no-sandbox', 'linux', true],
    ['-no-sandbox', 'linux', true],
    ['--remote-debugging-port=9222', 'linux', true],
    ['--remote-debugging-pipe', 'darwin', true],
    ['--password-store=basic', 'linux', true],
    ['--password-store=gnome-libsecret', 'linux', false],
    ['--ignore-certificate-errors-spki-list=x', 'linux', true],
    ['/no-sandbox', 'win32', true],
    ['/no-sandbox', 'linux', false],
    ['--No-Sandbox', 'win32', true],
    ['--user-data-dir=/no-sandbox', 'linux', false],
    ['--lang=es', 'linux', false],
    ['no-sandbox', 'linux', false],
  ] as const)('%s on %s: %s', (arg, platform, isRefused) => {
    expect(refusedSwitches([arg], platform)).toEqual(isRefused ? [arg] : []);
  });
});
