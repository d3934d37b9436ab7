import type { CaseResult } from '../../preload/contract/report-cases.ts';
import type { WatchEnd } from '../../preload/contract/watched.ts';
import type { Server } from '../../preload/contract/models.ts';
import { wayOf, wayText } from '../config/way.ts';
import { measuredNothing } from './history.ts';
import type { Account } from './identities.ts';
import type { ReportStore } from './report-store.ts';
import type { Run } from './run.ts';

/** Ends a run. */
export type RunControl = {
  signal: () => AbortSignal;
  abort: () => void;
};

/** Whom a watch measures: an account at the address and by the way for which its password was typed. */
export type Watched = { serverId: string; account: Account; baseUrl: string; way: string };

/** What came of a run of a watch. `busy` says that another run was under way or wanted, so that nothing was learned. */
export type Measured =
  | { kind: 'busy' }
  | { kind: 'nothing' }
  | { kind: 'measured'; changes: number }
  | { kind: 'ended'; why: WatchEnd | 'removed' };

/** Says whom a watch of a server measures. */
export const watchedAt = (server: Server, account: Account): Watched => ({
  serverId: server.id,
  account,
  baseUrl: server.baseUrl,
  way: wayText(wayOf(server)),
});

/** Says whether the server did not take the account. Its password is not to be sent again, which might lock it. */
const isRefusal = (result: CaseResult): boolean =>
  result.outcome === 'not-measured' && result.reason.kind === 'account-refused';

/**
 * Makes the runs of watches, apart from those that a person begins: nobody is shown them under way, their report takes
 * the place of none on the screen, and a run that a person begins ends them. Their results are kept as those of any run.
 */
export function createRunApart(options: {
  kept: () => ReportStore | undefined;
  find: (serverId: string) => Server | undefined;
  isBusy: () => boolean;
  prepare: (server: Server, account: Account, control: RunControl) => Pick<Run, 'start'>;
}) {
  const { kept, find, isBusy, prepare } = options;
  let underWay: { abort: () => void; ended: Promise<unknown> } | undefined;

  /** Says why a server can no longer be measured. */
  function endOf({ serverId, baseUrl, way }: Watched): WatchEnd | 'removed' | undefined {
    const server = find(serverId);
    if (!server) return 'removed';
    if (server.production) return 'production';
    return server.baseUrl === baseUrl && wayText(wayOf(server)) === way ? undefined : 'moved';
  }

  async function run(watched: Watched, server: Server, ending: AbortController): Promise<Measured> {
    const control = { signal: () => ending.signal, abort: () => ending.abort() };
    const report = await prepare(server, watched.account, control).start();
    const why = endOf(watched);
    if (why) return { kind: 'ended', why };
    // It comes first: also of a run that was ended meanwhile, the password was sent and refused.
    if (report.cases.some(isRefusal)) return { kind: 'ended', why: 'account-refused' };
    if (ending.signal.aborted) return { kind: 'busy' };
    if (measuredNothing(report)) return { kind: 'nothing' };
    const learned = kept()?.add(watched.serverId, report);
    // Where nothing can be kept, nothing can ever be told.
    if (!learned) return { kind: 'nothing' };
    return { kind: 'measured', changes: learned.comparison?.differences.length ?? 0 };
  }

  return {
    /** Measures what the account can, unless something else is under way. */
    async measure(watched: Watched, signal: AbortSignal): Promise<Measured> {
      const why = endOf(watched);
      if (why) return { kind: 'ended', why };
      const server = find(watched.serverId);
      if (!server || isBusy() || underWay) return { kind: 'busy' };
      const ending = new AbortController();
      const abort = (): void => ending.abort();
      signal.addEventListener('abort', abort);
      const ended = run(watched, server, ending);
      underWay = { abort, ended };
      try {
        return await ended;
      } finally {
        signal.removeEventListener('abort', abort);
        underWay = undefined;
      }
    },

    /** Ends what is under way, and waits until it has logged out. */
    async end(): Promise<void> {
      const current = underWay;
      current?.abort();
      await current?.ended.catch(() => undefined);
    },
  };
}
