import { describe, expect, it } from 'vitest';
import { createNotifications } from '../../main/notifications.ts';
import type { RunUnderWay } from '../../preload/contract/contract-runs.ts';
import { firstStart, locked, signedIn } from '../support/stub-main/states.ts';

const ended = { ...firstStart, session: { step: 'signed-out', notice: { kind: 'session-ended' } } } as const;
const underWay: RunUnderWay = {
  serverId: 'a',
  progress: { casesDone: 1, casesPlanned: 2, callsMade: 1, callsPlanned: 2, secondsLeft: 1 },
  results: [],
  cancelled: false,
};

function watched(given: { on?: boolean; isFocused?: boolean; language?: 'en' | 'es' } = {}) {
  const shown: string[] = [];
  const notifications = createNotifications({
    settings: () => ({ ...firstStart.settings, notifications: given.on ?? true }),
    language: () => given.language ?? 'en',
    isFocused: () => given.isFocused ?? false,
    show: (text) => shown.push(text),
  });
  return { ...notifications, shown };
}

describe('notifications', () => {
  it('say once that a session has ended, and again when the next one has', () => {
    const { stateChanged, shown } = watched();
    for (const state of [{ ...firstStart, session: signedIn }, ended, { ...ended, revision: 5 }]) stateChanged(state);
    expect(shown).toEqual(['Your session has ended. Log in again to continue.']);
    for (const state of [{ ...firstStart, session: signedIn }, ended]) stateChanged(state);
    expect(shown).toHaveLength(2);
  });

  it('say that a contract run has finished, not one that a person ended and not a single case', () => {
    const { runStepped, shown } = watched({ language: 'es' });
    for (const step of [{ underWay }, { underWay }, {}, {}]) runStepped(step);
    expect(shown).toEqual(['La prueba del contrato ha terminado.']);
    for (const step of [{ underWay: { ...underWay, cancelled: true } }, {}]) runStepped(step);
    for (const step of [{ underWay: { ...underWay, caseId: 'login.right-credentials' as const } }, {}])
      runStepped(step);
    expect(shown).toHaveLength(1);
  });

  it.each([{ on: false }, { isFocused: true }])('say nothing with %j', (given) => {
    const { stateChanged, runStepped, shown } = watched(given);
    stateChanged(ended);
    runStepped({ underWay });
    runStepped({});
    expect(shown).toEqual([]);
  });

  it('say nothing of what a person ended, or of a locked window', () => {
    const { stateChanged, shown } = watched();
    stateChanged({ ...firstStart, session: { step: 'signed-out', notice: { kind: 'logged-out' } } });
    stateChanged(locked);
    expect(shown).toEqual([]);
  });
});
