import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { maskEmails } from '../../../preload/contract/mask-emails.ts';
import { AppState } from '../../../preload/contract/models.ts';
import { redact, redactState, restore } from '../../../renderer/redact.ts';
import { firstStart, heldSessions, signedIn } from '../../support/stub-main/states.ts';

const emails = [
  'ana.secreta@correo.example',
  'Ana <ana.secreta@correo.example>',
  'to=ana.secreta%40correo.example&b=1',
];
const seenOfEmail = /secreta|correo/u;

type Schema = z.core.JSONSchema.BaseSchema;

/** Makes values of a schema in which every text that the schema leaves open has an email. */
function withEmails(schema: Schema | boolean | undefined): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object') return fc.constantFrom(...emails);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(withEmails));
  switch (schema.type) {
    case 'array':
      return fc.array(withEmails(schema.items as Schema | undefined), { minLength: 1, maxLength: 2 });
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, of]) => [name, withEmails(of)] as const);
      const record = fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
      return typeof schema.additionalProperties === 'object'
        ? fc.dictionary(fc.constantFrom(...emails), withEmails(schema.additionalProperties), { minKeys: 1 })
        : record;
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
    case 'number':
      return fc.nat();
    case 'string':
    case undefined:
    default:
      return fc.constantFrom(...emails);
  }
}

/** Every state that the schema allows, in the view for others. */
// The schema is read as what it is in JSON, and what comes of it is checked for texts only.
const presented = (
  withEmails(z.toJSONSchema(AppState, { unrepresentable: 'any', reused: 'inline' })) as fc.Arbitrary<AppState>
).map((state) => Object.assign(state, { locked: false, settings: { ...state.settings, presenting: true } }));

describe('what is shown to others', () => {
  it.each([
    ['ana@example.test', 'a•••@e•••.test'],
    ['ñandú.perez@correo.example.es', 'ñ•••@c•••.es'],
    ['root@localhost', 'r•••@l•••'],
    ['Ana <ana@example.test>, Eva <eva@shop.test>', 'Ana <a•••@e•••.test>, Eva <e•••@s•••.test>'],
    ['email=ana%40example.test&password=x', 'email=a•••%40e•••.test&password=x'],
    [`${'a'.repeat(200)}@example.test`, 'a•••@e•••.test'],
    // That the demo's person is made up is known to nobody who looks on.
    ['demo@llavero.invalid', 'd•••@l•••.invalid'],
    ['email=demo%40llavero.invalid', 'email=d•••%40l•••.invalid'],
    ['no address, only @ and text', 'no address, only @ and text'],
  ])('masks the emails of %s', (text, masked) => {
    expect(maskEmails(text)).toBe(masked);
  });

  it('has no email at any place of any state that the schema allows', () => {
    fc.assert(
      fc.property(presented, (state) => {
        expect(JSON.stringify(state)).toMatch(seenOfEmail);
        expect(JSON.stringify(redactState(state))).not.toMatch(seenOfEmail);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the ids, by which the screens act, and begins no form with an email', () => {
    const settings = { ...firstStart.settings, presenting: true };
    const state = { ...firstStart, settings, sessions: heldSessions };
    expect(redactState({ ...state, session: signedIn }).sessions.map(({ id }) => id)).toEqual(
      heldSessions.map(({ id }) => id),
    );
    const signedOut = { step: 'signed-out', email: 'ana@example.test' } as const;
    expect(redactState({ ...state, session: signedOut }).session).toEqual({ step: 'signed-out', email: undefined });
  });

  it('leaves what a person did not change as it was, where a form shows masked texts', () => {
    const own = { name: 'Shop of ana@example.test', notes: 'call bea@example.test', proxy: ['ana@example.test', ''] };
    const entered = { ...redact(own), notes: 'call carl@example.test' };
    expect(restore(entered, own)).toEqual({ ...own, notes: 'call carl@example.test' });
    const text = fc.oneof(fc.string(), fc.constantFrom(...emails));
    const form = fc.record({
      details: fc.record({ name: text, pinned: fc.array(text) }),
      address: text,
      on: fc.boolean(),
    });
    fc.assert(
      fc.property(form, (value) => {
        expect(restore(redact(value), value)).toEqual(value);
      }),
    );
  });
});
