import { describe, expect, it } from 'vitest';
import { createNotifications } from '../../main/window/notifications.ts';
import type { CheckInProgress } from '../../preload/contract/checks.ts';
import { firstStart, heldSessions, locked, signedIn } from '../support/stub-main/states.ts';

const ended = {
  ...firstStart,
  session: { step: 'signed-out', notice: { kind: 'session-ended', at: '2026-11-22T10:41:00.000Z' } },
} as const;
const running: CheckInProgress = {
  serverId: 'a',
  progress: { casesDone: 1, casesPlanned: 2, callsMade: 1, callsPlanned: 2, secondsLeft: 1 },
  results: [],
  cancelled: false,
};

function watched(given: { on?: boolean; isFocused?: boolean } = {}) {
  const shown: string[] = [];
  const notifications = createNotifications({
    settings: () => ({ ...firstStart.settings, notifications: given.on ?? true }),
    isFocused: () => given.isFocused ?? false,
    show: (text) => shown.push(text),
  });
  return { ...notifications, shown };
}

describe('notifications', () => {
  it('say once that a session has ended, and again when the next one has', () => {
    const { onStateChange, shown } = watched();
    for (const state of [{ ...firstStart, session: signedIn }, ended, structuredClone(ended)]) onStateChange(state);
    expect(shown).toEqual(['session-ended']);
    for (const state of [{ ...firstStart, session: signedIn }, ended]) onStateChange(state);
    expect(shown).toHaveLength(2);
  });

  it('say once that a session ends soon, also when the clock goes back in between, and not where it is past', () => {
    const { onStateChange, shown } = watched();
    const end = { at: '2026-11-21T11:00:00.000Z', by: 'exp', in: 'token' } as const;
    const held = { ...heldSessions[0]!, end };
    const withExpiry = (expiryState?: 'soon' | 'over') => ({ ...firstStart, sessions: [{ ...held, expiryState }] });
    for (const expiryState of [undefined, 'soon', 'soon', undefined, 'soon', 'over'] as const)
      onStateChange(withExpiry(expiryState));
    expect(shown).toEqual(['session-ends']);
    onStateChange({ ...firstStart, sessions: [{ ...held, id: 'another', expiryState: 'soon' }] });
    expect(shown).toHaveLength(2);
    onStateChange({ ...firstStart, sessions: [{ ...held, id: 'past', expiryState: 'over' }] });
    expect(shown).toHaveLength(2);
  });

  it('say that a check has finished, not one that a person ended and not a single case', () => {
    const { onRunStep, shown } = watched();
    for (const step of [{ running }, { running }, {}, {}]) onRunStep(step);
    expect(shown).toEqual(['run-finished']);
    for (const step of [{ running: { ...running, cancelled: true } }, {}]) onRunStep(step);
    for (const step of [{ running: { ...running, caseId: 'login.right-credentials' as const } }, {}]) onRunStep(step);
    expect(shown).toHaveLength(1);
  });

  it.each([{ on: false }, { isFocused: true }])('say nothing with %j', (given) => {
    const { onStateChange, onRunStep, shown } = watched(given);
    onStateChange(ended);
    onRunStep({ running });
    onRunStep({});
    expect(shown).toEqual([]);
  });

  it('say nothing of what a person ended, or of a locked window', () => {
    const { onStateChange, shown } = watched();
    onStateChange({ ...firstStart, session: { step: 'signed-out', notice: { kind: 'logged-out' } } });
    onStateChange(locked);
    expect(shown).toEqual([]);
  });
});
