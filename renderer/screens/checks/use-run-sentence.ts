import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import { formatDuration } from '../../format.ts';
import type { RunView } from './use-run-view.ts';
import { useEffect, useRef, useState } from 'react';
import { runVerdictOf } from '../../../preload/contract/run-verdict.ts';
import { acceptedFaults } from './acceptance.ts';
import { t } from '../../i18n.ts';

/** Says how far a run is and how it ended, for those who hear it. */
export function useRunSentence({ underWay, endedId, entryOf }: RunView, words: ReportWords): string {
  function sentence(): string {
    if (underWay?.cancelled) return t('run.cancelling');
    if (underWay?.caseId) return t('run.again', { title: words.case(underWay.caseId) });
    if (underWay) {
      const { casesDone, casesPlanned, callsMade, secondsLeft } = underWay.progress;
      const cases = t('contract.casesEnding', { done: casesDone, count: casesPlanned });
      const counts = t('run.counts', { cases, count: callsMade });
      return `${counts}, ${t('run.left', { time: formatDuration(secondsLeft) })}`;
    }
    const ended = endedId === undefined ? undefined : entryOf(endedId);
    if (!ended) return '';
    const { report, acceptances = [] } = ended;
    const verdict = runVerdictOf(report, { accepted: acceptedFaults(acceptances) });
    const said = words.runVerdict(verdict, report.baseUrl);
    const summary = said
      .map((part) =>
        typeof part === 'string' ? part : part.outside.map((each) => (typeof each === 'string' ? each : '')).join(''),
      )
      .join('');
    return t('run.ended', { summary });
  }

  return useAnnouncement(sentence(), !underWay || underWay.cancelled);
}

/** Milliseconds between two sentences about what goes on. */
const quiet = 10_000;

/**
 * Returns what a live region is to say of something that changes several times a second: the newest every ten seconds,
 * and what is `urgent` at once.
 */
function useAnnouncement(text: string, urgent: boolean): string {
  const [said, setSaid] = useState('');
  const lastAt = useRef(-Infinity);
  useEffect(() => {
    const now = performance.now();
    if (text === '' || (!urgent && now - lastAt.current < quiet)) return;
    lastAt.current = now;
    setSaid(text);
  }, [text, urgent]);
  return said;
}
