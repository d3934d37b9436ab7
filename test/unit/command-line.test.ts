import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../main/command-line.ts';

describe('the command line', () => {
  it('opens the window when nothing is asked for', () => {
    expect(parseCommandLine([])).toEqual({
      verb: 'window',
      verbArguments: [],
      userDataDir: undefined,
      language: undefined,
      virtualDisplay: false,
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
