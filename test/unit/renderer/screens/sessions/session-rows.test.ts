import { describe, expect, it } from 'vitest';
import { nextRows, type SessionRowState } from '../../../../../renderer/screens/sessions/session-rows.ts';
import { heldSessions } from '../../../../support/stub-main/states.ts';

const [usable, second] = heldSessions;
const waiting = { ...second!, state: 'to-revoke' as const, logoutPending: true as const };
const third = { ...usable!, id: 'third' };
const shown = (rows: readonly SessionRowState[]) =>
  rows.map(({ session, serverNotified }) => [session.id, serverNotified]);

describe('the rows of sessions', () => {
  const before = nextRows([], [usable!, waiting, third], false);

  it('keep the place of one whose server was told by itself, until the person leaves the page', () => {
    const after = nextRows(before, [third, usable!], false);
    expect(shown(after)).toEqual([
      ['s1', false],
      ['s2', true],
      ['third', false],
    ]);
    expect(shown(nextRows(after, [usable!], true))).toEqual([
      ['s1', false],
      ['s2', true],
    ]);
  });

  it('go away with what the person wished, and with any other session', () => {
    expect(shown(nextRows(before, [usable!, third], true))).toEqual([
      ['s1', false],
      ['third', false],
    ]);
    expect(shown(nextRows(before, [waiting], false))).toEqual([['s2', false]]);
  });

  it('of a session that begins in the place of another stand last', () => {
    expect(shown(nextRows(before, [waiting, third, { ...usable!, id: 'new' }], true)).at(-1)).toEqual(['new', false]);
  });
});
