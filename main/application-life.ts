import type { Parts } from './application.ts';

/** Starts what can wait for the first frame. */
export async function beginParts({ builtIn, doubles, session, vault, state, updates }: Parts): Promise<void> {
  const starting = builtIn.start();
  void doubles.ready(state.get().activeServerId);
  // What a crash left behind goes first, before it could be restored.
  await session.clearKept();
  if (!state.isLocked()) await Promise.all([vault.open(), session.restore()]);
  await starting;
  if (!state.isLocked()) void session.beginTelling();
  await updates.begin();
}

/** Looks anew after a sleep of the computer, during which no timer ran. */
export function wokeUp({ ends, session, state }: Parts): void {
  ends.wake();
  if (!state.isLocked()) void session.beginTelling();
}

/** Ends all parts, those first that others serve. What was changed is on the disk afterwards, whichever part fails. */
export async function closeParts(parts: Parts, cipher: { close: () => void }): Promise<void> {
  try {
    await endParts(parts, cipher);
  } finally {
    await parts.config.save();
  }
}

async function endParts(
  { session, contract, builtIn, doubles, calls, updates, ends }: Parts,
  cipher: { close: () => void },
): Promise<void> {
  updates.close();
  session.stopTelling();
  ends.stop();
  await session.clearKept();
  await contract.close();
  // A clean-up call may need a secret of its connection.
  cipher.close();
  await Promise.all([builtIn.close(), doubles.close()]);
  await calls.close();
}
