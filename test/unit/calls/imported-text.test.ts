import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandOf } from '../../../main/calls/commands.ts';
import { parseHar } from '../../../main/calls/har.ts';
import { importedEntry } from '../../support/imported-entry.ts';
import { createSecretReferences } from '../../../main/secrets/secret-references.ts';
import { CommandForm, type RecordedCall } from '../../../preload/contract/calls.ts';

const run = promisify(execFile);

type Hostile = { method: string; url: string; headers: { name: string; value: string }[]; body?: string | undefined };

/** Returns the request of an archive that somebody else wrote, as it is kept. */
function imported({ method, url, headers, body }: Hostile): RecordedCall['request'] | undefined {
  const request = { method, url, headers, ...(body !== undefined && { postData: { text: body } }) };
  const har = parseHar(JSON.stringify({ log: { entries: [{ request, response: { headers: [] } }] } }));
  if (!har.ok) throw new Error(har.problem);
  return importedEntry(har.entries[0], createSecretReferences())?.request;
}

const pieces = [
  ...String.raw`--output=.bashrc -o -- - @/etc/passwd @- \\evil\share //evil/share . / ~ # ' " $(id) \${IFS} ; & |`.split(
    ' ',
  ),
  ...String.raw`< > ( ) %PATH% ! ^ \ ’ {{TOKEN}} [char]27 $env:PATH --% = : := == :@ evil.test a X 漢`.split(' '),
  ...'\n|\r|\r\n|\t|\0|\u0003|\u001B[201~|\u0015|\u007F|\u009B201~|\u2028|\u0085|\uD800| |`'.split('|'),
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join(''));
const method = fc.oneof(fc.constantFrom('GET', 'POST', 'post', 'M-SEARCH', 'evil.test', 'PURGE'), text);
const url = fc.oneof(
  text,
  text.map((rest) => `http://a.test/${rest}`),
  text.map((rest) => `https://a.test${rest}`),
  text.map((rest) => `https://${rest}a.test/`),
);
const name = fc.oneof(fc.constantFrom('Accept', 'X-A', '-o', '--output', '@file', ':authority'), text);
const hostile = fc.record({
  method,
  url,
  headers: fc.array(fc.record({ name, value: text }), { maxLength: 3 }),
  body: fc.option(text, { nil: undefined }),
});

/** By chance, a piece stands after a name of a secret, as in `passwd=`: a variable of the shell then stands for it. */
const holdsSecret = ({ url: address, head, body }: RecordedCall['request']): boolean =>
  [...address, ...head.text, ...(body?.form === 'text' ? body.text : [])].some((part) => typeof part !== 'string');

/** Many such requests, with what is kept of each. */
const samples = fc
  .sample(hostile, 1_500)
  .flatMap((each) => imported(each) ?? [])
  .filter((request) => !holdsSecret(request));

const plain = (parts: readonly unknown[]): string => parts.join('');

const bodyOf = ({ body }: RecordedCall['request']): string[] => (body?.form === 'text' ? [plain(body.text)] : []);

/** Returns the commands of a form for all samples that it can say. */
const commands = (form: CommandForm): { request: RecordedCall['request']; text: string }[] =>
  samples.flatMap((request) => {
    const made = commandOf(request, form);
    return made.ok ? [{ request, text: made.command.text }] : [];
  });

/** Returns the words that a program is started with, for each command, as bash reads them. Nothing else may run. */
async function startedBy(program: string, texts: readonly string[]): Promise<string[][]> {
  const script = [
    `${program}() { printf '%s\\0' "$@"; printf 'end\\0'; }`,
    `command_not_found_handle() { echo "ran $*" >&2; exit 9; }`,
    ...texts.flatMap((each) => [each, 'printf "\\1\\0"']),
  ].join('\n');
  const { stdout } = await run('/bin/bash', ['--norc', '-c', script], {
    env: { PATH: '/nonexistent' },
    maxBuffer: 1e8,
  });
  return stdout
    .split('\u0001\0')
    .slice(0, -1)
    .map((part) => part.split('\0').slice(0, -1));
}

/** A terminal would act on these while the command is pasted. */
const acting = /[^\P{Cc}\n]/u;

