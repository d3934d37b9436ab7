/** Something that is made with its first use, or not at all. */
export type Lazy<T> = (() => Promise<T>) & { ifLoaded: (use: (loaded: T) => unknown) => Promise<void> };

export function createLazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  return Object.assign((): Promise<T> => (loading ??= load()), {
    ifLoaded: async (use: (loaded: T) => unknown) => {
      if (loading) await use(await loading);
    },
  });
}
