import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCommand } from '../../../main/client/recording/format-command.ts';
import { CommandForm, type RecordedCall } from '../../../preload/contract/calls.ts';

const run = promisify(execFile);

type Hostile = { method: string; url: string; headers: { name: string; value: string }[]; body?: string | undefined };

/** A request as the file of the calls could hold it after somebody else wrote there. */
const kept = ({ method, url, headers, body }: Hostile): RecordedCall['request'] => ({
  method,
  url: [url],
  head: {
    text: [[`${method} / HTTP/1.1`, ...headers.map(({ name, value }) => `${name}: ${value}`), '', ''].join('\r\n')],
    source: 'as-prepared',
  },
  ...(body !== undefined && { body: { form: 'text', text: [body], bytes: Buffer.byteLength(body) } }),
});

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

const samples = fc.sample(hostile, { numRuns: 6_000, seed: 33 }).map(kept);

const plain = (parts: readonly unknown[]): string => parts.join('');

const bodyOf = ({ body }: RecordedCall['request']): string[] => (body?.form === 'text' ? [plain(body.text)] : []);

/** Returns the commands of a form for all samples that it can say. */
const commands = (form: CommandForm): { request: RecordedCall['request']; text: string }[] =>
  samples.flatMap((request) => {
    const made = formatCommand(request, form);
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

describe('a command of a hostile request', () => {
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
        wellFormed(plain(request.url)),
      ]);
      expect(others.at(-1)).toBe('end');
      const words = others.slice(0, -1);
      const after = (option: string): string[] => words.filter((_word, at) => at % 2 === 1 && words[at - 1] === option);
      expect(after('--header').filter((value) => !/^[!#$%&'*+.^_`|~\w-]+[:;]/.test(value))).toEqual([]);
      expect(after('--data-raw')).toEqual(bodyOf(request).map(wellFormed));
      expect(after('--header').length + after('--data-raw').length).toBe(words.length / 2);
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
});

describe('a request that HTTP does not allow', () => {
  const request = (change: Partial<Hostile>): RecordedCall['request'] =>
    kept({ method: 'GET', url: 'https://good.test/', headers: [], ...change });

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
    ['a file as a header', { headers: [{ name: '@/etc/passwd', value: 'x' }] }],
  ])('is no command with %s', (_what, change) => {
    for (const form of CommandForm.options)
      expect(formatCommand(request(change), form)).toEqual({ ok: false, problem: 'not-http' });
  });
});

/** Half of a pair of surrogates has no bytes of its own. */
const wellFormed = (value: string): string => Buffer.from(value).toString();
