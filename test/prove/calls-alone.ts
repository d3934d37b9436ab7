import { Calls, type CallsOptions } from '../../main/lab/calls/calls.ts';

/** Opens a file of calls as the application does, with nobody who is told of it. What goes wrong is thrown. */
export const createCallsAlone = (options: Pick<CallsOptions, 'file' | 'references' | 'limits'>) =>
  new Calls({
    ...options,
    pathsOf: () => undefined,
    onRecorded: () => undefined,
    onCounted: () => undefined,
    onFileNotice: () => undefined,
    warn: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
