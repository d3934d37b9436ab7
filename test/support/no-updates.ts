import type { UpdateSource } from '../../main/window/updates/updates.ts';

/** A copy whose package names no feed. */
export const noUpdates: UpdateSource = {
  files: { feed: undefined, administrators: [] },
  installType: async () => 'unpacked',
  loadUpdater: () => Promise.reject(new Error('there is no feed')),
};
