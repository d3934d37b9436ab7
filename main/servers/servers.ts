import type { EnteredConnection } from '../../preload/contract/connection.ts';
import type { FilePurpose } from '../../preload/contract/contract.ts';
import type { ConnectionReport } from '../../preload/contract/connection-report.ts';
import type { AppState } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { isRunHere, type ConfigStore } from '../config/config.ts';
import type { Dialogs, Question } from '../dialogs.ts';
import { answerState } from '../ipc/answer-state.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { HeldSessions } from '../session/held-sessions.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { AgreedPlaces } from './agreed-places.ts';
import { createCertificateTrust } from './certificate-trust.ts';
import { createChooseServer } from './choose-server.ts';
import { createChosenFiles } from './chosen-files.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { createEditServers } from './edit-servers.ts';
import { addressOf, readConnection, secretsOf } from './entered-server.ts';
import type { ProductionGuard } from './production-guard.ts';
import { readEnteredHeaders, type ExtraHeaders } from './extra-headers.ts';
import { createServerFiles } from './server-files.ts';
import { createServerList, isReachedAlike } from './server-list.ts';
import type { Transports } from './transports.ts';
import { createWayChanges } from './way-changes.ts';

export type Servers = ReturnType<typeof createServers>;

/** Keeps the servers of a person, and which one is the active one. */
export function createServers(options: {
  config: ConfigStore;
  state: AppStateHolder;
  session: SessionService;
  held: HeldSessions;
  production: ProductionGuard;
  secrets: ConnectionSecrets;
  headers: ExtraHeaders;
  transports: Pick<Transports, 'look' | 'endLooks' | 'refusedAt'>;
  /** Told of a server that is gone with all that belonged to it. */
  onRemoved: (id: string) => Promise<void>;
  /** Makes sure that a server which runs here does so, as far as it can. */
  ready: (serverId: string) => Promise<unknown>;
  /** Main's own question. Succeeds when the person agreed. */
  ask: (question: Question) => Promise<Result<null>>;
  places: AgreedPlaces;
  /** The system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import' | 'export' | FilePurpose) => Promise<string | undefined>;
}) {
  const { config, state, production, secrets, headers, transports, places } = options;
  const list = createServerList(config);
  const chosenFiles = createChosenFiles();
  const shared = { ...options, list, chosenFiles };
  const ways = createWayChanges(shared);
  const choose = createChooseServer(shared);

  return {
    ...createEditServers({ ...shared, choose, ways }),
    ...createCertificateTrust({ list, ways, transports }),
    ...createServerFiles(shared),
    ...choose,
    chosenFiles,
    move: (id: string, by: -1 | 1) => list.move(id, by),
    learn: (...learned: Parameters<typeof list.learn>) => list.learn(...learned),
    confirmProduction: (id: string, host: string) => production.confirm(id, host),

    /** Looks what answers, once the person agreed to it, with the connection as entered. The trusted certificates go with the server's address. */
    async test(entered: {
      id?: string | undefined;
      address: string;
      enteredConnection?: EnteredConnection | undefined;
    }): Promise<Result<ConnectionReport>> {
      const { id } = entered;
      const found = config.get().servers.find((each) => each.id === id);
      const known = found?.double ? undefined : found;
      const current = state.get().servers.find((each) => each.id === id)?.baseUrl;
      const address = addressOf(entered.address, current);
      if (!address.ok) return address;
      if (id !== undefined && isRunHere(id))
        return ok(await transports.look(address.value, undefined, { secretOf: secretsOf({}, known, secrets) }, id));
      const read = await readConnection(entered.enteredConnection, known, shared);
      if (!read.ok) return read;
      const { connection, secretOf } = read.value;
      const isThere = address.value === current && known !== undefined;
      const added = readEnteredHeaders(entered.enteredConnection?.headers, known?.extraHeaders ?? [], !isThere);
      if (!added.ok) return added;
      const reached = { baseUrl: address.value, connection, pins: isThere ? known.pins : [] };
      const isSame = isThere && isReachedAlike(known, reached);
      const extraHeaders = headers.forLook({ id: id ?? '', baseUrl: address.value }, added.value, isSame);
      const settings = { ...connection, pins: reached.pins };
      const agreed = await places.agree(known && id, { url: address.value, proxy: connection.proxy });
      if (!agreed.ok) return agreed;
      return ok(await transports.look(address.value, settings, { secretOf, extraHeaders }, id));
    },

    /** Ends every look. Each answers that it was cancelled. */
    cancelTest: transports.endLooks,
  };
}

/**
 * What the window may ask of servers, and which session it shows.
 * @param person asks whether an address may be opened in the person's browser, and opens it
 */
export function serverHandlers(
  servers: Servers,
  state: () => AppState,
  person: Pick<Dialogs, 'openOutside'> & { ask: (question: Question) => Promise<Result<null>> },
) {
  const then = answerState(state);
  const handlers: Handlers['servers'] = {
    choose: ({ id }) => then(servers.choose(id)),
    chooseAddress: ({ address }) => then(servers.chooseAddress(address)),
    create: (entered) => then(servers.create(entered)),
    edit: (entered) => then(servers.edit(entered)),
    duplicate: ({ id }) => then(servers.duplicate(id)),
    move: ({ id, by }) => then(servers.move(id, by)),
    remove: ({ id }) => then(servers.remove(id)),
    confirmProduction: ({ id, host }) => then(servers.confirmProduction(id, host)),
    trust: ({ id, sha256 }) => then(servers.trust(id, sha256)),
    distrust: ({ id }) => then(servers.distrust(id)),
    test: (entered) => servers.test(entered),
    cancelTest() {
      servers.cancelTest();
      return ok({});
    },
    async openInBrowser() {
      const { servers: all, activeServerId } = state();
      const baseUrl = all.find(({ id }) => id === activeServerId)?.baseUrl;
      if (baseUrl === undefined) return fail({ kind: 'not-now' });
      const agreed = await person.ask({ kind: 'open-outside', baseUrl });
      if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok({ opened: false }) : agreed;
      const opened = await person.openOutside(baseUrl);
      return opened.ok ? ok({ opened: true }) : opened;
    },
    chooseFile: async ({ purpose }) => ok({ file: await servers.chooseFile(purpose) }),
    importFile: () => then(servers.importFile()),
    exportFile: () => then(servers.exportFile()),
  };
  return { handlers, chooseSession: ({ id }: { id: string }) => then(servers.chooseSession(id)) };
}
