import type { UpdatePorts } from '../../main/window/updates/updates.ts';

/** A copy whose package names no feed. */
export const noUpdates: UpdatePorts = {
  files: { feed: undefined, administrators: [] },
  installType: async () => 'unpacked',
  loadUpdater: () => Promise.reject(new Error('there is no feed')),
};
