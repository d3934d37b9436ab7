import { useState } from 'react';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import { sayOutcome } from '../../answers/outcome.tsx';
import { api } from '../../api.ts';
import { useTexts } from '../../texts.tsx';
import { compareAnswers } from './compare.ts';

/** Two calls beside each other: an original and its replay, or an earlier call and a later one. */
export interface TwoCalls {
  original: RecordedCall;
  other: RecordedCall;
  isReplay: boolean;
}

/** Keeps which two calls are compared, and the first of them while the second one is being picked. */
export function useComparison() {
  const { t } = useTexts();
  const [shown, setShown] = useState<TwoCalls>();
  const [picking, setPicking] = useState<RecordedCall>();
  const [sentence, setSentence] = useState('');

  function show(calls: TwoCalls) {
    const { response, failure } = calls.other;
    const outcome = sayOutcome({ status: response?.status, failure: failure?.kind }, t);
    const { differences } = compareAnswers(calls.original.response, response);
    const [same, differs] = calls.isReplay
      ? (['replay.same', 'replay.differs'] as const)
      : (['compare.same', 'compare.differs'] as const);
    const answered = differences === 0 ? t(same, { outcome }) : t(differs, { outcome, number: differences });
    setSentence(response ? answered : t('replay.unanswered', { outcome }));
    setPicking(undefined);
    setShown(calls);
  }

  return {
    shown,
    picking,
    /** Says how the comparison came out, to whoever hears the window. */
    sentence,
    setSentence,
    showReplay: (original: RecordedCall, other: RecordedCall) => show({ original, other, isReplay: true }),
    /** Compares a replay with its original. Answers false when that is not kept any more. */
    async withOriginal(replay: RecordedCall, originalId: string): Promise<boolean> {
      const original = await api.calls.get({ id: originalId });
      if (original.ok) show({ original: original.value, other: replay, isReplay: true });
      return original.ok;
    },
    /** Compares the call that waits for a second one with this one. Answers false when that is not kept any more. */
    async pick(id: string): Promise<boolean> {
      if (!picking || picking.id === id) return true;
      const second = await api.calls.get({ id });
      if (!second.ok) return false;
      const [original, other] = [picking, second.value].toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
      if (original && other) show({ original, other, isReplay: false });
      return true;
    },
    startPicking: setPicking,
    stopPicking: () => setPicking(undefined),
    leave: () => {
      setShown(undefined);
      setSentence('');
    },
  };
}

export type Comparing = ReturnType<typeof useComparison>;
