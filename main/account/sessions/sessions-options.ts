import type { RegistrationPath } from '../../../preload/contract/settings.ts';
import type { Interpretation } from '../../client/parse-response.ts';
import type { Result } from '../../../preload/contract/result.ts';
import type { Client } from '../../client/client.ts';
import type { Config, ConfigStore, StoredSession } from '../config/config.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import type { SessionStore } from './session-store.ts';

/** An answer of a server, and the path at which it made an account, if it did. */
export type ObservedResponse = { reading: Interpretation; registeredAt?: RegistrationPath | undefined };

/** A client, the one address that it sends to, and the description by which it does, with its digest. */
export type BoundClient = { client: Client; baseUrl: string; adapter: ApiAdapter; interface?: string };

/**
 * A client of a server, bound to the address that it has now; of a session, only if that is the address that its token
 * came from. Fails while the built-in server, which is wherever it listens, is not there.
 */
export type ClientFor = (serverId: string, session?: StoredSession) => Promise<Result<BoundClient>>;

/** What sessions need of the rest of the application. */
export type SessionsOptions = {
  config: ConfigStore;
  vault: Vault;
  state: AppStateHolder;
  sessionStore: SessionStore;
  clientFor: ClientFor;
  /** Fails while the host of a production server was not typed; `allows` does so without asking for it. */
  production: { check: (serverId: string) => Result<null>; allows: (serverId: string) => boolean };
  /** What stands for tokens in recorded calls. */
  secretRegistry: {
    register: (token: string, secret: 'token') => { id: string };
    bindToSession: (token: string, sessionId: string) => void;
    unbindSession: (sessionId: string) => void;
  };
  /** What is to be remembered of a server after these answers. */
  learnFrom: (serverId: string, answers: readonly ObservedResponse[]) => Partial<Config>;
  warn: (what: string, error: unknown) => void;
  now: () => Date;
};
