import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskEmails } from '../../../preload/contract/mask-emails.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { redact, redactState, restore } from '../../../renderer/redact.ts';
import { firstStart, heldSessions, signedIn } from '../../support/stub-main/states.ts';

const emails = [
  'ana.secreta@correo.example',
  'Ana <ana.secreta@correo.example>',
  'to=ana.secreta%40correo.example&b=1',
];
const seenOfEmail = /secreta|correo/u;

/** A value of any shape in which every text and every key has an email. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...emails),
    fc.array(tie('value'), { minLength: 1, maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...emails), tie('value'), { minKeys: 1 }),
  ),
}));

const presented = fc
  .record({ servers: value, sessions: value, files: value, updates: value, session: value })
  .map((parts): AppState =>
    Object.assign({ ...firstStart, settings: { ...firstStart.settings, presenting: true } }, parts),
  );

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

  it('has no email at any place of a state, however deep', () => {
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
