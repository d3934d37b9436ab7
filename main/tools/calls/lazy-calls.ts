import { setImmediate as nextTurn } from 'node:timers/promises';
import { ok, type Result } from '../../../preload/contract/result.ts';
import type { TransportCall } from '../../client/call.ts';
import type { ConfigStore } from '../../account/config/config-store.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { Sessions } from '../../account/sessions/sessions.ts';
import type { CallHistory, CallHistoryOptions, CheckOrigin } from './call-history.ts';
import type { Replay, ReplayOptions } from './replay.ts';
import type { CallExporter, CallExporterOptions } from './call-exporter.ts';

type LazyCallsOptions = Omit<CallHistoryOptions, 'limits' | 'pathsOf'> &
  Omit<ReplayOptions, 'calls' | 'tokenOf' | 'servers'> &
  Omit<CallExporterOptions, 'calls' | 'tokenOf' | 'confirmSecrets'> & {
    config: ConfigStore;
    session: () => Pick<Sessions, 'credentials'>;
    servers: () => ReplayOptions['servers'];
    /** Shows a question of the application itself; succeeds if the user agreed. */
    ask: (question: DialogQuestion) => Promise<Result<null>>;
  };

export type LazyCalls = ReturnType<typeof createLazyCalls>;

/** The page *Requests*: the history, resending and export, each loaded when it is first used. */
export function createLazyCalls(options: LazyCallsOptions) {
  const { config, secretRegistry } = options;
  const tokenOf = async (id: string) => (await options.session().credentials.ofSession(id))?.token;

  async function loadCalls(): Promise<CallHistory> {
    const { CallHistory } = await import('./call-history.ts');
    const limits = () => config.get().callLimits;
    const pathsOf = (id: string) => config.get().servers.find((each) => each.id === id)?.dialect.pinned;
    return new CallHistory({ ...options, limits, pathsOf });
  }
  async function loadExporter(): Promise<CallExporter> {
    const { CallExporter } = await import('./call-exporter.ts');
    const confirmSecrets = (count: number) => options.ask({ kind: 'secrets', count });
    return new CallExporter({ ...options, calls: await calls(), tokenOf, confirmSecrets });
  }
  async function loadReplay(): Promise<Replay> {
    const { Replay } = await import('./replay.ts');
    return new Replay({ ...options, calls: await calls(), tokenOf, servers: options.servers() });
  }
  const loading: { calls?: Promise<CallHistory>; exporter?: Promise<CallExporter>; replay?: Promise<Replay> } = {};
  const calls = (): Promise<CallHistory> => (loading.calls ??= loadCalls());
  const exporter = (): Promise<CallExporter> => (loading.exporter ??= loadExporter());
  const replay = (): Promise<Replay> => (loading.replay ??= loadReplay());

  return {
    handlers: callHandlers({ calls, exporter, replay, config }),
    calls,
    replay,

    /** Records a call, unless its server was removed. One without a server goes to an address that is being entered. */
    record(serverId: string | undefined, call: TransportCall, origin?: CheckOrigin): void {
      if (serverId !== undefined && config.get().servers.every((each) => each.id !== serverId)) return;
      void calls().then((loaded) => loaded.record(serverId ?? '', call, origin));
    },

    /** Deletes the calls of a removed server. */
    forgetServer: (serverId: string): void =>
      void calls()
        .then(settled)
        .then((loaded) => loaded.clear(serverId, true)),

    /** Cancels a resend, and drops the bodies in memory and the registry of secrets. */
    lock(): void {
      // Cancelled calls are recorded first: their secrets can be redacted only while the registry knows them.
      const replayed = loading.replay?.then((loaded) => loaded.close());
      void Promise.all([replayed, nextTurn()])
        .then(() => loading.calls?.then(settled))
        .then((loaded) => loaded?.clearBodies())
        .finally(() => secretRegistry.clear());
    },

    async close(): Promise<void> {
      const loaded = await loading.calls?.then(settled);
      loaded?.close();
    },
  };
}

/** Waits until all calls that were recorded so far are written. */
async function settled(calls: CallHistory): Promise<CallHistory> {
  await calls.settled();
  return calls;
}

function callHandlers({
  calls,
  exporter,
  replay,
  config,
}: {
  calls: () => Promise<CallHistory>;
  exporter: () => Promise<CallExporter>;
  replay: () => Promise<Replay>;
  config: ConfigStore;
}): Handlers['calls'] {
  return {
    list: async ({ filter, offset }) => (await calls().then(settled)).list(filter, offset),
    count: async () => ok((await calls().then(settled)).count()),
    get: async ({ id }) => (await calls().then(settled)).getWithBodies(id),
    pin: async ({ id, pinned }) => (await calls()).pin(id, pinned),
    saveText: async ({ id }) => (await calls().then(settled)).saveText(id),
    async copy({ id, form, secrets, request }) {
      if (!request) return (await exporter()).copy(id, form, secrets);
      const edited = (await replay()).edited(id, request);
      return edited.ok ? (await exporter()).copy(id, form, secrets, edited.value) : edited;
    },
    exportHar: async ({ filter }) => (await exporter()).exportHar(filter),
    editableRequest: async ({ id }) => (await replay()).editable(id),
    replay: async ({ id, request, secrets }) => (await replay()).replay(id, request, secrets),
    cancelReplay: async () => (await replay()).cancel(),
    clear: async ({ serverId, pinnedToo }) => (await calls().then(settled)).clear(serverId, pinnedToo),
    limits: () => ok(config.get().callLimits),
    setLimits(callLimits) {
      config.change({ callLimits });
      return ok(config.get().callLimits);
    },
  };
}
