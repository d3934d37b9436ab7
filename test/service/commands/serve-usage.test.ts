import { readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { type CommandIo, runCommand } from '../../../main/commands/run-command.ts';
import { parseServeArguments } from '../../../main/commands/serve-arguments.ts';
import { accountDefectNames, dialectNames, faultKindNames, defectNames } from '../../../preload/contract/names.ts';
import { folder, serve } from '../support/serve-process.ts';

const CLIENT_REPORT = 'The option --client-report is for this computer only.';
const BEYOND_LOOPBACK = 'The options --dialect, --fault, --seed and --wrong are for loopback only.';
const notShared = (option: string): string =>
  `The option ${option} cannot be given together with --database, whose accounts others may share.`;

describe('the usage of serve', () => {
  it.each([
    [['--prot', '1'], 'Unknown option --prot (did you mean --port?).'],
    [['start'], 'The command takes options only.'],
    [['--port'], 'The option --port needs a value.'],
    [['--port', 'http'], 'The option --port takes a number from 0 to 65535.'],
    [['--port', '65536'], 'The option --port takes a number from 0 to 65535.'],
    [['--data', ''], 'The option --data takes the path of a folder.'],
    [['--rate-limit', 'no'], 'The option --rate-limit takes on or off.'],
    [['--listen', '0.0.0.0'], 'The option --listen needs at least one --allow-host beyond loopback.'],
    [['--listen', 'eth0'], 'The option --listen takes an address of this computer.'],
    [['--allow-host', 'a.test:80'], 'The option --allow-host takes a name without a port.'],
    ...['*', 'null', 'http://localhost:5173/app'].map((origin): [string[], string] => [
      ['--allow-origin', 'http://localhost:3000', '--allow-origin', origin],
      `The option --allow-origin takes the exact origin of a web page (scheme, host and port), such as http://localhost:5173.`,
    ]),
    [
      ['--listen', '::', '--allow-host', 'a.test', '--rate-limit', 'off'],
      'The option --rate-limit off is for loopback only.',
    ],
    [['--login-limit', '51', '--listen', '::', '--allow-host', 'a.test'], /--login-limit takes a number from 1 to 50/],
    [
      ['--registration-limit', '101', '--listen', '0.0.0.0', '--allow-host', 'a.test'],
      /--registration-limit takes a number from 1 to 100/,
    ],
    [
      ['--client-limit', '3001', '--listen', '0.0.0.0', '--allow-host', 'a.test'],
      /--client-limit takes a number from 1 to 3000/,
    ],
    [
      ['--client-connections', '301', '--listen', '0.0.0.0', '--allow-host', 'a.test'],
      /--client-connections takes a number from 1 to 300/,
    ],
    [['--client-connections', '0'], 'The option --client-connections takes a number from 1 to 900.'],
    [['--trust-proxy', '0.0.0.0/0'], /takes an address or a network of at least 7 bits/],
    [['--trust-proxy', '::/1'], /takes an address or a network of at least 7 bits/],
    [['--var', 'realm=REALM'], 'The option --var needs an --interface or a --server.'],
    [['--client-report', 'a.json', '--listen', '::', '--allow-host', 'a.test'], CLIENT_REPORT],
    [['--client-report', 'a.json', '--trust-proxy', '10.0.0.1'], CLIENT_REPORT],
    [['--client-report', 'a.json', '--allow-host', 'a.test'], CLIENT_REPORT],
    [['--client-report', ''], 'The option --client-report takes the path of a file.'],
    [['--tls-cert', 'a.pem'], 'The options --tls-cert and --tls-key go together.'],
    [['--trust-proxy', '10.0.0.0/33'], 'The option --trust-proxy takes an address or a network of at least 7 bits.'],
    [['--argon2', 'm=1,t=1,p=1'], 'The option --argon2 takes a cost such as m=19456,t=2,p=1.'],
    [['--token-days', '0'], 'The option --token-days takes a number from 1 to 3650.'],
    [['--login-limit', 'many'], 'The option --login-limit takes a number from 1 to 1000000.'],
    [['--database', 'mysql://x/y'], /^The URL of the database must have the form postgres:/],
    [['--database', 'postgres://x'], /^The URL of the database must name a host and a database: /],
    [
      ['--database', 'postgres://x/y?sslmode=prefer'],
      /^The sslmode of the database must be one of disable, .*verify-full\.$/,
    ],
    [['--database', 'postgres://x/y', '--data', 'z'], 'Only one of the options --data and --database can be given.'],
    [
      ['--database', 'postgres://x/y', '--mock', 'z.json'],
      'Only one of the options --mock and --database can be given.',
    ],
    [['--database', 'postgres://x/y', '--dialect', 'spring'], notShared('--dialect')],
    [['--database', 'postgres://x/y', '--fault', 'login:500:1'], notShared('--fault')],
    [['--database', 'postgres://x/y', '--fault', 'login:500:0.5', '--seed', '7'], notShared('--fault')],
    [['--database', 'postgres://x/y', '--wrong', 'stack-traces'], notShared('--wrong')],
    [['--database', 'postgres://x/y', '--account-calls'], notShared('--account-calls')],
    [['--wrong', 'forgot-tells'], 'Vulnerabilities of account calls need --account-calls.'],
    ...[
      ['--mock', 'z.json'],
      ['--interface', 'strapi'],
      ['--dialect', 'spring'],
    ].map((other): [string[], string] => [
      ['--account-calls', ...other],
      `Only one of the options --account-calls and ${other[0]} can be given.`,
    ]),
    [['--database', 'postgres://x/y', '--database-connections', '0'], /takes a number from 1 to 1000/],
    [['--database-connections', '5'], 'The option --database-connections needs a --database.'],
    [
      ['--dialect', 'klingon'],
      'The option --dialect takes sanctum, tutorial, error-true, express, nestjs, spring, django or fastapi.',
    ],
    [
      ['--wrong', 'everything'],
      'The option --wrong takes token-outlives-logout, password-echoed, unknown-email-by-body, unknown-email-by-time, stack-traces, tokens-guessable, cpassword-ignored, password-hash-in-profile, code-accepted-twice, old-codes-accepted, wrong-codes-unlimited, pending-token-opens-profile, code-not-required, code-of-other-account, recovery-code-reusable, pending-token-reusable, current-password-ignored, sessions-outlive-password, old-password-works, deleted-without-password, token-outlives-account, forgot-tells or resend-tells.',
    ],
    [['--fault', 'login:418:1'], /^The kind of a fault is one of latency, 500, 429, expired, .* drip\.$/],
    [['--fault', 'logoff:500:1'], /^The operation of a fault is one of registro, register, login, profile, logout\.$/],
    [['--seed', '7'], 'The option --seed needs a --fault.'],
    [
      ['--fault', 'login:500:1', '--seed', '-1'],
      /^The option --seed needs a value. If it starts with a dash, write --seed=-….$/,
    ],
    [['--dialect', 'sanctum', '--listen', '0.0.0.0', '--allow-host', 'a.test'], BEYOND_LOOPBACK],
    [['--wrong', 'stack-traces', '--listen', '0.0.0.0', '--allow-host', 'a.test'], BEYOND_LOOPBACK],
    [['--fault', 'login:500:1', '--listen', '0.0.0.0', '--allow-host', 'a.test'], BEYOND_LOOPBACK],
    [['--seed', '7', '--listen', '0.0.0.0', '--allow-host', 'a.test'], BEYOND_LOOPBACK],
  ])('answers %j with one sentence and the code 2', async (args, sentence) => {
    const io = { out: vi.fn<CommandIo['out']>(), err: vi.fn<CommandIo['err']>() };
    const run = vi.fn<() => Promise<0>>();
    expect(await runCommand(parseServeArguments(args, {}), io, run)).toBe(2);
    const [said, ...rest] = io.err.mock.calls.flat().join('').split('\n');
    expect(said).toMatch(sentence);
    expect(rest).toEqual(['Use --help to list the options.', '']);
    expect([...io.out.mock.calls, ...run.mock.calls]).toEqual([]);
  });

  it('refuses the same where a variable names the database', async () => {
    const sentence = 'The option --dialect cannot be given together with the variable LLAVERO_DATABASE_URL,';
    const env = { LLAVERO_DATABASE_URL: 'postgres://x/y' };
    expect(await parseServeArguments(['--dialect', 'spring'], env)).toMatchObject({
      kind: 'wrong',
      sentence: expect.stringContaining(sentence),
    });
    expect(await parseServeArguments(['--dialect', 'spring', '--data', 'z'], env)).toMatchObject({ kind: 'run' });
  });

  it('ends a process with the code 2, which has said one sentence and written nothing', async () => {
    const cwd = folder();
    const ended = await serve(['--port', 'http'], cwd).ended;
    expect(ended).toMatchObject({
      code: 2,
      out: '',
      err: 'The option --port takes a number from 0 to 65535.\nUse --help to list the options.\n',
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('lists every name of what it can be told to do wrong, one in a line', async () => {
    const { code, out, err } = await serve(['--help']).ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const name of [...dialectNames, ...defectNames, ...accountDefectNames, ...faultKindNames]) {
      expect(out.split('\n').filter((line) => new RegExp(`^ {6}${name}(?:=…)? {2,}\\w`).test(line))).toHaveLength(1);
    }
  });
});
