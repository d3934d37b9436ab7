import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordedCall } from '../../main/client/recording/recorded-call.ts';
import { interpret } from '../../main/client/interpret.ts';
import { parseBaseUrl } from '../../main/client/base-url.ts';
import { redactionJob } from '../../main/client/interpret-for-display.ts';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { mockFileLimits } from '../../main/service/mock/mock-definition.ts';
import { parseMockFile } from '../../main/service/mock/load-mock-file.ts';
import { cleanEmail } from '../../preload/contract/clean-email.ts';
import { ServerDetails } from '../../preload/contract/models.ts';

/** Takes note of the texts that patterns are tried on. What tests, splits or replaces asks `exec` too. */
function watchPatterns() {
  const exec = vi.spyOn(RegExp.prototype, 'exec');
  onTestFinished(() => exec.mockRestore());
  return {
    tried: () => exec.mock.calls.length,
    /** Returns the patterns that were tried on a text of more characters. */
    onLonger: (characters: number) =>
      exec.mock.contexts.filter((_pattern, at) => exec.mock.calls[at]![0].length > characters).map(String),
  };
}

/** Combining marks in the wrong order, which take quadratic time to normalize. */
const marks = '\u0301\u0316'.repeat(2000);

describe('combining marks', () => {
  it.each([
    ['in a message', { message: `a${marks}` }],
    ['in a name of a field', { errors: { [`a${marks}`]: [`b${marks}`] } }],
    ['in the email of a person', { user: { id: 1, name: `Ana${marks}`, email: `ana${marks}@example.test` } }],
    ['in gzip in base64', { message: gzipSync(`a${marks}`).toString('base64') }],
  ])('are never normalized: %s', (_what, value) => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    onTestFinished(() => normalize.mockRestore());
    // A name with an accent is normalized, so that the spy is known to see what is.
    const body = JSON.stringify({ país: 'x', ...value });
    for (const [operation, status] of [
      ['login', 401],
      ['registro', 422],
      ['profile', 200],
    ] as const) {
      const url = `http://127.0.0.1/api/v1/auth/${operation}`;
      const response = {
        status,
        statusText: '',
        httpVersion: '1.1',
        rawHeaders: [[`X-${operation}`, 'a']],
        body,
        bodyBytes: Buffer.from(body),
      } as const;
      const understood = interpret(operation, response, url, {});
      void redactionJob.work({ ...understood, secrets: ['correct horse'] });
      const request = { method: 'POST', url, headers: [], head: { text: '', source: 'as-written' } } as const;
      const call = {
        id: '1',
        startedAt: '',
        request,
        reusedConnection: false,
        timings: { totalMs: 1 },
        response,
        understood,
      };
      recordedCall('server', call, new SecretRegistry());
    }
    expect(normalize).toHaveBeenCalled();
    expect(normalize.mock.contexts.filter((text) => /\p{M}{31}/u.test(String(text)))).toEqual([]);
  });
});

describe('a text that is longer than it may be', () => {
  it('is refused as an address before any pattern is tried on all of it', () => {
    const patterns = watchPatterns();
    for (const text of [`[a](${'x'.repeat(60_000)}`, `http://a/${'/'.repeat(60_000)}a`, '"'.repeat(60_000)])
      expect(parseBaseUrl(text)).toEqual({ ok: false, problem: 'not-a-url' });
    expect(patterns.onLonger(300)).toEqual([]);
  });

  it('is left as it is as an email, but for signs that nobody sees', () => {
    const patterns = watchPatterns();
    const long = `<${'@a'.repeat(30_000)}`;
    expect(cleanEmail(`\u200b${long}`)).toBe(long);
    expect(patterns.tried()).toBeLessThanOrEqual(2);
  });

  it('is refused in a model before any pattern is tried on it', () => {
    const model = (value: string): string =>
      JSON.stringify({ schema: 'llavero-model', version: 1, answers: [{ body: { kind: 'text', text: [value] } }] });
    const patterns = watchPatterns();
    expect(parseMockFile(model(`<${' '.repeat(100_000)}`))).toMatchObject({ ok: false, problem: 'wrong-content' });
    expect(parseMockFile(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toMatchObject({
      ok: false,
      problem: 'too-deep',
    });
    // This one is zod's, and looks at each sign once.
    expect(patterns.onLonger(mockFileLimits.characters)).toEqual(['/[\\uD800-\\uDBFF]/']);
  });
});

it('the name of a server is without control signs, signs of no width and signs that turn the direction of writing', () => {
  const entered = { colour: 'red', notes: '', registrationPath: 'registro', production: false, pinned: {} };
  const { name } = ServerDetails.parse({ ...entered, name: 'S\u0007h\u200bo\u202ep\u2028 \u2066one\ufeff' });
  expect(name).toBe('Shop one');
});
