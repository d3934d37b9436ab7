import type { WatchEnd, WatchStatus } from '../../preload/contract/watched.ts';
import type { Measured, Watched } from './run-apart.ts';
import { mostFailures, waitOf } from './watch-pace.ts';

const minuteMs = 60_000;

/** What a watch says to a person who looks elsewhere. */
export type WatchNews = 'server-changed' | 'watch-ended';

type Watch = {
  watched: Watched;
  everyMinutes: number;
  ending: AbortController;
  timer: NodeJS.Timeout | undefined;
  failures: number;
};

/** Keeps when each server is measured next. One that is removed, or that the person no longer watches, is not in it. */
// oxlint-disable-next-line eslint/max-lines-per-function -- Its functions are short, and all of them are about one list.
export function createWatches(options: {
  measure: (watched: Watched, signal: AbortSignal) => Promise<Measured>;
  onChange: (statuses: WatchStatus[]) => void;
  tell: (news: WatchNews) => void;
  /** Logs a fault of ours. */
  report: (error: unknown) => unknown;
  now: () => Date;
  random?: (() => number) | undefined;
}) {
  const { measure, onChange, tell, report, now, random = Math.random } = options;
  const watches = new Map<string, Watch>();
  const statuses = new Map<string, WatchStatus>();

  const say = (): void => onChange([...statuses.values()]);

  function put(serverId: string, change: Partial<WatchStatus>): void {
    const status = statuses.get(serverId);
    if (status) statuses.set(serverId, { ...status, ...change });
    say();
  }

  /** Forgets a watch with its password. */
  function drop(serverId: string): void {
    const watch = watches.get(serverId);
    clearTimeout(watch?.timer);
    watch?.ending.abort();
    watches.delete(serverId);
  }

  function end(serverId: string, why: WatchEnd | 'removed'): void {
    drop(serverId);
    if (why === 'removed') {
      statuses.delete(serverId);
      say();
      return;
    }
    put(serverId, { state: { step: 'ended', why, at: now().toISOString() } });
    if (why === 'failures' || why === 'account-refused' || why === 'production' || why === 'moved') tell('watch-ended');
  }

  function plan(watch: Watch, ms: number): void {
    const { serverId } = watch.watched;
    watch.timer = setTimeout(() => void run(watch).catch(report), ms);
    watch.timer.unref();
    put(serverId, { state: { step: 'waiting', nextAt: new Date(now().getTime() + ms).toISOString() } });
  }

  /** Takes in what a run has shown. Each change is told once, since the next run is compared with this one. */
  function take(watch: Watch, measured: Exclude<Measured, { kind: 'busy' }>): void {
    const { serverId } = watch.watched;
    if (measured.kind === 'ended') return end(serverId, measured.why);
    if (measured.kind === 'nothing') {
      watch.failures += 1;
      if (watch.failures >= mostFailures) return end(serverId, 'failures');
    } else {
      watch.failures = 0;
      const { changes = 0 } = statuses.get(serverId) ?? {};
      put(serverId, { lastAt: now().toISOString(), changes: changes + measured.changes });
      if (measured.changes > 0) tell('server-changed');
    }
    plan(watch, waitOf(watch.everyMinutes * minuteMs, random()));
  }

  async function run(watch: Watch): Promise<void> {
    const { watched, ending } = watch;
    put(watched.serverId, { state: { step: 'running' } });
    const measured = await measure(watched, ending.signal).catch((error: unknown): Measured => {
      report(error);
      return { kind: 'nothing' };
    });
    // It was ended or replaced meanwhile.
    if (ending.signal.aborted) return;
    if (measured.kind === 'busy') plan(watch, minuteMs);
    else take(watch, measured);
  }

  return {
    /** Begins with a run at once, in the place of the watch that the server has. */
    start(watched: Watched, everyMinutes: number): void {
      const { serverId, account } = watched;
      drop(serverId);
      const watch: Watch = { watched, everyMinutes, ending: new AbortController(), timer: undefined, failures: 0 };
      watches.set(serverId, watch);
      const state = { step: 'running' } as const;
      statuses.set(serverId, { serverId, email: account.email, everyMinutes, changes: 0, state });
      void run(watch).catch(report);
    },

    /** Ends a watch as the person wishes. Nothing is left of it. */
    stop(serverId: string): void {
      drop(serverId);
      statuses.delete(serverId);
      say();
    },

    /** Ends every watch: no password stays. */
    lock(): void {
      for (const serverId of watches.keys()) end(serverId, 'locked');
    },
  };
}
