import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { ConfigStore } from '../config/config-store.ts';
import type { Clients } from '../servers/clients.ts';
import type { ProductionGuard } from '../servers/production-guard.ts';
import type { ServerStore } from '../servers/server-store.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import type { SessionStore } from './session-store.ts';

/** What sessions need of the rest of the application. */
export type SessionsOptions = {
  config: ConfigStore;
  vault: Vault;
  state: AppStateHolder;
  sessionStore: SessionStore;
  clientFor: Clients['for'];
  production: Pick<ProductionGuard, 'check' | 'allows'>;
  secretRegistry: Pick<SecretRegistry, 'register' | 'bindToSession' | 'unbindSession'>;
  learnFrom: ServerStore['learnFrom'];
  warn: (what: string, error: unknown) => void;
  now: () => Date;
};
