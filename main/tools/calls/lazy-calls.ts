import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { ok, type Result } from '../../../preload/contract/result.ts';
import type { TransportCall } from '../../client/call.ts';
import type { Clipboard, SecretClipboard } from '../../files/secret-clipboard.ts';
import type { ConfigStore } from '../../account/config/config.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { SessionStore } from '../../account/sessions/session-store.ts';
import type { Sessions } from '../../account/sessions/sessions.ts';
import type { AppStateHolder } from '../../account/state/app-state.ts';
import type { CallHistory, CheckOrigin } from './call-history.ts';
import type { Replay, ReplayOptions } from './replay.ts';
import type { CallExporter } from './call-exporter.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';

/** Holds the recorded calls, and what is made of them. Each part is loaded when it is first needed. */
export function createLazyCalls(options: {
  file: string;
  config: ConfigStore;
  secretRegistry: SecretRegistry;
  state: AppStateHolder;
  sessionStore: SessionStore;
  session: () => Pick<Sessions, 'credentials'>;
  servers: () => ReplayOptions['servers'];
  onRecorded: (summary: CallSummary) => void;
  onCounted: (count: number) => void;
  onFileNotice: (notice: FileNotice) => void;
  /** Main's own question. Succeeds when the person agreed. */
  ask: (question: DialogQuestion) => Promise<Result<null>>;
  /** The system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'export-har') => Promise<string | undefined>;
  clipboard: Clipboard;
  /** The same for texts with secrets. */
  secretClipboard: SecretClipboard;
  version: string;
  warn: (what: string, error: unknown) => void;
}) {
  const { config, secretRegistry } = options;
  const limits = () => config.get().callLimits;
  const tokenOf = async (id: string) => (await options.session().credentials.ofSession(id))?.token;

  async function loadCalls(): Promise<CallHistory> {
    const { CallHistory } = await import('./call-history.ts');
    const pathsOf = (id: string) => config.get().servers.find((each) => each.id === id)?.dialect.pinned;
    return new CallHistory({ ...options, limits, pathsOf });
  }
  async function loadTransfer(): Promise<CallExporter> {
    const { CallExporter } = await import('./call-exporter.ts');
    const confirmSecrets = (count: number) => options.ask({ kind: 'secrets', count });
    return new CallExporter({ ...options, calls: await calls(), tokenOf, confirmSecrets });
  }
  async function loadReplay(): Promise<Replay> {
    const { createReplay } = await import('./replay.ts');
    return createReplay({ ...options, calls: await calls(), tokenOf, servers: options.servers() });
  }
  const loading: { calls?: Promise<CallHistory>; transfer?: Promise<CallExporter>; replay?: Promise<Replay> } = {};
  const calls = (): Promise<CallHistory> => (loading.calls ??= loadCalls());
  const transfer = (): Promise<CallExporter> => (loading.transfer ??= loadTransfer());
  const replay = (): Promise<Replay> => (loading.replay ??= loadReplay());

  return {
    handlers: callHandlers({ calls, transfer, replay, config }),
    calls,
    replay,

    /** Records a call of a server that is still there. One without a server is of an address that is being entered. */
    record(serverId: string | undefined, call: TransportCall, run?: CheckOrigin): void {
      if (serverId !== undefined && config.get().servers.every((each) => each.id !== serverId)) return;
      void calls().then((loaded) => loaded.record(serverId ?? '', call, run));
    },

    /** Removes the calls of a server that was removed. */
    forgetServer: (serverId: string): void =>
      void calls()
        .then(settled)
        .then((loaded) => loaded.clear(serverId, true)),

    /** Drops what holds secrets of the calls. */
    lock(): void {
      // The calls that were cut off are recorded first, since their secrets can only be taken out while they are known.
      const replayed = loading.replay?.then((loaded) => loaded.close());
      void Promise.all([replayed, nextTurn()])
        .then(() => loading.calls?.then(settled))
        .then((loaded) => loaded?.forgetBodies())
        .finally(() => secretRegistry.clear());
    },

    async close(): Promise<void> {
      const loaded = await loading.calls?.then(settled);
      loaded?.close();
    },
  };
}

/** Answers the calls once all that was recorded is among them. */
async function settled(calls: CallHistory): Promise<CallHistory> {
  await calls.settled();
  return calls;
}

/** Makes what the window may ask of recorded calls. */
function callHandlers(parts: {
  calls: () => Promise<CallHistory>;
  transfer: () => Promise<CallExporter>;
  replay: () => Promise<Replay>;
  config: ConfigStore;
}): Handlers['calls'] {
  const { calls, transfer, replay, config } = parts;
  return {
    list: async ({ filter, offset }) => (await calls().then(settled)).list(filter, offset),
    count: async () => ok((await calls().then(settled)).count()),
    get: async ({ id }) => (await calls().then(settled)).getWithBodies(id),
    pin: async ({ id, pinned }) => (await calls()).pin(id, pinned),
    saveText: async ({ id }) => (await calls().then(settled)).keepText(id),
    async copy({ id, form, secrets, request }) {
      if (!request) return (await transfer()).copy(id, form, secrets);
      const edited = (await replay()).edited(id, request);
      return edited.ok ? (await transfer()).copy(id, form, secrets, edited.value) : edited;
    },
    exportHar: async ({ filter }) => (await transfer()).exportHar(filter),
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
