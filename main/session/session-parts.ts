import type { Way } from '../../preload/contract/connection.ts';
import type { Result } from '../../preload/contract/result.ts';
import type { User } from '../../preload/contract/models.ts';
import type { Client } from '../client/client.ts';
import type { ConfigStore, StoredSession } from '../config/config.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import type { HeldSessions } from './held-sessions.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { SessionView } from './session-view.ts';
import type { Learned, Turns } from './turns.ts';

/** A client, the one address that it sends to, and the one way by which it does. */
export type BoundClient = { client: Client; baseUrl: string; way: Way };

/**
 * A client of a server, bound to the address and way of a session, or else to those the server has now. Fails while the
 * built-in server, which is wherever it listens, is not there.
 */
export type ClientFor = (serverId: string, own?: { baseUrl: string; way: Way }) => Promise<Result<BoundClient>>;

/** What the flows of a session need of the rest of the application. */
export type SessionOptions = {
  config: ConfigStore;
  vault: Vault;
  state: AppStateHolder;
  held: HeldSessions;
  clientFor: ClientFor;
  /** Fails while the host of a production server was not typed. `baseUrl` is where the call goes to. */
  production: {
    check: (serverId: string, baseUrl?: string) => Result<null>;
    /** Says the same without making it the host that is asked for. */
    allows: (serverId: string, baseUrl: string) => boolean;
  };
  /** What stands for tokens in recorded calls. */
  references: {
    watch: (token: string, secret: 'token') => { id: string };
    name: (token: string, sessionId: string) => void;
    release: (sessionId: string) => void;
  };
  /** Is given what a turn's answers say of their server, once that turn is over. */
  learn: (serverId: string, learned: readonly Learned[]) => void;
  warn: (what: string, error: unknown) => void;
  now?: (() => Date) | undefined;
};

/** What the flows share: logging in, checking and logging out. */
export type SessionParts = Omit<SessionOptions, 'learn' | 'warn' | 'now'> & {
  turns: Turns;
  view: SessionView;
  tokens: SessionTokens;
  /** Returns the present moment in ISO 8601. */
  timestamp: () => string;
};

/** Returns what is kept of a user between two runs. */
export const known = ({ id, name, email }: User): StoredSession['user'] => ({ id, name, email });
