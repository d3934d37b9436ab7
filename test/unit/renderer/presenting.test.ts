import { describe, expect, it } from 'vitest';
import { maskEmails, presentable } from '../../../renderer/presenting.ts';
import { firstStart, heldSessions, signedIn } from '../../support/stub-main/states.ts';

describe('what is shown to others', () => {
  it.each([
    ['ana@example.test', 'a•••@e•••.test'],
    ['ñandú.perez@correo.example.es', 'ñ•••@c•••.es'],
    ['root@localhost', 'r•••@l•••'],
    ['Ana <ana@example.test>, Eva <eva@shop.test>', 'Ana <a•••@e•••.test>, Eva <e•••@s•••.test>'],
    ['no address, only @ and text', 'no address, only @ and text'],
  ])('masks the emails of %s', (text, masked) => {
    expect(maskEmails(text)).toBe(masked);
  });

  it('has no email of an account in the state while the person presents, and the same state otherwise', () => {
    const state = { ...firstStart, sessions: heldSessions, session: signedIn };
    expect(presentable(state)).toBe(state);
    const shown = presentable({ ...state, settings: { ...state.settings, presenting: true } });
    expect(JSON.stringify(shown)).not.toMatch(/ana@|bea@|carl@/);
    expect(shown.sessions.map(({ id }) => id)).toEqual(heldSessions.map(({ id }) => id));
    const signedOut = { step: 'signed-out', email: 'ana@example.test' } as const;
    const out = presentable({ ...state, session: signedOut, settings: { ...state.settings, presenting: true } });
    expect(out.session).toEqual({ step: 'signed-out', email: undefined });
  });
});
