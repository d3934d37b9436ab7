import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeHelp, parseCheckArguments } from '../../../main/commands/check-command.ts';
import { CaseId } from '../../../preload/contract/report-cases.ts';

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');

describe('the arguments of check', () => {
  it('have defaults', async () => {
    expect(await parseCheckArguments(['localhost:8000'])).toEqual({
      kind: 'run',
      run: {
        baseUrl: 'http://localhost:8000',
        acceptGuesses: false,
        account: undefined,
        run: {
          callsPerSecond: 5,
          throttling: false,
          races: false,
          variant: 'both',
          accounts: 8,
          bail: false,
          keepAccounts: false,
        },
        reports: [],
        compareWith: undefined,
        failOn: ['high'],
        timeoutMs: 30_000,
        pins: [],
        proxy: { mode: 'none' },
        headers: [],
        origins: [],
        typedVariables: { header: [], var: [] },
        language: 'en',
      },
    });
  });

  it('are all read', async () => {
    const only = ['--only', 'login.answer,token.form', '--only', 'token.form'];
    const reports = ['--report', 'junit=a=b.xml', '--report', 'html=c.html'];
    const trust = ['--trust-cert', fingerprint.toLowerCase(), '--trust-cert', fingerprint.replaceAll(':', '')];
    const origins = ['--origin', 'https://example.test', '--origin', 'https://EXAMPLE.test:443/'];
    const others = [
      '--fail-on',
      'medium',
      '--variant',
      'register',
      '--accounts',
      '20',
      '--email-domain',
      'qa.example.org',
      '--rate',
      '0.5',
      '--timeout',
      '100',
      '--lang',
      'es',
    ];
    const args = [
      'https://example.test/api/v1/auth/login',
      '--bail',
      '--keep-accounts',
      '--throttling',
      '--races',
      '--compare',
      'old.json',
    ];
    const proxy = ['--proxy', 'socks5://ana@proxy.test'];
    expect(
      await parseCheckArguments([...only, ...reports, ...trust, ...others, ...args, ...proxy, ...origins]),
    ).toEqual({
      kind: 'run',
      run: {
        baseUrl: 'https://example.test',
        acceptGuesses: false,
        run: {
          callsPerSecond: 0.5,
          throttling: true,
          races: true,
          variant: 'register',
          accounts: 20,
          emailDomain: 'qa.example.org',
          bail: true,
          keepAccounts: true,
          only: ['login.answer', 'token.form'],
        },
        reports: [
          { form: 'junit', file: 'a=b.xml' },
          { form: 'html', file: 'c.html' },
        ],
        compareWith: 'old.json',
        failOn: ['high', 'medium'],
        timeoutMs: 100,
        pins: [fingerprint, fingerprint],
        proxy: {
          mode: 'manual',
          proxy: { scheme: 'socks5', host: 'proxy.test', port: 1080 },
          username: 'ana',
          noProxy: [],
        },
        headers: [],
        origins: ['https://example.test'],
        typedVariables: { header: [], var: [] },
        language: 'es',
      },
    });
  });

  it('are explained, and every case has a list of its own', async () => {
    expect(await parseCheckArguments(['--help', '--wrong'])).toMatchObject({ kind: 'wrong' });
    expect(await parseCheckArguments(['--list-tests'])).toEqual({
      kind: 'help',
      text: `${CaseId.options.join('\n')}\n`,
    });
  });

  it.each([
    ['the engine', 'main/check/README.md'],
    ['the action', '.github/actions/check/README.md'],
  ])('end with codes that the help and the README of %s explain alike', async (_what, file) => {
    const help = await parseCheckArguments(['--help']);
    const said = help.kind === 'help' ? help.text.replaceAll(/\s+/g, ' ') : '';
    const rows = (await readFile(path.join(import.meta.dirname, '../../..', file), 'utf8')).match(/^\| \d \| .+ \|$/gm);
    expect(rows).toEqual(exitCodeHelp.map(([code, says]) => `| ${code} | ${says} |`));
    for (const [code, says] of exitCodeHelp) expect(said).toContain(`${code} ${says}`);
  });

  it.each([
    [[], 'missing'],
    [['a.test', 'b.test'], 'one URL'],
    [['http://ana:secret@a.test'], 'cannot have a user name'],
    [['ftp://a.test'], '"ftp://a.test"'],
    [['a.test', '--prot', '1'], '--prot'],
    [['a.test', '--report', 'junit'], '--report'],
    [['a.test', '--report', 'pdf=x'], '--report'],
    [['a.test', '--report', 'md='], '--report'],
    [['a.test', '--report', 'md=x', '--report', 'html=x'], 'Two reports'],
    [['a.test', '--only', 'login.nothing'], '--list-tests'],
    [['a.test', '--variant', 'all'], '--variant'],
    [['a.test', '--fail-on', 'info'], '--fail-on'],
    [['a.test', '--rate', '0'], '--rate'],
    [['a.test', '--rate', '1e2'], '--rate'],
    [['a.test', '--accounts', '0'], 'from 2 to 50'],
    [['a.test', '--accounts=-1'], 'from 2 to 50'],
    [['a.test', '--accounts', '-1'], '--accounts needs a value'],
    [['a.test', '--accounts', '1e9'], 'from 2 to 50'],
    [['a.test', '--accounts', '1000000000'], 'from 2 to 50'],
    [['a.test', '--accounts', 'many\r\nmore'], 'from 2 to 50'],
    [['a.test', '--accounts', ''], 'from 2 to 50'],
    [['a.test', '--accounts', '9', '--accounts', '9'], 'The option --accounts is given twice.'],
    [['a.test', '--email-domain', ''], 'such as test.example.org'],
    [['a.test', '--email-domain', '  '], 'such as test.example.org'],
    [['a.test', '--email-domain', 'a@b'], 'such as test.example.org'],
    [['a.test', '--email-domain', 'localhost'], 'such as test.example.org'],
    [['a.test', '--email-domain', 'a.test\u0000\u001b[2J\u202e'], 'such as test.example.org'],
    [['a.test', '--email-domain', `${'a.'.repeat(150)}test`], 'such as test.example.org'],
    [['a.test', '--email-domain', 'münchen.example'], 'here "xn--mnchen-3ya.example"'],
    [['a.test', '--email-domain', 'a.test', '--email-domain', 'b.test'], '--email-domain is given twice'],
    [['a.test', '--timeout', '99'], '--timeout'],
    [['a.test', '--timeout', ''], '--timeout'],
    [['a.test', '--lang', 'zz'], '--lang'],
    [['a.test', '--compare', ''], '--compare'],
    [['a.test', '--trust-cert', 'AB:CD'], '--trust-cert'],
    [['a.test', '--proxy', 'ftp://proxy.test'], '--proxy'],
    [['a.test', '--proxy', 'http://ana:secret@proxy.test'], 'LLAVERO_PROXY_PASSWORD'],
  ])('are refused with one sentence: %j', async (args, says) => {
    const usage = await parseCheckArguments(args);
    expect(usage).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining(says) });
    expect(usage.kind === 'wrong' && usage.sentence).toMatch(/^[^\n]+\.$/);
    expect(JSON.stringify(usage)).not.toContain('secret');
  });

  const gate = {
    GATE_ID: 'the id',
    GATE_SECRET: ' secret of the gate ',
    EMPTY: '',
    LINES: 'secret\r\nX-Evil: 1',
    LONG: 'secret'.repeat(200_000),
  };

  it('take extra headers, whose values are in the variables', async () => {
    const usage = await parseCheckArguments(
      ['a.test', '--header', 'CF-Access-Client-Id=GATE_ID', '--header', 'x=GATE_SECRET'],
      gate,
    );
    const headers = [
      ['CF-Access-Client-Id', 'the id'],
      ['x', 'secret of the gate'],
    ];
    expect(usage).toMatchObject({ kind: 'run', run: { headers } });
  });

  it.each([
    [['X-Key'], 'name of an environment variable'],
    [['X-Key='], 'name of an environment variable'],
    [['X-Key: secret'], 'name of an environment variable'],
    [['X-Key=a secret value'], 'name of an environment variable'],
    [['=GATE_ID'], 'the name of a header is missing'],
    [['X Key=GATE_ID'], 'letters, digits and hyphens'],
    [['X-Key\r\nX-Evil=GATE_ID'], 'letters, digits and hyphens'],
    [[`${'X'.repeat(200_000)}=GATE_ID`], 'at most 100 characters'],
    [['authorization=GATE_ID'], '"authorization" cannot be added'],
    [['Cookie=GATE_ID'], '"Cookie" cannot be added'],
    [['Host=GATE_ID'], '"Host" cannot be added'],
    [['Content-Length=GATE_ID'], '"Content-Length" cannot be added'],
    [['X-Key=GATE_ID', 'x-key=GATE_SECRET'], '"x-key" is given twice'],
    [['X-Key=NOT_THERE'], 'variable for the header "X-Key" is not set'],
    [['X-Key=EMPTY'], 'variable for the header "X-Key" is not set'],
    [['X-Key=LINES'], 'a character that no header can carry'],
    [['X-Key=LONG'], 'more than 8000 characters'],
    [Array.from({ length: 21 }, (_, at) => `X-${at}=GATE_ID`), '20 times'],
  ])('refuse a header that cannot be sent, with one sentence and without its value: %j', async (given, says) => {
    const usage = await parseCheckArguments(['a.test', ...given.flatMap((each) => ['--header', each])], gate);
    expect(usage).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining(says) });
    expect(usage.kind === 'wrong' && usage.sentence).toMatch(/^[^\n]+\.$/);
    expect(JSON.stringify(usage)).not.toContain('secret');
  });

  const email = { LLAVERO_CHECK_EMAIL: 'ana@a.test' };
  const password = { LLAVERO_CHECK_PASSWORD: 'secret' };

  it.each([
    [[], { ...email, ...password }, { email: 'ana@a.test', password: 'secret' }, 'none'],
    [
      ['--email', 'ana@a.test'],
      { ...password, LLAVERO_CHECK_EMAIL: '' },
      { email: 'ana@a.test', password: 'secret' },
      'none',
    ],
    [[], { LLAVERO_CHECK_EMAIL: 'johndoe', ...password }, { email: 'johndoe', password: 'secret' }, 'none'],
    [['--password-stdin', '--variant', 'both'], email, { email: 'ana@a.test' }, 'both'],
    [[], { LLAVERO_CHECK_EMAIL: '', LLAVERO_CHECK_PASSWORD: '' }, undefined, 'both'],
  ])('take an account from the variables and %j', async (args, env, account, variant) => {
    const usage = await parseCheckArguments(['a.test', ...args], env);
    expect(usage).toMatchObject({ kind: 'run', run: { run: { variant } } });
    expect(usage.kind === 'run' && usage.run.account).toEqual(account);
  });

  const base32 = 'JBSWY3DPEHPK3PXP';

  it.each([base32, 'jbsw y3dp ehpk 3pxp', `otpauth://totp/Shop:ana?secret=${base32}&digits=8`])(
    'take the secret of a second factor from the variable that is named: %s',
    async (FACTOR) => {
      const usage = await parseCheckArguments(['a.test', '--totp-secret', 'FACTOR'], { ...email, ...password, FACTOR });
      expect(usage).toMatchObject({ kind: 'run', run: { totpSecret: FACTOR } });
    },
  );

  it.each([
    [base32, { ...email, ...password }, 'is not set'],
    [
      'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP',
      { ...email, ...password },
      'takes the name of an environment variable',
    ],
    ['FACTOR', { FACTOR: base32 }, 'needs an existing account'],
    ['FACTOR', { ...email, ...password }, 'is not set'],
    ['FACTOR', { ...email, ...password, FACTOR: '' }, 'is not set'],
    ['FACTOR', { ...email, ...password, FACTOR: 'no Base32!' }, 'neither a secret in Base32 nor an otpauth: URL'],
  ])('refuse %s as the variable of a second factor', async (given, env, says) => {
    const usage = await parseCheckArguments(['a.test', '--totp-secret', given], env);
    expect(usage).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining(says) });
    expect(JSON.stringify(usage)).not.toMatch(/JBSWY|no Base32!/);
  });

  it.each([
    [[], email, 'no password'],
    [[], password, 'no email'],
    [['--password-stdin'], {}, 'no email'],
    [['--email', 'ana@a.test'], {}, 'no password'],
    [['--email', 'ana@a.test'], { ...email, ...password }, 'email of the account is given twice'],
    [['--password-stdin'], { ...email, ...password }, 'password of the account is given twice'],
    [['--email', 'secret'], password, 'is its password'],
    [['--email', ' ana'], password, 'has spaces around it'],
    [['--email', 'ana\nb'], password, 'a line break'],
    [[], { ...email, LLAVERO_CHECK_PASSWORD: 'short' }, 'fewer than 6 characters'],
    [['--password', 'secret'], email, 'Unknown option --password'],
    [['--only', 'login.answer,registration.answer'], { ...email, ...password }, '"registration.answer"'],
    [['--only', 'login.email-spelling'], { ...email, ...password }, '"login.email-spelling"'],
    [['--only', 'login.answer', '--variant', 'none'], {}, '"login.answer"'],
    [['--throttling'], { ...email, ...password }, '--throttling'],
  ])('are refused with one sentence: %j with the variables %j', async (args, env, says) => {
    const usage = await parseCheckArguments(['a.test', ...args], env);
    expect(usage).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining(says) });
    expect(usage.kind === 'wrong' && usage.sentence).toMatch(/^[^\n]+\.$/);
    expect(JSON.stringify(usage)).not.toMatch(/secret|short/);
  });
});
