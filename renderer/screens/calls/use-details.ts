import { useEffect, useState } from 'react';
import type { CallSummary, RecordedCall } from '../../../preload/contract/calls.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { urlText } from '../../answers/say-call.ts';
import { api } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { useTexts } from '../../texts.tsx';
import type { Comparing } from './use-comparison.ts';
import { useReplay } from './use-replay.ts';

interface DetailsOptions {
  id: string;
  pinned: boolean;
  comparing: Comparing;
  onPinned: (changed: CallSummary) => void;
}

/** Keeps one call as main has it, its replays, and what came of the last action. */
export function useDetails({ id, pinned, comparing, onPinned }: DetailsOptions) {
  const { t } = useTexts();
  const [answer, setAnswer] = useState<Result<RecordedCall>>();
  const [said, setSaid] = useState<ActionOutcome>();

  useEffect(() => {
    let left = false;
    void api.calls.get({ id }).then((result) => {
      if (!left) setAnswer(result);
    });
    return () => {
      left = true;
    };
  }, [id]);
  async function pin() {
    const result = await api.calls.pin({ id, pinned: !pinned });
    if (result.ok) onPinned(result.value);
    else setAnswer(result);
  }

  const call = answer?.ok ? answer.value : undefined;
  const url = urlText(call?.request.url ?? []);

  async function compareWithOriginal() {
    const originalId = call?.replayOf?.id;
    if (!call || originalId === undefined) return;
    if (!(await comparing.withOriginal(call, originalId))) setSaid({ sentence: t('replay.originalGone') });
  }

  const replay = useReplay({
    id,
    url,
    onSending: () => setSaid(undefined),
    onSent: (sent) => call && comparing.showReplay(call, sent),
    onFailed: (error) => setSaid({ error }),
  });

  return { answer, call, url, said, setSaid, compareWithOriginal, pin, replay };
}

export type ShownDetails = ReturnType<typeof useDetails>;
