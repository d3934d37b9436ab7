import { useRef, useState } from 'react';
import type { BuiltInData, SeedName } from '../../../preload/contract/local-servers.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { t } from '../../i18n.ts';

/** What is asked about before it is done, since it loses something. */
export type Asking =
  | { kind: 'reset'; set: SeedName; seed: number }
  | { kind: 'restore' | 'remove'; id: string; atMs: number };

/** Keeps the accounts as a whole and their snapshots, what is asked about them, and what came of it. */
export function useBuiltInData(onChanged: () => void) {
  const { data: held, error, setData } = useQuery(api.builtIn.data);
  const attempt = useAction();
  const [asking, setAsking] = useState<Asking>();
  const makeRef = useRef<HTMLButtonElement>(null);

  /** Answers whether it was done. */
  async function run(call: () => Promise<Result<BuiltInData>>, say: (after: BuiltInData) => string): Promise<boolean> {
    if (attempt.pending) return false;
    const result = await attempt.run(call, (after) => {
      setData(after);
      onChanged();
      return () => say(after);
    });
    setAsking(undefined);
    return result?.ok === true;
  }

  const reset = (set: SeedName, seed: number) =>
    run(
      () => api.builtIn.reset({ set, seed }),
      ({ accounts }) => t('builtIn.data.replaced', { number: accounts }),
    );

  function replace(set: SeedName, seed: number) {
    if (held && held.accounts > 0) setAsking({ kind: 'reset', set, seed });
    else void reset(set, seed);
  }

  const restore = (id: string) =>
    run(
      () => api.builtIn.restore({ id }),
      ({ accounts }) => t('builtIn.data.restored', { number: accounts }),
    );

  async function remove(id: string) {
    const done = await run(
      () => api.builtIn.removeSnapshot({ id }),
      () => t('builtIn.data.removed'),
    );
    // The button goes away with its snapshot, and the focus must not go with it.
    if (done) makeRef.current?.focus();
  }

  function goOn() {
    if (asking?.kind === 'reset') void reset(asking.set, asking.seed);
    else if (asking?.kind === 'restore') void restore(asking.id);
    else if (asking) void remove(asking.id);
  }

  return {
    held,
    error: attempt.failure?.error ?? error,
    sending: attempt.pending,
    asking,
    setAsking,
    makeRef,
    replace,
    undo: () => run(api.builtIn.undo, ({ accounts }) => t('builtIn.data.undone', { number: accounts })),
    snapshot: () => run(api.builtIn.snapshot, () => t('builtIn.data.made')),
    goOn,
  };
}
