import { createCalls } from '../../main/lab/calls/calls.ts';

type CallsOptions = Parameters<typeof createCalls>[0];

/** Opens a file of calls as the application does, with nobody who is told of it. What goes wrong is thrown. */
export const createCallsAlone = (options: Pick<CallsOptions, 'file' | 'references' | 'limits'>) =>
  createCalls({
    ...options,
    pathsOf: () => undefined,
    onRecorded: () => undefined,
    onCounted: () => undefined,
    onFileNotice: () => undefined,
    warn: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
