import { Stack, Text } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import type { Result } from '../../../preload/contract/result.ts';
import type { Copies, SeedName } from '../../../preload/contract/built-in-server.ts';
import { api } from '../../api.ts';
import { useAttempt } from '../../use-attempt.ts';
import { Outcome } from './outcome.tsx';
import { Question } from './question.tsx';
import { ReplaceForm } from './replace-form.tsx';
import { Snapshots } from './snapshots.tsx';
import { createMoments } from './say-moment.ts';
import { useLoaded } from './use-loaded.ts';

type Asking = { kind: 'reset'; set: SeedName; seed: number } | { kind: 'restore' | 'remove'; id: string; atMs: number };

const verbs = { reset: 'replace', restore: 'restore', remove: 'remove' } as const satisfies Record<
  Asking['kind'],
  string
>;

/** All the accounts at once: others in their place, undo, snapshots. */
export function DataTab({ state: { activeServerId } }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const { value: copies, error, put } = useLoaded(api.builtIn.copies);
  const attempt = useAttempt(activeServerId);
  const [asking, setAsking] = useState<Asking>();
  const [said, setSaid] = useState<string>();
  const snapshotsRef = useRef<HTMLHeadingElement>(null);

  /** Whether it was done. */
  async function run(call: () => Promise<Result<Copies>>, say: (after: Copies) => string): Promise<boolean> {
    const result = await attempt.run(call);
    if (!result) return false;
    setAsking(undefined);
    if (!result.ok) return false;
    put(result.value);
    setSaid(say(result.value));
    return true;
  }

  const reset = (set: SeedName, seed: number) =>
    run(
      () => api.builtIn.reset(set, seed),
      ({ accounts }) => t('builtIn.data.replaced', { number: accounts }),
    );

  function replace(set: SeedName, seed: number) {
    if (copies && copies.accounts > 0) setAsking({ kind: 'reset', set, seed });
    else void reset(set, seed);
  }

  const restore = (id: string) =>
    run(
      () => api.builtIn.restore(id),
      ({ accounts }) => t('builtIn.data.restored', { number: accounts }),
    );

  async function remove(id: string) {
    const done = await run(
      () => api.builtIn.removeSnapshot(id),
      () => t('builtIn.data.removed'),
    );
    // The button goes away with its snapshot: the focus must not go with it.
    if (done) snapshotsRef.current?.focus();
  }

  function goOn() {
    if (asking?.kind === 'reset') void reset(asking.set, asking.seed);
    else if (asking?.kind === 'restore') void restore(asking.id);
    else if (asking) void remove(asking.id);
  }

  function sayQuestion(wanted: Asking, number: number): string {
    if (wanted.kind === 'reset') return t('builtIn.data.sure', { number });
    const time = moments.moment(wanted.atMs);
    return wanted.kind === 'restore'
      ? t('builtIn.data.sureRestore', { number, time })
      : t('builtIn.data.sureRemove', { time });
  }

  return (
    <Stack gap="md">
      <Outcome said={copies ? said : t('builtIn.loading')} error={attempt.failure?.error ?? error} />
      <Text size="sm">{copies && t('builtIn.data.accounts', { number: copies.accounts })}</Text>
      {asking && copies && (
        <Question
          text={sayQuestion(asking, copies.accounts)}
          keep={t('builtIn.data.keep')}
          goOn={t(`builtIn.data.${verbs[asking.kind]}Now`)}
          sending={attempt.sending}
          onKeep={() => setAsking(undefined)}
          onGoOn={goOn}
        />
      )}
      <ReplaceForm
        canUndo={copies?.canUndo ?? false}
        sending={attempt.sending}
        onReplace={replace}
        onUndo={() => void run(api.builtIn.undo, ({ accounts }) => t('builtIn.data.undone', { number: accounts }))}
      />
      <Snapshots
        headingRef={snapshotsRef}
        snapshots={copies?.snapshots}
        sending={attempt.sending}
        onMake={() => void run(api.builtIn.snapshot, () => t('builtIn.data.made'))}
        onChoose={(kind, id, atMs) => setAsking({ kind, id, atMs })}
      />
    </Stack>
  );
}
