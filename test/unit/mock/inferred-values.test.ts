import { describe, expect, it } from 'vitest';
import type { MockRemark } from '../../../preload/contract/mock-details.ts';
import { inferTemplate } from '../../../main/check/mock-generator/infer-template.ts';
import type { CallContext } from '../../../main/check/mock-generator/analyzed-calls.ts';
import { parseExactJson, type TestUser } from '../../../main/check/mock-generator/analyzed-calls.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';
import { createSeededDraw, renderJson, type TemplateValues } from '../../../main/service/mock/render-response.ts';

const ana: TestUser = { email: 'ana@example.test', name: 'Ana Prueba', createdMs: 0, id: '1379505554728411138' };
const eve: TestUser = { email: 'eve@example.test', name: 'Eve Prueba', createdMs: 0, id: '1379505554728411139' };
const knownOf = (person: TestUser): CallContext => ({
  person,
  isSuccess: true,
  atMs: Date.UTC(2026, 10, 22, 12),
  lifetimeSeconds: 3600,
  method: 'GET',
  path: '/api/v1/auth/perfil',
});
const fillingOf = (id: number): TemplateValues => ({
  nowMs: Date.UTC(2027, 0, 1),
  path: '',
  method: 'GET',
  account: { id, name: 'N', email: 'e@example.test', createdAtMs: 0, updatedAtMs: 0 },
  random: createSeededDraw('any'),
});

/** What two accounts of a mock server get in the place of these answers, which are of Ana, Ana and Eve. */
function said(...bodies: [string, string, string]) {
  const remarks: MockRemark[] = [];
  const inference = { secretRegistry: new SecretRegistry(), addRemark: (each: MockRemark) => remarks.push(each) };
  const knowns = [knownOf(ana), knownOf(ana), knownOf(eve)];
  const template = inferTemplate(
    '',
    bodies.map((body) => parseExactJson(body) ?? null),
    knowns,
    inference,
  );
  return { texts: [7, 8].map((id) => renderJson(template, fillingOf(id))), remarks };
}

it('a UUID that is the same for two people stays, and one that is another each time is drawn', () => {
  const [role, first, second] = [1, 2, 3].map((digit) => `7ae0002a-4a34-4d5e-be11-d15b9938160${digit}`);
  const { texts, remarks } = said(
    `{"role":"${role}","request":"${first}"}`,
    `{"role":"${role}","request":"${second}"}`,
    `{"role":"${role}","request":"${first}"}`,
  );
  expect(texts[0]).toMatch(/^\{"role":"7ae0002a-4a34-4d5e-be11-d15b99381601","request":"[\da-f]{8}-/);
  expect(texts[0]).not.toContain('7ae0002a-4a34-4d5e-be11-d15b99381602');
  expect(remarks).toEqual([]);
});

describe('a number of an answer', () => {
  it.each(['1379505554728411138', '100.10', '1.0', '-0', '1e400', '1E5', '7'])(
    'that is always the same keeps its digits: %s',
    (digits) => {
      const body = `{"score":${digits}}`;
      expect(said(body, body, body)).toEqual({ texts: [body, body], remarks: [] });
    },
  );

  it.each(['id', 'account_number'])('of many digits that is another one for each person is no constant: %s', (name) => {
    const [first, second] = ['1379505554728411138', '1379505554728411139'];
    const { texts, remarks } = said(
      ...([first, first, second].map((each) => `{"${name}":${each}}`) as [string, string, string]),
    );
    expect(texts[0]).toMatch(new RegExp(`^\\{"${name}":[1-9]\\d{18}\\}$`));
    expect(texts[1]).not.toBe(texts[0]);
    expect(remarks).toEqual([]);
  });

  it('of many digits that is another one each time is drawn, and a short one is remarked', () => {
    const bodies = ['81379505554728411138', '71379505554728411139', '61379505554728411140'].map(
      (each) => `{"n":${each}}`,
    );
    const { texts } = said(...(bodies as [string, string, string]));
    expect(texts[0]).toMatch(/^\{"n":[1-9]\d{19}\}$/);
    expect(said('{"n":1}', '{"n":2}', '{"n":2}').remarks).toEqual([{ kind: 'number-differs', name: 'n' }]);
  });

  it.each([
    ['1795348800', '1798761600'],
    ['1795348801.250', '1798761600'],
    ['1795348800250', '1798761600000'],
  ])('that is a moment stays one: %s', (digits, later) => {
    const body = `{"now":${digits}}`;
    expect(said(body, body, body).texts[0]).toBe(`{"now":${later}}`);
  });
});
