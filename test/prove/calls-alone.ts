import { CallHistory, type CallHistoryOptions } from '../../main/tools/calls/call-history.ts';

/** Opens a file of calls as the application does, with nobody who is told of it. What goes wrong is thrown. */
export const createCallsAlone = (options: Pick<CallHistoryOptions, 'file' | 'secretRegistry' | 'limits'>) =>
  new CallHistory({
    ...options,
    pathsOf: () => undefined,
    onRecorded: () => undefined,
    onCounted: () => undefined,
    onFileNotice: () => undefined,
    warn: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
