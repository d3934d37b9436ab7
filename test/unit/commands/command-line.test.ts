import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCheckArguments as readCheckArgs } from '../../../main/commands/check-command.ts';
import {
  allowedSwitches,
  commandSummaries,
  parseCommandLine,
  refusedSwitches,
  formatRefusedSwitches,
} from '../../../main/commands/command-line.ts';
import { parseServeArguments as readServeArgs } from '../../../main/commands/serve-arguments.ts';
import { HELP } from '../../../main/commands/usage.ts';

describe('the command line', () => {
  it('opens the window when nothing is asked for', () => {
    expect(parseCommandLine([])).toEqual({
      verb: 'window',
      verbArguments: [],
      userDataDir: undefined,
      language: undefined,
      virtualDisplay: false,
      link: undefined,
      unknown: undefined,
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

  it.each([
    [['--help'], 'help'],
    [['-h'], 'help'],
    [['--lang=es', '--help', 'serve'], 'help'],
    [['--version'], 'version'],
    [['serve', '--help'], 'serve'],
    [['constructor', '--help'], 'help'],
    [['constructor'], 'window'],
  ] as const)('%j asks for: %s', (args, verb) => {
    expect(parseCommandLine([...args]).verb).toBe(verb);
  });

  it.each([
    [['chekc', 'https://a.test'], 'chekc'],
    [['--lang=es', 'other', 'check'], 'other'],
    [['check', 'other'], undefined],
    [['LLAVERO://environment/a'], undefined],
  ])('%j has as a word that nobody knows: %s', (args, unknown) => {
    expect(parseCommandLine(args).unknown).toBe(unknown);
  });

  it('is told in full by --help', () => {
    for (const name of [...Object.keys(commandSummaries), ...allowedSwitches.map((form) => form.split('=')[0])])
      expect(HELP).toContain(`  ${name}`);
  });

  it('hands the arguments after serve to serve', () => {
    expect(parseCommandLine(['--no-sandbox', 'serve', '--port', '0'])).toMatchObject({
      verb: 'serve',
      verbArguments: ['--port', '0'],
    });
  });
});

/** A release must refuse these, and no list of bad switches has them in full. */
const plain = `
  --no-sandbox
  -no-sandbox
  ---no-sandbox
  --remote-debugging-port=9222
  --remote-debugging-pipe
  --password-store=basic
  --password-store=BASIC
  --password-store=detect
  --password-store=
  --password-store
  -password-store=basic
  --proxy-server=http://evil.test
  --proxy-pac-url=http://evil.test
  --host-resolver-rules=MAP * evil.test
  --ignore-certificate-errors-spki-list=x
  --ssl-key-log-file=/tmp/keys
  --log-net-log=/tmp/net
  --enable-logging
  --log-file=/tmp/log
  --enable-features=X
  --disable-features=X
  --enable-blink-features=X
  --blink-settings=x=true
  --type=renderer
  --app=/tmp/evil
  --require=/tmp/evil.js
  -r
  -e
  --js-flags=--expose-gc
  --use-system-ca
  --crash-dumps-dir=/tmp
  --disk-cache-dir=/tmp
  --auth-server-allowlist=*
  --load-extension=/tmp/x
  --a-switch-that-comes-with-the-next-chromium
  -
  --
  --user-data-dir
  --user-data-dir=
  -user-data-dir=/tmp
  --User-Data-Dir=/tmp
  --lang
  --lang=
  --Lang=es
  --lang=../../etc
  --disable-gpu=1
  --disable-gpu-sandbox
  --DISABLE-GPU
  --ozone-platform=drm
  --force-device-scale-factor=1e9
  --developer-tools=1
`;
/** Chromium cuts white space off before it looks for dashes. */
const odd = [
  ' --no-sandbox',
  '\t-no-sandbox',
  '\u000b--x',
  '--disable-gpu ',
  '--password-store=gnome-libsecret --no-sandbox',
  '--password-store=gnome-libsecret\n',
  '--user-data-dir=\n',
  '--virtual-display\u0000',
];

describe('the switches that a release takes', () => {
  it.each([
    ['--user-data-dir=/tmp/a b', 'linux'],
    ['--user-data-dir=/no-sandbox', 'linux'],
    ['--user-data-dir=C:\\Users\\ana', 'win32'],
    ['--lang=es', 'linux'],
    ['--lang=es-419', 'linux'],
    ['--lang=zh_Hant_TW', 'linux'],
    ['--password-store=gnome-libsecret', 'linux'],
    ['--password-store=kwallet6', 'linux'],
    ['--ozone-platform=wayland', 'linux'],
    ['--disable-gpu', 'darwin'],
    ['--force-device-scale-factor=1.25', 'win32'],
    ['--developer-tools', 'linux'],
    ['--virtual-display', 'linux'],
    ['--help', 'linux'],
    ['-h', 'win32'],
    ['--version', 'darwin'],
    ['--updated', 'win32'],
    ['no-sandbox', 'linux'],
    ['/no-sandbox', 'linux'],
    ['/home/ana/file.har', 'darwin'],
  ] as const)('%s on %s', (arg, platform) => {
    expect(refusedSwitches([arg], platform)).toEqual([]);
  });

  it.each([...plain.trim().split(/\s*\n\s*/), ...odd])('none of them is %j', (arg) => {
    for (const platform of ['linux', 'win32', 'darwin'] as const)
      expect(refusedSwitches([arg], platform)).toEqual([arg]);
    // It is refused wherever it stands, even after a word that is no command.
    expect(refusedSwitches(['--lang=es', 'a file', arg, '--disable-gpu'], 'linux')).toEqual([arg]);
  });

  it('are listed where another is refused, and an AppImage without a sandbox says what helps', () => {
    expect(formatRefusedSwitches(['--no-sandbox'], true)).toContain('Install the Debian or Fedora package');
    for (const sentence of [
      formatRefusedSwitches(['--no-sandbox'], false),
      formatRefusedSwitches(['--no-sandbox', '--inspect'], true),
    ])
      expect(sentence).toMatch(/^Llavero does not start with --no-sandbox.* It accepts: --user-data-dir=DIR /);
  });

  it('is no folder of another computer, neither for the window nor for a command', async () => {
    const share = String.raw`\\evil.test\share`;
    expect(refusedSwitches([`--user-data-dir=${share}`, '--user-data-dir=//evil.test/share'], 'win32')).toHaveLength(2);
    const sentence = (option: string): string => `The path in ${option} leads to another computer.`;
    expect(await readServeArgs(['--data', share], {})).toEqual({ kind: 'wrong', sentence: sentence('--data') });
    expect(await readCheckArgs(['a.test', '--compare', share])).toEqual({
      kind: 'wrong',
      sentence: sentence('--compare'),
    });
    expect(await readCheckArgs(['a.test', '--report', `md=${share}`])).toMatchObject({ kind: 'wrong' });
  });

  it.each(['/no-sandbox', ' /no-sandbox', '\u00a0--no-sandbox', '\u0085/no-sandbox', '\u3000-no-sandbox', '/'])(
    'on Windows none of them is %j either',
    (arg) => expect(refusedSwitches([arg], 'win32')).toEqual([arg]),
  );

  it('stand as they are written here among all that Chromium takes for one', () => {
    const space = fc.constantFrom('', '', '', ' ', '\t', '\n', '\u000b', '\u00a0');
    const dashes = fc.constantFrom('--', '--', '--', '-', '/', '---', '');
    const ours = [
      'lang',
      'user-data-dir',
      'disable-gpu',
      'password-store',
      'ozone-platform',
      'virtual-display',
      'disable-dev-shm-usage',
    ];
    const name = fc.constantFrom(...ours, ...ours, 'force-device-scale-factor', 'Lang', 'no-sandbox', 'proxy-server');
    const value = fc.constantFrom(
      '',
      '=',
      '=es',
      '=basic',
      '=gnome-libsecret',
      '=x11',
      '=1.5',
      '=/tmp',
      '=a b',
      '==',
      '-x',
    );
    const argument = fc.tuple(space, dashes, name, value, space, value).map((pieces) => pieces.join(''));
    let taken = 0;
    fc.assert(
      fc.property(argument, fc.constantFrom('linux' as const, 'win32' as const), (arg, platform) => {
        const found = asChromium(arg, platform);
        if (!found || refusedSwitches([arg], platform).length > 0) return;
        taken++;
        // Ours and Chromium's reading of it are the same then, and its name is on the list.
        expect(arg).toBe(`--${found}`);
        expect(found).toMatch(
          /^(?:(?:user-data-dir|lang|password-store|ozone-platform|force-device-scale-factor)=[^]+|disable-gpu|disable-dev-shm-usage|virtual-display)$/,
        );
        expect(found).not.toMatch(/^password-store=(?!gnome-libsecret$)/);
      }),
      { numRuns: 20_000 },
    );
    expect(taken).toBeGreaterThan(200);
  });

  it('go before a command too, where the launcher of root turns the sandbox off', () => {
    expect(refusedSwitches(['--no-sandbox', '--ozone-platform=headless', 'check', 'localhost', '--bail'])).toEqual([]);
    expect(refusedSwitches(['--remote-debugging-port=0', 'serve', '--port', '0'])).toEqual([
      '--remote-debugging-port=0',
    ]);
    expect(refusedSwitches(['--no-sandbox'])).toEqual(['--no-sandbox']);
  });
});

/** Returns what is left of a switch without its dashes, as base/command_line.cc reads it; undefined for an argument. */
function asChromium(arg: string, platform: 'linux' | 'win32'): string | undefined {
  const trimmed = platform === 'win32' ? arg.trim() : arg.replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, '');
  const prefix = ['--', '-', ...(platform === 'win32' ? ['/'] : [])].find((each) => trimmed.startsWith(each));
  return prefix !== undefined && trimmed.length > prefix.length ? trimmed.slice(prefix.length) : undefined;
}

describe('the options of serve', () => {
  it('keeps a mock server to accounts of its own, whatever the environment says of a database', async () => {
    const env = { LLAVERO_DATABASE_URL: 'postgres://shared.test/accounts' };
    const read = await readServeArgs(['--mock', 'a/shop.json'], env);
    expect(read).toMatchObject({
      run: { database: { file: expect.stringMatching(/mocks.shop-[\da-f]+.service\.sqlite$/) } },
    });
  });
});
