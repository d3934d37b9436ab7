/** Keeps other instances away from a database. */
export type ExclusiveLock = {
  /**
   * False while another instance uses the database. A second call does nothing. Rejects with a
   * {@link createStoreUnavailableError} if the database is unavailable.
   */
  acquire(): Promise<boolean>;
  release(): Promise<void>;
};

export const inMemoryLock: ExclusiveLock = {
  acquire: async () => true,
  release: async () => undefined,
};
