interface Remembered {
  open: boolean;
  height: number;
}

const key = 'calls-drawer';
const defaults: Remembered = { open: false, height: 320 };

/**
 * Remembers how the drawer was left. It is about this window alone and nothing else depends on it, so it is in the
 * page's own storage and not among the settings. Where there is no such storage, it is forgotten.
 */
export const drawerMemory = {
  read(): Remembered {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
      if (typeof stored !== 'object' || stored === null) return defaults;
      const open = 'open' in stored && stored.open === true;
      const height = 'height' in stored && typeof stored.height === 'number' ? stored.height : defaults.height;
      return { open, height };
    } catch {
      return defaults;
    }
  },
  write(change: Partial<Remembered>): void {
    try {
      localStorage.setItem(key, JSON.stringify({ ...drawerMemory.read(), ...change }));
    } catch {
      // Only the place of an edge is lost.
    }
  },
};
