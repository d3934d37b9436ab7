import type { CheckProgressEvent } from '../../preload/contract/checks.ts';
import type { AppState, WindowState } from '../../preload/contract/models.ts';
import type { Settings } from '../../preload/contract/settings.ts';

/** The key of its text under `notifications` in the system texts. */
export type NotificationKind = 'session-ends' | 'session-ended' | 'run-finished';

/**
 * Shows notifications while the window has no focus, if the setting is on: a session expires soon, one has ended, a
 * check has finished. None names a server or an account.
 */
export function createNotifications(options: {
  settings: () => Settings;
  isFocused: () => boolean;
  show: (what: NotificationKind) => void;
}) {
  const { settings, isFocused, show } = options;
  let hadEnded = false;
  let wasUnderWay = false;
  /** So that a clock that goes back causes no second notification. */
  const expiring = new Set<string>();

  function notify(what: NotificationKind): void {
    if (settings().notifications && !isFocused()) show(what);
  }

  function hasNewExpiry({ sessions }: AppState): boolean {
    const before = expiring.size;
    for (const { id, end, expiryState } of sessions) if (expiryState === 'soon') expiring.add(`${id} ${end?.at}`);
    return expiring.size > before;
  }

  return {
    onStateChange: (state: WindowState): void => {
      if (!state.locked && hasNewExpiry(state)) notify('session-ends');
      const hasEnded =
        !state.locked && state.session.step === 'signed-out' && state.session.notice?.kind === 'session-ended';
      if (hasEnded && !hadEnded) notify('session-ended');
      hadEnded = hasEnded;
    },

    /** A comparison of two servers has finished when both have. A rerun of one case and a cancelled check are not announced. */
    onRunStep: ({ running }: CheckProgressEvent): void => {
      if (wasUnderWay && !running) notify('run-finished');
      wasUnderWay = running !== undefined && running.caseId === undefined && !running.cancelled;
    },
  };
}
