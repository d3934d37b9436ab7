import type { SessionParts } from './session-parts.ts';
import type { TellServers } from './tell-servers.ts';

const minuteMs = 60_000;
/** Milliseconds to the next try, by the number of tries that failed since the start or the last logout. */
const waitsMs = [1, 2, 5, 15, 30, 60].map((minutes) => minutes * minuteMs);

export type TellLater = ReturnType<typeof createTellLater>;

/**
 * Tells servers that were away of the logouts that wait for them: at the start, and then at growing intervals. Without
 * such a logout there is no timer. A production server is told once its host was typed in this run of the application.
 */
export function createTellLater(parts: Pick<SessionParts, 'held' | 'production'>, servers: TellServers) {
  const { held, production } = parts;
  let isOpen = false;
  let tries = 0;
  let timer: NodeJS.Timeout | undefined;
  let underWay: AbortController | undefined;

  const waiting = () => held.all().filter(({ loggedOutAt, tellLater }) => loggedOutAt !== undefined && tellLater);

  /** Plans the next try, if there is something to tell. */
  function plan(): void {
    clearTimeout(timer);
    if (!isOpen || underWay || waiting().length === 0) return;
    timer = setTimeout(() => void tellNow(), waitsMs[Math.min(tries, waitsMs.length - 1)]);
    timer.unref();
  }

  async function tellNow(): Promise<void> {
    if (!isOpen || underWay) return;
    const controller = new AbortController();
    underWay = controller;
    try {
      const allowed = waiting().filter(({ serverId, baseUrl }) => production.allows(serverId, baseUrl));
      await servers.tellAll(controller.signal, allowed);
    } finally {
      underWay = undefined;
    }
    tries += 1;
    plan();
  }

  return {
    /** Plans the first try after a logout of which a server could not be told. */
    added(): void {
      tries = 0;
      plan();
    },

    /** Tells what can be told now. It is called once tokens can be read: at the start and after a lock. */
    async begin(): Promise<void> {
      isOpen = true;
      tries = 0;
      await tellNow();
    },

    /** Ends what is under way. Nothing more is sent until {@link begin}. */
    stop(): void {
      isOpen = false;
      clearTimeout(timer);
      underWay?.abort();
    },
  };
}
