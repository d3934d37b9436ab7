/** Keeps other instances away from a database, as long as it is held. */
export type ExclusiveLock = {
  /**
   * Takes the database for this instance; false while another one uses it. A second call does nothing more. It rejects
   * with a `storeUnavailable` when the database cannot be asked.
   */
  acquire(): Promise<boolean>;
  /** Lets others use it again. */
  release(): Promise<void>;
};

/** A database in memory has no other instances. */
export const inMemoryLock: ExclusiveLock = {
  acquire: async () => true,
  release: async () => undefined,
};
