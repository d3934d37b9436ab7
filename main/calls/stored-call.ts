import type { RecordedCall, StoredCall } from '../../preload/contract/calls.ts';

/** Both keep everything but the name of the server's id. */
export const toStored = ({ serverId, ...call }: RecordedCall): StoredCall => ({ ...call, environmentId: serverId });

export const fromStored = ({ environmentId, ...call }: StoredCall): RecordedCall => ({
  ...call,
  serverId: environmentId,
});
