import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../../main/check/mock-generator/analyzed-calls.ts';
import { inferTemplate } from '../../../main/check/mock-generator/infer-template.ts';
import { parseExactJson } from '../../../main/check/mock-generator/analyzed-calls.ts';
import { createTextTemplate } from '../../../main/check/mock-generator/text-placeholders.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';
import { renderJson } from '../../../main/service/mock/render-response.ts';

const known: CallContext = {
  isSuccess: false,
  atMs: Date.UTC(2026, 10, 22, 12),
  method: 'GET',
  path: '/api/v1/auth/login',
  waitSeconds: 6,
};
const filling = { nowMs: known.atMs, random: () => 'x', method: 'PUT', path: '/other', waitSeconds: 9 };
const inference = { secretRegistry: new SecretRegistry(), addRemark: () => undefined };
const wholeOf = (value: unknown, its: CallContext = known): unknown =>
  JSON.parse(
    renderJson(inferTemplate('message', [parseExactJson(JSON.stringify(value)) ?? null], [its], inference), filling),
  );

describe('the places in a text', () => {
  it('leave the quotes around a method', () => {
    expect(wholeOf('The method "GET" is not allowed, "POST" is.')).toBe('The method "PUT" is not allowed, "POST" is.');
    expect(createTextTemplate('GETTING is no method', known)).toEqual(['GETTING is no method']);
  });

  it('find a wait only where it is a number of its own', () => {
    expect(wholeOf('Wait 6 seconds (at 16:06, 60 of 6.5, v6, 2026-06-6)')).toBe(
      'Wait 9 seconds (at 16:06, 60 of 6.5, v6, 2026-06-6)',
    );
    expect(wholeOf('6')).toBe('9');
    expect(wholeOf('in 6s')).toBe('in 6s');
  });

  it('hold an address of the run in no letters', () => {
    const person = { email: 'Llavero-0123@Example.test', name: 'Run', createdMs: 0 };
    const text = 'llavero-0123@example.test is known as Llavero-0123@Example.test';
    const inLetters = createTextTemplate(text, { ...known, person, isSuccess: true });
    expect(inLetters).toEqual([{ place: 'email', letters: 'small' }, ' is known as ', { place: 'email' }]);
  });

  it('hold what was sent also where it is short, between quotes', () => {
    const sent = { password: 'x' };
    const said = createTextTemplate("'x' is too short (maximum 8, x86)", { ...known, sent });
    expect(said).toEqual(["'", { place: 'sent', field: 'password' }, "' is too short (maximum 8, x86)"]);
  });

  it('keep the code of a refusal, also under the name of a secret', () => {
    const template = inferTemplate('', [parseExactJson('{"cpassword":"equal_to"}')!], [known], inference);
    expect(template).toEqual({ fields: [['cpassword', { constant: 'equal_to' }]] });
  });

  it('repeat a request as it came', () => {
    expect(wholeOf('Cannot GET /api/v1/auth/login')).toBe('Cannot PUT /other');
    expect(wholeOf('GET /api/v1/auth/login was not found in 6 tries')).toBe('PUT /other was not found in 9 tries');
  });
});

describe('times in an answer', () => {
  it.each([
    ['of a header, as Flask writes them', 'Sun, 22 Nov 2026 12:00:00 GMT', 'Sun, 22 Nov 2026 13:00:00 GMT'],
    ['in seconds with parts of them', 1_795_348_800.125, 1_795_352_400],
    ['in whole seconds', 1_795_348_800, 1_795_352_400],
    ['of ISO 8601 with an offset', '2026-11-22T13:00:00+01:00', '2026-11-22T14:00:00+01:00'],
  ])('are those of the mock server %s', (_name, value, later) => {
    const template = inferTemplate('timestamp', [value], [known], inference);
    expect(JSON.parse(renderJson(template, { ...filling, nowMs: known.atMs + 3_600_000 }))).toBe(later);
  });

  it('are kept for an account that was there before the run, in the place of those that were made', () => {
    const old = { email: 'given@example.test', name: 'Given', createdMs: undefined };
    const own = { email: 'own@example.test', name: 'Own', createdMs: known.atMs };
    const template = inferTemplate(
      'created_at',
      ['2019-01-02T03:04:05Z', '2026-11-22T12:00:00Z'],
      [
        { ...known, isSuccess: true, person: old },
        { ...known, isSuccess: true, person: own },
      ],
      inference,
    );
    expect(template).toEqual({
      value: { place: 'time', of: 'created', form: { kind: 'iso', separator: 'T', digits: 0, zone: 'Z' } },
    });
  });
});
