import { useEffect, useState } from 'react';
import type { InterfaceGuess } from '../../../../preload/contract/connection.ts';
import { workingCalls } from '../../../../preload/contract/proven-parts.ts';
import type { Trial, TrialAccount, WantedTrial } from '../../../../preload/contract/trial.ts';
import { api } from '../../../api.ts';
import { useAction } from '../../../use-action.ts';

/** What is tried beside the description: where, and how it is reached. */
export type TriedAt = Pick<WantedTrial, 'id' | 'enteredConnection' | 'production'> & {
  variables: { name: string; value: string }[];
};

/**
 * Tries a description at its server, once a press. What came of it belongs to the text that was tried.
 * @param tried the description, where it is tried, and what of it is still as the import guessed it
 * @param onWorks told of a text by which a login worked
 */
export function useTrial(
  tried: { text: string; address: string; guesses: InterfaceGuess[] },
  at: TriedAt,
  onWorks: (text: string, calls: readonly string[]) => void,
) {
  const { text, address, guesses } = tried;
  const { variables, ...reach } = at;
  const attempt = useAction();
  const [done, setDone] = useState<{ of: string; trial: Trial }>();
  const [failed, setFailed] = useState<readonly string[]>([]);
  // Who leaves the panel waits for nothing more.
  useEffect(() => () => void api.interfaces.cancelTry(), []);

  async function run(account: TrialAccount) {
    const entered = { ...reach, address, enteredInterface: { text, variables, guesses } };
    const result = await attempt.run(() => api.interfaces.try({ ...entered, account }));
    if (!result?.ok) return;
    setDone({ of: text, trial: result.value });
    if (result.value.works) onWorks(text, workingCalls(result.value));
    else setFailed((before) => [...before, text]);
  }

  return {
    run,
    cancel: () => void api.interfaces.cancelTry(),
    sending: attempt.pending,
    failure: attempt.failure?.error,
    trial: done?.of === text ? withoutFailed(done.trial, failed) : undefined,
    wasTried: done !== undefined,
  };
}

/** A trial that proposes nothing again that was tried and failed. */
const withoutFailed = (trial: Trial, failed: readonly string[]): Trial => ({
  ...trial,
  proposals: trial.proposals.filter((each) => !failed.includes(each.text)),
});
