import type { CheckProgressEvent } from '../../preload/contract/checks.ts';
import type { AppState, WindowState } from '../../preload/contract/models.ts';
import type { Settings } from '../../preload/contract/settings.ts';

/** What a notification of the system says, by its key in the words of the system. */
export type NotificationKind = 'session-ends' | 'session-ended' | 'run-finished';

/**
 * Watches what the window is told, and lets the system say three things while nobody looks at it: that a session ends
 * soon, that one has ended, and that a contract run has finished, and names no server or account. It says nothing until the person turned that on.
 * @param options.show shows a notification of the system; a press on it brings the window to the front
 */
export function createNotifications(options: {
  settings: () => Settings;
  isFocused: () => boolean;
  show: (what: NotificationKind) => void;
}) {
  const { settings, isFocused, show } = options;
  let hadEnded = false;
  let wasUnderWay = false;
  /** The ends that came near, so that a clock that goes back says none of them twice. */
  const near = new Set<string>();

  function say(what: NotificationKind): void {
    if (settings().notifications && !isFocused()) show(what);
  }

  /** Says whether another session than before is near its end. */
  function hasNewEnd({ sessions }: AppState): boolean {
    const before = near.size;
    for (const { id, end, expiryState } of sessions) if (expiryState === 'soon') near.add(`${id} ${end?.at}`);
    return near.size > before;
  }

  return {
    onStateChange: (state: WindowState): void => {
      if (!state.locked && hasNewEnd(state)) say('session-ends');
      const hasEnded =
        !state.locked && state.session.step === 'signed-out' && state.session.notice?.kind === 'session-ended';
      if (hasEnded && !hadEnded) say('session-ended');
      hadEnded = hasEnded;
    },

    /** A run of two servers has finished when both have. To measure one case again, or to end a run, is a press away. */
    onRunStep: ({ running }: CheckProgressEvent): void => {
      if (wasUnderWay && !running) say('run-finished');
      wasUnderWay = running !== undefined && running.caseId === undefined && !running.cancelled;
    },
  };
}