describe('what is imported', () => {
  it('has a method, an address and headers of HTTP, or is left out', () => {
    expect(samples.length).toBeGreaterThan(100);
    for (const { method: kept, url: address, head } of samples) {
      expect(kept).toMatch(/^[A-Za-z][!#$%&'*+.^_`|~\w-]*$/);
      const { protocol, username, password, hostname } = new URL(plain(address));
      expect([['http:', 'https:'].includes(protocol), username, password]).toEqual([true, '', '']);
      expect(hostname).not.toBe('');
      for (const line of plain(head.text).split('\r\n').slice(1, -2))
        expect(line).toMatch(/^[!#$%&'*+.^_`|~\w-]+: [^\P{C}\t]*/u);
    }
  });

  it.each([
    ['an option as the method', { method: '--output=.bashrc' }],
    ['an option of one letter', { method: '-o' }],
    ['two lines as the method', { method: 'GET\nX' }],
    ['nothing as the method', { method: '' }],
    ['a file as the address', { url: 'file:///etc/passwd' }],
    ['a share as the address', { url: String.raw`\\evil.test\share` }],
    ['a share that looks like one', { url: '//evil.test/share' }],
    ['another host than it seems', { url: 'https://good.test@evil.test/' }],
    ['a name and password', { url: 'https://ana:secret@good.test/' }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['an option as the address', { url: '--output=.bashrc' }],
    ['a file that curl reads addresses from', { url: '@/etc/passwd' }],
  ])('is refused with %s', (_what, change) => {
    expect(imported({ method: 'GET', url: 'https://good.test/', headers: [], ...change })).toBeUndefined();
  });

  it('loses headers that are none, and keeps the others in one line each', () => {
    const headers = ['@/etc/passwd', ':authority', 'a b', 'X\r\nY', '', '--output'].map((each) => ({
      name: each,
      value: 'x',
    }));
    const request = imported({
      method: 'GET',
      url: 'https://good.test/',
      headers: [...headers, { name: 'Z', value: 'a\r\nb\u001B' }],
    });
    expect(request?.head.text).toEqual(['GET / HTTP/1.1\r\n--output: x\r\nZ: a b \r\n\r\n']);
  });
});

describe('a command of what is imported', () => {
  it.each(CommandForm.options)('holds nothing that a terminal acts on: %s', (form) => {
    const made = commands(form);
    expect(made.length).toBeGreaterThan(30);
    expect(made.filter((each) => acting.test(each.text))).toEqual([]);
  });

  it('starts curl once, with each text in its place', async () => {
    const made = commands('curl-bash');
    const started = await startedBy(
      'curl',
      made.map((each) => each.text),
    );
    for (const [index, { request }] of made.entries()) {
      const [globoff, ask, asked, to, address, ...others] = started[index] ?? [];
      expect([globoff, ask, asked, to, address]).toEqual([
        '--globoff',
        '--request',
        request.method,
        '--url',
        plain(request.url),
      ]);
      expect(others.at(-1)).toBe('end');
      const words = others.slice(0, -1);
      const after = (option: string): string[] => words.filter((_word, at) => at % 2 === 1 && words[at - 1] === option);
      expect(after('--header').filter((value) => !/^[!#$%&'*+.^_`|~\w-]+[:;]/.test(value))).toEqual([]);
      expect(after('--data-raw')).toEqual(bodyOf(request).map(wellFormed));
      expect(after('--header').length + after('--data-raw').length).toBe(words.length / 2);
    }
  });

  it('starts HTTPie once, and nothing imported is an option', async () => {
    const made = commands('httpie');
    const started = await startedBy(
      'http',
      made.map((each) => each.text),
    );
    for (const [index, { request }] of made.entries()) {
      const words = started[index] ?? [];
      const at = words.indexOf('--');
      const body = bodyOf(request).map((each) => `--raw=${wellFormed(each)}`);
      expect(words.slice(0, at)).toEqual(['--ignore-stdin', ...body]);
      expect(words.slice(at + 1, at + 3)).toEqual([request.method, plain(request.url)]);
      // HTTPie would take another method for the host.
      expect(request.method).toMatch(/^[A-Za-z]+$/);
      expect(words.at(-1)).toBe('end');
    }
  });

  it('calls fetch once, with each text in its place', async () => {
    for (const { request, text: script } of commands('fetch')) {
      const calls: unknown[][] = [];
      const fetch = async (...given: unknown[]): Promise<object> => {
        calls.push(given);
        return { status: 200, text: async () => '' };
      };
      await runInNewContext(`(async () => {${script}\n})()`, {
        fetch,
        console: { log: () => undefined },
        process: { env: {} },
      });
      const [[address, options] = []] = calls as [string, { method: string; body?: string }][];
      expect([calls.length, address, options?.method]).toEqual([1, plain(request.url), request.method]);
      expect([options?.body].filter((each) => each !== undefined)).toEqual(bodyOf(request));
    }
  });

  it('is for PowerShell made of options of ours and quoted texts only', () => {
    const quoted = String.raw`'(?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*'`;
    const value = String.raw`(?:${quoted}|\((?:${quoted}|\[char\]\d+)(?: \+ (?:${quoted}|\[char\]\d+))*\))`;
    const whole = new RegExp(
      String.raw`^curl\.exe --globoff --request ${quoted} --url ${value}(?: ${'`'}\n  --(?:header|data-raw) ${value})*$`,
      'u',
    );
    for (const { text: command } of commands('curl-powershell')) expect(command).toMatch(whole);
  });

  it('leaves cmd.exe no character that means something', () => {
    for (const { text: command } of commands('curl-cmd')) {
      const meaning = command
        .replaceAll(/\^\n\n/g, '')
        .replaceAll(/ \^\n {2}/g, ' ')
        .replaceAll(/\^[^\n]/gu, '');
      expect(meaning).not.toMatch(/["%!&|<>()^\n]/);
    }
  });
});

describe('a request that was kept before imports were checked', () => {
  const request = (change: Partial<RecordedCall['request']>): RecordedCall['request'] => ({
    method: 'GET',
    url: ['https://good.test/'],
    head: { text: ['GET / HTTP/1.1\r\n\r\n'], source: 'as-prepared' },
    ...change,
  });

  it.each([
    ['an option as its method', request({ method: '--output=.bashrc' })],
    ['another host than it seems', request({ url: ['https://good.test@evil.test/'] })],
    ['a file as its address', request({ url: ['file:///etc/passwd'] })],
    [
      'a file as a header',
      request({ head: { text: ['GET / HTTP/1.1\r\n@/etc/passwd: x\r\n\r\n'], source: 'as-prepared' } }),
    ],
  ])('is no command with %s', (_what, kept) => {
    for (const form of CommandForm.options) expect(commandOf(kept, form)).toEqual({ ok: false, problem: 'not-http' });
  });

  it('with a method that HTTPie takes for the host is none for HTTPie', () => {
    expect(commandOf(request({ method: 'evil.test' }), 'httpie')).toEqual({ ok: false, problem: 'not-in-this-form' });
    expect(commandOf(request({ method: 'M-SEARCH' }), 'curl-bash')).toMatchObject({ ok: true });
  });
});

/** Half of a pair of surrogates has no bytes of its own. */
const wellFormed = (value: string): string => Buffer.from(value).toString();
