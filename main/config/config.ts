import { z } from 'zod';
import { Settings } from '../../preload/contract/models.ts';

/** What is known of the session with one server, without its token, which rests in the vault. */
export const StoredSession = z.object({
  /** The vault's account name. */
  account: z.string(),
  /** Where the token came from: it is sent nowhere else. */
  baseUrl: z.string(),
  user: z.object({ id: z.string().optional(), name: z.string().optional(), email: z.string().optional() }),
});
export type StoredSession = z.infer<typeof StoredSession>;

export const builtInId = 'built-in';

/** Everything in `config.json`. No secret is in it. */
export const Config = z.object({
  settings: Settings.catch({ language: 'system', theme: 'system' }),
  /** Addresses that were used, besides the embedded service. */
  servers: z.array(z.object({ id: z.string(), baseUrl: z.string() })).catch([]),
  activeServerId: z.string().catch(builtInId),
  /** By server id. */
  sessions: z.record(z.string(), StoredSession).catch({}),
  /** The email that was last used with a server, by server id, to fill the form in. */
  lastEmails: z.record(z.string(), z.string()).catch({}),
  window: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), maximized: z.boolean() })
    .optional()
    .catch(undefined),
});
export type Config = z.infer<typeof Config>;

/** What the settings library offers; electron-store in the application. */
export type KeyValueStore = { readonly store: unknown; set: (values: Record<string, unknown>) => void };

export type ConfigStore = ReturnType<typeof createConfig>;

/**
 * Typed access to `config.json`. A part that does not parse counts as its default here; the file keeps it until that
 * part is changed.
 */
export function createConfig(store: KeyValueStore, onFailure: (error: unknown) => void) {
  let current = Config.parse(store.store);
  return {
    get: (): Config => current,
    change(patch: Partial<Config>): void {
      current = { ...current, ...patch };
      try {
        store.set(patch);
      } catch (error) {
        // A full or read-only disk: this run goes on with what it knows, and the file stays as it was.
        onFailure(error);
      }
    },
  };
}
