import type { AppState } from '../../preload/contract/models.ts';
import { ok, type Result } from '../../preload/contract/result.ts';

/** Makes the answer to the window out of what was done for it: the state as it is then, or the failure. */
export const answerState =
  (state: () => AppState) =>
  async (work: Promise<Result<null>> | Result<null>): Promise<Result<AppState>> => {
    const done = await work;
    return done.ok ? ok(state()) : done;
  };
