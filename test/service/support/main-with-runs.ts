import { expect } from 'vitest';
import { RunOptions } from '../../../preload/contract/report.ts';
import type { ChecksState, CheckProgressEvent, ReportDetails } from '../../../preload/contract/checks.ts';
import { makeMain, type Main, type MainOptions } from '../../support/make-main.ts';

/** The run is as fast as it may be. The pace has tests of its own. */
const options = RunOptions.parse({ callsPerSecond: 100 });

type Servers = Parameters<typeof makeMain>[0];

interface MainWithRuns extends Omit<Main, 'state'> {
  mark: (id: string, production: boolean) => void;
  /** Settles when a step holds. */
  when: (holds: (step: CheckProgressEvent) => boolean) => Promise<void>;
  ended: () => Promise<void>;
  state: () => ChecksState;
  reportOf: (id: string) => ReportDetails | undefined;
  run: (serverId: string, wanted?: RunOptions, compareWith?: string) => Promise<void>;
}

/** Makes everything of main with these servers, and tells when a run ends or gets that far. */
export async function mainWith(servers: Servers, more: MainOptions = {}): Promise<MainWithRuns> {
  const waiting = new Set<{ holds: (step: CheckProgressEvent) => boolean; resolve: () => void }>();
  const main = await makeMain(servers, {
    ...more,
    onStep(step) {
      for (const each of waiting) {
        if (!each.holds(step)) continue;
        waiting.delete(each);
        each.resolve();
      }
    },
  });
  const when = (holds: (step: CheckProgressEvent) => boolean): Promise<void> =>
    new Promise((resolve) => waiting.add({ holds, resolve }));
  const ended = (): Promise<void> => when(({ running }) => running === undefined);
  const { checks } = main;
  const state = (): ChecksState => {
    const result = checks.state();
    if (!result.ok) throw new Error('It has no state');
    return result.value;
  };
  return {
    ...main,
    /** Marks a server as production, as a person does who edits it. */
    mark(id: string, production: boolean): void {
      const { servers } = main.config.get();
      main.config.change({
        servers: servers.map((each) => (each.id === id ? Object.assign({}, each, { production }) : each)),
      });
    },
    when,
    ended,
    state,
    reportOf: (id: string) => state().reports.find(({ serverId }) => serverId === id)?.report,
    async run(serverId: string, wanted = options, compareWith?: string): Promise<void> {
      const end = ended();
      const started = await checks.start({
        serverId,
        options: wanted,
        ...(compareWith !== undefined && { compareWith }),
      });
      expect(started).toMatchObject({ ok: true, value: { running: { serverId } } });
      await end;
    },
  };
}

export const refused = (problem: string) => ({ ok: false, error: { kind: 'run-refused', problem } });
