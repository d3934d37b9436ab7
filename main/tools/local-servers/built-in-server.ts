import type { BuiltInCounts, BuiltInData } from '../../../preload/contract/local-servers.ts';
import type { CheckProgressEvent } from '../../../preload/contract/checks.ts';
import type { BuiltInStatus } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { builtInId } from '../../account/config/server-ids.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { AppStateHolder } from '../../account/state/app-state.ts';
import type { LocalServerStatus } from '../../account/state/project-state.ts';
import { LocalServer, type ControlledService, type StartedService } from './local-server.ts';

/** Milliseconds between two events, since each makes an open list reload. */
const NOTIFY_EVERY_MS = 100;

const statusOf = ({ run, baseUrl }: LocalServerStatus): BuiltInStatus => {
  if (run.state === 'running') return { state: 'running', baseUrl };
  return run.state === 'stopped' ? { state: 'starting' } : run;
};

type Data = ControlledService['data'];

type BuiltInHandlers = Handlers['builtIn'];

/** The built-in server, whose status and behaviour are part of the state. */
export class BuiltInServer extends LocalServer implements BuiltInHandlers {
  readonly #describe: (hasAccountCalls: boolean) => Promise<void>;

  constructor({
    start,
    state,
    onRequest,
    describe,
  }: {
    start: () => Promise<StartedService>;
    state: AppStateHolder;
    /** Stores whether it has account calls, for its next start. */
    describe: (hasAccountCalls: boolean) => Promise<void>;
    /** Called soon after the service answered requests. */
    onRequest: () => void;
  }) {
    let isWaiting = false;
    super({
      start,
      failure: 'built-in-stopped',
      onChange: (facts) =>
        state.set({ builtIn: statusOf(facts), behaviour: facts.behaviour, clockAheadMs: facts.clockAheadMs }),
      onRequest() {
        if (isWaiting) return;
        isWaiting = true;
        setTimeout(() => {
          isWaiting = false;
          onRequest();
        }, NOTIFY_EVERY_MS).unref();
      },
    });
    this.#describe = describe;
  }

  async setAccountCalls({ on }: { on: boolean }): Promise<Result<null>> {
    await this.stop();
    await this.#describe(on);
    return this.start();
  }

  onRunStep = ({ running }: CheckProgressEvent): void => this.pauseClientReport(running?.serverId === builtInId);

  choices: BuiltInHandlers['choices'] = () =>
    this.withService(async () =>
      ok((await import('../../service/fault-injection/simulation-choices.ts')).simulationChoices),
    );

  accounts: BuiltInHandlers['accounts'] = (page) => this.withService(async ({ data }) => ok(await data.accounts(page)));

  sessions: BuiltInHandlers['sessions'] = (page) => this.withService(async ({ data }) => ok(await data.sessions(page)));

  expire: BuiltInHandlers['expire'] = ({ id }) =>
    this.withService(async ({ data }) => ok({ done: await data.expire(id) }));

  revoke: BuiltInHandlers['revoke'] = ({ id }) =>
    this.withService(async ({ data }) => ok({ done: await data.revoke(id) }));

  revokeAllTokens: BuiltInHandlers['revokeAllTokens'] = () =>
    this.withService(async ({ data }) => ok({ ended: await data.revokeAllSessions() }));

  requests: BuiltInHandlers['requests'] = () => this.withService(({ faultInjection }) => ok(faultInjection.requests()));

  clearRequests: BuiltInHandlers['clearRequests'] = () =>
    this.withService(({ faultInjection, clients }) => {
      faultInjection.clearRequests();
      clients.clear();
      return ok([]);
    });

  clientReport: BuiltInHandlers['clientReport'] = () => this.withService(({ clients }) => ok(clients.lines()));

  counts: BuiltInHandlers['counts'] = () => this.withService(countsOf);

  data: BuiltInHandlers['data'] = () => this.withService(({ data }) => dataOf(data));

  reset: BuiltInHandlers['reset'] = ({ set, seed }) => this.#withData((data) => data.reset(set, seed));

  undo: BuiltInHandlers['undo'] = () => this.#withData((data) => data.undo());

  /** Changes the data, and returns a summary of it. */
  #withData(work: (data: Data) => ReturnType<Data['undo']>): Promise<Result<BuiltInData>> {
    return this.withService(async ({ data }) => {
      const done = await work(data);
      return done.ok ? dataOf(data) : fail({ kind: 'copy-failed', reason: done.kind });
    });
  }
}

async function countsOf({ data, faultInjection }: ControlledService): Promise<Result<BuiltInCounts>> {
  const none = { offset: 0, limit: 1 };
  const [accounts, sessions] = await Promise.all([data.accounts(none), data.sessions(none)]);
  return ok({ accounts: accounts.total, sessions: sessions.total, requests: faultInjection.requests().length });
}

async function dataOf(data: Data): Promise<Result<BuiltInData>> {
  const { total } = await data.accounts({ offset: 0, limit: 1 });
  return ok({ accounts: total, canUndo: data.canUndo() });
}
