import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary, RecordedCall, ReplayChange } from '../../../preload/contract/calls.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { duringOf, urlText } from '../../answers/say-call.ts';
import { api } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { compareAnswers } from './compare.ts';
import type { ComparisonProps } from './comparison.tsx';
import { sayOutcome } from '../../answers/outcome.tsx';
import { useReplay } from './use-replay.ts';

/** A logout with one of these changes names no session that it could end. */
const withoutToken: ReadonlySet<ReplayChange['change'] | undefined> = new Set(['no-token', 'broken-token'] as const);

interface DetailsOptions {
  id: string;
  pinned: boolean;
  onPinned: (changed: CallSummary) => void;
}

/** Keeps one call as main has it, its replays, and what came of the last action. */
export function useDetails({ id, pinned, onPinned }: DetailsOptions) {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState<Result<RecordedCall>>();
  const [said, setSaid] = useState<ActionOutcome>();
  const [beside, setBeside] = useState<Pick<ComparisonProps, 'original' | 'replay' | 'compared'>>();

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

  function showBeside(original: RecordedCall, replay: RecordedCall) {
    const { response, failure } = replay;
    const outcome = sayOutcome({ status: response?.status, failure: failure?.kind }, t);
    const compared = compareAnswers(original.response, response);
    const { differences } = compared;
    setBeside({ original, replay, compared });
    const sentence =
      differences === 0 ? t('replay.same', { outcome }) : t('replay.differs', { outcome, number: differences });
    setSaid({ sentence: response ? sentence : t('replay.unanswered', { outcome }) });
  }

  async function compareWithOriginal(replay: RecordedCall, originalId: string) {
    const original = await api.calls.get({ id: originalId });
    if (original.ok) showBeside(original.value, replay);
    else setSaid({ sentence: t('replay.originalGone') });
  }

  const replay = useReplay({
    id,
    endsSession: (change) => duringOf(url) === 'logout' && !withoutToken.has(change?.change),
    onSending: () => {
      setBeside(undefined);
      setSaid(undefined);
    },
    onSent: (sent) => call && showBeside(call, sent),
    onFailed: (error) => setSaid({ error }),
  });

  return {
    answer,
    call,
    url,
    said,
    setSaid,
    beside,
    leaveComparison: () => setBeside(undefined),
    compareWithOriginal,
    pin,
    replay,
  };
}

export type ShownDetails = ReturnType<typeof useDetails>;
