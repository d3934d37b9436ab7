import type { Ending } from '../../preload/contract/models.ts';
import type { StoredSession } from '../config/config.ts';

const minuteMs = 60_000;
/** An end is near so long before it, or a quarter of the whole session if that is shorter. */
const nearMs = 5 * minuteMs;
/** The clock of the computer may be set, and it sleeps: no timer is trusted for longer. */
const longestWaitMs = 6 * 60 * minuteMs;
const shortestWaitMs = 1000;

type Ends = Pick<StoredSession, 'end' | 'madeAt' | 'checkedAt' | 'loggedOutAt'>;

/**
 * Returns the moments at which the end of a session comes near and is past; none where nothing said when it ends, or where
 * the server confirmed it after that.
 */
function momentsOf({ end, madeAt, checkedAt, loggedOutAt }: Ends): { soon: number; over: number } | undefined {
  if (!end || loggedOutAt !== undefined) return undefined;
  const over = Date.parse(end.at);
  if (over <= Date.parse(checkedAt ?? '')) return undefined;
  const length = over - Date.parse(madeAt ?? '');
  return { soon: over - (length > 0 ? Math.min(nearMs, length / 4) : nearMs), over };
}

/** Says whether the end of a session is near or past, by the clock of this computer. */
export function endingOf(session: Ends, now: number): Ending | undefined {
  const moments = momentsOf(session);
  if (!moments || now < moments.soon) return undefined;
  return now < moments.over ? 'soon' : 'over';
}

/** Wakes up when the end of a session comes near or is past, and at no other time. Without an end there is no timer. */
export function createEndTimer(options: {
  sessions: () => readonly Ends[];
  now: () => Date;
  /** Called when another session may be near its end. */
  onChange: () => void;
}) {
  const { sessions, now, onChange } = options;
  let timer: NodeJS.Timeout | undefined;

  /** Looks when the next end comes near. It is called after each change of the sessions, and after a sleep. */
  function look(): void {
    clearTimeout(timer);
    const at = now().getTime();
    const moments = sessions().flatMap((session) => Object.values(momentsOf(session) ?? {}));
    const next = Math.min(...moments.filter((moment) => moment > at));
    if (next === Infinity) return;
    timer = setTimeout(wake, Math.min(Math.max(next - at, shortestWaitMs), longestWaitMs));
    timer.unref();
  }

  function wake(): void {
    onChange();
    look();
  }

  return { look, wake, stop: (): void => clearTimeout(timer) };
}
