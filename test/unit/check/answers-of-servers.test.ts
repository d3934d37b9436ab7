import { describe, expect, it } from 'vitest';
import { interpret } from '../../../main/client/interpret.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import { createPasswordEchoDetector } from '../../../main/check/cases/password-echo.ts';
import { isPossibleTestValueRejection, isTestValueRejection } from '../../../main/check/test-values.ts';
import { readRateLimit } from '../../../main/check/rate-limit.ts';
import { createObservation, type Observation } from '../../../main/check/observation.ts';
import { showsStackTrace, htmlToText } from '../../../main/check/stack-traces.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';
import fixtures from '../../fixtures/run-answers.json' with { type: 'json' };

type Given = { status: number; body: unknown; operation?: Operation; headers?: Record<string, string>; sent?: object };

/** Makes what a run sees of an answer. */
function seen({ status, body, operation = 'registro', headers = {}, sent }: Given): Observation {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = {
    method: 'POST',
    url: `http://127.0.0.1:8000/api/v1/auth/${operation}`,
    headers: [],
    body: sent && JSON.stringify(sent),
  };
  const response = {
    status,
    statusText: '',
    httpVersion: '1.1',
    rawHeaders: Object.entries(headers),
    body: text,
    bodyBytes: Buffer.from(text),
  };
  return createObservation(
    interpret(operation, response, request.url, {}),
    {
      id: '',
      startedAt: '',
      request: { ...request, head: { text: '', source: 'as-written' } },
      reusedConnection: false,
      timings: { totalMs: 1 },
      response,
    },
    new SecretRegistry(),
  );
}

const textsOf = (body: unknown): string[] =>
  typeof body === 'string'
    ? [body]
    : typeof body === 'object' && body !== null
      ? Object.values(body).flatMap(textsOf)
      : [];

describe('a stack trace', () => {
  it.each(fixtures.traces)('is known from $of', ({ body }) => {
    expect(textsOf(body).some(showsStackTrace)).toBe(true);
  });

  it.each(fixtures.traces)('is known from $of on a page', ({ body }) => {
    const page = textsOf(body)
      .join('\n')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('  ', ' &nbsp;')
      .replaceAll('\n', '<br>');
    const shown = textsOf(body).some((text) => /<(?:br|h\d|p|ul)\b/.test(text))
      ? textsOf(body).join('\n')
      : `<pre>${page}</pre>`;
    expect(showsStackTrace(shown)).toBe(true);
  });

  it.each(fixtures.noTraces)('is not seen in %j', (text) => {
    expect(showsStackTrace(text)).toBe(false);
  });

  it('is read on a page as a browser shows it', () => {
    expect(htmlToText('<p>a&nbsp;&lt;b&gt;<br/>c &#39;d&#x27; &amp;amp; &unknown;</p>')).toBe(
      "\na <b>\nc 'd' &amp; &unknown;\n",
    );
  });
});

describe('a password that was sent', () => {
  it.each(fixtures.echoes)('is found in the answer of $of', ({ sent, body }) => {
    expect(createPasswordEchoDetector(new Set())(seen({ status: 400, body, sent }))).toBe(true);
  });

  it.each(fixtures.noEchoes)('is not taken for found in $body', ({ sent, body }) => {
    expect(createPasswordEchoDetector(new Set())(seen({ status: 400, body, sent }))).toBe(false);
  });

  it('counts in a field that the path does not describe only where the server refuses it', () => {
    const sent = { email: 'a@b.test', password: 'Ll4!abcdef', cpassword: 'Ll4!abcdef' };
    const body = { id: 7, email: 'a@b.test', cpassword: 'Ll4!abcdef' };
    const isFound = (given: Given) => createPasswordEchoDetector(new Set([sent.password]))(seen(given));
    expect(isFound({ status: 201, body, sent })).toBe(false);
    expect(isFound({ status: 201, body: { ...body, password: sent.password }, sent })).toBe(true);
    expect(isFound({ status: 201, body, sent, operation: 'register' })).toBe(true);
    expect(isFound({ status: 400, body, sent })).toBe(true);
  });
});

describe('the place of a message', () => {
  it.each(fixtures.places)('is where $of has it, and nothing else is taken for a field', (fixture) => {
    // The operations of the file are these names.
    const operation = fixture.operation as Operation;
    const { reading } = seen({ ...fixture, operation });
    const found = [reading.summary.message, reading.trace.message?.path];
    expect(fixture.message === undefined ? [] : found).toEqual(
      fixture.message === undefined ? [] : [fixture.message, fixture.path],
    );
    expect(Object.keys(reading.summary.fieldErrors ?? {})).toEqual(fixture.fields);
  });
});

describe('a limit', () => {
  it.each(fixtures.limits)('is read as $of tells it', ({ headers, body, limit, windowSeconds }) => {
    const answer = seen({ status: 429, operation: 'login', headers, body });
    expect(answer.handling).toBe('throttled');
    expect(readRateLimit(answer)).toEqual({ limit, windowSeconds });
  });
});

describe('a refused registration', () => {
  it.each(fixtures.addresses)('may be due to the address: $of', (answer) => {
    expect(isTestValueRejection(seen(answer))).toBe(true);
    expect(isPossibleTestValueRejection(seen(answer))).toBe(true);
  });

  // No server was seen to answer these; each differs from the others in what decides.
  it.each([
    ['one sentence that names the domain', { message: 'This domain is not allowed here.' }, true],
    ['the email alone', { errors: { email: ['This address is no good.'] } }, true],
    ['a field that the interface does not have', { username: ['This field is required.'] }, false],
    ['a field that was not read', { email: ['This field is required.'] }, false],
    ['nothing', { message: 'Something is wrong.' }, false],
  ])('is due to a value of the run, or not: %s', (_what, body, ours) => {
    expect(isTestValueRejection(seen({ status: 400, body }))).toBe(ours);
  });

  it.each([
    ['the whole registration, where it is closed', { message: 'Registration is closed.' }, false],
    ['the address', { message: 'This email is not authorized.' }, true],
  ])('with the status 403 is about %s', (_what, body, ours) => {
    expect(isPossibleTestValueRejection(seen({ status: 403, body }))).toBe(ours);
  });
});

describe('an answer in HTML', () => {
  it.each(fixtures.pages)('is a page: $of', ({ status, body }) => {
    expect(seen({ status, body }).handling).toBe('page');
    expect(showsStackTrace(body)).toBe(false);
  });

  it.each([400, 401, 404, 405, 409])('is a page with the status %i', (status) => {
    const body = '<!doctype html>\n<html lang=en>\n<title>Not Found</title>\n<h1>Not Found</h1>';
    expect(seen({ status, body }).handling).toBe('page');
  });

  it('is a fault with the status 500', () => {
    expect(seen({ status: 500, body: '<h1>Server Error (500)</h1>' }).handling).toBe('fault');
  });
});
