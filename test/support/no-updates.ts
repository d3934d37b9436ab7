import type { UpdatePorts } from '../../main/updates/updates-room.ts';

/** A copy for which no feed is configured, as every copy is that nobody configured. */
export const noUpdates: UpdatePorts = {
  files: { builtIn: undefined, administrators: [] },
  way: async () => 'unpacked',
  processor: 'x64',
  fetch,
  restart: () => undefined,
};
